import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {
	compareLines,
	compareThreeWay,
	type DifferenceRow,
	type SkippedRows,
	type ThreeWayRow,
	withContext,
} from '../../source/text/line-difference.ts';
import type {NumberedLines} from '../../source/text/lines.ts';
import {Numbering} from '../../source/text/numbering.ts';
import {PackedRows} from '../../source/text/packed-rows.ts';
import {runSteps} from '../../source/text/steps.ts';

const toLines = (text: string): string[] => (text === '' ? [] : text.split(' '));

const numbering = new Numbering();
const toNumberedLines = (texts: readonly string[]): NumberedLines => ({
	numbers: texts.map(line => numbering.assignNumber(line)),
	texts: numbering.texts,
});

const rowsOf = (before: readonly string[], after: readonly string[]): DifferenceRow[] => [
	...runSteps(compareLines(toNumberedLines(before), toNumberedLines(after))),
];

const compareVersions = (
	...versions: [readonly string[], readonly string[], readonly string[]]
): ThreeWayRow[] => {
	const [base, stored, mine] = versions;
	return [
		...runSteps(compareThreeWay(toNumberedLines(base), toNumberedLines(stored), toNumberedLines(mine))),
	];
};

function selectContext<Row extends DifferenceRow>(
	rows: readonly Row[],
	context: number,
): (Row | SkippedRows)[] {
	const contextRows: (Row | SkippedRows)[] = [];
	runSteps(withContext(rows, context, contextRows));
	return contextRows;
}

/** Each row as a short text: ` same`, `-removed`, `+added`, `before>after`. */
const summarizeRows = (rows: readonly DifferenceRow[]): string[] =>
	rows.map(row => {
		if (row.kind === 'removed') return `-${row.left.text}`;
		if (row.kind === 'added') return `+${row.right.text}`;
		return row.kind === 'same' ? ` ${row.left.text}` : `${row.left.text}>${row.right.text}`;
	});

const anyLines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', '{', '}', ''), {maxLength: 30});

/** Expects the rows to show both texts completely and in order, and only equal lines as `same`. */
function expectCompleteTexts(
	rows: readonly DifferenceRow[],
	before: readonly string[],
	after: readonly string[],
): void {
	const left = rows.flatMap(row => row.left ?? []);
	const right = rows.flatMap(row => row.right ?? []);
	expect(left).toEqual(before.map((line, at) => ({number: at + 1, text: line})));
	expect(right).toEqual(after.map((line, at) => ({number: at + 1, text: line})));
	for (const row of rows)
		if (row.left && row.right) expect(row.kind).toBe(row.left.text === row.right.text ? 'same' : 'changed');
}

/** Length of the longest common subsequence of lines, by plain dynamic programming. */
function computeLongestCommon(before: readonly string[], after: readonly string[]): number {
	let previousRow = new Array<number>(after.length + 1).fill(0);
	for (const line of before) {
		const row = [0];
		for (const [at, other] of after.entries())
			row.push(
				line === other ? (previousRow[at] ?? 0) + 1 : Math.max(row[at] ?? 0, previousRow[at + 1] ?? 0),
			);
		previousRow = row;
	}
	return previousRow.at(-1) ?? 0;
}

describe('the difference of two texts', () => {
	it.each([
		['', '', []],
		['a b', 'a b', [' a', ' b']],
		['', 'a', ['+a']],
		['a', '', ['-a']],
		['a b c', 'a x c', [' a', 'b>x', ' c']],
		['a b c', 'a c', [' a', '-b', ' c']],
		['a c', 'a b c', [' a', '+b', ' c']],
		['a b c d', 'x y d', ['a>x', 'b>y', '-c', ' d']],
		['a b c', 'c a b', ['+c', ' a', ' b', '-c']],
	])('is correct for %j and %j', (before, after, expected) => {
		expect(summarizeRows(rowsOf(toLines(before), toLines(after)))).toEqual(expected);
	});

	it('shows both texts completely and leaves as many lines unchanged as possible', () => {
		fc.assert(
			fc.property(anyLines, anyLines, (before, after) => {
				const rows = rowsOf(before, after);
				expectCompleteTexts(rows, before, after);
				expect(rows.filter(row => row.kind === 'same')).toHaveLength(computeLongestCommon(before, after));
			}),
		);
	});

	it('aligns many changes by the lines that occur once', () => {
		const before = Array.from({length: 6000}, (_, at) => (at % 3 === 0 ? '}' : `line ${at}`));
		const after = before.flatMap((line, at) =>
			at % 5 === 0 ? ['inserted', line] : at % 7 === 0 ? [] : [line],
		);
		const rows = rowsOf(before, after);
		expectCompleteTexts(rows, before, after);
		const removedCount = before.filter((_, at) => at % 5 !== 0 && at % 7 === 0).length;
		expect(rows.filter(row => row.kind === 'same').length).toBeGreaterThanOrEqual(
			before.length - removedCount - 10,
		);
	});

	it('ends and shows everything if nothing matches', () => {
		const before = Array.from({length: 30_000}, (_, at) => `old ${at}`);
		const after = Array.from({length: 29_000}, (_, at) => `new ${at}`);
		const rows = rowsOf(['same', ...before], ['same', ...after]);
		expectCompleteTexts(rows, ['same', ...before], ['same', ...after]);
		expect(rows.slice(0, 2).map(row => row.kind)).toEqual(['same', 'changed']);
		const shuffled = Array.from({length: 30_000}, (_, at) => `${(at * 7919) % 13}`);
		expectCompleteTexts(rowsOf(shuffled, shuffled.toReversed()), shuffled, shuffled.toReversed());
	});
});

