/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
"use strict";

/* Draws rows into a canvas. The view is {from, to, width}: times at the left and right edge, pixels. */

/* Up to so many runs in a row each is drawn; more are summed up column by column. */
const runsDrawn = (view) => view.width / 2;
/* By so many pixels at least a piece of a column comes higher than what is there, or it is not drawn. */
const FINEST = 0.25;

/* What was stacked up in each column of pixels: the sum of the shares, and how high what is drawn has come. */
class Pile {
	constructor(width) {
		this.base = new Float64Array(width);
		this.tops = new Map();
	}

	/* What is bright is not hidden by what is dim. */
	seen(alpha) {
		if (!this.tops.has(alpha))
			this.tops.set(alpha, new Float64Array(this.base.length).fill(Infinity));
		return this.tops.get(alpha);
	}
}

class Painter {
	constructor(canvas, timeline) {
		this.canvas = canvas;
		this.timeline = timeline;
		this.context = canvas.getContext("2d");
		this.highlighted = new Set();
		this.readColours();
	}

	readColours() {
		const style = getComputedStyle(document.documentElement);

		this.colours = {};
		for (const name of ["back", "panel", "line", "text", "soft", "mark", "wait", "row", "group", "lost", "host"])
			this.colours[name] = style.getPropertyValue(`--${name}`).trim();
		this.font = `11px ${getComputedStyle(document.body).fontFamily}`;
		this.hatch = null;
	}

