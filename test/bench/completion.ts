import {medians, program} from './measure.ts';
import {type Row, ratioRow, wholeMilliseconds} from './row.ts';

/** One press of the tab key in a shell, as a whole process, against a Node that does nothing. */
export async function completionRow(folder: string, times: number): Promise<Row[]> {
	const line = 'ledge kv key list --format ';
	const found = await medians(times, {
		empty: {words: ['-e', '0'], cwd: folder},
		ledge: {words: [program, '__complete', 'bash', '9', '=:', line], cwd: folder},
	});
	return [
		ratioRow(
			'completion of a word in a shell, whole process, against an empty node',
			found.ledge / found.empty,
			1.6,
			`${wholeMilliseconds(found.ledge)}; empty node ${wholeMilliseconds(found.empty)}`,
		),
	];
}
