import {measureColumns, toDrawable} from '../../text/columns.ts';
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
	const shownAdvice = new Set<string>();
	const formatOnce = (check: Check): readonly string[] => {
		const {next} = check;
		const isRepeated = next !== undefined && shownAdvice.has(next);
		if (next !== undefined) shownAdvice.add(next);
		return formatCheck(isRepeated ? {...check, next: undefined} : check);
	};
	const lines = groups.flatMap(({title, checks}, index) => [
		...(index === 0 ? [] : ['']),
		title,
		...mergeSkipped(checks).flatMap(formatOnce),
	]);
	return [...lines, '', summarize(groups.flatMap(({checks}) => checks)), ...remarks, ''].join('\n');
}

/** Merges checks in a row that were skipped for the same reason. */
function mergeSkipped(checks: readonly Check[]): readonly Check[] {
	const runs: [Check, ...Check[]][] = [];
	for (const check of checks) {
		const run = runs.at(-1);
		const [first] = run ?? [];
		if (run && check.state === 'skipped' && first?.state === 'skipped' && first.finding === check.finding)
			run.push(check);
		else runs.push([check]);
	}
	return runs.map(([first, ...others]) =>
		others.length === 0
			? first
			: {...first, finding: `${first.finding}; nor ${others.map(({title}) => title).join(', ')}`},
	);
}

function formatCheck(check: Check): readonly string[] {
	const {state, title, finding, next, permission, ray, differences = []} = check;
	const head = `${state.padEnd(stateColumns)}  ${title.padEnd(titleColumns)}  `;
	const columns = maxColumns - head.length;
	const findingWithPermission = `${finding} (${permission})`;
	// Advice on a failure names the permission.
	const showsPermission =
		state === 'ok' && permission !== undefined && measureColumns(findingWithPermission) <= columns;
	const texts = [
		showsPermission ? findingWithPermission : finding,
		...differences.slice(0, maxListedDifferences).map(formatDifference),
		...(differences.length > maxListedDifferences
			? [`and ${differences.length - maxListedDifferences} more, see --json`]
			: []),
		...(ray !== undefined && state === 'failed' ? [`ray ${ray}`] : []),
		...(next === undefined ? [] : [`→ ${next}`]),
	];
	return texts
		.flatMap(text => wrapText(toDrawable(text), columns, 2))
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
	'No secrets, no names of keys or zones; ids of accounts and zones are shortened.',
];
