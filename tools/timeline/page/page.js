/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
"use strict";

/* The page: puts the parts together and follows mouse and keyboard. */

const AXIS = 24, OVERVIEW = 38;
/* No more than this is shown at least: 1 µs. */
const SPAN_MIN = 1e3;
/* So many containers have a button in the legend. */
const LISTED = 500;
const byId = (id) => document.getElementById(id);

class Page {
	constructor(timeline) {
		this.timeline = timeline;
		this.rows = new Rows(timeline);
		this.chart = new Painter(byId("chart"), timeline);
		this.overview = new Painter(byId("overview"), timeline);
		this.overview.highlighted = this.chart.highlighted;
		this.view = { from: 0, to: timeline.span, width: 1 };
		this.chosen = null;
		this.mark = null;
		this.labelsKey = "";
		this.showHead();
		this.showLegend();
		this.listen();
		this.fit();
	}

	/* What stays as it is. */

	showHead() {
		const hosts = this.timeline.hosts;
		const lost = hosts.flatMap((h) => h.lost).reduce((sum, l) => sum + l.count, 0);
		const title = hosts.map((h) => [h.name || "host", h.session].filter(Boolean).join(", ")).join(" | ");
		const warnings = [];

		byId("title").textContent = title;
		document.title = `${title} - timeline of containers`;
		if (hosts.some((h) => h.lost.length))
			warnings.push(`${lost || "Some"} events were lost: where it is hatched, states are not certain.`);
		if (hosts.some((h) => !h.wakeups))
			warnings.push("Wakeups were not recorded: waiting for a CPU is known only where a task was pre-empted.");
		for (const host of hosts.filter((h) => h.silent.length)) {
			const cpus = host.silent.slice(0, 8).join(", ") + (host.silent.length > 8 ? ` and ${host.silent.length - 8} more` : "");

			warnings.push(`Nothing was recorded on CPU ${cpus}${hosts.length > 1 ? ` of ${host.name}` : ""}: it was off, or its file is missing.`);
		}
		byId("warning").textContent = warnings.join(" ");
		byId("warning").hidden = !warnings.length;
	}

	showLegend() {
		const all = this.timeline.span;
		const { listed, more } = this.timeline.listed(LISTED);

		for (const c of listed) {
			const button = document.createElement("button"), swatch = document.createElement("i");
			const name = document.createElement("span"), share = document.createElement("small");

			button.type = "button";
			button.title = containerPath(c);
			swatch.className = "swatch";
			swatch.style.background = c.colour ?? "var(--host)";
			name.textContent = containerTitle(c);
			share.textContent = percent(c.total / all / c.host.cpus.length);
			share.title = "its own share of all CPUs";
			button.append(swatch, name, share);
			button.addEventListener("click", (event) => this.highlight(c, event.ctrlKey || event.metaKey || event.shiftKey));
			c.button = button;
			byId("legend").append(button);
		}
		if (more)
			byId("legend").append(`and ${more} more: each has a row, and is found by search`);
		this.markLegend();
	}

	markLegend() {
		const lit = this.chart.highlighted;

		for (const c of this.timeline.known)
			c.button?.setAttribute("aria-pressed", String(lit.has(c)));
		byId("legend").classList.toggle("some", lit.size > 0);
	}

	highlight(container, isMore) {
		const lit = this.chart.highlighted, was = lit.has(container), alone = lit.size === 1;

		if (!isMore)
			lit.clear();
		if (was && (isMore || alone))
			lit.delete(container);
		else
			lit.add(container);
		this.markLegend();
		this.overviewImage = null;
		this.labelsKey = "";
		this.draw();
	}

	highlightNone() {
		this.chart.highlighted.clear();
		this.markLegend();
		this.overviewImage = null;
		this.labelsKey = "";
		this.draw();
	}

	/* The part of time that is shown. */

	look(from, to) {
		const all = this.timeline.span, span = Math.min(Math.max(to - from, SPAN_MIN), all);

		from = (from + to - span) / 2;
		from = Math.min(Math.max(from, 0), all - span);
		this.view.from = from;
		this.view.to = from + span;
		this.draw();
	}

	zoom(factor, around = (this.view.from + this.view.to) / 2) {
		const { from, to } = this.view, all = this.timeline.span;
		const span = Math.min(Math.max((to - from) * factor, SPAN_MIN), all), share = (around - from) / (to - from);

		this.look(around - span * share, around + span * (1 - share));
	}

