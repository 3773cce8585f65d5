// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
// Draws the stacks of the page's data. Names come from containers, and are text and nothing else here.
"use strict";
{
	const ROW = 18;
	const LEAST = 0.5; // px; what is narrower is not drawn
	const get = (id) => document.getElementById(id);
	const data = JSON.parse(get("data").textContent);
	const graph = get("graph"), search = get("search"), reversed = get("reversed");
	let root, zoomed, chosen, alone = -1, drawn = [];

	// ---- what is drawn -------------------------------------------------------

	const node = (frame, above, container) => ({ frame, above, container, value: 0, below: new Map(), list: null });

	// The container, then what was called last; the task stands at the end.
	const turned = (frames) => [frames[0], ...frames.slice(2).reverse(), ...frames.slice(1, 2)];

	function build() {
		const all = node(-1, null, -1);
		for (const [value, ...frames] of data.stacks) {
			if (alone >= 0 && frames[0] !== alone)
				continue;
			let at = all;
			all.value += value;
			for (const frame of reversed.checked ? turned(frames) : frames) {
				if (!at.below.has(frame))
					at.below.set(frame, node(frame, at, frames[0]));
				at = at.below.get(frame);
				at.value += value;
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

	function colour(n) {
		if (n.frame < 0)
			return "var(--line)";
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
			sum + (alone >= 0 && frames[0] !== alone ? 0 : frames.some((f) => found.has(f)) ? v : 0), 0);
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
			const [at, row, from, wide] = rest.pop();
			let x = from;
			add(at, row, from, wide, false);
			for (const b of below(at)) {
				const w = at.value ? wide * b.value / at.value : 0;
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

	const widest = (n) => below(n).reduce((a, b) => !a || b.value > a.value ? b : a, null);
	const keys = {
		ArrowUp: () => choose((chosen ?? zoomed).above),
		ArrowDown: () => choose(widest(chosen ?? zoomed)),
		ArrowLeft: () => choose(beside(chosen ?? zoomed, -1)),
		ArrowRight: () => choose(beside(chosen ?? zoomed, 1)),
		Enter: () => zoom(chosen ?? zoomed),
		Escape: () => zoom(root),
		0: () => zoom(root),
		r: () => { reversed.checked = !reversed.checked; start(); },
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
	get("whole").addEventListener("click", () => { alone = -1; legend(); start(); });
	get("help-button").addEventListener("click", () => get("help").showModal());
	addEventListener("resize", draw);

	// ---- containers ----------------------------------------------------------

	function legend() {
		const sums = new Map();
		for (const [v, frame] of data.stacks)
			sums.set(frame, (sums.get(frame) ?? 0) + v);
		get("legend").replaceChildren(...containers.sort((a, b) => sums.get(b) - sums.get(a)).map((frame) => {
			const button = document.createElement("button"), mark = document.createElement("i");
			const label = document.createElement("span");
			mark.style.background = `hsl(${hues.get(frame)} 70% var(--light))`;
			label.textContent = data.frames[frame];
			button.append(mark, label);
			button.title = value(sums.get(frame));
			button.setAttribute("aria-pressed", alone === frame);
			button.addEventListener("click", () => { alone = alone === frame ? -1 : frame; legend(); start(); });
			return button;
		}));
	}

	get("title").textContent = data.unit === "samples" ? "What CPUs did" : "What tasks waited for";
	legend();
	start();
}
