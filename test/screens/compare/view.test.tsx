import {describe, expect, test} from 'vitest';
import type {WholeKey} from '../../../source/kv/change/whole-key.ts';
import type {KeyDifference} from '../../../source/kv/transfer/difference.ts';
import {DifferenceList} from '../../../source/kv/transfer/difference-list.ts';
import {formatCompareSummary} from '../../../source/screens/compare/rows.ts';
import {type CompareState, zeroCounts} from '../../../source/screens/compare/state.ts';
import {Compare, formatCompareStatus} from '../../../source/screens/compare/view.tsx';
import {dispatch} from '../../../source/screens/dispatch.ts';
import type {Difference} from '../../../source/screens/review/difference.ts';
import {reloadScreen} from '../../../source/screens/shell/global-actions.ts';
import {buildStatus} from '../../../source/screens/shell/status.tsx';
import {fullQuota} from '../../../source/service/limiter.ts';
import {measureColumns} from '../../../source/text/columns.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

const sizes = [
	{columns: 60, rows: 15},
	{columns: 80, rows: 24},
	{columns: 200, rows: 60},
] as const;

const hostileText = `evil\u001b[2J\u202e${'名前'.repeat(200)}`;

const createSide = (title: string) => ({title, label: title, target: {place: 'local:/'}}) as const;

function createDifferenceList(...differences: readonly KeyDifference[]): DifferenceList {
	const list = new DifferenceList();
	for (const difference of differences) list.push(difference);
	return list;
}

const compare: CompareState = {
	comparisonNumber: 1,
	one: {...createSide(hostileText), isWritable: true},
	other: {...createSide('local:other'), isWritable: true},
	keySubset: undefined,
	narrowingAdvice: 'A longer prefix covers fewer keys.',
	work: {content: 'both', callFactor: 0, quota: undefined},
	phase: {name: 'done'},
	counts: {...zeroCounts, same: 99_950, differs: 2, 'only in one': 1},
	lastKey: 'z',
	differences: createDifferenceList(
		{
			kind: 'differs',
			key: hostileText,
			parts: ['value', 'metadata', 'expiration'],
			one: {bytes: 3, metadata: {name: hostileText}, expiration: 2_000_000_000},
			other: {bytes: 25_000_000},
		},
		{kind: 'only in one', key: 'left', one: {}},
		{kind: 'differs', key: 'value', parts: ['value'], one: {bytes: 1}, other: {bytes: 2}},
	),
	revision: 0,
	cursor: 0,
	filter: '',
	merged: new Map(),
	detail: undefined,
};

function drawComparison(state: CompareState, size: (typeof sizes)[number] = sizes[1]) {
	const {store, state: getState} = createTestStore({local: true});
	store.setState({compare: {...store.getState().compare, data: state}});
	return draw(createTestApp({store, state: getState}), <Compare />, size);
}

test.each(sizes)('hostile names and metadata stay within $columns columns', ({columns, rows}) => {
	const drawnRows = drawComparison(compare, {columns, rows} as (typeof sizes)[number]).rows();
	expect(drawnRows.join('\n')).toContain('evil\\x1b[2J');
	for (const row of drawnRows) expect(measureColumns(row)).toBeLessThanOrEqual(columns);
	expect(drawnRows[0]).toMatch(/- left: .+ \+ right: lo/);
	expect(drawnRows.find(row => row.includes('only here'))).toMatch(/- left +only here +missing/);
});

test('a merged key shows which side was updated, and its row is no longer a difference', () => {
	const drawnRows = drawComparison({...compare, merged: new Map([['value', 'other']])}).rows();
	expect(drawnRows.find(row => row.includes(' value'))).toMatch(/= value +updated +kept/);
});

test.each([
	['one', /= left +kept +updated/],
	['other', /= left +deleted +missing/],
] as const)('a key of the left side that was merged from %s shows what each side has now', (from, expected) => {
	const drawnRows = drawComparison({...compare, merged: new Map([['left', from]])}).rows();
	expect(drawnRows.find(row => row.includes('= left'))).toMatch(expected);
});

test.each([
	[{name: 'done'}, 'No differences found.'],
	[{name: 'stopped'}, 'Stopped before a difference was found.'],
] as const)('without a difference, the phase %o is explained', (phase, expectedText) => {
	expect(
		drawComparison({...compare, differences: createDifferenceList(), counts: {...zeroCounts, same: 3}, phase})
			.rows()
			.join('\n'),
	).toContain(expectedText);
});

test('two empty namespaces are distinguished from two equal ones', () => {
	expect(
		drawComparison({...compare, differences: createDifferenceList(), counts: zeroCounts})
			.rows()
			.join('\n'),
	).toContain('Neither has any keys.');
});

test('the heading names the compared keys, also if nothing differs', () => {
	const subsetState = {...compare, keySubset: '12 selected keys'};
	expect(drawComparison(subsetState).rows()[0]).toMatch(/^ +KEY \(12 selected keys\) /);
	expect(
		drawComparison({...subsetState, differences: createDifferenceList(), counts: {...zeroCounts, same: 12}})
			.rows()
			.join('\n'),
	).toContain('Only 12 selected keys were compared.');
});

test('an opened key marks its sides as the list does', () => {
	const one = {bytes: Buffer.from('abc'), metadata: null};
	const detail = {
		state: 'read',
		key: 'k',
		one,
		other: undefined,
		difference: {kind: 'none'},
		top: 0,
	} as const;
	const drawnRows = drawComparison({...compare, detail}).rows();
	expect(drawnRows[1]).toMatch(/^ {3}- evil.+: 3 bytes/);
	expect(drawnRows[2]).toMatch(/^ {3}\+ .+: no such key$/);
});

