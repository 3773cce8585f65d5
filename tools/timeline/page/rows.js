/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
"use strict";

/* The rows, from top to bottom: for each host its CPUs, then its containers as a tree with their tasks. */

const ROW = 21;
/* So many rows are looked through at a glance; with more, tasks are folded at first. */
const MANY_ROWS = 300;
/* PID namespaces can be 33 levels deep. */
const PATH_MAX = 40;

function containerTitle(c) {
	return c.title;
}

/* Where it is, from the outside to the inside; the innermost of very many. */
function containerPath(c) {
	const path = [];

	for (; c && path.length < PATH_MAX; c = c.above)
		path.unshift(containerTitle(c));
	return (c ? "… › " : "") + path.join(" › ");
}

/* It and those in it that ran, in the order in which they were told. */
function familyOf(c) {
	return c.host.ran.slice(c.firstRan, c.endRan).sort((a, b) => a.number - b.number);
}

/* The ids at every level, the root's first. */
function taskIds(task) {
	return task.vtids.length > 1 ? task.vtids.join(" / ") : `${task.tid}`;
}

class Rows {
	constructor(timeline) {
		this.timeline = timeline;
		this.folded = new Set();
		this.withIdle = false;
		this.withOthers = false;
		this.list = [];
		this.version = 0;
		if (timeline.tasks.filter((t) => t.track.total).length > MANY_ROWS)
			this.foldAll();
		for (const host of timeline.hosts)
			this.folded.add(host.root);
		this.update();
	}

	foldAll() {
		for (const c of this.timeline.known)
			this.folded.add(c);
	}

	toggle(row) {
		if (!row.what)
			return;
		if (!this.folded.delete(row.what))
			this.folded.add(row.what);
		this.update();
	}

	toggleAll() {
		if (this.folded.size)
			this.folded.clear();
		else
			this.foldAll();
		this.update();
	}

	/* The row of a task or of a container, unfolded if need be. */
	show(what) {
		const isTask = what instanceof Task;

		this.withIdle ||= isTask && !what.track.total;
		this.withOthers ||= isTask ? Boolean(what.container.other) : what.allOther;
		for (let c = isTask ? what.container : what.above; c; c = c.above)
			this.folded.delete(c);
		this.update();
		return this.list.findIndex((row) => row.task === what || row.container === what);
	}

	update() {
		this.list = [];
		this.version++;
		for (const host of this.timeline.hosts) {
			for (const cpu of host.cpus)
				this.list.push({ cpu, depth: 0 });
			this.addContainers(host);
		}
	}

	/* Not one that was asked for, nor around one. */
	isLeftOut(c) {
		return !this.withOthers && c.allOther;
	}

	addContainers(host) {
		const rest = [[host.root, 0]];

		while (rest.length) {
			const [c, depth] = rest.pop(), isFolded = this.folded.has(c);

			if (this.isLeftOut(c))
				continue;
			this.list.push({ container: c, what: c, depth, isFolded, nrTasks: c.tasks.length });
			if (!isFolded)
				this.addTasks(c, depth + 1);
			/* The host's tasks may be folded, and its containers be seen. */
			if (!isFolded || !c.above)
				for (let i = c.children.length; i-- > 0;)
					rest.push([c.children[i], depth + 1]);
		}
	}

	addTasks(c, depth) {
		if (c.other && !this.withOthers)
			return;
		for (const task of c.tasks)
			if (task.track.total || this.withIdle)
				this.list.push({ task, depth });
	}
}
