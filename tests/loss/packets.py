# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
"""The packets of a CTF 1.8 trace's streams, as LTTng writes them, and copies of traces that lack some.

Where a number is in a packet's header is read from the trace's metadata. A copy has no index: readers do
without, and one that does not fit is worse than none.
"""
import collections
import os
import re
import shutil
import struct
import subprocess

METADATA_MAGIC = 0x75D11D57
METADATA_HEADER = 37
MAGIC = 0xC1FC1FC1


def metadata_text(directory):
    """The text of a metadata file, without the headers of its packets."""
    with open(os.path.join(directory, 'metadata'), 'rb') as file:
        data = file.read()
    if struct.unpack_from('<I', data)[0] != METADATA_MAGIC:
        return data.decode()
    text, at = b'', 0
    while at < len(data):
        content, packet = struct.unpack_from('<II', data, at + 24)
        text += data[at + METADATA_HEADER:at + content // 8]
        at += packet // 8
    return text.decode()


def layout_of(directory):
    """Offsets of the members of a packet's header and context: name -> (offset, size)."""
    text = metadata_text(directory)
    types = {name: int(size) for size, name in re.findall(r'typealias integer \{ size = (\d+);[^}]*\} := ([\w ]+);', text)}
    types |= {f'uint{n}_clock_monotonic_t': n for n in (32, 64)}
    header = re.search(r'packet\.header := struct \{(.*?)\}[^}]*?;\n\};', text, re.S).group(1)
    context = re.search(r'(?:struct packet_context|packet\.context := struct) \{(.*?)\n\s*\}[^}]*?;', text, re.S).group(1)
    layout, at = {}, 0
    # Every member is a whole number of bytes: a type with a name, or one that is written out.
    for size, kind, name, count in re.findall(r'(?:integer \{ size = (\d+);[^}]*\}|(\w[\w ]*?))\s+(\w+)(?:\[(\d+)\])?;', header + context):
        bits = int(size) if size else types[kind]
        layout[name.lstrip('_')] = (at, bits // 8)
        at += bits // 8 * int(count or 1)
    return layout


class Packet:
    """One packet: its bytes, and what its header says."""
    NUMBERS = ('timestamp_begin', 'timestamp_end', 'content_size', 'packet_size', 'packet_seq_num',
               'events_discarded', 'cpu_id')

    def __init__(self, data, layout):
        self.data, self.layout, self.events = bytearray(data), layout, 0

    def get(self, name):
        at, size = self.layout[name]
        return int.from_bytes(self.data[at:at + size], 'little')

    def put(self, name, value):
        at, size = self.layout[name]
        self.data[at:at + size] = value.to_bytes(size, 'little')

    begin = property(lambda self: self.get('timestamp_begin'))
    end = property(lambda self: self.get('timestamp_end'))

    def copy(self):
        new = Packet(self.data, self.layout)
        new.events = self.events
        return new


def read_stream(path, layout):
    """The whole packets of a file; what is behind them was cut off."""
    with open(path, 'rb') as file:
        data = file.read()
    packets, at, head = [], 0, max(a + s for a, s in layout.values())
    while at + head <= len(data):
        if struct.unpack_from('<I', data, at)[0] != MAGIC:
            break
        size = int.from_bytes(data[at + layout['packet_size'][0]:at + layout['packet_size'][0] + 8], 'little') // 8
        if not size or at + size > len(data):
            break
        packets.append(Packet(data[at:at + size], layout))
        at += size
    return packets


def stream_files(directory):
    return sorted(name for name in os.listdir(directory)
                  if name != 'metadata' and os.path.isfile(os.path.join(directory, name)))


class Trace:
    """A directory with a metadata file, and its streams: name -> packets."""

    def __init__(self, directory):
        self.directory = directory
        layout = layout_of(directory)
        self.streams = {name: read_stream(os.path.join(directory, name), layout) for name in stream_files(directory)}

    def count_events(self):
        """Sets how many events are in each packet, as babeltrace2 reads them."""
        told = subprocess.run(
            ['babeltrace2', self.directory, '-c', 'sink.text.details', '-p', 'with-metadata=no,compact=yes,color="never"'],
            check=True, capture_output=True, text=True).stdout
        per_stream = collections.defaultdict(list)
        for line in told.splitlines():
            found = re.match(r'\[([\d,]+)[^]]*\] \{(\d+ \d+ \d+)\} (Packet beginning|Event )', line)
            if not found:
                continue
            if found.group(3) == 'Event ':
                per_stream[found.group(2)][-1][1] += 1
            else:
                per_stream[found.group(2)].append([int(found.group(1).replace(',', '')), 0])
        by_begins = {tuple(b for b, _ in list_): [n for _, n in list_] for list_ in per_stream.values()}
        for packets in self.streams.values():
            for packet, count in zip(packets, by_begins[tuple(p.begin for p in packets)]):
                packet.events = count

    def write(self, directory, streams):
        """Writes a copy with those packets: name -> packets. A stream without any is left out."""
        shutil.rmtree(directory, ignore_errors=True)
        os.makedirs(directory)
        shutil.copy(os.path.join(self.directory, 'metadata'), directory)
        for name, packets in streams.items():
            if packets:
                with open(os.path.join(directory, name), 'wb') as file:
                    for packet in packets:
                        file.write(packet.data)


def without(packets, lost):
    """As if the reader never got them: their numbers are missing."""
    return [p for i, p in enumerate(packets) if i not in lost]


def discarded(packets, lost):
    """As if the buffer had been full: the packet before stays open until there is room, counts what
    did not fit, and numbers go on without a gap. The first packet is there always: at first there is room."""
    kept, more, seq = [], 0, packets[0].get('packet_seq_num') if packets else 0
    for i, packet in enumerate(packets):
        if i in lost and kept:
            more += packet.events
            kept[-1].put('timestamp_end', packet.end)
            kept[-1].put('events_discarded', packet.get('events_discarded') + more)
            continue
        new = packet.copy()
        new.put('events_discarded', packet.get('events_discarded') + more)
        new.put('packet_seq_num', seq + len(kept))
        kept.append(new)
    return kept
