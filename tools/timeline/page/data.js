/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
"use strict";

/*
 * What the program embedded, decoded into arrays that tell in a few steps how long
 * something ran before a moment. So every zoom is drawn from the exact data.
 * Times are ns from the begin of the trace.
 */

/* An array of numbers that grows. */
class Column {
	constructor(Type) {
		this.data = new Type(8);
		this.length = 0;
	}

	push(value) {
		if (this.length === this.data.length) {
			const more = new this.data.constructor(this.length * 2);

			more.set(this.data);
			this.data = more;
		}
		this.data[this.length++] = value;
	}

	last() {
		return this.length ? this.data[this.length - 1] : 0;
	}

	/* How many are not above the value; the column is sorted. @hint: a lower bound of the answer. */
	upTo(value, hint = 0) {
		const data = this.data;
		let low = hint, high, step = 1;

		while (low + step <= this.length && data[low + step - 1] <= value) {
			low += step;
			step *= 2;
		}
		high = Math.min(low + step - 1, this.length);
		while (low < high) {
			const middle = (low + high) >>> 1;

			if (data[middle] <= value)
				low = middle + 1;
			else
				high = middle;
		}
		return low;
	}
}

/* Spans of time, in order and apart, with the sum of those before each. */
class Track {
	constructor() {
		this.starts = new Column(Float64Array);
		this.sums = new Column(Float64Array);
		this.sums.push(0);
	}

	add(start, end) {
		this.starts.push(start);
		this.sums.push(this.sums.last() + end - start);
	}

	/* The end of the last one; 0 if there is none. */
	get lastEnd() {
		return this.starts.length ? this.end(this.starts.length - 1) : 0;
	}

	get total() {
		return this.sums.last();
	}

	end(i) {
		return this.starts.data[i] + this.sums.data[i + 1] - this.sums.data[i];
	}

	/* The span at the moment or the last before it; -1 if there is none. */
	at(time) {
		return this.starts.upTo(time) - 1;
	}

	/*
	 * Calls with each column that has a share of covered time, and that share; columns are @step ns wide, the first
	 * of @nr begins at @from. Of what is apart it takes a step for each span, not for each column: there may be as
	 * many tracks as a container likes to cause.
	 */
	eachShare(nr, from, step, call) {
		const starts = this.starts.data, sums = this.sums.data, length = this.starts.length;
		const covered = (i, time) => i && time - starts[i - 1] < sums[i] - sums[i - 1] ? sums[i - 1] + time - starts[i - 1] : sums[i];
		let i = this.starts.upTo(from), before = covered(i, from);

		for (let x = 0; x < nr; x++) {
			if (before === sums[i]) {
				if (i === length)
					return;
				x = Math.max(x, Math.floor((starts[i] - from) / step));
				if (x >= nr)
					return;
			}
			const time = from + (x + 1) * step;

			i = this.starts.upTo(time, i);
			const sum = covered(i, time);

			if (sum > before)
				call(x, (sum - before) / step);
			before = sum;
		}
	}

	/* The covered share of one column's time. */
	share(from, step) {
		let share = 0;

		this.eachShare(1, from, step, (_, one) => {
			share = one;
		});
		return share;
	}
}

/* A share for each column of pixels. Of many containers each has few: these are the columns to look at. */
class Shares {
	constructor(width) {
		this.of = new Float64Array(width);
		this.columns = [];
	}

	clear() {
		for (const x of this.columns)
			this.of[x] = 0;
		this.columns = [];
	}

	/* Of the tracks together, of which so many full ones are all. */
	take(tracks, view, full) {
		const step = (view.to - view.from) / view.width;

		this.clear();
		for (const track of tracks)
			track.eachShare(this.of.length, view.from, step, (x, share) => {
				if (!this.of[x])
					this.columns.push(x);
				this.of[x] += share / full;
			});
		if (tracks.length > 1)
			this.columns.sort((a, b) => a - b);
	}
}

function decodeBase64(text) {
	const raw = atob(text);
	const bytes = new Uint8Array(raw.length);

	for (let i = 0; i < raw.length; i++)
		bytes[i] = raw.charCodeAt(i);
	return bytes;
}

const HAS_GAP = 1, HAS_WAIT = 2, HAS_CONTAINER = 4, NR_FLAGS = 8;

/*
 * Each run of a task is a few numbers of 7 bits a byte, lowest first: CPU and flags, the
 * time since the CPU's last run (at first: since its start), the duration, the task, the
 * time it waited for the CPU before (0: since its own last run), the container if it is not that of the task's last run. Container 0
 * is the task's own.
 */
