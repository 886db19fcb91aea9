// `npm run bench`: what ledge costs, as ratios within this run (design budgets beside them).
//   --peer   sets the real wrangler beside it
//   --write  puts the table into the readme
//   --quick  smaller jobs, to see that the bench itself works
// Rows over their budgets are marked, and named at the end; the exit code is 1 then.
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {availableParallelism, tmpdir} from 'node:os';
import {join} from 'node:path';
import {readmeFile, readReadme, withSections} from '../readme/sections.ts';
import {commandRows} from './local-commands.ts';
import {bulkRows, listRow} from './local-work.ts';
import {migrationRows} from './migration.ts';
import {peerRows} from './peer.ts';
import {memoryRows, remoteGetRow, remoteRows} from './remote-work.ts';
import {ending, printed, table} from './report.ts';
import type {Row} from './row.ts';
import {screenRows} from './screen-work.ts';
import {sizeRow} from './size.ts';
import {localTransferRows, roundRow, transferRows} from './transfer.ts';
import {wizardRows} from './wizard.ts';

const quick = process.argv.includes('--quick');
const folder = mkdtempSync(join(tmpdir(), 'ledge-bench-'));
const rows: Row[] = [];
try {
	const stages = [
		() => commandRows(folder, quick ? 5 : 21),
		() => listRow(folder, quick ? 10_000 : 100_000),
		() => bulkRows(folder, quick ? 2000 : 20_000),
		() => remoteGetRow(folder, quick ? 5 : 21),
		() => remoteRows(folder, quick ? 20 : 60),
		() => memoryRows(folder, quick ? 50 : 1000),
		() => transferRows(folder, quick ? 5000 : 100_000),
		() => localTransferRows(folder, quick ? 2000 : 100_000),
		() => roundRow(folder, quick ? 2000 : 100_000),
		() => screenRows(folder, quick ? 20_000 : 1_000_000, quick ? 5 : 21),
		() => wizardRows(join(folder, 'wizard'), quick ? 20 : 210),
		() => migrationRows(join(folder, 'migration'), quick ? 6 : 60),
		() => sizeRow(folder),
		...(process.argv.includes('--peer') ? [() => peerRows(folder)] : []),
	];
	for (const stage of stages) {
		const made = await stage();
		rows.push(...made);
		process.stdout.write(made.map(printed).join(''));
	}
} finally {
	rmSync(folder, {recursive: true, force: true});
}

const machine = `Node ${process.versions.node}, ${availableParallelism()} cores.`;
if (process.argv.includes('--write'))
	writeFileSync(readmeFile, withSections(readReadme(), {bench: table(rows, machine)}));
const {text, code} = ending(rows);
process.stdout.write(text);
process.exitCode = code;
