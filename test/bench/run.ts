// `npm run bench`: what ledge costs, as ratios within this run, with the budget of each beside it.
//   --wrangler  compares with the real wrangler too
//   --write     writes the table into docs/speed.md
//   --quick     smaller jobs, to see whether the bench itself works
// Rows over their budgets are marked and listed at the end, and the exit code is then 1.
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {arch, availableParallelism, platform, tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {replaceSections} from '../docs/markdown.ts';
import {completionRow} from './completion.ts';
import {contextRows} from './contexts.ts';
import {commandRows} from './local-commands.ts';
import {bulkRows, listRow} from './local-work.ts';
import {manyKeysRows} from './many-keys.ts';
import {migrationRows} from './migration.ts';
import {oneFileRows} from './one-file.ts';
import {peerRows} from './peer.ts';
import {memoryRows, remoteBulkPutRow, remoteGetRow} from './remote-work.ts';
import {conditions, formatBenchRow, report, summarizeRows} from './report.ts';
import type {Row} from './row.ts';
import {screenRows} from './screen-work.ts';
import {sizeRow} from './size.ts';
import {localTransferRows, roundTripRow, transferRows} from './transfer.ts';
import {wizardRows} from './wizard.ts';

const quick = process.argv.includes('--quick');
const folder = mkdtempSync(join(tmpdir(), 'ledge-bench-'));
const rows: Row[] = [];
try {
	const stages = [
		() => commandRows(folder, quick ? 5 : 21),
		() => contextRows(folder, quick ? 5 : 21),
		() => completionRow(folder, quick ? 5 : 21),
		() => bulkRows(folder, quick ? 2000 : 20_000),
		() => listRow(folder, quick ? 10_000 : 100_000),
		() => remoteGetRow(folder, quick ? 5 : 21),
		() => remoteBulkPutRow(folder, quick ? 20 : 60),
		() => memoryRows(folder, quick ? 50 : 1000),
		() => transferRows(folder, quick ? 5000 : 100_000),
		() => localTransferRows(folder, quick ? 2000 : 50_000),
		() => roundTripRow(folder, quick ? 2000 : 100_000),
		() => screenRows(folder, quick ? 20_000 : 1_000_000, quick ? 5 : 21),
		() => manyKeysRows(join(folder, 'many'), quick ? 300_000 : 10_000_000),
		() => wizardRows(join(folder, 'wizard'), quick ? 20 : 420),
		() => migrationRows(join(folder, 'migration'), quick ? 6 : 60),
		() => sizeRow(folder),
		() => oneFileRows(folder, quick ? 5 : 21),
		...(process.argv.includes('--wrangler') ? [() => peerRows(folder)] : []),
	];
	for (const stage of stages) {
		const stageRows = await stage();
		rows.push(...stageRows);
		process.stdout.write(stageRows.map(formatBenchRow).join(''));
	}
} finally {
	rmSync(folder, {recursive: true, force: true});
}

if (process.argv.includes('--write')) {
	const page = resolve(import.meta.dirname, '../../docs/speed.md');
	const machine = `${platform()} ${arch()}, ${availableParallelism()} cores`;
	const measured = report(rows, conditions(new Date(), process.versions.node, machine));
	writeFileSync(page, replaceSections(readFileSync(page, 'utf8'), {bench: measured}));
}
const {text, code} = summarizeRows(rows);
process.stdout.write(text);
process.exitCode = code;
