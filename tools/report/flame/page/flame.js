// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
// Draws the stacks of the page's data. Names come from containers, and are text and nothing else here.
"use strict";
{
	const ROW = 18;
	const LEAST = 0.5; // px; what is narrower is not drawn
	const LISTED = 2000; // containers with a button; a user can make as many as a call takes arguments, and more
	const get = (id) => document.getElementById(id);
	const data = JSON.parse(get("data").textContent);
	const graph = get("graph"), search = get("search"), reversed = get("reversed");
	const wide = get("wide"), compares = Boolean(data.before), scale = (data.scale_millionths ?? 1e6) / 1e6;
	let root, zoomed, chosen, drawn = [];
	const shown = new Set(); // containers; none: all

	// ---- what is drawn -------------------------------------------------------

	// Width is what is drawn as wide: the value, or what it was before.
	const node = (frame, above, container) =>
		({ frame, above, container, value: 0, before: 0, width: 0, below: new Map(), list: null });
	const is_shown = (container) => !shown.size || shown.has(container);

	function count(n, value, before) {
		n.value += value;
		n.before += before;
		n.width += wide.checked ? before : value;
	}

	// The container, then what was called last; the task stands at the end.
	const turned = (frames) => [frames[0], ...frames.slice(2).reverse(), ...frames.slice(1, 2)];

	function build() {
		const all = node(-1, null, -1);
		for (const [i, [value, ...frames]] of data.stacks.entries()) {
			if (!is_shown(frames[0]))
				continue;
			const before = compares ? data.before[i] : 0;
			let at = all;
			count(all, value, before);
			for (const frame of reversed.checked ? turned(frames) : frames) {
				if (!at.below.has(frame))
					at.below.set(frame, node(frame, at, frames[0]));
				at = at.below.get(frame);
				count(at, value, before);
			}
		}
		return all;
	}

	const name = (n) => n.frame < 0 ? "all" : data.frames[n.frame];

	// In the order of their names, made when it is needed.
	function below(n) {
		n.list ??= [...n.below.values()].sort((a, b) => name(a) < name(b) ? -1 : 1);
		return n.list;
	}

	function value(v) {
		if (data.unit === "samples")
			return `${v} ${v === 1 ? "sample" : "samples"}`;
		const [unit, size] = [["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]].find(([, s]) => v >= s) ?? ["ns", 1];
		return `${size === 1 ? v : (v / size).toFixed(3)} ${unit}`;
	}

	const share = (v, of) => `${(of ? 100 * v / of : 0).toFixed(2)}%`;

	// ---- colours -------------------------------------------------------------

	const containers = [...new Set(data.stacks.map(([, frame]) => frame))];
	const hues = new Map(containers.map((frame, i) => [frame, Math.round(30 + i * 137.508) % 360]));

	function hash(text) {
		let h = 0;
		for (const c of text)
			h = (h * 31 + c.codePointAt(0)) % 65521;
		return h;
	}

	/*
	 * How much more of a frame there is than before, from -1 (it is gone) to 1 (it is new), in a recording of the
	 * same length; 0 where a sampler may have come upon the difference by chance (twice its standard deviation).
	 */
	function change(n) {
		const before = n.before * scale, most = Math.max(n.value, before);
		if (data.unit === "samples" && Math.abs(n.value - before) <= 2 * Math.sqrt(n.value + n.before * scale * scale))
			return 0;
		return most ? (n.value - before) / most : 0;
	}

	function colour_of_change(n) {
		const by = change(n);
		if (!by)
			return "var(--line)";
		return `hsl(${by > 0 ? 4 : 216} ${Math.round(30 + 60 * Math.abs(by))}% calc(var(--light) - ${Math.round(18 * Math.abs(by))}%))`;
	}

	function colour(n) {
		if (n.frame < 0)
			return "var(--line)";
		if (compares)
			return colour_of_change(n);
		const text = name(n), kernel = text.endsWith("_[k]"), cause = /^\[.*\]$/.test(text);
		const [saturation, off] = cause ? [12, 0] : kernel ? [42, -9] : [70, 0];
		return `hsl(${hues.get(n.container)} ${saturation}% calc(var(--light) + ${off + hash(text) % 9 - 4}%))`;
	}

	// ---- searching -----------------------------------------------------------

	let wanted = "", found = new Set();

	function find() {
		wanted = search.value.toLowerCase();
		found = new Set(wanted ? data.frames.flatMap((f, i) => f.toLowerCase().includes(wanted) ? [i] : []) : []);
	}

	// What has such a function is counted once.
	function matched() {
		return data.stacks.reduce((sum, [v, ...frames]) =>
			sum + (is_shown(frames[0]) && frames.some((f) => found.has(f)) ? v : 0), 0);
	}

	function show_matched() {
		const sum = matched();
		get("matched").textContent = wanted ? `${share(sum, root.value)}, ${value(sum)} found` : "";
		search.classList.toggle("none", wanted !== "" && !found.size);
	}

	// ---- drawing -------------------------------------------------------------

	function add(n, depth, left, width, above) {
		const box = document.createElement("div");
		box.textContent = name(n);
		box.setAttribute("role", "treeitem");
		box.style.left = `${left}px`;
		box.style.top = `${depth * ROW}px`;
		box.style.width = `${Math.max(width - 1, LEAST)}px`;
		box.style.background = colour(n);
		if (width < 12)
			box.style.padding = "0";
		box.classList.toggle("above", above);
		box.classList.toggle("found", found.has(n.frame));
		box.classList.toggle("chosen", n === chosen);
		graph.append(box);
		drawn.push({ box, n });
		return box;
	}

	function draw_below(n, depth, left, width) {
		// Not by recursion: stacks may be deep.
		const rest = [[n, depth, left, width]];
		while (rest.length) {
			const [at, row, from, space] = rest.pop();
			let x = from;
			add(at, row, from, space, false);
			for (const b of below(at)) {
				const w = at.width ? space * b.width / at.width : 0;
				if (w >= LEAST)
					rest.push([b, row + 1, x, w]);
				x += w;
			}
		}
	}

	function draw() {
		const width = graph.clientWidth, line = [];
		for (let n = zoomed.above; n; n = n.above)
			line.unshift(n);
		graph.replaceChildren();
		drawn = [];
		line.forEach((n, depth) => add(n, depth, 0, width, true));
		draw_below(zoomed, line.length, 0, width);
		show_matched();
		tell(chosen ?? zoomed);
	}

	function tell(n) {
		let text = `${name(n)}: ${value(n.value)}, ${share(n.value, root.value)} of all`;
		if (zoomed !== root && n !== zoomed)
			text += `, ${share(n.value, zoomed.value)} of ${name(zoomed)}`;
		if (compares) {
			text += `; before ${value(n.before)}`;
			if (scale !== 1)
				text += `, which would be ${value(Math.round(n.before * scale))} in a recording as long as this`;
			if (!change(n))
				text += n.value === n.before * scale ? "" : ": no more than chance";
		}
		get("status").textContent = text;
	}

	function zoom(n) {
		zoomed = n;
		chosen = n;
		draw();
		graph.scrollTop = 0;
	}

	function start() {
		root = build();
		zoomed = root;
		chosen = null;
		draw();
	}

	// ---- mouse and keys ------------------------------------------------------

	const of_box = (target) => drawn.find(({ box }) => box === target)?.n;

	graph.addEventListener("click", (e) => {
		const n = of_box(e.target);
		if (n)
			zoom(n);
	});
	graph.addEventListener("mousemove", (e) => {
		const n = of_box(e.target);
		if (n)
			tell(n);
	});
	graph.addEventListener("mouseleave", () => tell(chosen ?? zoomed));

	function choose(n) {
		if (!n || !drawn.some((d) => d.n === n))
			return;
		chosen = n;
		drawn.forEach((d) => d.box.classList.toggle("chosen", d.n === n));
		drawn.find((d) => d.n === n).box.scrollIntoView({ block: "nearest" });
		tell(n);
	}

	function beside(n, by) {
		const all = n.above ? below(n.above) : [n];
		return all[all.indexOf(n) + by];
	}

	const widest = (n) => below(n).reduce((a, b) => !a || b.width > a.width ? b : a, null);
	const keys = {
		ArrowUp: () => choose((chosen ?? zoomed).above),
		ArrowDown: () => choose(widest(chosen ?? zoomed)),
		ArrowLeft: () => choose(beside(chosen ?? zoomed, -1)),
		ArrowRight: () => choose(beside(chosen ?? zoomed, 1)),
		Enter: () => zoom(chosen ?? zoomed),
		Escape: () => zoom(root),
		0: () => zoom(root),
		r: () => { reversed.checked = !reversed.checked; start(); },
		b: () => { if (compares) { wide.checked = !wide.checked; start(); } },
		"/": () => search.focus(),
	};
	document.addEventListener("keydown", (e) => {
		if (e.ctrlKey || e.altKey || e.metaKey || get("help").open)
			return;
		if (e.target === search) {
			if (e.key === "Escape" || e.key === "Enter")
				graph.focus();
			return;
		}
		if (e.target.tagName === "BUTTON" && e.key === "Enter")
			return;
		if (keys[e.key]) {
			e.preventDefault();
			keys[e.key]();
		}
	});
	search.addEventListener("input", () => { find(); draw(); });
	reversed.addEventListener("change", start);
	wide.addEventListener("change", start);
	get("whole").addEventListener("click", () => { shown.clear(); legend(); start(); });
	get("help-button").addEventListener("click", () => get("help").showModal());
	addEventListener("resize", draw);

	// ---- containers ----------------------------------------------------------

	// Alone, or with Ctrl beside those that are shown.
	function show(frame, beside) {
		const was = shown.has(frame), others = shown.size > 1;
		if (!beside)
			shown.clear();
		if (was && (beside || !others))
			shown.delete(frame);
		else
			shown.add(frame);
		legend();
		start();
	}

	function legend() {
		const sums = new Map();
		for (const [v, frame] of data.stacks)
			sums.set(frame, (sums.get(frame) ?? 0) + v);
		containers.sort((a, b) => sums.get(b) - sums.get(a));
		get("legend").replaceChildren(...containers.slice(0, LISTED).map((frame) => {
			const button = document.createElement("button"), mark = document.createElement("i");
			const label = document.createElement("span");
			mark.style.background = compares ? "var(--line)" : `hsl(${hues.get(frame)} 70% var(--light))`;
			label.textContent = data.frames[frame];
			button.append(mark, label);
			button.title = value(sums.get(frame));
			button.setAttribute("aria-pressed", shown.has(frame));
			button.addEventListener("click", (e) => show(frame, e.ctrlKey || e.metaKey));
			return button;
		}));
		if (containers.length > LISTED)
			get("legend").append(`and ${containers.length - LISTED} more, none of which has more: see flame --container`);
	}

	get("title").textContent = data.title;
	get("compares").hidden = !compares;
	get("colours").hidden = !compares;
	get("notes").replaceChildren(...data.notes.map((text) => {
		const item = document.createElement("li");
		item.textContent = text;
		return item;
	}));
	legend();
	start();
}
