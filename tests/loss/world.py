#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
"""world.py SEED DIR: makes up a host: CPUs, containers, and tasks that run, sleep, wake one another, move, are
born and die, under numbers that come again, a disk that they wait for, locks, quotas that keep them off CPUs, and memory
that they reclaim. Writes DIR/world.txt, a fixture
(tests/fixtures/FORMAT.md) of what LTTng would record of it, and DIR/truth.json: whose time it was, as it was made up.
"""
import collections
import json
import os
import random
import sys

ROOT, USER = 4026531836, 4026531837
NR_CPUS, LENGTH, PER_PACKET = 3, 5200, 60
FIRST_TID, LAST_TID = 300, 380
DEAD = 16
DISK, SECTORS = 265289728, 4096
# The kernel's flags of the kinds of its locks.
LOCKS = {2: 'read', 4: 'write', 32: 'mutex'}
# The cgroups of the containers, and the one above them.
CONTAINERS, DOCKER = [60, 61, 62, 63], 50

HEAD = f'''trace
event sched_waking comm:comm tid:i32 prio:i32=20 target_cpu:i32=0
event sched_migrate_task comm:comm tid:i32 prio:i32=20 orig_cpu:i32 dest_cpu:i32
event irq_handler_entry irq:i32=24 name:str
event irq_handler_exit irq:i32=24 ret:i32=1
event irq_softirq_entry vec:u8=1
event irq_softirq_exit vec:u8=1
event syscall_entry_read fd:u32=3 count:u64=0
event syscall_exit_read ret:i64
event syscall_entry_fsync fd:u32=3
event syscall_exit_fsync ret:i64
event cgroup_attach_task dst_root:i32=0 dst_level:i32=1 dst_id:u64=0 tid:i32 dst_path:str comm:comm
	dst_cgroup_id:u64 threadgroup:i32=1
event lock_contention_begin lock_addr:u64 flags:u32
event lock_contention_end lock_addr:u64 ret:i32=0
event lttng_statedump_block_device dev:u32 diskname:str
event cgroup_throttle_begin root:i32=0 cgroup_id:u64 target_cpu:i32
event cgroup_throttle_end root:i32=0 cgroup_id:u64 target_cpu:i32
event mm_vmscan_direct_reclaim_begin order:i32=0 gfp_flags:u32=0
event mm_vmscan_direct_reclaim_end nr_reclaimed:u64=1
event block_rq_charge dev:u32={DISK} sector:u64 root:i32=0 cgroup_id:u64
event block_rq_insert dev:u32={DISK} sector:u64 nr_sector:u32=8 bytes:u32=4096 tid:i32=0 rwbs:u32=4
event block_rq_issue dev:u32={DISK} sector:u64 nr_sector:u32=8 bytes:u32=4096 tid:i32=0 rwbs:u32=4
event block_rq_complete dev:u32={DISK} sector:u64 nr_sector:u32=8 error:i32=0 rwbs:u32=4
'''


class Space:
    """A PID namespace."""

    def __init__(self, inode, parent):
        self.inode, self.parent, self.next = inode, parent, 1

    def chain(self):
        return (self.parent.chain() if self.parent else []) + [self]


class Task:
    """One that lives; its queue is the CPU that it runs on or waits for, None while it sleeps."""

    def __init__(self, tid, comm, space, group, parent):
        self.tid, self.comm, self.space, self.group, self.parent = tid, comm, space, group, parent
        self.cpu, self.call, self.ids = None, None, []
        # Which lock of the kernel it waits for, and since when.
        self.lock, self.since, self.born = None, None, 0
        # Since when it waits for a CPU; whether it reclaims memory, as far as anybody can tell, and since when it sleeps in that.
        self.queued, self.reclaims, self.asleep = 0, None, None
        for level in space.chain():
            self.ids.append(level.next if level.parent else tid)
            level.next += 1