	move(share) {
		const by = (this.view.to - this.view.from) * share;

		this.look(this.view.from + by, this.view.to + by);
	}

	time(x) {
		return this.view.from + x / this.view.width * (this.view.to - this.view.from);
	}

	/* Drawing: at most once a frame. */

	fit() {
		const rows = byId("rows");

		this.height = rows.clientHeight;
		byId("window").style.height = `${this.height}px`;
		this.view.width = Math.max(rows.clientWidth - byId("labels").offsetWidth, 1);
		this.overviewImage = null;
		this.draw();
	}

	draw() {
		if (this.isDue)
			return;
		this.isDue = true;
		requestAnimationFrame(() => {
			this.isDue = false;
			this.drawNow();
		});
	}

	drawNow() {
		const list = this.rows.list, top = byId("rows").scrollTop;
		const first = Math.floor(top / ROW), last = Math.min(Math.ceil((top + this.height) / ROW), list.length);

		this.makeRoom();
		this.chart.fit(this.view.width, this.height);
		this.drawOverview();
		this.drawGrid();
		this.lostSeen = new Map();
		for (let i = first; i < last; i++)
			this.drawRow(list[i], i * ROW - top);
		if (byId("path").checked)
			drawPath(this.chart, this.view, this.timeline, this.rows, top);
		this.drawMark();
		this.showLabels(first, last, top);
		this.showRange();
	}

	/* For all rows, so that each can be scrolled to. */
	makeRoom() {
		byId("height").style.height = `${Math.max(this.rows.list.length * ROW, this.height)}px`;
	}

	drawRow(row, y) {
		const host = row.cpu?.host ?? (row.container ?? row.task.container).host;

		this.chart.drawRow(row, this.view, y);
		this.chart.drawLost(this.lostOf(row.cpu ?? host), y, ROW - 1);
	}

	/* Of a CPU or a host what is seen as lost: the same in all rows. */
	lostOf(what) {
		if (!this.lostSeen.has(what))
			this.lostSeen.set(what, this.chart.seen(this.view, what.lost));
		return this.lostSeen.get(what);
	}

	drawGrid() {
		const g = this.chart.context, { times } = axisMarks(this.view, 130);

		g.fillStyle = this.chart.colours.line;
		for (const time of times)
			g.fillRect(Math.round(this.chart.x(this.view, time)), 0, 1, this.height);
	}

	drawAxis() {
		const g = this.overview.context, { step, times } = axisMarks(this.view, 130);

		g.font = this.overview.font;
		g.textBaseline = "middle";
		for (const time of times) {
			const x = Math.round(this.overview.x(this.view, time)), text = offsetText(time, step);

			g.fillStyle = this.overview.colours.line;
			g.fillRect(x, OVERVIEW, 1, AXIS);
			g.fillStyle = this.overview.colours.soft;
			if (x + g.measureText(text).width + 5 < this.view.width)
				g.fillText(text, x + 4, OVERVIEW + AXIS / 2);
		}
	}

	/* All CPUs together; kept as an image, as it changes with the window's size alone. */
	drawOverview() {
		const g = this.overview.context, whole = { from: 0, to: this.timeline.span, width: this.view.width };
		const ratio = window.devicePixelRatio || 1;
		const left = this.view.from / whole.to * whole.width, right = this.view.to / whole.to * whole.width;
		const canvas = this.overview.canvas;

		this.overview.fit(whole.width, OVERVIEW + AXIS);
		if (this.overviewImage) {
			g.drawImage(this.overviewImage, 0, 0, whole.width, OVERVIEW + AXIS);
		} else {
			this.overview.stackShares(whole, this.timeline.known, (c) => c.tracks, this.timeline.cpus.length, 2, OVERVIEW - 4);
			this.overviewImage = document.createElement("canvas");
			this.overviewImage.width = canvas.width;
			this.overviewImage.height = canvas.height;
			this.overviewImage.getContext("2d").drawImage(canvas, 0, 0);
			g.setTransform(ratio, 0, 0, ratio, 0, 0);
		}
		g.fillStyle = this.overview.colours.panel;
		g.globalAlpha = 0.75;
		g.fillRect(0, 0, left, OVERVIEW);
		g.fillRect(right, 0, whole.width - right, OVERVIEW);
		g.globalAlpha = 1;
		g.strokeStyle = this.overview.colours.mark;
		g.strokeRect(Math.round(left) + 0.5, 0.5, Math.max(Math.round(right - left) - 1, 2), OVERVIEW - 1);
		this.drawAxis();
	}