test('values of the same size are not shown as equal', () => {
	const difference = {
		kind: 'differs',
		key: 'k',
		parts: ['value'],
		one: {bytes: 9},
		other: {bytes: 9},
	} as const;
	const drawnRows = drawComparison({...compare, differences: createDifferenceList(difference)}).rows();
	expect(drawnRows.find(row => row.includes('≠'))).toMatch(/ k +9 bytes +other 9 bytes$/);
});

describe('a merge from the right', () => {
	const createWholeKey = (expiration?: number): WholeKey => ({
		bytes: Buffer.from('x'),
		metadata: null,
		...(expiration !== undefined && {expiration}),
	});

	function requestMerge(one: WholeKey | undefined, other: WholeKey) {
		const testStore = createTestStore({local: true});
		const difference: Difference = {kind: 'none'};
		const detail = {state: 'read', key: 'left', one, other, difference, top: 0} as const;
		testStore.store.setState({compare: {...testStore.store.getState().compare, data: {...compare, detail}}});
		testStore.state().navigation.go('compare');
		dispatch(createTestApp(testStore), {name: '<', text: '<', sequence: '<'});
		const dialog = testStore.state().dialog.current;
		const message = testStore.state().messages.latest;
		return {lines: dialog?.kind === 'confirm' ? dialog.lines : undefined, message: message?.text};
	}

	test('mentions the trash only if a version is overwritten', () => {
		expect(requestMerge(createWholeKey(), createWholeKey(4_000_000_000)).lines?.join()).toContain(
			'The current version stays in the trash for 7 days.',
		);
		expect(requestMerge(undefined, createWholeKey()).lines?.join()).not.toContain('stays in the trash');
	});

	test('is not offered for a key that has expired there', () => {
		const {lines, message} = requestMerge(createWholeKey(), createWholeKey(1_700_000_000));
		expect(lines).toBeUndefined();
		expect(message).toContain('the key has expired');
	});
});

test('a store that cannot be opened is reported in place of the differences', async () => {
	const testStore = createTestStore({local: true});
	testStore.state().navigation.go('compare');
	const row = {name: 'local:one', where: 'local', id: 'one', title: 'one', bindings: []} as const;
	await testStore
		.state()
		.work.run('comparing', 'read', signal =>
			testStore.state().compare.begin(row, {kind: 'all'}, 'nowhere', signal),
		);
	const text = draw(createTestApp(testStore), <Compare />, sizes[1])
		.rows()
		.join('\n');
	expect(text).toContain('is not a valid store');
	expect(text).toContain('ctrl-r tries again');
});

describe('the status line', () => {
	const runningComparison: CompareState = {...compare, phase: {name: 'comparing'}, lastKey: 'item:5'};

	test('shows the differences so far, the progress and how to cancel during a comparison', () => {
		const compareStatus = formatCompareStatus({compare: {data: runningComparison}});
		expect(compareStatus).toBe('3 differences · 99,950 identical so far, at item:5');
		const work = [{id: 1, label: 'comparing a with b', kind: 'read', startedAt: 0, cancel() {}}] as const;
		const statusLine = buildStatus(
			{work: {list: work, waits: []}, messages: {latest: undefined}},
			5000,
			compareStatus,
			true,
		);
		expect(statusLine).toEqual({tone: 'now', text: compareStatus, tail: 'esc cancels   5 s'});
	});

	test('names other work by its own label', () => {
		const work = [{id: 1, label: 'merging k', kind: 'write', startedAt: 0, cancel() {}}] as const;
		expect(
			buildStatus({work: {list: work, waits: []}, messages: {latest: undefined}}, 5000, 'own', true).text,
		).toBe('merging k…');
	});

	test('shows the number of differences and merges, and the full key name, afterwards', () => {
		expect(
			formatCompareStatus({compare: {data: {...compare, cursor: 1, merged: new Map([['value', 'one']])}}}),
		).toBe('3 differences · 99,950 identical · 1 merged   left');
	});

	test.each(['stopped', 'failed'] as const)('calls a comparison that %s incomplete', name => {
		expect(formatCompareSummary({...compare, phase: {name} as CompareState['phase']})).toContain(
			'not all compared (ctrl-r)',
		);
	});
});

test('ctrl-r repeats a comparison that failed', async () => {
	const testStore = createTestStore({local: true});
	const {state} = testStore;
	const row = {name: 'local:one', where: 'local', id: 'one', title: 'one', bindings: []} as const;
	state().navigation.go('compare');
	const keys = {kind: 'all'} as const;
	await expect(state().compare.begin(row, keys, 'file:absent.ndjson', testStore.signal)).rejects.toThrow();
	reloadScreen(createTestApp(testStore));
	await testStore.until(({work: {list: work}}) =>
		work.some(({label}) => label === 'comparing one with file:absent.ndjson'),
	);
	await testStore.until(
		({work: {list: work}, messages: {latest: message}}) => work.length === 0 && message?.kind === 'failed',
	);
});

test('while many keys are compared, it shows how long that takes and what is faster', () => {
	const counts = {...zeroCounts, same: 20_000};
	const work = {content: 'both', callFactor: 2, quota: fullQuota} as const;
	const state: CompareState = {
		...compare,
		work,
		counts,
		differences: createDifferenceList(),
		phase: {name: 'comparing'},
	};
	const text = drawComparison(state).rows().join(' ').replace(/\s+/g, ' ');
	expect(text).toContain('100,000 keys take 2,200 calls: 4 min at the quota of the service.');
	expect(text).toContain('A longer prefix covers fewer keys.');
	expect(formatCompareSummary(state)).toContain('100,000 keys take 4 min');
	expect(formatCompareSummary({...state, counts: {...counts, same: 19_999}})).not.toContain('take');
});
