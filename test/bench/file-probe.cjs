'use strict';
// Counts what a process does with one path: LEDGE_BENCH_PATH. The counts go to LEDGE_BENCH_CALLS when the process ends.
const fs = require('node:fs');

const {LEDGE_BENCH_PATH: watched, LEDGE_BENCH_CALLS: report} = process.env;
const counts = {stat: 0, open: 0};
const kinds = {
	stat: [
		'statSync',
		'lstatSync',
		'existsSync',
		'accessSync',
		'realpathSync',
		'stat',
		'lstat',
		'access',
		'realpath',
	],
	open: ['openSync', 'readFileSync', 'open', 'readFile', 'createReadStream'],
};
const {writeFileSync} = fs;

if (report) {
	for (const [kind, names] of Object.entries(kinds)) {
		for (const owner of [fs, fs.promises]) {
			for (const name of names) {
				const original = owner[name];
				if (typeof original !== 'function') continue;
				owner[name] = Object.assign((path, ...rest) => {
					if (String(path) === watched) counts[kind]++;
					return original.call(owner, path, ...rest);
				}, original);
			}
		}
	}
	require('node:module').syncBuiltinESMExports();
	process.on('exit', () => writeFileSync(report, JSON.stringify(counts)));
}