	/* Gives the canvas a size, in CSS pixels, and clears it. */
	fit(width, height) {
		const ratio = window.devicePixelRatio || 1;

		if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
			this.canvas.width = Math.round(width * ratio);
			this.canvas.height = Math.round(height * ratio);
			this.canvas.style.width = `${width}px`;
			this.canvas.style.height = `${height}px`;
		}
		this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
		this.context.clearRect(0, 0, width, height);
	}

	colour(container) {
		return container.colour ?? this.colours.host;
	}

	/* A highlighted container's own inner ones stay bright, too. */
	isDim(container) {
		for (const c of this.highlighted)
			if (container.host === c.host && container.first >= c.first && container.first < c.end)
				return false;
		return this.highlighted.size > 0;
	}

	paint(container) {
		return { fillStyle: this.colour(container), globalAlpha: this.isDim(container) ? 0.16 : 1 };
	}

	use(container) {
		Object.assign(this.context, this.paint(container));
	}

	x(view, time) {
		return (time - view.from) / (view.to - view.from) * view.width;
	}

	/* Fills columns of the shares on top of what @pile has, which grows by them. */
	stack(shares, pile, paint, y, height) {
		const bottom = y + height, { columns, of } = shares, { base } = pile, seen = pile.seen(paint.globalAlpha);
		const level = (x) => bottom - Math.min(base[x], 1) * height;
		/* What is there at all is seen. */
		const top = (x) => level(x) - Math.max(Math.min(of[x], 1 - base[x]) * height, 0.8);
		/* Whoever makes thousands of them makes no more of them to draw than there is room for. */
		const isHidden = (x) => top(x) > seen[x] - FINEST;
		const pieces = [];

		for (let i = 0, end; i < columns.length; i++) {
			const begin = columns[i];

			if (isHidden(begin))
				continue;
			for (end = begin; columns[i] === end && !isHidden(end); end++, i++)
				seen[end] = top(end);
			pieces.push([begin, end]);
			i--;
		}
		if (pieces.length)
			this.fillPieces(pieces, paint, level, seen);
		for (const x of columns)
			base[x] += of[x];
	}

	/* From [the first column, up to the one after the last] of each, between the two heights. */
	fillPieces(pieces, paint, lower, upper) {
		const g = this.context, wide = pieces.filter(([begin, end]) => end > begin + 1);

		Object.assign(g, paint);
		for (const [begin, end] of pieces)
			if (end === begin + 1)
				g.fillRect(begin, upper[begin], 1, lower(begin) - upper[begin]);
		if (!wide.length)
			return;
		g.beginPath();
		for (const [begin, end] of wide) {
			g.moveTo(begin, lower(begin));
			for (let x = begin; x < end; x++) {
				g.lineTo(x, upper[x]);
				g.lineTo(x + 1, upper[x]);
			}
			for (let x = end - 1; x >= begin; x--) {
				g.lineTo(x + 1, lower(x));
				g.lineTo(x, lower(x));
			}
			g.closePath();
		}
		g.fill();
	}

	/* The shares of containers, whose tracks @tracksOf returns; so many full ones are all. */
	stackShares(view, containers, tracksOf, full, y, height) {
		const pile = new Pile(view.width), shares = new Shares(view.width);

		for (const container of containers) {
			shares.take(tracksOf(container), view, full);
			if (shares.columns.length)
				this.stack(shares, pile, this.paint(container), y, height);
		}
		this.context.globalAlpha = 1;
	}

	/* Calls with the number and the edges, in pixels, of the runs in view. */
	eachRun(track, view, call) {
		const last = track.at(view.to);

		for (let i = Math.max(track.at(view.from), 0); i <= last; i++) {
			const left = Math.max(this.x(view, track.starts.data[i]), -1);
			const right = Math.min(this.x(view, track.end(i)), view.width + 1);

			if (right >= 0)
				call(i, left, right);
		}
	}

	isCrowded(track, view) {
		return track.at(view.to) - track.at(view.from) > runsDrawn(view);
	}

	write(text, left, right, y) {
		const g = this.context, room = Math.min(right, this.canvas.width) - Math.max(left, 0) - 6;

		if (room < 24)
			return;
		g.save();
		g.beginPath();
		g.rect(Math.max(left, 0), y, room + 4, ROW);
		g.clip();
		g.font = this.font;
		g.textBaseline = "middle";
		g.fillStyle = "#fff";
		g.fillText(text.slice(0, 40), Math.max(left, 0) + 4, y + ROW / 2 + 0.5);
		g.restore();
	}

	drawCpu(cpu, view, y) {
		if (this.isCrowded(cpu.track, view)) {
			this.stackShares(view, cpu.shares.keys(), (c) => [cpu.shares.get(c)], 1, y + 2, ROW - 3);
		} else {
			this.eachRun(cpu.track, view, (i, left, right) => {
				const task = this.timeline.tasks[cpu.tasks.data[i]];

				this.use(this.timeline.containers[cpu.containers.data[i]]);
				this.context.fillRect(left, y + 2, Math.max(right - left, 0.8), ROW - 3);
				this.write(task.comm || `${task.tid}`, left, right, y);
			});
		}
		this.drawLost(this.seen(view, cpu.unknown), y + 2, ROW - 3);
		this.context.globalAlpha = 1;
	}

	drawContainer(container, view, y) {
		this.stackShares(view, familyOf(container), (c) => c.tracks, container.host.cpus.length, y + 2, ROW - 3);
	}

	drawTask(task, view, y) {
		const g = this.context, middle = Math.floor(y + ROW / 2);
		const from = Math.max(this.x(view, task.born ?? 0), 0);
		const to = Math.min(this.x(view, task.died ?? this.timeline.span), view.width);

		g.globalAlpha = this.isDim(task.container) ? 0.16 : 1;
		g.fillStyle = this.colours.soft;
		if (to > from)
			g.fillRect(from, middle, to - from, 1);
		if (this.isCrowded(task.track, view))
			this.drawTaskShares(task, view, y);
		else
			this.drawTaskRuns(task, view, y);
		if (task.waiting !== null) {
			g.fillStyle = this.colours.wait;
			g.fillRect(this.x(view, task.waiting), middle - 3, to - this.x(view, task.waiting), 7);
		}
		g.globalAlpha = 1;
	}

	drawTaskRuns(task, view, y) {
		const g = this.context, middle = Math.floor(y + ROW / 2);
		const after = Math.min(task.track.at(view.to) + 1, task.track.starts.length - 1);
		const wait = (i) => {
			const waited = task.waits.data[i + 1] - task.waits.data[i];
			const start = task.track.starts.data[i];

			g.fillStyle = this.colours.wait;
			if (waited)
				g.fillRect(this.x(view, start - waited), middle - 3, this.x(view, start) - this.x(view, start - waited), 7);
		};

		this.eachRun(task.track, view, (i, left, right) => {
			const container = this.timeline.containers[task.containers.data[i]];

			g.globalAlpha = this.isDim(container) ? 0.16 : 1;
			wait(i);
			this.use(container);
			g.fillRect(left, y + 2, Math.max(right - left, 0.8), ROW - 3);
			this.write(`CPU ${this.timeline.cpus[task.cpus.data[i]].number}`, left, right, y);
		});
		/* The run that this wait leads to begins right of the view. */
		if (after >= 0 && task.track.starts.data[after] > view.to)
			wait(after);
	}

	drawTaskShares(task, view, y) {
		const pile = new Pile(view.width), shares = new Shares(view.width);
		const runs = this.paint(task.container), waits = { fillStyle: this.colours.wait, globalAlpha: runs.globalAlpha * 0.6 };

		shares.take([task.track], view, 1);
		this.stack(shares, pile, runs, y + 2, ROW - 3);
		shares.take([waitsTrack(task)], view, 1);
		this.stack(shares, pile, waits, y + 2, ROW - 3);
	}

	/* What is seen of spans that are in order, as [left, right]; of those that touch, one. */
	seen(view, spans) {
		const list = [];

		for (const { from, to } of spans) {
			const begin = this.x(view, from), left = Math.max(begin, 0);
			const end = this.x(view, to), right = Math.min(Math.max(end, left + 2), view.width);
			const last = list.at(-1);

			if (begin > view.width)
				break;
			if (end < 0 || right <= left)
				continue;
			if (last && left <= last[1])
				last[1] = Math.max(last[1], right);
			else
				list.push([left, right]);
		}
		return list;
	}

	drawLost(seen, y, height) {
		this.context.globalAlpha = 0.55;
		this.context.fillStyle = this.hatched();
		for (const [left, right] of seen)
			this.context.fillRect(left, y, right - left, height);
		this.context.globalAlpha = 1;
	}

	hatched() {
		if (this.hatch)
			return this.hatch;
		const tile = document.createElement("canvas"), size = 8;
		const g = tile.getContext("2d");

		tile.width = tile.height = size;
		g.strokeStyle = this.colours.lost;
		g.lineWidth = 1.5;
		for (const shift of [-size, 0, size]) {
			g.moveTo(shift, size);
			g.lineTo(shift + size, 0);
		}
		g.stroke();
		this.hatch = this.context.createPattern(tile, "repeat");
		return this.hatch;
	}

	drawRow(row, view, y) {
		const g = this.context;

		if (row.container) {
			g.fillStyle = this.colours.group;
			g.fillRect(0, y, view.width, ROW);
		}
		g.fillStyle = this.colours.line;
		g.globalAlpha = 0.5;
		g.fillRect(0, y + ROW - 0.5, view.width, 0.5);
		g.globalAlpha = 1;
		if (row.cpu)
			this.drawCpu(row.cpu, view, y);
		else if (row.container)
			this.drawContainer(row.container, view, y);
		else
			this.drawTask(row.task, view, y);
	}
}

