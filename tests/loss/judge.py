# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
"""Holds the reports on a trace that lacks events against those on the trace that has them all.

What is compared: each figure of the lossy trace's reports, with the bounds that it states, and the same figure
of the whole trace, over the lossy trace's own time where the report can be asked for it (--begin, --end). A
figure without a bound of its own counts as exact.
"""
import bisect
import collections
import json
import os
import re
import statistics
import subprocess
import tempfile

LONGEST = 1 << 62


class Unreadable(Exception):
    """A report ended with an error."""


def ask(program, *words):
    """A report as JSON."""
    done = subprocess.run([program, *words, '--json'], capture_output=True, text=True, check=False)
    # 1 is an answer: a thread that is not known, a rule that is violated.
    if done.returncode > 1:
        raise Unreadable(f'{" ".join(words)}: {done.stderr.strip()}')
    return json.loads(done.stdout)['hosts'][0]


def nanoseconds(text):
    return int(text)


class Names:
    """What a container is called in two traces: its id, else the host's or a PID namespace's."""

    def __init__(self, whole):
        self.of_namespace = {}
        for row in whole['containers']:
            if row['id'] and row['pid_ns'] is not None:
                self.of_namespace[row['pid_ns']] = row['id']

    def key(self, container):
        if container is None:
            return 'host'
        if container['id']:
            return container['id']
        inode = container.get('pid_ns')
        return self.of_namespace.get(inode, f'pid namespace {inode}')


class Verdict:
    """What came out of one trial. Sums of times may be off by so many ns, and single times: see Clocks."""

    def __init__(self, sums=0, moments=0):
        self.sums, self.moments = sums, moments
        self.figures, self.violations, self.widths = 0, [], collections.defaultdict(list)

    def figure(self, name, of, truth, value, least=None, most=None, exact=True):
        """A figure and its bounds; a most of None is no bound, and without exact nor is a least."""
        self.figures += 1
        least = value if least is None else least
        top = LONGEST if most is None else most
        slack = 0 if name.endswith(('count', 'kind', 'calls', 'errors', 'waits')) else self.sums
        if not least - slack <= truth <= top + slack or not least <= value <= top:
            self.violations.append(f'{name} of {of}: truth={truth} least={least} value={value} most={most}')
        self.widths[name].append((least, top, truth))

    def fact(self, name, of, truth, value):
        """Something that is told as certain."""
        self.figures += 1
        if not self.same(truth, value):
            self.violations.append(f'{name} of {of}: truth={truth} told={value}')


    def same(self, a, b):
        """Numbers are times."""
        if isinstance(a, int) and isinstance(b, int):
            return abs(a - b) <= self.moments
        if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
            return all(self.same(x, y) for x, y in zip(a, b))
        return a == b


def events(trace):
    """CPU -> when, in ns, and what, of all events but the state dump's, which is each session's own."""
    told = subprocess.run(['babeltrace2', '--clock-seconds', '--no-delta', trace], check=True, capture_output=True, text=True).stdout
    found = collections.defaultdict(list)
    for line in told.splitlines():
        if ' lttng_statedump_' not in line:
            when, what = line[1:].split(']', 1)
            # Each session reads for itself whether a task that ends is a zombie still.
            what = re.sub('prev_state = (16|32),', '', what)
            found[re.search(r'cpu_id = (\d+)', what).group(1)].append((nanoseconds(when.replace('.', '')), what))
    return found


def increasing(pairs):
    """The most of these pairs, in the order of the first, whose second numbers increase, too."""
    ends, last, before = [], [], []
    for at, (_, number) in enumerate(pairs):
        place = bisect.bisect_left(ends, number)
        ends[place:place + 1], last[place:place + 1] = [number], [at]
        before.append(last[place - 1] if place else None)
    found, at = [], last[-1] if last else None
    while at is not None:
        found.append(pairs[at])
        at = before[at]
    return found[::-1]