class Request:
    """What a disk is asked for; the sleeper waits for it, since then, if anybody does."""

    def __init__(self, sector, owner):
        self.sector, self.owner, self.issued = sector, owner, None
        self.sleeper, self.since = None, None


class Disk:
    """Takes so many requests at a time, the oldest first, and ends one of those that it has."""

    def __init__(self, depth):
        self.depth, self.queued, self.had = depth, [], []
        # When it changed whose the oldest is that it has, and whose it was then.
        self.oldest = [(0, 'idle', None)]

    def changed(self, moment):
        first = self.had[0] if self.had else None
        self.oldest.append((moment, first.owner if first else 'idle', first))

    def parts(self, request, begin, end):
        """What was done with it: (stage, whose requests the disk had, ns)."""
        became = next((moment for moment, _, first in self.oldest if first == request), end)
        yield 'served', request.owner, end - max(became, begin)
        for (moment, owner, _), (then, *_) in zip(self.oldest, self.oldest[1:] + [(end, None, None)]):
            for stage, since, until in (('queued', begin, request.issued), ('behind', request.issued, became)):
                yield stage, owner, max(0, min(then, until, end) - max(moment, since, begin))


class World:
    """Everything there is, and the record of it."""

    def __init__(self, seed):
        self.rng, self.now, self.lines, self.count = random.Random(seed), 1000000, [HEAD], collections.Counter()
        self.root = Space(ROOT, None)
        self.groups = {1: '/', 30: '/user.slice', 50: '/docker'}
        self.tasks, self.next_tid, self.graves = {}, FIRST_TID, []
        self.running, self.ready, self.interrupts = [None] * NR_CPUS, [[] for _ in range(NR_CPUS)], [None] * NR_CPUS
        self.since, self.has_switched = [0] * NR_CPUS, [False] * NR_CPUS
        self.time, self.waited = collections.Counter(), collections.Counter()
        # (cgroup, CPU) -> [begin, end, path of the one whose quota was used up], the last with None while it is throttled.
        self.throttled = collections.defaultdict(list)
        self.disk, self.sleepers = Disk(self.rng.choice([1, 2, 3])), set()
        for tid, comm, group in ((1, 'systemd', 1), (2, 'lttng', 30), (100, 'sh', 30), (101, 'cron', 30)):
            self.tasks[tid] = Task(tid, comm, self.root, group, 0)
        for number in range(4):
            group, space = 60 + number, Space(4026532301 + number, self.root)
            self.groups[group] = f'/docker/{"abcdef"[number] * 64}'
            for n in range(3):
                tid = 200 + 10 * number + n
                self.tasks[tid] = Task(tid, f'{("init", "web", "db")[n]}{number}', space, group, 100 if n == 0 else tid - n)
        for cpu, task in enumerate(self.rng.sample(list(self.tasks.values()), NR_CPUS)):
            self.running[cpu], task.cpu = task, cpu

    def where(self, task):
        path = self.groups[task.group]
        if path.startswith('/docker/'):
            return path[8:]
        # One that left its container's group is still in its namespace, and that is the container.
        return next((self.groups[60 + n][8:] for n in range(4) if task.space.inode == 4026532301 + n), 'host')

    # what is told

    def say(self, cpu, text, begins=True):
        """One that does not begin is of the same moment as the one before."""
        self.now -= 0 if begins else 10
        if begins and self.count[cpu] % PER_PACKET == PER_PACKET - 1:
            self.lines.append(f'packet cpu{cpu} {self.now / 1e9:.9f}')
            self.now += 10
        self.count[cpu] += 1
        self.lines.append(f'@{self.now / 1e9:.9f} cpu{cpu} {text}')
        self.now += 10

    def account(self, cpu):
        task, span = self.running[cpu], self.now - self.since[cpu]
        if self.interrupts[cpu]:
            self.time['interrupts'] += span
        else:
            self.time[self.where(task) if task else 'idle'] += span
        self.since[cpu] = self.now

    def dump(self):
        self.say(0, 'lttng_statedump_start')
        self.say(0, f'lttng_statedump_block_device dev={DISK} diskname=vda')
        for group, path in self.groups.items():
            parent = {1: 0, 30: 1, 50: 1}.get(group, 50)
            self.say(0, f'lttng_statedump_cgroup hierarchy=0 cgroup_id={group} parent_id={parent} path={path}')
        for task in sorted(self.tasks.values(), key=lambda t: t.tid):
            space = task.space
            if task.ids[-1] == 1:
                self.say(0, f'lttng_statedump_pid_namespace ns_inum={space.inode} parent_ns_inum={space.parent.inode if space.parent else 0} '
                            f'ns_level={len(task.ids) - 1} user_ns_inum={USER} init_tid={task.tid} init_start_time={task.tid}')
            inodes = ','.join(str(s.inode) for s in space.chain())
            ids = ','.join(map(str, task.ids))
            parent = self.tasks.get(task.parent)
            up = ','.join(map(str, parent.ids if parent and parent.space == space else [task.parent] + [0] * (len(task.ids) - 1)))
            self.say(0, f'dump vtids=[{ids}] vppids=[{up}] ns=[{inodes}] name={task.comm} cgroups=[0:{task.group}]')
            self.count[0] += 10
            self.now += 1000
        self.say(0, 'lttng_statedump_end')

    # what happens

    def switch(self, cpu, state):
        prev = self.running[cpu]
        self.account(cpu)
        if prev and state == 0:
            self.ready[cpu].append(prev)
        elif prev:
            prev.cpu = None
        then = next((t for t in self.ready[cpu] if not self.is_held(t.group, cpu)), None)
        if then:
            self.ready[cpu].remove(then)
        self.say(cpu, f'sched_switch prev_comm={prev.comm if prev else f"swapper/{cpu}"} prev_tid={prev.tid if prev else 0} prev_state={state} '
                      f'next_comm={then.comm if then else f"swapper/{cpu}"} next_tid={then.tid if then else 0}')
        self.time[(self.where(prev) if prev else 'idle')] += self.now - 10 - self.since[cpu]
        self.since[cpu] = self.now - 10
        self.running[cpu], self.has_switched[cpu] = then, True
        if prev:
            prev.queued = self.now - 10
            if prev.reclaims and state:
                prev.asleep = self.now - 10
        if then and then != prev:
            self.got_cpu(then, cpu, self.now - 10)

    # quotas

    def is_held(self, group, cpu):
        stretches = self.throttled[group, cpu]
        return stretches and stretches[-1][1] is None

    def got_cpu(self, task, cpu, moment):
        """Up to then it waited for that CPU, and was kept off it by quotas of where it is now."""
        for begin, end, path in self.throttled[task.group, cpu]:
            span = min(moment if end is None else end, moment) - max(begin, task.queued)
            if span > 0:
                self.waited[f'{self.where(task)} throttled {path}'] += span

    def throttle(self, cpu):
        """A quota is used up on a CPU, or may be used again; the kernel tells it of the cgroup and of each below."""
        target, group = self.rng.randrange(NR_CPUS), self.rng.choice(CONTAINERS + [DOCKER])
        below = CONTAINERS if group == DOCKER else [group]
        path = self.groups[group]
        if any(self.is_held(g, target) for g in below):
            # Of the one that it was.
            path = next(self.throttled[g, target][-1][2] for g in below if self.is_held(g, target))
            below = CONTAINERS if path == self.groups[DOCKER] else [g for g in below if self.is_held(g, target)][:1]
            word = 'end'
        else:
            # Who runs elsewhere goes on to run for a while, which is nothing new.
            runs = self.running[target]
            if target != cpu and runs and runs.group in below:
                return
            word = 'begin'
        for n, told in enumerate(([DOCKER] if path == self.groups[DOCKER] else []) + below):
            self.say(cpu, f'cgroup_throttle_{word} cgroup_id={told} target_cpu={target}', not n)
        for told in below:
            if word == 'begin':
                self.throttled[told, target].append([self.now - 10, None, path])
            else:
                self.throttled[told, target][-1][1] = self.now - 10
        if word == 'begin' and self.running[cpu] and target == cpu and self.running[cpu].group in below:
            self.switch(cpu, 0)

    # memory

    def reclaim(self, cpu):
        """Begins to free memory; it may sleep before it has what it needs."""
        task = self.running[cpu]
        self.say(cpu, 'mm_vmscan_direct_reclaim_begin')
        # Whose it was before the first switch of that CPU nobody can tell.
        task.reclaims = 'told' if self.has_switched[cpu] else 'untold'

    def go_on(self, cpu):
        task = self.running[cpu]
        if self.rng.random() < 0.5:
            self.switch(cpu, 2)
            return
        self.say(cpu, 'mm_vmscan_direct_reclaim_end')
        task.reclaims = None

    def wake(self, cpu):
        # Who lets go of a lock has had it since before the other one came.
        born = self.running[cpu].born if self.running[cpu] and not self.interrupts[cpu] else 0
        asleep = [t for t in self.tasks.values() if t.cpu is None and t not in self.sleepers and not (t.lock and (t.since or 0) < born)]
        if asleep:
            self.rouse(cpu, self.rng.choice(asleep))

    def rouse(self, cpu, task):
        task.cpu = self.rng.randrange(NR_CPUS)
        self.say(cpu, f'sched_waking comm={task.comm} tid={task.tid} target_cpu={task.cpu}')
        woken = self.now - 10
        task.queued = woken
        if task.asleep:
            if task.reclaims == 'told':
                self.waited[f'{self.where(task)} reclaim'] += woken - task.asleep
            task.asleep = None
        # Who let go of it on a CPU before its first switch nobody can tell, so nor that it was a lock.
        if task.since and not self.interrupts[cpu] and self.has_switched[cpu]:
            keeper = self.where(self.running[cpu])
            self.waited[f'{self.where(task)} {LOCKS[task.lock]} {keeper}'] += woken - task.since
        self.say(cpu, f'sched_wakeup comm={task.comm} tid={task.tid} target_cpu={task.cpu}')
        self.ready[task.cpu].append(task)
        return woken

    def interrupt(self, cpu):
        """Begins one, or ends it, after it maybe woke somebody."""
        if not self.interrupts[cpu]:
            kind = self.rng.choice(['irq_handler', 'irq_softirq'])
            self.say(cpu, f'{kind}_entry' + (' name=disk' if kind == 'irq_handler' else ''))
            self.now -= 10
            self.account(cpu)
            self.now += 10
            self.interrupts[cpu] = kind
            return
        if self.interrupts[cpu] == 'irq_handler' and self.disk.had:
            self.complete(cpu)
        elif self.rng.random() < 0.5:
            self.wake(cpu)
        self.say(cpu, f'{self.interrupts[cpu]}_exit')
        self.now -= 10
        self.account(cpu)
        self.now += 10
        self.interrupts[cpu] = None

    def ask(self, cpu):
        """Asks the disk, for itself or, as a kworker does, for somebody else, and waits for it or not."""
        task = self.running[cpu]
        group = task.group if self.rng.random() < 0.6 else self.rng.choice([1, 30, 60, 61, 62, 63])
        taken = {r.sector for r in self.disk.queued + self.disk.had}
        sector = self.rng.choice([n for n in range(0, SECTORS, 8) if n not in taken])
        # What is charged to no container is whose it is that asks, which nobody can tell before the first switch of that CPU.
        path = self.groups[group]
        asker = self.where(task) if self.has_switched[cpu] else 'unknown'
        request = Request(sector, path[8:] if path.startswith('/docker/') else asker)
        self.say(cpu, f'block_rq_charge sector={sector} cgroup_id={group}')
        self.say(cpu, f'block_rq_insert sector={sector}')
        self.disk.queued.append(request)
        self.issue(cpu)
        if self.rng.random() < 0.6:
            self.sleepers.add(task)
            self.switch(cpu, 2)
            request.sleeper, request.since = task, self.since[cpu]

    def issue(self, cpu):
        if self.disk.queued and len(self.disk.had) < self.disk.depth:
            request = self.disk.queued.pop(0)
            self.say(cpu, f'block_rq_issue sector={request.sector}')
            request.issued = self.now - 10
            self.disk.had.append(request)
            self.disk.changed(request.issued)

    def complete(self, cpu):
        """One of those that the disk has, and who waits for it goes on."""
        request = self.disk.had.pop(self.rng.randrange(len(self.disk.had)))
        self.say(cpu, f'block_rq_complete sector={request.sector}')
        self.disk.changed(self.now - 10)
        task = request.sleeper
        if task:
            self.sleepers.remove(task)
            woken = self.rouse(cpu, task)
            self.waited[self.where(task)] += woken - request.since
            for stage, owner, span in self.disk.parts(request, request.since, woken):
                self.waited[f'{self.where(task)} {stage} {owner}'] += span
        self.issue(cpu)

    def contend(self, cpu):
        """Waits for a lock, until another task lets go of it, or an interrupt comes between."""
        task = self.running[cpu]
        task.lock = self.rng.choice(list(LOCKS))
        self.say(cpu, f'lock_contention_begin lock_addr={0x1000 + task.lock} flags={task.lock}')
        is_told = self.has_switched[cpu]
        self.switch(cpu, 2)
        # Whose the begin was that came before the first switch of that CPU nobody can tell.
        task.since = self.since[cpu] if is_told else None

    def got(self, cpu):
        task = self.running[cpu]
        self.say(cpu, f'lock_contention_end lock_addr={0x1000 + task.lock}')
        task.lock = task.since = None

    def fork(self, cpu):
        parent = self.running[cpu]
        if len(self.tasks) > 40:
            return
        while self.next_tid in self.tasks:
            self.next_tid += 1
        tid = self.next_tid
        self.next_tid = FIRST_TID if tid >= LAST_TID else tid + 1
        task = Task(tid, parent.comm, parent.space, parent.group, parent.tid)
        inodes, ids = (','.join(map(str, l)) for l in ([s.inode for s in task.space.chain()], task.ids))
        self.say(cpu, f'sched_process_fork parent_comm={parent.comm} parent_tid={parent.tid} parent_pid={parent.tid} '
                      f'parent_ns_inum={parent.space.inode} child_comm={task.comm} child_tid={tid} vtids=[{ids}] child_pid={tid} '
                      f'child_ns_inum={task.space.inode} ns_inums=[{inodes}] child_cgroup_id={task.group}')
        self.tasks[tid] = task
        task.born = self.now
        task.cpu = self.rng.randrange(NR_CPUS)
        self.say(cpu, f'sched_wakeup_new comm={task.comm} tid={tid} target_cpu={task.cpu}')
        task.queued = self.now - 10
        self.ready[task.cpu].append(task)

    def exit(self, cpu):
        task = self.running[cpu]
        if task.tid < FIRST_TID:
            return
        self.say(cpu, f'sched_process_exit comm={task.comm} tid={task.tid}')
        del self.tasks[task.tid]
        # Children are the namespace's first process's then.
        for child in self.tasks.values():
            if child.parent == task.tid:
                child.parent = next(t.tid for t in self.tasks.values() if t.space == child.space and t.ids[-1] == 1)
        self.switch(cpu, DEAD)
        self.say(cpu, f'sched_process_free comm={task.comm} tid={task.tid}')

    def move(self, cpu):
        # A container's first process is where its runtime put it.
        task = self.rng.choice([t for t in self.tasks.values() if t.tid > 2 and (t.space == self.root or t.ids[-1] > 1)])
        group = self.rng.choice([30, 60, 61, 62, 63])
        if group == task.group:
            return
        self.say(cpu, f'cgroup_attach_task tid={task.tid} dst_path={self.groups[group]} comm={task.comm} dst_cgroup_id={group}')
        self.now -= 10
        if task.cpu is not None and self.running[task.cpu] == task:
            self.account(task.cpu)
        task.group = group
        self.now += 10

    def execute(self, cpu):
        task = self.running[cpu]
        task.comm = self.rng.choice(['true', 'sed', 'awk', 'cat'])
        self.say(cpu, f'sched_process_exec filename=/bin/{task.comm} tid={task.tid} old_tid={task.tid}')

    def migrate(self, cpu):
        others = [c for c in range(NR_CPUS) if c != cpu and self.ready[c]]
        if others:
            source = self.rng.choice(others)
            task = self.ready[source].pop()
            self.say(cpu, f'sched_migrate_task comm={task.comm} tid={task.tid} orig_cpu={source} dest_cpu={cpu}')
            self.got_cpu(task, source, self.now - 10)
            task.cpu, task.queued = cpu, self.now - 10
            self.ready[cpu].append(task)

    def call(self, cpu):
        task = self.running[cpu]
        if task.call:
            self.say(cpu, f'syscall_exit_{task.call} ret={self.rng.choice([0, 1, -5])}')
            task.call = None
        else:
            task.call = self.rng.choice(['read', 'fsync'])
            self.say(cpu, f'syscall_entry_{task.call}')

    def step(self):
        cpu = self.rng.randrange(NR_CPUS)
        self.now += self.rng.choice([200, 1000, 5000, 20000])
        if self.interrupts[cpu]:
            self.interrupt(cpu)
        elif self.running[cpu] is None:
            if any(not self.is_held(t.group, cpu) for t in self.ready[cpu]):
                self.switch(cpu, 0)
            else:
                self.rng.choice([self.interrupt, self.migrate, self.throttle])(cpu)
        elif self.running[cpu].lock:
            self.got(cpu)
        elif self.running[cpu].reclaims:
            self.go_on(cpu)
        else:
            what = self.rng.choices([lambda: self.switch(cpu, 0), lambda: self.switch(cpu, 1), lambda: self.wake(cpu), lambda: self.interrupt(cpu),
                                     lambda: self.call(cpu), lambda: self.fork(cpu), lambda: self.exit(cpu), lambda: self.move(cpu),
                                     lambda: self.execute(cpu), lambda: self.migrate(cpu), lambda: self.ask(cpu),
                                     lambda: self.contend(cpu), lambda: self.throttle(cpu), lambda: self.reclaim(cpu)],
                                    [18, 20, 18, 10, 20, 4, 4, 2, 1, 3, 6, 3, 4, 2])[0]
            what()

    def live(self):
        begin = self.now
        self.since = [begin] * NR_CPUS
        dumps = {0, self.rng.randrange(LENGTH // 3, LENGTH)}
        for n in range(LENGTH):
            if n in dumps:
                self.dump()
            self.step()
        # An event ends the time that is counted.
        self.say(0, 'sched_process_free comm=gone tid=999')
        self.now -= 10
        for cpu in range(NR_CPUS):
            self.account(cpu)
            for task in self.ready[cpu]:
                self.got_cpu(task, cpu, self.now)
        self.lines += [f'end {(self.now + 1000000) / 1e9:.9f}', f'begin {begin / 1e9:.9f}']
        return {'from': begin, 'to': self.now, 'own_ns': dict(self.time), 'waited_ns': dict(self.waited)}


def main():
    world = World(sys.argv[1])
    truth = world.live()
    os.makedirs(sys.argv[2], exist_ok=True)
    with open(os.path.join(sys.argv[2], 'world.txt'), 'w', encoding='ascii') as file:
        file.write('\n'.join(world.lines) + '\n')
    with open(os.path.join(sys.argv[2], 'truth.json'), 'w', encoding='ascii') as file:
        json.dump(truth, file)


if __name__ == '__main__':
    main()
