import {join} from 'node:path';
import {installPeer} from '../interop/peer.ts';
import {writeBenchEntries} from './local-work.ts';
import {bundleFile, median, run} from './measure.ts';
import {formatBenchRatio, formatBenchSeconds, type Row} from './row.ts';

/** The same commands of ledge and of wrangler, taking turns. */
export async function peerRows(folder: string): Promise<Row[]> {
	const peer = await installPeer();
	const input = writeBenchEntries(join(folder, 'peer.json'), 1000);
	const jobs = {
		'key put': ['key', 'put', 'greeting', 'hello'],
		'key get': ['key', 'get', 'greeting'],
		'key list': ['key', 'list'],
		'bulk put, 1000 entries': ['bulk', 'put', input],
	};
	const rows: Row[] = [];
	for (const [name, words] of Object.entries(jobs)) {
		const options = ['--local', '--persist-to', join(folder, 'peer'), '--namespace-id', 'N'];
		const wranglerTimes: number[] = [];
		const ledgeTimes: number[] = [];
		for (let turn = 0; turn < 4; turn++) {
			const wrangler = await run({
				words: [peer.program, 'kv', ...words, ...options],
				cwd: folder,
				env: peer.env,
			});
			const ledge = await run({words: [bundleFile, 'kv', ...words, ...options], cwd: folder});
			if (wrangler.code !== 0 || ledge.code !== 0)
				throw new Error(`${name}: ${wrangler.stderr}${ledge.stderr}`);
			if (turn > 0) {
				wranglerTimes.push(wrangler.milliseconds);
				ledgeTimes.push(ledge.milliseconds);
			}
		}
		const found = {theirs: median(wranglerTimes), mine: median(ledgeTimes)};
		rows.push({
			what: `\`kv ${name} --local\`, against wrangler ${peer.version}`,
			measured: `${formatBenchSeconds(found.mine)} against ${formatBenchSeconds(found.theirs)}: ${formatBenchRatio(found.theirs / found.mine)} faster`,
			budget: '> 10 ×',
			within: found.theirs / found.mine > 10,
		});
	}
	return rows;
}