# An emulated CPU may stand still between the two readings: mostly they are some us apart, and a few times in a trial
# as much as the machine takes for other work.
STILL_NS = 100000
STILL_MAX_NS = 500000000


def matched(mine, true):
    """Of two lists of one CPU's events, of which the first lacks some, which are the same: pairs of moments. What happens
    once is found by what it is, what is in between by its place. What is left had an interrupt, with all that came of it,
    between the one session and the other."""
    places = collections.defaultdict(list)
    for place, (_, what) in enumerate(true):
        places[what].append(place)
    count = collections.Counter(what for _, what in mine)
    anchors = increasing([(at, places[what][0]) for at, (_, what) in enumerate(mine) if count[what] == 1 == len(places.get(what, ()))])
    same, taken = dict(anchors), {place for _, place in anchors}

    def take_nearest(at, after=-1, before=len(true)):
        moment, what = mine[at]
        free = [place for place in places.get(what, ())
                if after < place < before and place not in taken and abs(true[place][0] - moment) <= STILL_MAX_NS]
        if free:
            same[at] = min(free, key=lambda place: abs(true[place][0] - moment))
            taken.add(same[at])

    ends = [(-1, -1), *anchors, (len(mine), len(true))]
    for (first, after), (last, before) in zip(ends, ends[1:]):
        for at in range(first + 1, last):
            take_nearest(at, after, before)
    for at in range(len(mine)):
        if at not in same:
            take_nearest(at)
    return [(mine[at][0], true[place][0]) for at, place in same.items()]


class Clocks:
    """Two sessions read the clock each for itself, one after the other."""

    def __init__(self, lossy, whole):
        mine, true = events(lossy), events(whole)
        pairs = [pair for cpu, list_ in mine.items() for pair in matched(list_, true[cpu])]
        # Each session says for itself when its clock began; no time that passes depends on that.
        begin = statistics.median_low(m - t for m, t in pairs) if pairs else 0
        off = [abs(m - t - begin) for m, t in pairs]
        # The same moment on two CPUs is no moment of one event.
        count = collections.Counter(m for m, _ in pairs)
        self.of_whole = {m: t for m, t in pairs if count[m] == 1}
        # More than any sum of times can be off.
        moments = {m for list_ in mine.values() for m, what in list_ if ' sched_switch: ' in what}
        self.sums = 2 * sum(o for (m, _), o in zip(pairs, off) if o > STILL_NS or m in moments)
        # The report on the whole trace is asked for 1 ns more, so that what begins with the last event counts.
        self.moments = 1
        self.turned = self.find_turned(mine)

    def find_turned(self, mine):
        """Number of a task -> moments from which to which its events have another order in the whole trace: it ran on one
        CPU, which stood still, while it was woken on the other."""
        of_task = collections.defaultdict(list)
        for list_ in mine.values():
            for moment, what in list_:
                for tid in re.findall(r'tid = (\d+)', what):
                    of_task[int(tid)].append(moment)
        found = collections.defaultdict(list)
        for tid, moments in of_task.items():
            moments.sort()
            for place, (before, after) in enumerate(zip(moments, moments[1:])):
                if self.then(before) > self.then(after):
                    found[tid].append((before, moments[min(place + 4, len(moments) - 1)]))
        return found

    def comparable(self, tid, begin):
        """Whether what begins then may be told the same of both: not where a task's events have another order."""
        return not any(before <= begin <= after for before, after in self.turned.get(tid, ()))

    def then(self, moment):
        """When the whole trace has what happened at that moment of the lossy one."""
        return self.of_whole.get(moment, moment)


def bounds(row, stem, suffix='_ns'):
    """STEM_ns, STEM_least_ns, STEM_most_ns of a report's row."""
    dash = f'{stem}_' if stem else ''
    value = row[f'{stem}{suffix}' if stem else suffix[1:]]
    return value, row.get(f'{dash}least{suffix}', value), row.get(f'{dash}most{suffix}', value)


