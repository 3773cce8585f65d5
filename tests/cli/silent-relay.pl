#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# silent-relay.pl FILE ANSWERS: a relay daemon that answers a viewer so many times, and then says nothing
# more. Its port is written to FILE, and a line to standard output whenever it falls silent. Ends with SIGTERM.
use strict;
use warnings;
use IO::Socket::INET;

$SIG{PIPE} = 'IGNORE';
my ($file, $answers) = @ARGV;
my $server = IO::Socket::INET->new(Listen => 5, LocalAddr => '127.0.0.1', LocalPort => 0) or die "listen: $!";
open(my $out, '>', "$file.new") or die "$file: $!";
print $out $server->sockport;
close($out);
rename("$file.new", $file);
$| = 1;
my @held;
while (my $client = $server->accept) {
	push @held, $client;
	binmode $client;
	while ($answers-- > 0) {
		# lttng-viewer-abi.h of lttng-tools: data_size, cmd, cmd_version
		last if read($client, my $head, 16) != 16;
		my ($high, $size, $command) = unpack('NNN', $head);
		read($client, my $data, $size) if $size;
		if ($command == 1) {
			print $client pack('NNNNN', 0, 1, 2, 4, 1);
		} elsif ($command == 2) {
			print $client pack('N NNNNN a64 a255', 1, 0, 1, 1000000, 0, 1, 'host', 'session');
		}
		$client->flush;
		# The next command may come by a connection of its own.
		last if $command == 2;
	}
	print "silent\n" if $answers <= 0;
}
