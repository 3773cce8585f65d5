/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
"use strict";

/* The rows, from top to bottom: for each host its CPUs, then its containers as a tree with their tasks. */

const ROW = 21;
/* So many rows are looked through at a glance; with more, tasks are folded at first. */
const MANY_ROWS = 300;

function containerTitle(c) {
	return c.title;
}

/* Where it is, from the outside to the inside. */
function containerPath(c) {
	const path = [];

	for (; c; c = c.above)
		path.unshift(containerTitle(c));
	return path.join(" › ");
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

	/* A task's row, unfolded if need be. */
	show(task) {
		if (!task.track.total && !this.withIdle)
			this.withIdle = true;
		this.withOthers ||= Boolean(task.container.other);
		for (let c = task.container; c; c = c.above)
			this.folded.delete(c);
		this.update();
		return this.list.findIndex((row) => row.task === task);
	}

	update() {
		this.list = [];
		this.version++;
		for (const host of this.timeline.hosts) {
			for (const cpu of host.cpus)
				this.list.push({ cpu, depth: 0 });
			this.addContainer(host.root, 0);
		}
	}

	/* Not one that was asked for, nor around one. */
	isLeftOut(c) {
		return !this.withOthers && c.family.every((inner) => inner.other);
	}

	addContainer(c, depth) {
		const isFolded = this.folded.has(c);
		const isOther = c.other && !this.withOthers;
		const tasks = isOther ? [] : c.tasks.filter((t) => t.track.total || this.withIdle);

		if (this.isLeftOut(c))
			return;

		this.list.push({ container: c, what: c, depth, isFolded, nrTasks: c.tasks.length });
		if (!isFolded)
			for (const task of tasks)
				this.list.push({ task, depth: depth + 1 });
		/* The host's tasks may be folded, and its containers be seen. */
		if (!isFolded || !c.above)
			for (const child of c.children)
				this.addContainer(child, depth + 1);
	}
}
