/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
"use strict";

/*
 * What is under the pointer, as a heading and lines of [name, value]. Texts of the trace go
 * into the page as text only.
 */

/* With more runs than this in a pixel a single one is luck. */
const PIXELS_AROUND = 2;

function percent(share) {
	return `${(share * 100).toFixed(share < 0.0995 ? 1 : 0)} %`;
}

function taskLines(timeline, task, container) {
	const lines = [["tid", `${task.tid}${task.pid !== null && task.pid !== task.tid ? ` of process ${task.pid}` : ""}`]];

	if (task.vtids.length > 1)
		lines.push(["vtids", `${task.vtids.slice(1).join(" / ")}  (own last)`]);
	lines.push(["container", containerPath(container)]);
	if (task.cgroup !== null)
		lines.push(["cgroup", timeline.head.cgroups[task.cgroup]]);
	return lines;
}

function taskName(task) {
	return task.comm || (task.tid ? `task ${task.tid}` : "unknown");
}

/* The run under the pointer, or so near that a hand would miss it. */
function runNear(track, view, time) {
	const near = (view.to - view.from) / view.width * PIXELS_AROUND;
	const i = track.at(time);

	if (i >= 0 && track.end(i) >= time - near)
		return i;
	return i + 1 < track.starts.length && track.starts.data[i + 1] <= time + near ? i + 1 : -1;
}

function spanLine(timeline, from, to) {
	return ["since", `${offsetText(from, 1)}  (${clockText(timeline, from)}), for ${durationText(to - from)}`];
}

/* The largest shares of this column. */
function shareLines(view, time, tracks, full) {
	const step = (view.to - view.from) / view.width;
	const from = view.from + Math.floor((time - view.from) / step) * step;

	return tracks.map(([c, list]) => [c, list.reduce((sum, track) => sum + track.share(from, step), 0) / full])
		.filter(([, share]) => share > 0).sort((a, b) => b[1] - a[1]).slice(0, 8)
		.map(([container, share]) => [percent(share), containerPath(container)]);
}

function isLost(host, time, cpu) {
	return host.lost.find((l) => time >= l.from && time <= l.to && (!cpu || l.cpu === cpu.number));
}

function cpuTip(painter, cpu, view, time) {
	const timeline = painter.timeline, name = `CPU ${cpu.number}`;
	let i;

	if (painter.isCrowded(cpu.track, view)) {
		const lines = shareLines(view, time, [...cpu.shares].map(([c, track]) => [c, [track]]), 1);

		return [`${name}: ${lines.length ? "who had it" : "idle"}`, lines];
	}
	if (cpu.unknown.some(({ from, to }) => time >= from && time <= to))
		return [`${name}: unknown`, []];
	i = runNear(cpu.track, view, time);
	if (i < 0)
		return [`${name}: idle`, []];
	const task = timeline.tasks[cpu.tasks.data[i]];
	const container = timeline.containers[cpu.containers.data[i]];

	return [taskName(task), [["state", `runs on ${name}`], ...taskLines(timeline, task, container),
		spanLine(timeline, cpu.track.starts.data[i], cpu.track.end(i))]];
}

function containerTip(painter, container, view, time) {
	const cpus = container.host.cpus.length;
	const tracks = familyOf(container).map((c) => [c, c.tracks]);
	const lines = [["all CPUs", cpus === 1 ? "1" : `${cpus}`]];

	if (container.runtime)
		lines.push(["runtime", container.runtime]);
	if (container.id)
		lines.push(["id", container.id]);
	if (container.pod)
		lines.push(["pod", container.pod]);
	if (container.pid_ns)
		lines.push(["PID namespace", `${container.pid_ns}`]);
	if (container.cgroup !== null)
		lines.push(["cgroup", painter.timeline.head.cgroups[container.cgroup]]);
	lines.push(...shareLines(view, time, tracks, cpus).map(([share, path]) => [`${share} of them`, path]));
	return [containerTitle(container), lines];
}

/* What a task does that does not run: [state, from, to]. */
function stateBetween(timeline, task, time) {
	const last = task.track.at(time), next = last + 1, host = task.container.host;
	const from = last < 0 ? task.born ?? 0 : task.track.end(last);
	const to = next < task.track.starts.length ? task.track.starts.data[next] : task.died ?? timeline.span;
	let since = to;

	if (time < (task.born ?? 0))
		return ["not born yet", 0, task.born];
	if (task.died !== null && time > task.died)
		return ["dead", task.died, timeline.span];
	if (next < task.track.starts.length)
		since = to - (task.waits.data[next + 1] - task.waits.data[next]);
	else if (task.waiting !== null)
		since = task.waiting;
	if (time >= since)
		return ["waits for a CPU (runnable)", since, to];
	return [host.wakeups ? "blocked" : "off the CPU; wakeups were not recorded", from, since];
}

function taskTip(painter, task, view, time) {
	const timeline = painter.timeline;
	const shares = (track) => {
		const step = (view.to - view.from) / view.width;

		return track.share(view.from + Math.floor((time - view.from) / step) * step, step);
	};
	const lines = taskLines(timeline, task, task.container);

	if (painter.isCrowded(task.track, view)) {
		const runs = shares(task.track), waits = shares(waitsTrack(task));

		if (runs || waits)
			return [taskName(task), [["state", `runs ${percent(runs)}, waits ${percent(waits)} of this time`], ...lines]];
	}
	const i = runNear(task.track, view, time);

	if (i >= 0)
		return [taskName(task), [["state", `runs on CPU ${timeline.cpus[task.cpus.data[i]].number}`],
			...taskLines(timeline, task, timeline.containers[task.containers.data[i]]),
			spanLine(timeline, task.track.starts.data[i], task.track.end(i))]];
	const [state, from, to] = stateBetween(timeline, task, time);

	return [taskName(task), [["state", state], ...lines, spanLine(timeline, from, to)]];
}

function describe(painter, row, view, time) {
	const host = row.cpu?.host ?? (row.container ?? row.task.container).host;
	const lost = isLost(host, time, row.cpu);
	let tip;

	if (row.cpu)
		tip = cpuTip(painter, row.cpu, view, time);
	else if (row.container)
		tip = containerTip(painter, row.container, view, time);
	else
		tip = taskTip(painter, row.task, view, time);
	if (lost)
		tip[1].push(["not certain", `${lost.count || "some"} events of CPU ${lost.cpu} were lost here`]);
	tip[1].push(["at", `${offsetText(time, 1)}  (${clockText(painter.timeline, time)})`]);
	return tip;
}

/* Shows it next to the pointer, inside of the window. */
function showTip(element, [title, lines], x, y) {
	const heading = document.createElement("b"), table = document.createElement("table");

	heading.textContent = title;
	for (const [name, value] of lines) {
		const row = table.insertRow(), th = document.createElement("th");

		th.textContent = name;
		row.append(th);
		row.insertCell().textContent = value;
	}
	element.replaceChildren(heading, table);
	element.hidden = false;
	element.style.left = `${Math.max(Math.min(x + 14, innerWidth - element.offsetWidth - 8), 4)}px`;
	element.style.top = `${y + 18 + element.offsetHeight > innerHeight ? Math.max(y - element.offsetHeight - 10, 4) : y + 18}px`;
}