describe('three versions', () => {
	const describeChanges = (base: string, stored: string, mine: string): string[] => {
		const rows = compareVersions(toLines(base), toLines(stored), toLines(mine));
		return summarizeRows(rows).map((row, at) => `${row} ${rows[at]?.changedBy}`);
	};

	it('show who changed each line', () => {
		expect(describeChanges('name roles seen end', 'name roles seen2 end', 'name roles2 seen end')).toEqual([
			' name nobody',
			'roles>roles2 mine',
			'seen2>seen stored',
			' end nobody',
		]);
	});

	it('show who added and who removed a line', () => {
		expect(describeChanges('a b c', 'a c', 'a b c')).toEqual([' a nobody', '+b stored', ' c nobody']);
		expect(describeChanges('a b c', 'a b c', 'a c')).toEqual([' a nobody', '-b mine', ' c nobody']);
		expect(describeChanges('a c', 'a new c', 'a c')).toEqual([' a nobody', '-new stored', ' c nobody']);
		expect(describeChanges('a c', 'a c', 'a new c')).toEqual([' a nobody', '+new mine', ' c nobody']);
	});

	it('show the lines changed by both', () => {
		expect(describeChanges('a b c', 'a x c', 'a y c')).toEqual([' a nobody', 'x>y both', ' c nobody']);
		expect(describeChanges('a b c', 'a x c', 'a x c')).toEqual([' a nobody', ' x both', ' c nobody']);
		expect(describeChanges('a b c', 'a c', 'a c')).toEqual([' a nobody', ' c nobody']);
	});

	it('never blame a side that changed nothing', () => {
		fc.assert(
			fc.property(anyLines, anyLines, (base, changed) => {
				const byMine = compareVersions(base, base, changed).map(row => row.changedBy);
				expect(byMine.filter(side => side !== 'nobody' && side !== 'mine')).toEqual([]);
				const byStored = compareVersions(base, changed, base);
				for (const row of byStored) {
					expect(['nobody', 'stored']).toContain(row.changedBy);
					if (row.kind !== 'same') expect(row.changedBy).toBe('stored');
				}
			}),
		);
	});
});

describe('rows with context', () => {
	it('skip lines far from any change and count them', () => {
		const before = toLines('1 2 3 4 5 6 7 8 9');
		const after = toLines('1 2 3 4 x 6 7 8 9');
		const rows = selectContext(rowsOf(before, after), 1);
		expect(rows.map(row => (row.kind === 'skipped' ? row.rowCount : row.kind))).toEqual([
			3,
			'same',
			'changed',
			'same',
			3,
		]);
	});

	it('skip everything if nothing differs', () => {
		expect(selectContext(rowsOf(['a'], ['a']), 3)).toEqual([{kind: 'skipped', rowCount: 1}]);
		expect(selectContext([], 3)).toEqual([]);
	});
});

describe('packed rows', () => {
	it('are the rows that were packed', () => {
		fc.assert(
			fc.property(anyLines, anyLines, anyLines, fc.nat(4), (base, stored, mine, context) => {
				const rows = selectContext(compareVersions(base, stored, mine), context);
				const packed = new PackedRows(toNumberedLines(stored), toNumberedLines(mine));
				for (const row of rows) packed.push(row);
				expect([...packed]).toEqual(rows);
				expect(packed).toHaveLength(rows.length);
				expect(rows.map((_, at) => packed.at(at))).toEqual(rows);
				expect(rows.map((_, at) => packed.getKind(at))).toEqual(rows.map(row => row.kind));
				expect(packed.at(rows.length)).toBeUndefined();
				const numbers = rows.flatMap(row =>
					row.kind === 'skipped' ? [] : [row.left?.number ?? 0, row.right?.number ?? 0],
				);
				expect(packed.largestLineNumber).toBe(Math.max(1, ...numbers));
			}),
		);
	});
});