/* Half as wide as an arrow, in pixels; and what no chart is as high as. */
const ARROW = 4, HIGH = 2 ** 24;

/*
 * The critical path: a line through the rows of those whom it goes through, an arrow where it goes to another. What
 * is folded has it on the row that it is folded into.
 */
function drawPath(painter, view, timeline, rows, top) {
	const g = painter.context, places = new Map();
	let before = null;

	rows.list.forEach((row, i) => places.set(row.task ?? row.what, i * ROW - top + ROW / 2));
	/* What is folded into what is looked for once. */
	const place = (task) => {
		const asked = [];
		let what = task, c = task.container;

		for (; what && !places.has(what); c = c?.above) {
			asked.push(what);
			what = c;
		}
		for (const one of asked)
			places.set(one, places.get(what));
		return places.get(what);
	};

	/* Where steps are narrower than what is drawn of them, there is no more of it than can be seen. */
	const drawn = new Map(), arrows = new Set();
	let column = -1;

	g.strokeStyle = g.fillStyle = painter.colours.mark;
	for (const step of timeline.path) {
		const y = place(step.task), left = painter.x(view, step.from), right = painter.x(view, step.to);

		if (right >= 0 && left <= view.width && y !== undefined) {
			const end = Math.max(right, left + 1);

			if (!(end < drawn.get(y) + 0.5)) {
				g.fillRect(left, y - 1.5, end - left, 3);
				drawn.set(y, end);
			}
			if (Math.floor(left / ARROW) !== column) {
				column = Math.floor(left / ARROW);
				arrows.clear();
			}
			if (before !== null && before !== y && !arrows.has(before * HIGH + y)) {
				arrows.add(before * HIGH + y);
				drawArrow(g, left, before, y);
			}
		}
		before = y ?? null;
	}
}

function drawArrow(g, x, from, to) {
	const back = Math.sign(from - to) * 6;

	g.fillRect(x - 0.5, Math.min(from, to), 1, Math.abs(to - from));
	g.beginPath();
	g.moveTo(x, to);
	g.lineTo(x - ARROW, to + back);
	g.lineTo(x + ARROW, to + back);
	g.fill();
}

/* The times that a task waited, as spans of their own; made when first asked for. */
function waitsTrack(task) {
	if (task.waitSpans)
		return task.waitSpans;
	task.waitSpans = new Track();
	for (let i = 0; i < task.track.starts.length; i++) {
		const start = task.track.starts.data[i], waited = task.waits.data[i + 1] - task.waits.data[i];

		if (waited)
			task.waitSpans.add(start - waited, start);
	}
	return task.waitSpans;
}