def by_number(rows, key, inner):
    return {row[key]: row for row in rows[inner]} if rows else {}


class Judge:
    """One pair of traces."""

    def __init__(self, program, lossy, whole, cache, live=False):
        self.program, self.lossy, self.whole, self.cache, self.live = program, lossy, whole, cache, live
        self.clocks = Clocks(lossy, whole) if live else None
        self.verdict = Verdict(self.clocks.sums, self.clocks.moments) if live else Verdict()
        tree = self.truth('tree')
        self.names = Names(tree)
        head = ask(program, 'cpu', lossy)
        self.begin, self.end = head['from_ns'], head['to_ns']
        # The same, as the whole trace has them.
        self.true_begin, self.true_end = (str(self.when(nanoseconds(m))) for m in (self.begin, self.end))
        everything = self.truth('cpu')
        self.lost = head['lost']['places'] > 0
        self.same_time = (self.begin, self.end) == (everything['from_ns'], everything['to_ns'])
        # About twenty intervals.
        self.every = f'{(nanoseconds(self.end) - nanoseconds(self.begin)) // 20 + 1}ns'

    def truth(self, *words):
        if words not in self.cache:
            self.cache[words] = ask(self.program, *words[:1], self.whole, *words[1:])
        return self.cache[words]

    def truth_then(self, *words, end=None):
        """The whole trace's report over the lossy one's time, or until another end."""
        return self.truth(*words, '--begin', self.true_begin, '--end', end or self.true_end)

    def when(self, moment):
        """When the whole trace has what the lossy one has at that moment."""
        return self.clocks.then(moment) if self.live else moment

    def comparable(self, tid, begin):
        return not self.live or self.clocks.comparable(tid, nanoseconds(begin))

    def told(self, *words):
        return ask(self.program, *words[:1], self.lossy, *words[1:])

    def all(self):
        for by in ('container', 'cgroup', 'namespace', 'task'):
            self.cpu(by)
        self.delays()
        self.why()
        self.wakeups()
        self.syscalls()
        self.tree()
        self.map()
        self.timeline()
        return self.verdict

    # cpu

    def row_key(self, by, row):
        if not row['known']:
            return None
        return {
            'container': lambda: self.names.key(row['container']),
            'cgroup': lambda: (row['hierarchy'], row['cgroup_id']),
            'namespace': lambda: row['pid_ns'],
            'task': lambda: row['tid'],
        }[by]()

    def cpu(self, by):
        told, truth = (tell('cpu', '--by', by, '--every', self.every) for tell in (self.told, self.truth_then))
        name = f'cpu by {by}'
        true_rows = collections.defaultdict(list)
        for row in truth['rows']:
            true_rows[self.row_key(by, row)].append(row)
        mine = collections.defaultdict(list)
        for row in told['rows']:
            mine[self.row_key(by, row)].append(row)
        for key, rows in mine.items():
            if key is not None:
                self.cpu_rows(name, key, rows, true_rows.get(key, []), told, truth)
        for other in ('idle', 'interrupts'):
            self.verdict.figure(f'cpu {other}', by, truth[other]['ns'], *bounds(told[other], '', '_ns'))
            self.cpu_parts(f'cpu {other}', by, [told[other]], [truth[other]], [told['series'][other]], [truth['series'][other]])
        open_ns = told['unknown']['ns'] + sum(r['own_ns'] - r['own_least_ns'] for r in told['rows'])
        open_ns += sum(r['own_least_ns'] for r in told['rows'] if not r['known'])
        open_ns += sum(told[o]['ns'] - told[o].get('least_ns', told[o]['ns']) for o in ('idle', 'interrupts'))
        for key, rows in true_rows.items():
            if key is not None and key not in mine:
                self.verdict.figure(f'{name}, without a row', key, sum(r['own_ns'] for r in rows), 0, 0, open_ns)

    def cpu_rows(self, name, key, rows, true_rows, told, truth):
        stems = ['own', 'own_interrupted'] + (['total', 'total_interrupted'] if 'total_ns' in rows[0] else [])
        for stem in stems:
            true = sum(r[f'{stem}_ns'] for r in true_rows)
            # Numbers of tasks are used again, and a report that lacks events cannot tell.
            if 'task' in name:
                sums = [sum(n) for n in zip(*(bounds(r, stem) for r in rows))]
                self.verdict.figure(f'{name}, {stem}', key, true, *sums)
                continue
            for row in rows:
                self.verdict.figure(f'{name}, {stem}', key, true, *bounds(row, stem))
        series = {s['number']: s for s in told['series']['rows']}
        true_series = {s['number']: s for s in truth['series']['rows']}
        self.cpu_parts(name, key, rows, true_rows, [series[r['number']] for r in rows], [true_series[r['number']] for r in true_rows])

    def cpu_parts(self, name, key, rows, true_rows, series, true_series):
        for what, inner, number, mine, true in (('on a CPU', 'by_cpu', 'cpu', rows, true_rows),
                                                ('in an interval', 'intervals', 'interval', series, true_series)):
            sums, trues = collections.defaultdict(lambda: [0, 0, 0]), collections.Counter()
            for row in mine:
                for part in row[inner]:
                    sums[part[number]] = [a + b for a, b in zip(sums[part[number]], bounds(part, '', '_ns'))]
            for row in true:
                for part in row[inner]:
                    trues[part[number]] += part['ns']
            for n, figures in sums.items():
                self.verdict.figure(f'{name}, {what}', f'{key} {n}', trues[n], *figures)

    # delays

    def delays(self):
        told = self.told('delays', '--worst', '100000')
        # The report goes on to the last event that tells of a wait, and what begins with that counts.
        last = max((w['end_ns'] for w in told['worst'] if w['unfinished']), default=self.end)
        truth = self.truth_then('delays', '--worst', '100000', end=str(self.when(nanoseconds(last)) + 1))
        true = {self.names.key(v['container']): v for v in truth['victims'] if v['known']}
        for victim in told['victims']:
            if not victim['known']:
                continue
            key = self.names.key(victim['container'])
            other = true.get(key)
            for stem, suffix in (('waits', ''), ('waited', '_ns'), ('longest', '_ns')):
                self.verdict.figure(f'delays, {stem}', key, other[f'{stem}{suffix}'] if other else 0, *self.no_most(bounds(victim, stem, suffix)))
            self.culprits(key, victim, other)
        waits = self.by_time(truth['worst'], 'begin_ns')
        for wait in told['worst']:
            if not wait['unsure'] and self.comparable(wait['tid'], wait['begin_ns']):
                begin, waited = self.span(wait['begin_ns'], wait['waited_ns'])
                other = self.nearest(waits, wait['tid'], begin, 'waited_ns', waited)
                if other is None and self.began_before(waits.get(wait['tid'], []), begin):
                    continue
                self.verdict.fact('delays, a sure wait', f'{wait["tid"]} since {wait["begin_ns"]}', other and other['waited_ns'], waited)

    def span(self, begin, length):
        """Begin and length of what began then, as the whole trace has them."""
        begin = nanoseconds(begin)
        return self.when(begin), self.when(begin + length) - self.when(begin)

    def began_before(self, waits, moment):
        """Whether that is in a wait which began before the lossy recording, so that nobody could tell."""
        return any(m < nanoseconds(self.true_begin) and nanoseconds(w['end_ns']) >= moment for m, w in waits)

    @staticmethod
    def by_time(rows, key):
        """Number of the task -> moments in order, and what began then."""
        found = collections.defaultdict(list)
        for row in rows:
            found[row.get('tid')].append((nanoseconds(row[key]), row))
        return {tid: sorted(list_, key=lambda pair: pair[0]) for tid, list_ in found.items()}

    def nearest(self, found, tid, moment, key, length):
        """What began at that moment and took as long; None: nothing did. Where clocks differ, others may have begun nearer."""
        rows = [(m, row) for m, row in found.get(tid, []) if abs(m - moment) <= self.verdict.moments]
        return min(rows, key=lambda pair: abs(pair[0] - moment) + abs((pair[1][key] or 0) - length), default=(0, None))[1]

    def no_most(self, figures):
        """Without the bound from above where waits may have begun before the recording."""
        return (*figures[:2], None) if self.live else figures

    def culprit_key(self, culprit):
        if culprit['kind'] != 'tasks':
            return culprit['kind']
        return self.names.key(culprit['container']) if culprit['known'] else None

    def culprits(self, key, victim, other):
        true = {self.culprit_key(c): c['ns'] for c in other['culprits']} if other else {}
        for culprit in victim['culprits']:
            who = self.culprit_key(culprit)
            if who not in (None, 'unknown'):
                self.verdict.figure('delays, a culprit', f'{who} before {key}', true.get(who, 0), *self.no_most(bounds(culprit, '', '_ns')))

    # why

    def causes(self, report):
        """(container, kind, which one) -> figures; what wakers did meanwhile has its kinds behind theirs."""
        found = collections.defaultdict(lambda: [0, 0])

        def which(node):
            name = tuple(node.get(k) for k in ('culprit', 'how', 'device', 'operation', 'stage', 'lock', 'what', 'cgroup', 'reason', 'comm', 'kernel'))
            return name + ((self.names.key(node['container']) if node['known'] else 'unknown',) if 'known' in node else ())

        def walk(of, nodes):
            for node in nodes:
                key = of + ((node['kind'],) if 'kind' in node else which(node))
                found[key][0] += node['ns']
                found[key][1] += node['least_ns']
                walk(key, node.get('by', []) + node.get('meanwhile', []) + node.get('requests', []))

        for row in report['rows']:
            if row['known']:
                walk((self.names.key(row['container']),), row['causes'])
        return found

    def why(self):
        if not self.lost:
            return
        report = self.told('why')
        # It goes on to the trace's last event, CPU time to the last one that tells of it.
        end = str(self.when(nanoseconds(report['to_ns']))) if self.live else self.true_end
        told, truth = self.causes(report), self.causes(self.truth_then('why', end=end))
        for key, (value, least) in told.items():
            if 'unknown' not in key:
                self.verdict.figure('why', key, truth.get(key, [0])[0], value, least, None)

    # wakeups

    def actor(self, actor):
        return actor['kind'], self.names.key(actor['container']) if actor['kind'] == 'task' else '', actor['comm']

    def upper(self, most):
        """A bound from above says nothing of a longer time."""
        return most if self.same_time else None

    def wakeups(self):
        told, truth = self.told('wakeups', '--all'), self.truth('wakeups', '--all')
        for group, count in told['wakeups'].items():
            if group != 'unknown':
                least, most = (told.get(f'wakeups_{w}', told['wakeups'])[group] for w in ('least', 'max'))
                self.verdict.figure('wakeups, of a kind', group, truth['wakeups'][group], count, least, self.upper(most))
        true = {(self.actor(p['waker']), self.actor(p['woken'])): p for p in truth['pairs']}
        for pair in told['pairs']:
            key = (self.actor(pair['waker']), self.actor(pair['woken']))
            if 'unknown' in (pair['waker']['kind'], pair['woken']['kind']):
                continue
            other = true.get(key, {'count': 0, 'waited_ns': 0, 'max_ns': 0})
            self.verdict.figure('wakeups, count', key, other['count'], pair['count'], pair.get('count_least'), self.upper(pair['count_max']))
            for stem in ('waited', 'max'):
                value, least, most = bounds(pair, stem)
                self.verdict.figure(f'wakeups, {stem}', key, other[f'{stem}_ns'], value, least, self.upper(most))

    # syscalls

    def syscalls(self):
        try:
            truth = self.truth('syscalls')
        except Unreadable as problem:
            if 'The trace has no system calls' in str(problem):
                return
            raise
        told = self.told('syscalls')
        self.calls('syscalls of containers', self.calls_of_containers(told), self.calls_of_containers(truth))
        self.calls('syscalls of tasks', self.calls_of_tasks(told), self.calls_of_tasks(truth))
        listed = self.by_time(self.truth('syscalls', '--name', 'read')['calls'], 'at_ns')
        for call in self.told('syscalls', '--name', 'read')['calls']:
            if call['end'] == 'ended':
                begin, took = self.span(call['at_ns'], call['duration_ns'])
                other = self.nearest(listed, call.get('tid'), begin, 'duration_ns', took)
                self.verdict.fact('syscalls, a call that ended', f'{call.get("tid")} {call["at_ns"]}',
                                  other and (other['duration_ns'], str(other['ret'])), (took, str(call['ret'])))

    def calls_of_containers(self, host):
        return {(self.names.key(c['container']), s['name']): [s] for c in host['containers'] if c['known'] for s in c['calls']}

    def calls_of_tasks(self, host):
        sums = collections.defaultdict(list)
        for container in host['containers']:
            for task in container['tasks']:
                for call in task['calls'] if 'tid' in task else []:
                    sums[task['tid'], call['name']].append(call)
        return sums

    def calls(self, name, told, truth):
        for key, rows in told.items():
            others = truth.get(key, [])
            for field, stem, suffix in (('calls', 'calls', ''), ('errors', 'errors', ''), ('time_ns', 'time', '_ns'), ('max_ns', 'max', '_ns')):
                total = max if field == 'max_ns' else sum
                value = total(r[field] for r in rows)
                least = total(r.get(f'{stem}_least{suffix}', r[field]) for r in rows)
                mosts = [r.get(f'{stem}_{"most" if suffix else "max"}{suffix}', r[field]) for r in rows]
                most = None if None in mosts else total(mosts)
                self.verdict.figure(f'{name}, {field}', key, total([r[field] for r in others] or [0]), value, least, self.upper(most))

    # tree and map

    def tasks_of(self, host):
        tasks, todo = list(host['tasks_of_unknown_namespace']), list(host['namespaces'])
        containers = {c['number']: c for c in host['containers']}
        while todo:
            node = todo.pop()
            tasks += node['tasks']
            todo += node['namespaces']
        for task in tasks:
            task['where'] = self.names.key(containers.get(task['container_number']))
        return tasks

    def known(self, moment, limit):
        """A moment of the whole trace, as the lossy one can know it."""
        if moment is None or (limit == 'begin' and moment < self.true_begin) or (limit == 'end' and moment > self.true_end):
            return None
        return nanoseconds(moment)

    def told_then(self, moment, _limit):
        """A moment of the lossy trace, as the whole one has it."""
        return None if moment is None else self.when(nanoseconds(moment))

    @staticmethod
    def facts(task, then):
        return (then(task['birth_ns'], 'begin'), then(task['death_ns'], 'end'), str(task['vtids']), task['comm'], task['where'],
                str(task.get('pid')))

    def tree(self):
        told = self.told('tree')
        whole = self.tasks_of(self.truth('tree'))
        true = collections.defaultdict(list)
        for task in whole + (self.tasks_of(self.truth('tree', '--at', self.true_end)) if not self.same_time else []):
            true[task['tid']].append(task)
        for task in self.tasks_of(told):
            known = true[task['tid']]
            if task['vtids']:
                self.verdict.fact('tree, ids', task['tid'], True, task['vtids'] in [t['vtids'] for t in known])
            if not task.get('unsure', False):
                mine = self.facts(task, self.told_then)
                same = [self.facts(t, self.known) for t in known]
                self.verdict.fact('tree, a sure task', task['tid'], next((s for s in same if self.verdict.same(s, mine)), same), mine)
        containers = {self.names.key(c): c for c in self.truth('tree')['containers']}
        for container in told['containers']:
            if not container.get('unsure', False):
                other = containers.get(self.names.key(container))
                self.verdict.fact('tree, a sure container', self.names.key(container),
                                  other and (self.known(other['birth_ns'], 'begin'), self.known(other['death_ns'], 'end'), other['name']),
                                  (self.told_then(container['birth_ns'], ''), self.told_then(container['death_ns'], ''), container['name']))

    def map(self):
        tids = sorted({t['tid'] for t in self.tasks_of(self.truth('tree')) if t['vtids'] and not t['is_kernel_thread']})
        for tid in tids[:: max(1, len(tids) // 3)][:3]:
            true = [self.life(t, self.known) for t in self.truth('map', '--tid', str(tid))['lives']]
            for life in self.told('map', '--tid', str(tid))['lives']:
                if life['levels']:
                    self.verdict.fact('map, ids', tid, True, life['levels'] in [t[0] for t in true])
                if not life.get('unsure', False):
                    mine = self.life(life, self.told_then)
                    self.verdict.fact('map, a sure life', tid, next((t for t in true if self.verdict.same(t, mine)), true), mine)

    def life(self, life, then):
        return (life['levels'], self.names.key(life['container']) if life['known'] else None,
                then(life['birth_ns'], 'begin'), then(life['death_ns'], 'end'))

    # timeline

    def timeline(self):
        told, truth = self.runs(self.lossy, self.begin, self.end), self.runs(self.whole, self.true_begin, self.true_end)
        for cpu, runs in told['runs'].items():
            others, lost = truth['runs'].get(cpu, []), [(self.when(b), self.when(e)) for b, e in told['lost'].get(cpu, [])]
            runs = [(self.when(b), self.when(e), tid) for b, e, tid in runs]
            wrong = sum(self.differing(run, others, lost) for run in runs)
            self.verdict.figure('timeline, ns of a CPU given to the wrong task', cpu, wrong, 0)

    def runs(self, trace, begin, end):
        key = ('timeline', trace, begin, end)
        if trace == self.whole and key in self.cache:
            return self.cache[key]
        with tempfile.TemporaryDirectory() as directory:
            page = os.path.join(directory, 'page')
            done = subprocess.run([self.program, 'timeline', trace, '--format', 'perfetto', '--begin', begin, '--end', end, '-o', page],
                                  capture_output=True, text=True, check=False)
            if done.returncode:
                raise Unreadable(f'timeline {trace}: {done.stderr.strip()}')
            with open(page, encoding='utf-8') as file:
                events, names = json.load(file, parse_float=str, parse_int=str)['traceEvents'], {}
        for event in events:
            if event['ph'] == 'M' and event['name'] == 'thread_name':
                names[event['pid'], event['tid']] = event['args']['name']
        found = {'runs': collections.defaultdict(list), 'lost': collections.defaultdict(list)}
        for event in events:
            name = names.get((event.get('pid'), event.get('tid')), '')
            if event['ph'] != 'X' or not name.startswith('CPU '):
                continue
            begin = thousandths(event['ts'])
            end = begin + thousandths(event['dur'])
            if 'events lost' in name:
                found['lost'][name.split(':')[0]].append((begin, end))
            else:
                found['runs'][name].append((begin, end, event['args']['tid']))
        if trace == self.whole:
            self.cache[key] = found
        return found

    @staticmethod
    def differing(run, others, lost):
        """How long a run was somebody else's, where no events were lost."""
        begin, end, tid = run
        pieces = [(max(b, begin), min(e, end)) for b, e, t in others if t == tid and b < end and e > begin]
        covered = sorted(pieces + [(max(b, begin), min(e, end)) for b, e in lost if b < end and e > begin])
        at, wrong = begin, 0
        for b, e in covered:
            wrong += max(0, b - at)
            at = max(at, e)
        return wrong + max(0, end - at)


def thousandths(text):
    """Microseconds with up to three decimals, as nanoseconds."""
    whole, _, rest = text.partition('.')
    return int(whole) * 1000 + int((rest + '000')[:3])