function eachRun(bytes, ends, nrTasks, call) {
	const containers = new Uint32Array(nrTasks);
	let at = 0;

	function number() {
		let value = 0, scale = 1, byte;

		do {
			byte = bytes[at++];
			value += (byte & 0x7f) * scale;
			scale *= 128;
		} while (byte & 0x80);
		return value;
	}

	while (at < bytes.length) {
		const head = number();
		const cpu = Math.floor(head / NR_FLAGS);
		const start = ends[cpu] + (head & HAS_GAP ? number() : 0);
		const end = start + number();
		const task = number();
		const wait = head & HAS_WAIT ? number() : -1;

		if (head & HAS_CONTAINER)
			containers[task] = number();
		ends[cpu] = end;
		call(cpu, start, end, task, wait, containers[task]);
	}
}

/* Colours that can be told apart, on white and on black; then whatever hue is far from the last. */
const PALETTE = ["#3b82d6", "#2fa36b", "#d9598c", "#8b63d2", "#18a3b0", "#c9702b", "#79a024", "#c24f4f",
	"#5d6fe0", "#b455b8", "#0d8f86", "#a5862a"];

function colourOf(n) {
	return n < PALETTE.length ? PALETTE[n] : `hsl(${(n * 137.5) % 360 | 0} 48% ${[52, 44, 60][n % 3]}%)`;
}

class Task {
	constructor(task, container) {
		Object.assign(this, task, { container });
		this.clear();
	}

	clear() {
		this.track = new Track();
		this.waits = new Column(Float64Array);
		this.waits.push(0);
		this.cpus = new Column(Uint32Array);
		this.containers = new Column(Uint32Array);
	}

	add(start, end, wait, cpu, container) {
		this.track.add(start, end);
		this.waits.push(this.waits.last() + Math.max(wait, 0));
		this.cpus.push(cpu);
		this.containers.push(container);
	}

	/* Where events were lost a run may be told late, or seem to be in two places. */
	sort() {
		const { track, waits, cpus, containers } = this;
		const order = Array.from({ length: track.starts.length }, (_, i) => i)
			.sort((a, b) => track.starts.data[a] - track.starts.data[b]);

		this.clear();
		for (const i of order) {
			const start = Math.max(track.starts.data[i], this.track.lastEnd);

			if (start < track.end(i))
				this.add(start, track.end(i), waits.data[i + 1] - waits.data[i], cpus.data[i], containers.data[i]);
		}
	}
}

class Timeline {
	constructor(head, bytes) {
		this.head = head;
		this.span = Math.max(head.span, 1);
		this.begin = BigInt(head.begin);
		this.hosts = head.hosts.map((host, index) => ({ ...host, index, cpus: [], lost: [] }));
		this.makeContainers(head.containers);
		this.cpus = head.cpus.map((cpu) => this.makeCpu(cpu));
		this.tasks = head.tasks.map((task) => this.makeTask(task));
		eachRun(bytes, head.cpus.map((cpu) => cpu.start), this.tasks.length, (...run) => this.addRun(...run));
		for (const [cpu, from, to] of head.unknown)
			this.cpus[cpu].unknown.push({ from, to });
		this.takeLosses(head.lost);
		this.path = head.path.map(([task, from, to, cause]) => ({ task: this.tasks[task], from, to, cause }));
		this.sumUp();
	}

	/* Some were found out to be others; they keep their numbers. The first is none. */
	makeContainers(list) {
		let colours = 0;

		const made = list.map((c, number) => c && c.is === undefined ? {
			...c, number, children: [], tasks: [], tracks: [], total: 0,
			colour: c.parent === null ? null : colourOf(colours++),
		} : null);

		this.containers = list.map((c, i) => c && c.is !== undefined ? made[c.is] : made[i]);
		this.known = made.filter((c) => c);
		for (const c of this.known) {
			c.host = this.hosts[c.host];
			c.above = c.parent === null ? null : this.containers[c.parent];
			if (c.above)
				c.above.children.push(c);
			else
				c.host.root = c;
		}
	}

	/* There may be as many as a container likes to cause: none is looked for in all of them. */
	takeLosses(list) {
		const ofCpu = new Map(this.cpus.map((cpu) => [`${cpu.host.index} ${cpu.number}`, cpu]));
		const inOrder = (a, b) => a.from - b.from;

		for (const [host, cpu, from, to, count] of list) {
			this.hosts[host].lost.push({ cpu, from, to, count });
			ofCpu.get(`${host} ${cpu}`)?.lost.push({ from, to });
		}
		for (const what of [...this.hosts, ...this.cpus])
			what.lost.sort(inOrder);
		for (const cpu of this.cpus)
			cpu.unknown.sort(inOrder);
	}

