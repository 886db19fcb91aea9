import {toDrawable} from '../../text/columns.ts';
import {wrapText} from '../../text/wrap.ts';
import type {AnswerDifference} from './answer-shapes.ts';
import type {Check} from './check.ts';

/** Checks of one kind, below a heading. */
export type CheckGroup = {readonly title: string; readonly checks: readonly Check[]};

const stateColumns = 7;
const titleColumns = 15;
const maxColumns = 80;
/** Differences of one answer that the text lists; `--json` has all. */
const maxListedDifferences = 5;

/** Formats the report at most 80 columns wide, so that it reads well in a bug report. */
export function formatReport(groups: readonly CheckGroup[]): string {
	const lines = groups.flatMap(({title, checks}, index) => [
		...(index === 0 ? [] : ['']),
		title,
		...checks.flatMap(formatCheck),
	]);
	return [...lines, '', summarize(groups.flatMap(({checks}) => checks)), ...remarks, ''].join('\n');
}

function formatCheck(check: Check): readonly string[] {
	const {state, title, finding, next, permission, ray, differences = []} = check;
	const isProblem = state === 'failed' || state === 'note';
	const texts = [
		// Advice on a failure names the permission.
		state === 'ok' && permission !== undefined ? `${finding} (${permission})` : finding,
		...differences.slice(0, maxListedDifferences).map(formatDifference),
		...(differences.length > maxListedDifferences
			? [`and ${differences.length - maxListedDifferences} more, see --json`]
			: []),
		...(ray !== undefined && isProblem ? [`ray ${ray}`] : []),
		...(next === undefined ? [] : [`→ ${next}`]),
	];
	const head = `${state.padEnd(stateColumns)}  ${title.padEnd(titleColumns)}  `;
	return texts
		.flatMap(text => wrapText(toDrawable(text), maxColumns - head.length, 2))
		.map((line, index) => (index === 0 ? head : ' '.repeat(head.length)) + line);
}

const formatDifference = ({path, expected, received, isRequired}: AnswerDifference): string =>
	`${path}: ${received === 'missing' ? received : `${received}, expected ${expected}`}${isRequired ? '' : ' (ledge works without)'}`;

function summarize(checks: readonly Check[]): string {
	const count = (state: Check['state']) => checks.filter(check => check.state === state).length;
	const parts = (['ok', 'note', 'failed', 'skipped'] as const)
		.filter(state => count(state) > 0)
		.map(state => `${count(state)} ${state}`);
	return parts.join(', ');
}

const remarks = [
	'Whether writes are permitted was not checked: only a write can tell.',
	'This report has no secrets and no names of keys or zones; ids are shortened.',
];