	drawMark() {
		if (!this.mark)
			return;
		const { painter, view, from, to } = this.mark, g = painter.context;
		const left = painter.x(view, Math.min(from, to)), right = painter.x(view, Math.max(from, to));

		g.fillStyle = painter.colours.mark;
		g.globalAlpha = 0.25;
		g.fillRect(left, 0, right - left, painter === this.chart ? this.height : OVERVIEW);
		g.globalAlpha = 1;
	}

	showRange() {
		const { from, to } = this.view;

		byId("range").textContent = `${durationText(to - from)} from ${offsetText(from, (to - from) / 1e4)}, ${clockText(this.timeline, from)}`;
	}

	/* Names left of the rows. */

	showLabels(first, last, top) {
		const key = [this.rows.version, first, last, top, this.chosen, this.rows.list.length].join();

		if (key === this.labelsKey)
			return;
		this.labelsKey = key;
		byId("labels").replaceChildren(...this.rows.list.slice(first, last)
			.map((row, i) => this.label(row, first + i, (first + i) * ROW - top)));
	}

	label(row, number, y) {
		const element = document.createElement("div"), name = document.createElement("span");
		const ids = document.createElement("span"), fold = document.createElement("span");

		element.className = "label";
		element.setAttribute("role", "treeitem");
		element.style.top = `${y}px`;
		element.style.height = `${ROW}px`;
		element.style.paddingLeft = `${0.5 + Math.min(row.depth, 8) * 0.9}rem`;
		element.dataset.row = number;
		element.classList.toggle("chosen", this.chosen === number);
		name.className = "name";
		ids.className = "ids";
		fold.className = "fold";
		if (row.cpu) {
			name.textContent = `CPU ${row.cpu.number}`;
			element.append(fold, name);
			return element;
		}
		if (row.container)
			this.labelContainer(row, element, fold, name, ids);
		else
			this.labelTask(row.task, fold, name, ids);
		element.classList.toggle("dim", this.chart.isDim(row.container ?? row.task.container));
		element.prepend(fold);
		element.append(name, ids);
		return element;
	}

	labelContainer(row, element, fold, name, ids) {
		const swatch = document.createElement("i");

		element.classList.add("group");
		element.setAttribute("aria-expanded", String(!row.isFolded));
		fold.textContent = row.isFolded ? "▸" : "▾";
		swatch.className = "swatch";
		swatch.style.background = row.container.colour ?? "var(--host)";
		element.append(swatch);
		name.textContent = containerTitle(row.container);
		ids.textContent = row.nrTasks === 1 ? "1 task" : `${row.nrTasks} tasks`;
	}

	labelTask(task, fold, name, ids) {
		name.textContent = taskName(task);
		name.title = name.textContent;
		ids.textContent = taskIds(task);
	}

	/* The chosen row, for the keyboard. */

	choose(number) {
		const rows = byId("rows");

		this.makeRoom();
		this.chosen = Math.min(Math.max(number, 0), this.rows.list.length - 1);
		if (this.chosen * ROW < rows.scrollTop)
			rows.scrollTop = this.chosen * ROW;
		else if ((this.chosen + 1) * ROW > rows.scrollTop + this.height)
			rows.scrollTop = (this.chosen + 1) * ROW - this.height;
		this.draw();
	}

	/* Folding moves rows: the chosen one stays the same. */
	keepChosen(change) {
		const was = this.chosen === null ? null : this.rows.list[this.chosen];
		const same = (row) => row.cpu === was.cpu && row.container === was.container && row.task === was.task;

		change();
		this.chosen = was ? this.rows.list.findIndex(same) : null;
		if (this.chosen === -1)
			this.chosen = null;
		this.labelsKey = "";
		this.draw();
	}

	/* The next run of the chosen row after the middle of the view, or the one before. */
	step(direction) {
		const row = this.rows.list[this.chosen ?? -1], track = row?.task?.track ?? row?.cpu?.track;
		const span = this.view.to - this.view.from, middle = (this.view.from + this.view.to) / 2;
		let i;

		if (!track)
			return;
		i = track.at(middle + span * 1e-9);
		if (direction > 0)
			i++;
		else if (i >= 0 && track.starts.data[i] > middle - span * 1e-6)
			i--;
		if (i < 0 || i >= track.starts.length)
			return;
		this.look(track.starts.data[i] - span / 2, track.starts.data[i] + span / 2);
	}

