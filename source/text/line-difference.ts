import {matchLines} from './line-matching.ts';
import {type Lines, type NumberedLine, numberedLine} from './lines.ts';
import {type Steps, YieldBudget} from './steps.ts';

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
 * `after`. Lines replaced by others are beside each other as `changed`. Bounded work, as `matchLines`; the rows
 * are made while they are taken.
 */
export function* difference(before: Lines, after: Lines): Steps<Iterable<DifferenceRow>> {
	return rowsOf(before, after, yield* matchLines(before, after));
}

function* rowsOf(before: Lines, after: Lines, matches: Int32Array): Generator<DifferenceRow> {
	const end = before.numbers.length;
	let left = 0;
	let right = 0;
	for (let at = 0; at <= end; at++) {
		const match = at === end ? after.numbers.length : (matches[at] ?? -1);
		if (match < 0) continue;
		for (; left < at && right < match; left++, right++) {
			const kind = before.numbers[left] === after.numbers[right] ? 'same' : 'changed';
			yield {kind, left: numberedLine(before, left + 1), right: numberedLine(after, right + 1)};
		}
		for (; left < at; left++) yield {kind: 'removed', left: numberedLine(before, left + 1)};
		for (; right < match; right++) yield {kind: 'added', right: numberedLine(after, right + 1)};
		if (at === end) return;
		yield {kind: 'same', left: numberedLine(before, ++left), right: numberedLine(after, ++right)};
	}
}

/**
 * What is stored now beside mine, each row marked with who changed it since `base` was read. A line that is gone
 * on one side counts as changed by that side. Lines that both sides removed are on neither, and have no row.
 */
export function* threeWay(base: Lines, stored: Lines, mine: Lines): Steps<Iterable<ThreeWayRow>> {
	// All in the direction from stored to mine: where one of them is the base, its lines match as the rows do.
	const storedKept = yield* matchLines(stored, base);
	const mineKept = new Uint8Array(mine.numbers.length);
	for (const line of yield* matchLines(base, mine)) if (line >= 0) mineKept[line] = 1;
	return markedRows(yield* difference(stored, mine), storedKept, mineKept);
}

function* markedRows(
	rows: Iterable<DifferenceRow>,
	storedKept: Int32Array,
	mineKept: Uint8Array,
): Generator<ThreeWayRow> {
	for (const row of rows) {
		const left = row.left && storedKept[row.left.number - 1] !== -1;
		const right = row.right && mineKept[row.right.number - 1] === 1;
		yield {...row, changedBy: whoChanged(row.kind, left, right)};
	}
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

/** Returns only the rows that differ, with so many around them; the others become one `skipped` row a stretch. */
export function* withContext<Row extends DifferenceRow>(
	rows: Iterable<Row>,
	context: number,
	shown: {push(row: Row | SkippedRows): unknown},
): Steps<void> {
	const budget = new YieldBudget();
	/** The last rows that are the same, which are shown if one follows that differs. */
	let waiting: Row[] = [];
	let skipped = 0;
	/** How many rows are still near the last that differs. */
	let near = 0;
	for (const row of rows) {
		if (budget.isStep()) yield;
		if (row.kind !== 'same') {
			if (skipped > 0) shown.push({kind: 'skipped', rows: skipped});
			for (const before of waiting) shown.push(before);
			shown.push(row);
			waiting = [];
			skipped = 0;
			near = context;
		} else if (near > 0) {
			shown.push(row);
			near--;
		} else {
			waiting.push(row);
			if (waiting.length > context && waiting.shift()) skipped++;
		}
	}
	skipped += waiting.length;
	if (skipped > 0) shown.push({kind: 'skipped', rows: skipped});
}
