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

/** A run of omitted rows that contains no difference. */
export type SkippedRows = {readonly kind: 'skipped'; readonly rowCount: number};

/**
 * Compares two texts line by line. The rows contain all lines of `before` on the left and all lines of
 * `after` on the right, in order. Replaced lines are paired as `changed`. Work is bounded as in `matchLines`;
 * rows are generated on demand.
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
	let leftIndex = 0;
	let rightIndex = 0;
	for (let index = 0; index <= end; index++) {
		const match = index === end ? after.numbers.length : (matches[index] ?? -1);
		if (match < 0) continue;
		for (; leftIndex < index && rightIndex < match; leftIndex++, rightIndex++) {
			const kind = before.numbers[leftIndex] === after.numbers[rightIndex] ? 'same' : 'changed';
			yield {
				kind,
				left: getNumberedLine(before, leftIndex + 1),
				right: getNumberedLine(after, rightIndex + 1),
			};
		}
		for (; leftIndex < index; leftIndex++)
			yield {kind: 'removed', left: getNumberedLine(before, leftIndex + 1)};
		for (; rightIndex < match; rightIndex++)
			yield {kind: 'added', right: getNumberedLine(after, rightIndex + 1)};
		if (index === end) return;
		yield {
			kind: 'same',
			left: getNumberedLine(before, ++leftIndex),
			right: getNumberedLine(after, ++rightIndex),
		};
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
	const storedMatches = yield* matchLines(stored, base);
	const mineInBase = new Uint8Array(mine.numbers.length);
	for (const line of yield* matchLines(base, mine)) if (line >= 0) mineInBase[line] = 1;
	return markRows(yield* compareLines(stored, mine), storedMatches, mineInBase);
}

function* markRows(
	rows: Iterable<DifferenceRow>,
	storedMatches: Int32Array,
	mineInBase: Uint8Array,
): Generator<ThreeWayRow> {
	for (const row of rows) {
		const isLeftInBase = row.left && storedMatches[row.left.number - 1] !== -1;
		const isRightInBase = row.right && mineInBase[row.right.number - 1] === 1;
		yield {...row, changedBy: findChangeAuthor(row.kind, isLeftInBase, isRightInBase)};
	}
}

/** Returns who changed a row, from whether its lines are in the base; undefined if a side has no line. */
function findChangeAuthor(
	kind: DifferenceRow['kind'],
	isLeftInBase: boolean | undefined,
	isRightInBase: boolean | undefined,
): ThreeWayRow['changedBy'] {
	switch (kind) {
		case 'same':
			return isLeftInBase || isRightInBase ? 'nobody' : 'both';
		case 'removed':
			return isLeftInBase ? 'mine' : 'stored';
		case 'added':
			return isRightInBase ? 'stored' : 'mine';
		case 'changed':
			if (isLeftInBase === isRightInBase) return 'both';
			return isLeftInBase ? 'mine' : 'stored';
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
	let pendingRows: Row[] = [];
	let skippedCount = 0;
	/** Number of rows still to output after the last difference. */
	let remainingContext = 0;
	for (const row of rows) {
		if (budget.shouldYield()) yield;
		if (row.kind !== 'same') {
			if (skippedCount > 0) output.push({kind: 'skipped', rowCount: skippedCount});
			for (const pendingRow of pendingRows) output.push(pendingRow);
			output.push(row);
			pendingRows = [];
			skippedCount = 0;
			remainingContext = context;
		} else if (remainingContext > 0) {
			output.push(row);
			remainingContext--;
		} else {
			pendingRows.push(row);
			if (pendingRows.length > context && pendingRows.shift()) skippedCount++;
		}
	}
	skippedCount += pendingRows.length;
	if (skippedCount > 0) output.push({kind: 'skipped', rowCount: skippedCount});
}