	makeCpu(cpu) {
		const made = {
			number: cpu.number, host: this.hosts[cpu.host], track: new Track(),
			tasks: new Column(Uint32Array), containers: new Column(Uint32Array),
			shares: new Map(), unknown: [], lost: [],
		};

		made.host.cpus.push(made);
		return made;
	}

	makeTask(task) {
		const made = new Task(task, this.containers[task.container]);

		made.container.tasks.push(made);
		return made;
	}

	addRun(cpuIndex, start, end, taskIndex, wait, containerIndex) {
		const cpu = this.cpus[cpuIndex], task = this.tasks[taskIndex];

		containerIndex ||= this.head.tasks[taskIndex].container;
		if (wait === 0)
			wait = start - (task.track.starts.length ? task.track.lastEnd : start);
		cpu.track.add(start, end);
		cpu.tasks.push(taskIndex);
		cpu.containers.push(containerIndex);
		this.addShare(cpu, this.containers[containerIndex], start, end);
		task.isMixed ||= start < task.track.lastEnd;
		task.add(start, end, wait, cpuIndex, containerIndex);
	}

	addShare(cpu, container, start, end) {
		let track = cpu.shares.get(container);

		if (!track) {
			track = new Track();
			cpu.shares.set(container, track);
			container.tracks.push(track);
		}
		track.add(start, end);
		container.total += end - start;
	}

	sumUp() {
		this.tasks.filter((t) => t.isMixed).forEach((t) => t.sort());
		for (const host of this.hosts)
			host.cpus.sort((a, b) => a.number - b.number);
		/* How `tree` orders them: by process, its first thread first. */
		const key = (t) => [t.pid ?? t.tid, t.tid !== (t.pid ?? t.tid), t.tid];

		for (const c of this.known)
			c.tasks.sort((a, b) => key(a)[0] - key(b)[0] || key(a)[1] - key(b)[1] || a.tid - b.tid);
		for (const host of this.hosts)
			this.putInOrder(host);
	}

	/*
	 * Each container of a host before those in it, which so are a part of the list. Whoever is in a container can
	 * put thousands in one another: nothing here may take a step of each for each, or call itself.
	 */
	putInOrder(host) {
		const rest = [host.root];

		host.order = [];
		host.ran = [];
		while (rest.length) {
			const c = rest.pop();

			c.depth = c.above ? c.above.depth + 1 : 0;
			/* Of those on the host; and those that were asked for. */
			c.outermost = c.depth > 1 && Boolean(c.above.other) === Boolean(c.other) ? c.above.outermost : c;
			c.first = host.order.length;
			c.firstRan = host.ran.length;
			host.order.push(c);
			if (c.tracks.length)
				host.ran.push(c);
			for (let i = c.children.length; i-- > 0;)
				rest.push(c.children[i]);
		}
		for (let i = host.order.length; i-- > 0;) {
			const c = host.order[i], last = c.children.at(-1);

			c.end = last ? last.end : c.first + 1;
			c.endRan = last ? last.endRan : c.firstRan + (c.tracks.length ? 1 : 0);
			c.totalWithin = c.children.reduce((sum, inner) => sum + inner.totalWithin, c.total);
			c.allOther = Boolean(c.other) && c.children.every((inner) => inner.allOther);
		}
	}

	/*
	 * Of those that ran, or have tasks, as many as are asked for, and how many more there are. The outermost come
	 * first, then of what is in each of them one after the other: whoever makes thousands within itself leaves the
	 * others in the list. Of a turn those are taken that ran most.
	 */
	listed(most) {
		const known = this.hosts.flatMap((host) => host.order).filter((c) => c.total || c.tasks.length);
		const turns = new Map(), turn = new Map();

		if (known.length <= most)
			return { listed: known, more: 0 };
		for (const c of [...known].sort((a, b) => a.depth - b.depth || b.totalWithin - a.totalWithin)) {
			turn.set(c, turns.get(c.outermost) ?? 0);
			turns.set(c.outermost, turn.get(c) + 1);
		}
		const first = [...known].sort((a, b) => turn.get(a) - turn.get(b) || b.totalWithin - a.totalWithin).slice(0, most);
		const chosen = new Set(first);

		return { listed: known.filter((c) => chosen.has(c)), more: known.length - most };
	}
}
