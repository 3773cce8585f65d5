#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
"""Trials with lost events: see docs/loss.md. Prints what came out, and ends with 1 if a bound is wrong."""
import argparse
import collections
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile

import judge
import packets


def window(trace, rng):
    """A part of the trace's time, in cycles."""
    begin = min(s[0].begin for s in trace.streams.values() if s)
    end = max(s[-1].end for s in trace.streams.values() if s)
    length = (end - begin) * rng.uniform(0.02, 0.4)
    at = begin + (end - begin - length) * rng.random()
    return at, at + length


def one_stream(trace, rng):
    return rng.choice([n for n, s in trace.streams.items() if len(s) > 3])


def cut_one(trace, rng):
    name = one_stream(trace, rng)
    return {name: {rng.randrange(1, len(trace.streams[name]) - 1)}}


def cut_run(trace, rng):
    name = one_stream(trace, rng)
    first = rng.randrange(1, len(trace.streams[name]) - 1)
    return {name: set(range(first, min(first + rng.randrange(2, 9), len(trace.streams[name]) - 1)))}


def cut_many(trace, rng):
    share = rng.uniform(0.05, 0.6)
    return {n: {i for i in range(1, len(s) - 1) if rng.random() < share} for n, s in trace.streams.items()}


def cut_begin(trace, rng):
    name = one_stream(trace, rng)
    return {name: set(range(rng.randrange(1, len(trace.streams[name])))) or {0}}


def cut_end(trace, rng):
    name = one_stream(trace, rng)
    count = len(trace.streams[name])
    return {name: set(range(rng.randrange(1, count), count))}


def cut_cpu(trace, rng):
    begin, end = window(trace, rng)
    name = one_stream(trace, rng)
    return {name: {i for i, p in enumerate(trace.streams[name]) if p.end > begin and p.begin < end}}


def cut_all(trace, rng):
    begin, end = window(trace, rng)
    return {n: {i for i, p in enumerate(s) if p.end > begin and p.begin < end} for n, s in trace.streams.items()}


def cut_dump(trace, rng):
    """Of the packets that the state dump is in, some or all."""
    first = {n: [i for i, p in enumerate(s) if p.begin <= trace.dump_end and p.end >= trace.dump_begin]
             for n, s in trace.streams.items()}
    share = rng.choice([0.2, 0.5, 1])
    return {n: {i for i in list_ if rng.random() < share} for n, list_ in first.items()}


CUTS = {'one packet': cut_one, 'a run of packets': cut_run, 'many packets': cut_many, 'the begin': cut_begin,
        'the end': cut_end, 'a while of a CPU': cut_cpu, 'a while of all': cut_all, 'the state dump': cut_dump}
WAYS = {'lost': packets.without, 'discarded': packets.discarded}


class Tally:
    """What all trials of a kind came to."""

    def __init__(self):
        self.trials = self.figures = self.violations = 0
        self.slack = []
        self.widths = collections.defaultdict(list)


