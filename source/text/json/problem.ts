import {formatInteger} from '../figures.ts';
import {findJsonProblem} from './tree-reading.ts';

/**
 * Describes why a text is not JSON, without quoting it: "line 2, column 5: expected a comma or }". Lines and
 * columns count from 1, columns in characters. Undefined if the text is JSON.
 */
export function describeJsonProblem(text: string): string | undefined {
	const problem = findJsonProblem(text);
	if (!problem) return undefined;
	const {offset, what} = problem;
	const lines = text.slice(0, offset).split('\n');
	const column = Array.from(lines.at(-1) ?? '').length + 1;
	return `line ${formatInteger(lines.length)}, column ${formatInteger(column)}: ${what}`;
}
