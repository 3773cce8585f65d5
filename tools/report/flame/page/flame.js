// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
// Draws the stacks of the page's data. Names come from containers, and are text and nothing else here.
"use strict";
{
	const ROW = 18;
	const LEAST = 0.5; // px; what is narrower is not drawn
	const SLIVER = 3; // px; what is narrower is painted, for of these there may be a hundred thousand
	const NARROW = 12; // px; what is narrower has no room for a text
	const LABEL = 100; // characters at least that a box has of its name
	const LISTED = 2000; // containers with a button; a user can make as many as a call takes arguments, and more
	const get = (id) => document.getElementById(id);
	const data = JSON.parse(get("data").textContent);
	const graph = get("graph"), search = get("search"), reversed = get("reversed");
	const wide = get("wide"), compares = Boolean(data.before), scale = (data.scale_millionths ?? 1e6) / 1e6;
	let root, zoomed, chosen;
	const shown = new Set(); // containers; none: all

	// ---- what is drawn -------------------------------------------------------

	/*
	 * Width is what is drawn as wide: the value, or what it was before. What is below is found when it is asked for,
	 * among the stacks that are there: a container can make as many that differ as it likes, of which few are seen.
	 */
	const node = (frame, above, container) =>
		({ frame, above, container, depth: above ? above.depth + 1 : 0, value: 0, before: 0, width: 0, stacks: [], list: null,
			turn: 0, row: 0 });
	const is_shown = (container) => !shown.size || shown.has(container);

	function count(n, i) {
		const before = compares ? data.before[i] : 0;
		n.value += data.stacks[i][0];
		n.before += before;
		n.width += wide.checked ? before : data.stacks[i][0];
		n.stacks.push(i);
	}

	// From the outside; reversed: the container, then what was called last; the task stands at the end.
	function frame_at(stack, depth) {
		const last = stack.length - 2;
		if (!reversed.checked || depth === 0 || depth > last)
			return stack[depth + 1];
		return stack[depth === last ? 2 : last + 2 - depth];
	}

	function build() {
		const all = node(-1, null, -1);
		for (let i = 0; i < data.stacks.length; i++)
			if (is_shown(data.stacks[i][1]))
				count(all, i);
		return all;
	}

	const name = (n) => n.frame < 0 ? "all" : data.frames[n.frame];

	// In the order of their names, which is that of the frames.
	function below(n) {
		if (n.list)
			return n.list;
		const inner = new Map();
		for (const i of n.stacks) {
			const frame = frame_at(data.stacks[i], n.depth);
			if (frame === undefined)
				continue;
			if (!inner.has(frame))
				inner.set(frame, node(frame, n, data.stacks[i][1]));
			count(inner.get(frame), i);
		}
		n.list = [...inner.values()].sort((a, b) => a.frame - b.frame);
		n.stacks = null;
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

	// Of a frame, but for its container's hue; a name may be long.
	const tints = [];

	function tint(frame) {
		const text = data.frames[frame], kernel = text.endsWith("_[k]"), cause = /^\[.*\]$/.test(text);
		const [saturation, off] = cause ? [12, 0] : kernel ? [42, -9] : [70, 0];
		return `${saturation}% calc(var(--light) + ${off + hash(text) % 9 - 4}%)`;
	}

	function colour(n) {
		if (n.frame < 0)
			return "var(--line)";
		if (compares)
			return colour_of_change(n);
		tints[n.frame] ??= tint(n.frame);
		return `hsl(${hues.get(n.container)} ${tints[n.frame]})`;
	}

	// ---- searching -----------------------------------------------------------

	let wanted = "", found = new Set();

	function find() {
		wanted = search.value.toLowerCase();
		found = new Set(wanted ? data.frames.flatMap((f, i) => f.toLowerCase().includes(wanted) ? [i] : []) : []);
	}

	// What has such a function is counted once.
	function matched() {
		return data.stacks.reduce((sum, stack) =>
			sum + (found.size && is_shown(stack[1]) && stack.some((f, i) => i && found.has(f)) ? stack[0] : 0), 0);
	}

	function show_matched() {
		const sum = matched();
		get("matched").textContent = wanted ? `${share(sum, root.value)}, ${value(sum)} found` : "";
		search.classList.toggle("none", wanted !== "" && !found.size);
	}

	// ---- drawing -------------------------------------------------------------

	// Of each row what is in it, from left to right; of these the rows that are in the window are drawn.
	let rows = [], turn = 0, first = 0, end = 0;
	const boxes = new Map(); // of nodes

	function lay_out() {
		const width = graph.clientWidth;
		rows = [];
		turn++;
		for (let n = zoomed.above; n; n = n.above)
			rows.unshift([{ n, left: 0, width, above: true }]);
		// Not by recursion: stacks may be deep.
		for (let row = [{ n: zoomed, left: 0, width, above: false }]; row.length; row = row_below(row))
			rows.push(row);
		rows.forEach((row, depth) => row.forEach(({ n }) => { n.turn = turn; n.row = depth; }));
		graph.style.setProperty("--height", `${rows.length * ROW}px`);
	}

	function row_below(row) {
		const next = [];
		for (const { n, left, width } of row) {
			let x = left;
			for (const inner of below(n)) {
				const w = n.width ? width * inner.width / n.width : 0;
				if (w >= LEAST)
					next.push({ n: inner, left: x, width: w, above: false });
				x += w;
			}
		}
		return next;
	}

	// A text is no longer than there is room for; where there is none, it is there for who cannot see.
	function add({ n, left, width, above }, depth) {
		const box = document.createElement("div");
		if (width < NARROW)
			box.ariaLabel = name(n).slice(0, LABEL);
		else
			box.textContent = name(n).slice(0, Math.max(Math.ceil(width), LABEL));
		box.setAttribute("role", "treeitem");
		box.style.left = `${left}px`;
		box.style.top = `${depth * ROW}px`;
		box.style.width = `${width - 1}px`;
		box.style.background = colour(n);
		if (width < NARROW)
			box.style.padding = "0";
		box.classList.toggle("above", above);
		box.classList.toggle("found", found.has(n.frame));
		box.classList.toggle("chosen", n === chosen);
		boxes.set(n, box);
		return box;
	}

	// As the style sheet has it, for a canvas, which takes no such names.
	function painter() {
		const style = getComputedStyle(document.documentElement), light = parseFloat(style.getPropertyValue("--light"));
		return (n) => found.has(n.frame) ? style.getPropertyValue("--found")
			: colour(n).replace(/calc\(var\(--light\) ([+-]) (-?\d+)%\)/, (_, sign, by) => `${light + (sign === "+" ? 1 : -1) * by}%`)
				.replace(/var\((--\w+)\)/, (_, of) => style.getPropertyValue(of));
	}

	function draw_rows() {
		const canvas = document.createElement("canvas"), g = canvas.getContext("2d"), paint = painter();
		const list = document.createDocumentFragment();
		first = Math.floor(graph.scrollTop / ROW);
		// Also those behind what is below the graph, and may become lower.
		end = Math.min(Math.ceil((graph.scrollTop + innerHeight) / ROW), rows.length);
		boxes.clear();
		canvas.width = graph.clientWidth;
		canvas.height = (end - first) * ROW;
		canvas.style.top = `${first * ROW}px`;
		list.append(canvas);
		for (let depth = first; depth < end; depth++)
			for (const part of rows[depth]) {
				if (part.width >= SLIVER) {
					list.append(add(part, depth));
					continue;
				}
				g.fillStyle = paint(part.n);
				g.fillRect(part.left, (depth - first) * ROW, Math.max(part.width - 1, LEAST), ROW - 1);
			}
		graph.replaceChildren(list);
	}

	function draw() {
		lay_out();
		draw_rows();
		show_matched();
		tell(chosen ?? zoomed);
	}

	graph.addEventListener("scroll", () => {
		if (Math.floor(graph.scrollTop / ROW) !== first)
			draw_rows();
	});

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
		graph.scrollTop = 0;
		draw();
	}

	function start() {
		root = build();
		zoomed = root;
		chosen = null;
		draw();
	}

	// ---- mouse and keys ------------------------------------------------------

	function under(e) {
		const at = graph.getBoundingClientRect(), x = e.clientX - at.left;
		const row = rows[Math.floor((e.clientY - at.top + graph.scrollTop) / ROW)] ?? [];
		return row.find(({ left, width }) => x >= left && x < left + width)?.n;
	}

	graph.addEventListener("click", (e) => {
		const n = under(e);
		if (n)
			zoom(n);
	});
	graph.addEventListener("mousemove", (e) => {
		const n = under(e);
		if (n)
			tell(n);
	});
	graph.addEventListener("mouseleave", () => tell(chosen ?? zoomed));

	function choose(n) {
		if (!n || n.turn !== turn)
			return;
		const top = n.row * ROW, space = graph.clientHeight - ROW;
		boxes.get(chosen)?.classList.remove("chosen");
		chosen = n;
		graph.scrollTop = Math.max(Math.min(graph.scrollTop, top), top - space);
		if (n.row < first || n.row >= end)
			draw_rows();
		boxes.get(n)?.classList.add("chosen");
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
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw_rows);

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