class Campaign:
    """Trials, and what is said of them."""

    def __init__(self, options):
        self.options, self.tallies = options, collections.defaultdict(Tally)
        self.causes = collections.Counter()

    def judge(self, kind, lossy, whole, cache, repeat):
        tally = self.tallies[kind]
        tally.trials += 1
        try:
            verdict = judge.Judge(self.options.program, lossy, whole, cache, kind.startswith('recorded')).all()
        except judge.Unreadable as problem:
            tally.violations += 1
            print(f'# not reported on: {kind}: {problem}; again with: {repeat}')
            return
        tally.figures += verdict.figures
        tally.slack.append(verdict.sums)
        for name, list_ in verdict.widths.items():
            tally.widths[name] += list_
        if not verdict.violations:
            return
        tally.violations += len(verdict.violations)
        for violation in verdict.violations:
            self.causes[violation.split(' of ')[0]] += 1
        print(f'# not within its bounds: {kind}: {len(verdict.violations)} of {verdict.figures} figures; again with: {repeat}')
        for violation in verdict.violations[:self.options.show]:
            print(f'#     {violation}')
        sys.stdout.flush()

    def judge_whole(self, directory):
        """What the report on a whole trace says is what was made up (world.py), to the nanosecond."""
        path = os.path.join(os.path.dirname(directory), 'truth.json')
        if not os.path.exists(path):
            return
        tally = self.tallies['nothing lost, against what was made up']
        tally.trials += 1
        with open(path, encoding='ascii') as file:
            made_up = json.load(file)
            truth = made_up['own_ns']
        told = judge.ask(self.options.program, 'cpu', directory)
        rows = {(r['container'] or {'id': 'host'})['id']: r['own_ns'] for r in told['rows']}
        rows.update({k: told[k]['ns'] for k in ('idle', 'interrupts', 'unknown') if told[k]['ns']})
        tally.figures += len(truth)
        if rows != {k: ns for k, ns in truth.items() if ns}:
            tally.violations += 1
            print(f'# The report on a whole trace is wrong: {directory}: truth={truth} told={rows}')
        self.judge_waits(directory, tally, made_up['waited_ns'])

    def judge_waits(self, directory, tally, truth):
        """The same of who waited for the disk, and whose requests it had, and for locks, and who had them, of whom quotas
        kept off CPUs, and who slept in reclaim."""
        told = collections.Counter()
        for row in judge.ask(self.options.program, 'why', directory)['rows']:
            whose = (row['container'] or {'id': 'host'})['id']
            for part in [p for c in row['causes'] if c['kind'] == 'locks' for p in c['by']]:
                keeper = (part['container'] or {'id': 'host'})['id'] if part['known'] else 'unknown'
                told[f'{whose} {part["lock"]} {keeper}'] += part['ns']
            parts = [p for c in row['causes'] if c['kind'] in ('disk', 'memory') for p in c['by']]
            for part in [p for c in row['causes'] if c['kind'] == 'throttled' for p in c['by']]:
                told[f'{whose} throttled {part["cgroup"]}'] += part['ns']
            told[f'{whose} reclaim'] = sum(p['ns'] for p in parts if p.get('what') == 'reclaim')
            # Who waits outside of any system call has touched a page that was not there.
            for part in [p for p in parts if p.get('what') != 'reclaim']:
                told[f'{whose}'] += part['ns']
                for request in part['requests']:
                    owner = (request['container'] or {'id': 'host'})['id'] if request['culprit'] == 'tasks' else request['culprit']
                    told[f'{whose} {request["stage"]} {owner}'] += request['ns']
        tally.figures += len(truth)
        wrong = sorted(k for k in {*told, *truth} if told[k] != truth.get(k, 0))
        if wrong:
            tally.violations += 1
            print(f'# The report on a whole trace is wrong about waits: {directory}: '
                  f'{[f"{k}: truth={truth.get(k, 0)} told={told[k]}" for k in wrong]}')

    def tap(self):
        """One test for each kind of trial."""
        for kind, tally in sorted(self.tallies.items()):
            print(f'{"not ok" if tally.violations else "ok"} - {kind}: in {tally.trials} trials all figures are within their bounds')
            if tally.violations:
                print(f'# expected 0 violations of {tally.figures} figures\n# saw {tally.violations}, see above')
        print(f'1..{len(self.tallies)}')
        return sum(t.violations for t in self.tallies.values())

    def report(self):
        for kind, tally in sorted(self.tallies.items()):
            print(f'{kind:34} trials={tally.trials} figures={tally.figures} violations={tally.violations}')
        slack = [ns / 1e6 for tally in self.tallies.values() for ns in tally.slack if ns]
        if slack:
            print(f'sums of times of two sessions are compared to within {statistics.median(slack):.0f} ms (median), {max(slack):.0f} ms (most)')
        for cause, count in self.causes.most_common():
            print(f'violations of {cause}: {count}')
        widths = collections.defaultdict(list)
        for tally in self.tallies.values():
            for name, list_ in tally.widths.items():
                widths[name] += list_
        print_widths(widths)
        violations = sum(t.violations for t in self.tallies.values())
        print(f'trials={sum(t.trials for t in self.tallies.values())} figures={sum(t.figures for t in self.tallies.values())} '
              f'violations={violations}')
        return violations


