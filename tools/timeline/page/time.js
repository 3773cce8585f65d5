/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
"use strict";

/* Times and durations as text. All are ns. */

function durationText(ns) {
	const units = [["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]];
	const [name, size] = units.find(([, least]) => ns >= least) ?? units[3];

	/* Four digits that count, but never less than whole ns. */
	return `${Number((ns / size).toPrecision(ns >= 1e4 * size ? 6 : 4))} ${name}`;
}

/* Seconds from the begin, in groups of three digits, as exact as steps of @step need. */
function offsetText(ns, step) {
	const digits = Math.min(Math.max(Math.ceil(9 - Math.log10(step) - 1e-9), 0), 9);
	const [whole, fraction] = (Math.abs(ns) / 1e9).toFixed(digits).split(".");
	const groups = fraction ? `.${fraction.match(/.{1,3}/g).join("\u202f")}` : "";

	return `${ns < 0 ? "-" : ""}${whole}${groups} s`;
}

/* The time of day where the page is read, with all digits. */
function clockText(timeline, ns) {
	const time = timeline.begin + BigInt(Math.round(ns));
	const day = new Date(Number(time / 1000000n));
	const two = (n) => String(n).padStart(2, "0");

	return `${two(day.getHours())}:${two(day.getMinutes())}:${two(day.getSeconds())}.` +
		String(time % 1000000000n).padStart(9, "0");
}

/* Where the marks of an axis are: round times, at least @least pixels apart. */
function axisMarks(view, least) {
	const rough = (view.to - view.from) / view.width * least;
	const power = 10 ** Math.floor(Math.log10(rough));
	const step = Math.max([1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough), 1);
	const first = Math.ceil(view.from / step), times = [];

	/* Of a trace of decades @first may be so large that the next number is the same. */
	for (let i = 0; (first + i) * step <= view.to; i++)
		times.push((first + i) * step);
	return { step, times };
}
