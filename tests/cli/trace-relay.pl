#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# trace-relay.pl FILE TRACE [COMMAND]: a relay daemon that has one session, which is told as it is in the trace, and ends.
# Its port is written to FILE. To that command of a viewer's (its number) it says nothing, and nothing more; FILE.silent
# is there then. Ends with SIGTERM.
use strict;
use warnings;
use IO::Socket::INET;

$SIG{PIPE} = 'IGNORE';
my ($file, $trace, $silent) = @ARGV;

sub content {
	open(my $in, '<:raw', $_[0]) or die "$_[0]: $!";
	local $/;
	return <$in>;
}

# What ctf-write writes: magic, uuid, stream class, stream; packet and content in bits, begin, end, losses.
sub packets {
	my ($data) = @_;
	my ($at, @packets) = (0);
	while ($at < length $data) {
		my ($class, undef, $size, $content, $begin, $end, $lost) = unpack("x$at x20 Q<7", $data);
		push @packets, {at => $at, index => pack('Q>7', $at, $size, $content, $begin, $end, $lost, $class)};
		$at += $size / 8;
	}
	return @packets;
}

my @streams = map { my $data = content($_); {data => $data, packets => [packets($data)]} } sort glob("$trace/channel*_*");
my $metadata = content("$trace/metadata");

# lttng-viewer-abi.h of lttng-tools: stream 1 is the metadata's.
sub stream { return pack('Q>Q>N a4096 a255', $_[0], 1, $_[0] == 1, 'kernel', $_[1]) }
my %answers = (
	1 => sub { pack('Q>NNN', 1, 2, 4, 1) },
	2 => sub { pack('N Q>NNN a64 a255', 1, 1, 1000000, 0, 1 + @streams, 'host', 'session') },
	3 => sub { pack('NN', 1, 1 + @streams) . stream(1, 'metadata') . join '', map { stream($_ + 2, "channel0_$_") } 0 .. $#streams },
	4 => sub {
		my $packet = shift @{$streams[unpack('Q>', $_[0]) - 2]{packets}};
		return $packet ? $packet->{index} . pack('NN', 1, 0) : pack('Q>7NN', (0) x 7, 3, 0);
	},
	5 => sub {
		my ($stream, $at, $size) = unpack('Q>Q>N', $_[0]);
		return pack('NNN', 1, $size, 0) . substr $streams[$stream - 2]{data}, $at, $size;
	},
	6 => sub {
		my $text = $metadata;
		$metadata = '';
		return pack('Q>N', length $text, length $text ? 1 : 2) . $text;
	},
	7 => sub { pack('NN', (grep { @{$_->{packets}} } @streams) ? 2 : 4, 0) },
);

my $server = IO::Socket::INET->new(Listen => 5, LocalAddr => '127.0.0.1', LocalPort => 0) or die "listen: $!";
open(my $out, '>', "$file.new") or die "$file: $!";
print $out $server->sockport;
close($out);
rename("$file.new", $file);
while (my $client = $server->accept) {
	binmode $client;
	while (read($client, my $head, 16) == 16) {
		my (undef, $size, $command) = unpack('NNN', $head);
		my $data = '';
		read($client, $data, $size) if $size;
		if ($command == ($silent // 0)) {
			open(my $told, '>', "$file.silent");
			close($told);
			sleep 1 while 1;
		}
		print $client $answers{$command} ? $answers{$command}->($data) : pack('N', 1);
		$client->flush;
	}
}