def print_widths(widths):
    """How far apart the bounds are: from the least to the most, in hundredths of the truth."""
    print(f'{"how wide the bounds are":40} {"figures":>8} {"exact":>8} {"no most":>8} {"median":>8} {"90%":>9} {"largest":>9}')
    for name, list_ in sorted(widths.items()):
        relative = sorted(100 * (most - least) / truth for least, most, truth in list_
                          if truth > 0 and least < most < judge.LONGEST)
        exact = sum(least == most for least, most, _ in list_)
        unbounded = sum(most == judge.LONGEST for _, most, _ in list_)
        shown = [f'{n:.1f}%' for n in (statistics.median(relative), relative[len(relative) * 9 // 10], relative[-1])] if relative else ['-'] * 3
        print(f'{name:40} {len(list_):8} {exact:8} {unbounded:8} {shown[0]:>8} {shown[1]:>9} {shown[2]:>9}')


def dump_span(trace):
    """The first state dump's begin and end in cycles; 0 where there is none."""
    told = subprocess.run(['babeltrace2', '--clock-cycles', '--no-delta', trace.directory], check=True, capture_output=True, text=True).stdout
    moments = {}
    for line in told.splitlines():
        for which in ('start', 'end'):
            if f' lttng_statedump_{which}:' in line and which not in moments:
                moments[which] = int(line[1:line.index(']')])
    return moments.get('start', 0), moments.get('end', 0)


def load_whole(directory):
    trace = packets.Trace(directory)
    trace.count_events()
    trace.dump_begin, trace.dump_end = dump_span(trace)
    return trace


def kernel_of(directory):
    """The directory below that has the metadata."""
    for path, _, files in os.walk(directory):
        if 'metadata' in files:
            return path
    raise SystemExit(f'check.py: There is no trace. directory={directory}')


def again(options):
    return f'{sys.argv[0]} --program {options.program}'


def cut_trials(campaign, sources, work):
    """Trials with packets cut out, until there are as many as wanted."""
    options, number, cache, source = campaign.options, campaign.options.first, {}, None
    while number < options.first + options.cuts:
        # A few trials each on a trace, so that what it really says is worked out once.
        at = number // options.per_source % len(sources)
        if source != at:
            source, cache, whole = at, {}, load_whole(sources[at])
            campaign.judge_whole(sources[at])
        rng = random.Random(f'{options.seed} {number}')
        cut, way = list(CUTS)[number % len(CUTS)], list(WAYS)[number // len(CUTS) % len(WAYS)]
        lost = CUTS[cut](whole, rng)
        streams = {name: WAYS[way](list_, lost.get(name, set())) for name, list_ in whole.streams.items()}
        if not any(streams.values()):
            number += 1
            continue
        whole.write(work, streams)
        campaign.judge(f'{way}: {cut}', work, whole.directory, cache, f'{again(options)} --whole {sources[at]} --cuts 1 --first {number} --seed {options.seed}')
        if options.keep:
            shutil.copytree(work, options.keep, dirs_exist_ok=True)
        number += 1


def live_trials(campaign, directories, work):
    """Trials with two recordings of the same time."""
    for directory in directories:
        lossy, whole = (kernel_of(os.path.join(directory, which)) for which in ('lossy', 'truth'))
        # A consumer that was killed leaves packets that are not whole; the documentation says how to go on.
        trace = packets.Trace(lossy)
        trace.write(work, trace.streams)
        name = os.path.basename(directory)
        campaign.judge(f'recorded: {name.split("-")[1]}', work, whole, {}, f'{again(campaign.options)} --live {directory}')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--program', required=True)
    parser.add_argument('--cuts', type=int, default=0, help='how many trials with packets cut out')
    parser.add_argument('--first', type=int, default=0, help='number of the first of them')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--per-source', type=int, default=16)
    parser.add_argument('--show', type=int, default=5, help='how many violations of a trial to show')
    parser.add_argument('--keep', help='where a single cut trace is left')
    parser.add_argument('--tap', action='store_true', help='print what came out as TAP')
    parser.add_argument('--whole', action='append', default=[], help='a trace that lost nothing, to cut from')
    parser.add_argument('--live', action='append', default=[], help='a directory with truth and lossy')
    options = parser.parse_args()
    campaign = Campaign(options)
    with tempfile.TemporaryDirectory() as directory:
        work = os.path.join(directory, 'trace')
        live_trials(campaign, options.live, work)
        if options.cuts:
            cut_trials(campaign, [kernel_of(w) for w in options.whole], work)
    return 1 if (campaign.tap() if options.tap else campaign.report()) else 0


if __name__ == '__main__':
    sys.exit(main())