	/*
	 * Tasks by their names, ids, and containers', and containers that have none; those first that are called so as a
	 * whole: there may be thousands whose names begin alike.
	 */
	search(text) {
		const found = [];
		const take = (what, total, ids, names) => {
			const lower = names.map((name) => String(name ?? "").toLowerCase());
			const isWhole = lower.includes(text) || ids.some((id) => String(id) === text);

			if (isWhole || lower.some((name) => name.includes(text)))
				found.push({ what, total, isWhole });
		};

		for (const t of this.timeline.tasks)
			take(t, t.track.total, t.vtids.concat(t.tid), [t.comm, t.container.title, t.container.id]);
		for (const c of this.timeline.known)
			if (!c.tasks.length)
				take(c, c.total, [], [c.title, c.id]);
		return found.sort((a, b) => b.isWhole - a.isWhole || b.total - a.total);
	}

	find(text) {
		const found = text ? this.search(text) : [];

		byId("search").classList.toggle("none", text !== "" && !found.length);
		if (!found.length)
			return;
		this.nextFound = this.lastFound === text ? (this.nextFound + 1) % found.length : 0;
		this.lastFound = text;
		this.choose(this.rows.show(found[this.nextFound].what));
		byId("idle").checked = this.rows.withIdle;
		byId("others").checked = this.rows.withOthers;
		this.labelsKey = "";
	}

	/* Mouse and keyboard. */

