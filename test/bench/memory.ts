// `npm run bench:memory`: the peak of memory of every kind of job and of the large screens, at a million keys where that
// takes minutes and no longer; the simulated service is a process of its own, answers at once and has no quota.
//   --write          writes the table into docs/speed.md
//   --keys=<n>       as many keys, a power of ten: fewer, to see whether the bench itself works
//   --only=<text>    only rows whose name has it
// Rows over the budget are marked and listed at the end, and the exit code is then 1.
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {arch, availableParallelism, platform, tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {replaceSections} from '../docs/markdown.ts';
import {jobRows, withBenchSetup} from './memory-jobs.ts';
import {memoryScreenRows} from './memory-screens.ts';
import {conditions, formatBenchRow, report, summarizeRows} from './report.ts';
import type {Row} from './row.ts';

const option = (name: string): string =>
	process.argv.find(word => word.startsWith(`--${name}=`))?.slice(`--${name}=`.length) ?? '';
const count = Number(option('keys') || 1_000_000);
const only = option('only');
const folder = mkdtempSync(join(tmpdir(), 'ledge-bench-'));
const rows: Row[] = [];
try {
	await withBenchSetup(folder, count, async setup => {
		for (const rowSource of [jobRows(setup, only), memoryScreenRows(setup, only)]) {
			for await (const row of rowSource) {
				rows.push(row);
				process.stdout.write(formatBenchRow(row));
			}
		}
	});
} finally {
	rmSync(folder, {recursive: true, force: true});
}

if (process.argv.includes('--write') && only === '') {
	const page = resolve(import.meta.dirname, '../../docs/speed.md');
	const machine = `${platform()} ${arch()}, ${availableParallelism()} cores`;
	const measured = report(rows, conditions(new Date(), process.versions.node, machine));
	writeFileSync(page, replaceSections(readFileSync(page, 'utf8'), {'bench memory': measured}));
}
const {text, code} = summarizeRows(rows);
process.stdout.write(text);
process.exitCode = code;
