// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
// hot.js ROUNDS FILE: uses the CPU in two functions, three times as long in one as in the other, by the process's own
// clock. FILE then has a line for each with the us that it took, and it sleeps.
'use strict';
const fs = require('fs');
const [rounds, file] = process.argv.slice(2);
const table = Array.from({ length: 1024 }, (_, i) => i);
const us = { hotFunction: 0, coldFunction: 0 };

function hotFunction(n) {
	let sum = 0;

	for (let i = 0; i < n; i++)
		sum = (sum + table[i & 1023] * i) % 1000003;
	return sum;
}

function coldFunction(n) {
	let sum = 1;

	for (let i = 0; i < n; i++)
		sum = (sum + table[(i + 7) & 1023] * i) % 1000033;
	return sum;
}

function burn(run, most) {
	const begin = process.cpuUsage();
	let used;

	do {
		table[0] = run(20000) & 1;
		used = process.cpuUsage(begin);
		used = used.user + used.system;
	} while (used < most);
	us[run.name] += used;
}

// Until both are compiled: the interpreter's own functions have other names.
for (let i = 0; i < 20; i++)
	table[0] = (hotFunction(20000) + coldFunction(20000)) & 1;
for (let i = 0; i < Number(rounds); i++) {
	burn(coldFunction, 20000);
	burn(hotFunction, 60000);
}
fs.writeFileSync(`${file}.new`, Object.entries(us).map(([name, n]) => `${name} 0 0 ${n}\n`).join(''));
fs.renameSync(`${file}.new`, file);
setInterval(() => {}, 1000000);