	listen() {
		byId("whole").addEventListener("click", () => this.look(0, this.timeline.span));
		byId("fold").addEventListener("click", () => this.keepChosen(() => this.rows.toggleAll()));
		byId("help-button").addEventListener("click", () => byId("help").showModal());
		byId("idle").addEventListener("change", (event) => this.keepChosen(() => {
			this.rows.withIdle = event.target.checked;
			this.rows.update();
		}));
		byId("others-label").hidden = !this.timeline.known.some((c) => c.other);
		byId("others").addEventListener("change", (event) => this.keepChosen(() => {
			this.rows.withOthers = event.target.checked;
			this.rows.update();
		}));
		byId("path-label").hidden = !this.timeline.path.length;
		byId("path").addEventListener("change", () => this.draw());
		byId("search").addEventListener("keydown", (event) => {
			if (event.key === "Enter")
				this.find(event.target.value.trim().toLowerCase());
			else if (event.key === "Escape")
				byId("rows").focus();
		});
		byId("labels").addEventListener("click", (event) => this.onLabel(event));
		byId("rows").addEventListener("scroll", () => {
			byId("tip").hidden = true;
			this.draw();
		});
		document.addEventListener("keydown", (event) => this.onKey(event));
		this.listenToPointer(byId("chart"), this.chart, () => this.view, (event) => event.shiftKey);
		this.listenToPointer(byId("overview"), this.overview,
			() => ({ from: 0, to: this.timeline.span, width: this.view.width }), () => true);
		byId("chart").addEventListener("mousemove", (event) => this.onHover(event));
		byId("chart").addEventListener("mouseleave", () => {
			byId("tip").hidden = true;
		});
		byId("chart").addEventListener("dblclick", (event) => this.onDouble(event));
		for (const id of ["rows", "overview"])
			byId(id).addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
		new ResizeObserver(() => this.fit()).observe(byId("rows"));
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
			this.chart.readColours();
			this.overview.readColours();
			this.overviewImage = null;
			this.draw();
		});
	}

	onLabel(event) {
		const label = event.target.closest(".label"), number = Number(label?.dataset.row);
		const row = this.rows.list[number];

		if (!label)
			return;
		this.choose(number);
		if (event.target.className === "fold")
			this.keepChosen(() => this.rows.toggle(row));
		else if (row.container)
			this.highlight(row.container, event.ctrlKey || event.metaKey || event.shiftKey);
	}

	onWheel(event) {
		const size = event.deltaMode === 1 ? 30 : 1;

		if (event.ctrlKey || event.metaKey) {
			event.preventDefault();
			this.zoom(Math.exp(Math.max(Math.min(event.deltaY * size, 300), -300) / 300),
				this.time(event.clientX - byId("chart").getBoundingClientRect().left));
		} else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
			event.preventDefault();
			this.move((event.shiftKey && !event.deltaX ? event.deltaY : event.deltaX) * size / this.view.width);
		}
	}

	/* Dragging moves, or marks what is to be zoomed to. */
	listenToPointer(canvas, painter, viewOf, isMarking) {
		let drag = null;

		canvas.addEventListener("pointerdown", (event) => {
			const view = { ...viewOf() };

			if (event.button)
				return;
			drag = { view, x: event.offsetX, y: event.offsetY, top: byId("rows").scrollTop, marks: isMarking(event) };
			canvas.setPointerCapture(event.pointerId);
		});
		canvas.addEventListener("pointermove", (event) => {
			if (!drag)
				return;
			const time = (x) => drag.view.from + x / drag.view.width * (drag.view.to - drag.view.from);

			byId("tip").hidden = true;
			if (drag.marks) {
				this.mark = { painter, view: drag.view, from: time(drag.x), to: time(event.offsetX) };
				this.draw();
			} else {
				const by = time(drag.x) - time(event.offsetX);

				byId("rows").scrollTop = drag.top + drag.y - event.offsetY;
				this.look(drag.view.from + by, drag.view.to + by);
			}
		});
		canvas.addEventListener("pointerup", (event) => {
			const marked = drag?.marks && this.mark;

			if (drag && painter === this.chart && Math.abs(event.offsetX - drag.x) + Math.abs(event.offsetY - drag.y) < 4)
				this.choose(this.rowAt(event));
			drag = this.mark = null;
			if (marked && Math.abs(marked.to - marked.from) / (marked.view.to - marked.view.from) * marked.view.width > 4)
				this.look(Math.min(marked.from, marked.to), Math.max(marked.from, marked.to));
			else
				this.draw();
		});
		canvas.addEventListener("pointercancel", () => {
			drag = this.mark = null;
			this.draw();
		});
	}

	rowAt(event) {
		return Math.floor((byId("rows").scrollTop + event.offsetY) / ROW);
	}

	onHover(event) {
		const row = this.rows.list[this.rowAt(event)];

		if (!row || event.buttons) {
			byId("tip").hidden = true;
			return;
		}
		showTip(byId("tip"), describe(this.chart, row, this.view, this.time(event.offsetX)), event.clientX, event.clientY);
	}

	onDouble(event) {
		const row = this.rows.list[this.rowAt(event)], track = row?.cpu?.track ?? row?.task?.track;
		const time = this.time(event.offsetX);
		const i = track && !this.chart.isCrowded(track, this.view) ? runNear(track, this.view, time) : -1;

		if (i < 0) {
			this.zoom(0.25, time);
			return;
		}
		const start = track.starts.data[i], length = track.end(i) - start;

		this.look(start - length * 0.2, start + length * 1.2);
	}

	onKey(event) {
		const page = Math.max(Math.floor(this.height / ROW) - 1, 1), chosen = this.chosen ?? -1;
		const keys = {
			ArrowLeft: () => this.move(-0.15), a: () => this.move(-0.15),
			ArrowRight: () => this.move(0.15), d: () => this.move(0.15),
			"+": () => this.zoom(0.7), "=": () => this.zoom(0.7), w: () => this.zoom(0.7),
			"-": () => this.zoom(1 / 0.7), s: () => this.zoom(1 / 0.7),
			0: () => this.look(0, this.timeline.span),
			ArrowUp: () => this.choose(chosen - 1), ArrowDown: () => this.choose(chosen + 1),
			PageUp: () => this.choose(chosen - page), PageDown: () => this.choose(chosen + page),
			Home: () => this.choose(0), End: () => this.choose(this.rows.list.length - 1),
			Enter: () => this.chosen !== null && this.keepChosen(() => this.rows.toggle(this.rows.list[chosen])),
			h: () => this.chosen !== null && this.highlightChosen(),
			n: () => this.step(1), p: () => this.step(-1),
			"/": () => byId("search").focus(), "?": () => byId("help").showModal(),
			Escape: () => this.highlightNone(),
		};

		if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open || !keys[event.key])
			return;
		/* Buttons and the field have keys of their own. */
		if (event.target.matches("input[type=search]") || (event.key === "Enter" && event.target.matches("button, input")))
			return;
		event.preventDefault();
		keys[event.key]();
	}

	highlightChosen() {
		const row = this.rows.list[this.chosen];

		if (!row.cpu)
			this.highlight(row.container ?? row.task.container, false);
	}
}

{
	const head = JSON.parse(byId("head").textContent);
	const page = new Page(new Timeline(head, decodeBase64(byId("runs").textContent)));

	/* The text is not needed any more, and large. */
	byId("runs").remove();
	byId("rows").focus({ preventScroll: true });
	page.draw();
}
