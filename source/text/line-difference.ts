import {matchLines} from './line-matching.ts';
import {getNumberedLine, type NumberedLine, type NumberedLines} from './lines.ts';
import {type Steps, YieldBudget} from './steps.ts';

/** A row of two texts side by side. */
export type DifferenceRow =
	| {readonly kind: 'same' | 'changed'; readonly left: NumberedLine; readonly right: NumberedLine}
	| {readonly kind: 'removed'; readonly left: NumberedLine; readonly right?: undefined}
	| {readonly kind: 'added'; readonly left?: undefined; readonly right: NumberedLine};

/** A row of the stored text (left) and mine (right), with who changed it. */
export type ThreeWayRow = DifferenceRow & {readonly changedBy: 'nobody' | 'stored' | 'mine' | 'both'};

/** Omitted rows, without a difference in or near them. */
export type SkippedRows = {readonly kind: 'skipped'; readonly rows: number};

/**
 * Compares two texts line by line: the left lines in order are all of `before`, the right ones all of
 * `after`. Replaced lines are paired as `changed`. Work is bounded as in `matchLines`; rows are generated on
 * demand.
 */
export function* compareLines(before: NumberedLines, after: NumberedLines): Steps<Iterable<DifferenceRow>> {
	return generateRows(before, after, yield* matchLines(before, after));
}

function* generateRows(
	before: NumberedLines,
	after: NumberedLines,
	matches: Int32Array,
): Generator<DifferenceRow> {
	const end = before.numbers.length;
	let left = 0;
	let right = 0;
	for (let at = 0; at <= end; at++) {
		const match = at === end ? after.numbers.length : (matches[at] ?? -1);
		if (match < 0) continue;
		for (; left < at && right < match; left++, right++) {
			const kind = before.numbers[left] === after.numbers[right] ? 'same' : 'changed';
			yield {kind, left: getNumberedLine(before, left + 1), right: getNumberedLine(after, right + 1)};
		}
		for (; left < at; left++) yield {kind: 'removed', left: getNumberedLine(before, left + 1)};
		for (; right < match; right++) yield {kind: 'added', right: getNumberedLine(after, right + 1)};
		if (at === end) return;
		yield {kind: 'same', left: getNumberedLine(before, ++left), right: getNumberedLine(after, ++right)};
	}
}

/**
 * Compares the stored text with mine, and marks each row with who changed it since `base` was read. A line
 * missing on one side counts as changed by that side. Lines that both sides removed have no row.
 */
export function* compareThreeWay(
	base: NumberedLines,
	stored: NumberedLines,
	mine: NumberedLines,
): Steps<Iterable<ThreeWayRow>> {
	// Always match from stored toward mine: if one of them equals the base, lines match as the rows do.
	const storedKept = yield* matchLines(stored, base);
	const mineKept = new Uint8Array(mine.numbers.length);
	for (const line of yield* matchLines(base, mine)) if (line >= 0) mineKept[line] = 1;
	return markRows(yield* compareLines(stored, mine), storedKept, mineKept);
}

function* markRows(
	rows: Iterable<DifferenceRow>,
	storedKept: Int32Array,
	mineKept: Uint8Array,
): Generator<ThreeWayRow> {
	for (const row of rows) {
		const left = row.left && storedKept[row.left.number - 1] !== -1;
		const right = row.right && mineKept[row.right.number - 1] === 1;
		yield {...row, changedBy: getChangedBy(row.kind, left, right)};
	}
}

/** Returns who changed a row, from whether its lines are in the base; undefined if a side has no line. */
function getChangedBy(
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

/**
 * Outputs the rows that differ, with `context` rows around them; other runs of rows become one `skipped` row.
 */
export function* withContext<Row extends DifferenceRow>(
	rows: Iterable<Row>,
	context: number,
	output: {push(row: Row | SkippedRows): unknown},
): Steps<void> {
	const budget = new YieldBudget();
	/** The last equal rows, to output before the next difference. */
	let waiting: Row[] = [];
	let skipped = 0;
	/** Number of rows to output after the last difference. */
	let near = 0;
	for (const row of rows) {
		if (budget.isStep()) yield;
		if (row.kind !== 'same') {
			if (skipped > 0) output.push({kind: 'skipped', rows: skipped});
			for (const before of waiting) output.push(before);
			output.push(row);
			waiting = [];
			skipped = 0;
			near = context;
		} else if (near > 0) {
			output.push(row);
			near--;
		} else {
			waiting.push(row);
			if (waiting.length > context && waiting.shift()) skipped++;
		}
	}
	skipped += waiting.length;
	if (skipped > 0) output.push({kind: 'skipped', rows: skipped});
}
