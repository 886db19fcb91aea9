import {matchLines} from './line-matching.ts';

/** A line of one side, its number from 1. Not yet safe for a terminal. */
export type NumberedLine = {readonly number: number; readonly text: string};

/** One row of two texts side by side. */
export type DifferenceRow =
	| {readonly kind: 'same' | 'changed'; readonly left: NumberedLine; readonly right: NumberedLine}
	| {readonly kind: 'removed'; readonly left: NumberedLine; readonly right?: undefined}
	| {readonly kind: 'added'; readonly left?: undefined; readonly right: NumberedLine};

/** A row of what is stored (left) and mine (right), and which of them is no longer what it was at first. */
export type ThreeWayRow = DifferenceRow & {readonly changedBy: 'nobody' | 'stored' | 'mine' | 'both'};

/** Rows that are left out because nothing differs in or near them. */
export type SkippedRows = {readonly kind: 'skipped'; readonly rows: number};

/**
 * Two texts side by side, line for line: the left lines in order are all of `before`, the right ones all of
 * `after`. Lines replaced by others stand beside each other as `changed`. Bounded work, as `matchLines`.
 */
export function difference(before: readonly string[], after: readonly string[]): DifferenceRow[] {
	const rows: DifferenceRow[] = [];
	const matches = matchLines(before, after);
	let left = 0;
	let right = 0;
	for (let at = 0; at <= before.length; at++) {
		const match = at === before.length ? after.length : (matches[at] ?? -1);
		if (match < 0) continue;
		pushReplaced(rows, numberedLines(before, left, at), numberedLines(after, right, match));
		if (at < before.length)
			rows.push({kind: 'same', left: numberedLine(before, at), right: numberedLine(after, match)});
		left = at + 1;
		right = match + 1;
	}
	return rows;
}

function pushReplaced(
	rows: DifferenceRow[],
	before: readonly NumberedLine[],
	after: readonly NumberedLine[],
): void {
	for (let at = 0; at < Math.max(before.length, after.length); at++) {
		const left = before[at];
		const right = after[at];
		if (left && right) rows.push({kind: left.text === right.text ? 'same' : 'changed', left, right});
		else if (left) rows.push({kind: 'removed', left});
		else if (right) rows.push({kind: 'added', right});
	}
}

const numberedLine = (lines: readonly string[], at: number): NumberedLine => ({
	number: at + 1,
	text: lines[at] ?? '',
});

const numberedLines = (lines: readonly string[], from: number, to: number): NumberedLine[] =>
	Array.from({length: to - from}, (_, at) => numberedLine(lines, from + at));

/**
 * What is stored now beside mine, each row marked with who changed it since `base` was read. A line that is gone
 * on one side counts as changed by that side. Lines that both sides removed are on neither, and have no row.
 */
export function threeWay(
	base: readonly string[],
	stored: readonly string[],
	mine: readonly string[],
): ThreeWayRow[] {
	// All in the direction from stored to mine: where one of them is the base, its lines match as the rows do.
	const storedKept = matchLines(stored, base);
	const mineKept = new Set(matchLines(base, mine));
	return difference(stored, mine).map(row => {
		const left = row.left && storedKept[row.left.number - 1] !== -1;
		const right = row.right && mineKept.has(row.right.number - 1);
		return {...row, changedBy: whoChanged(row.kind, left, right)};
	});
}

/** Who made a row what it is, from whether its lines were there at first; `undefined` where the side has no line. */
function whoChanged(
	kind: DifferenceRow['kind'],
	left: boolean | undefined,
	right: boolean | undefined,
): ThreeWayRow['changedBy'] {
	switch (kind) {
		case 'same':
			return left || right ? 'nobody' : 'both';
		case 'removed':
			return left ? 'mine' : 'stored';
		case 'added':
			return right ? 'stored' : 'mine';
		case 'changed':
			if (left === right) return 'both';
			return left ? 'mine' : 'stored';
		default:
			return kind satisfies never;
	}
}

/** Only the rows that differ, with so many around them; the others become one `skipped` row a stretch. */
export function withContext<Row extends DifferenceRow>(
	rows: readonly Row[],
	context: number,
): (Row | SkippedRows)[] {
	const near = new Uint8Array(rows.length);
	for (const [at, row] of rows.entries())
		if (row.kind !== 'same') near.fill(1, Math.max(0, at - context), at + context + 1);
	const shown: (Row | SkippedRows)[] = [];
	let skipped = 0;
	for (const [at, row] of rows.entries()) {
		if (near[at] === 0) skipped++;
		else {
			if (skipped > 0) shown.push({kind: 'skipped', rows: skipped});
			skipped = 0;
			shown.push(row);
		}
	}
	if (skipped > 0) shown.push({kind: 'skipped', rows: skipped});
	return shown;
}
