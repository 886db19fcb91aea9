import {bundleFile, medians} from './measure.ts';
import {formatBenchMilliseconds, type Row, ratioRow} from './row.ts';

/** One press of the tab key in a shell, as a whole process, against a Node that does nothing. */
export async function completionRow(folder: string, turnCount: number): Promise<Row[]> {
	const line = 'ledge kv key list --format ';
	const found = await medians(turnCount, {
		empty: {words: ['-e', '0'], cwd: folder},
		ledge: {words: [bundleFile, '__complete', 'bash', '9', '=:', line], cwd: folder},
	});
	return [
		ratioRow(
			'completion of a word in a shell, whole process, against an empty node',
			found.ledge / found.empty,
			1.6,
			`${formatBenchMilliseconds(found.ledge)}; empty node ${formatBenchMilliseconds(found.empty)}`,
		),
	];
}
