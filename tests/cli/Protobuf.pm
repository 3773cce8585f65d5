# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# Reads messages of protocol buffers, by the numbers of their fields alone.
package Protobuf;
use strict;
use warnings;
use Exporter 'import';
our @EXPORT = qw(fields numbers only);

# Fields of a message in order: [number, value]; a value is a number, or bytes.
sub fields
{
	my ($bytes) = @_;
	my @fields;
	my $at = 0;
	my $varint = sub {
		my ($n, $shift) = (0, 0);
		while (1) {
			die "cut\n" if $at >= length $bytes;
			my $byte = ord substr $bytes, $at++, 1;
			$n |= ($byte & 0x7f) << $shift;
			return $n if !($byte & 0x80);
			$shift += 7;
		}
	};
	while ($at < length $bytes) {
		my $key = $varint->();
		my $value = $varint->();
		if (($key & 7) == 2) {
			my $length = $value;
			die "cut\n" if $at + $length > length $bytes;
			$value = substr $bytes, $at, $length;
			$at += $length;
		} elsif (($key & 7) != 0) {
			die "type\n";
		}
		push @fields, [$key >> 3, $value];
	}
	return @fields;
}

# Packed numbers.
sub numbers
{
	my ($bytes) = @_;
	my ($n, $shift, @numbers) = (0, 0);
	for my $byte (map { ord } split //, $bytes) {
		$n |= ($byte & 0x7f) << $shift;
		$shift += 7;
		next if $byte & 0x80;
		push @numbers, $n;
		($n, $shift) = (0, 0);
	}
	return @numbers;
}

sub only { my ($number, @fields) = @_; return map { $_->[1] } grep { $_->[0] == $number } @fields; }

1;
