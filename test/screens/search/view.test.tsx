import {describe, expect, test} from 'vitest';
import {openLocalStore} from '../../../source/kv/local/store.ts';
import type {Hit} from '../../../source/kv/transfer/search.ts';
import {applyKeyChange} from '../../../source/screens/keys/apply-change.ts';
import {allKeys} from '../../../source/screens/keys/chosen-keys.ts';
import {formatSearchSummary} from '../../../source/screens/search/rows.ts';
import type {SearchState} from '../../../source/screens/search/state.ts';
import {formatSearchStatus, Search} from '../../../source/screens/search/view.tsx';
import {fullQuota} from '../../../source/service/limiter.ts';
import {measureColumns} from '../../../source/text/columns.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

const sizes = [
	[60, 15],
	[80, 24],
	[200, 60],
] as const;

const hostile = `evil\u001b[2J\u202e${'名前'.repeat(200)}`;

const hits: readonly Hit[] = [
	{
		key: hostile,
		in: 'value',
		offset: 5,
		line: 1,
		excerpt: `${hostile.slice(0, 60)}needle${hostile}`,
		match: {offset: 60, length: 6},
	},
	{
		key: 'bytes',
		in: 'value',
		offset: 25_000_000,
		excerpt: '\u0000\u0001needle',
		match: {offset: 2, length: 6},
	},
	{key: 'tabs', in: 'value', offset: 3, line: 1200, excerpt: '\t\tneedle\t', match: {offset: 2, length: 6}},
];

const search: SearchState = {
	searchNumber: 1,
	request: {
		namespace: {name: 'local:one', where: 'local', id: 'one', title: 'one', bindings: []},
		keys: allKeys,
		total: 10_000,
		pattern: 'needle',
		mode: 0,
	},
	quota: undefined,
	phase: {name: 'searching'},
	searched: 3400,
	gone: 0,
	keysWithHits: 3,
	found: 3,
	rate: 850.4,
	rows: hits,
	filter: '',
	cursor: 0,
};

function drawRows(state: SearchState, columns = 80, rows = 24) {
	const testStore = createTestStore({local: true});
	testStore.store.setState({search: {...testStore.store.getState().search, data: state}});
	return draw(createTestApp(testStore), <Search />, {columns, rows}).rows();
}

test.each(sizes)('hits are visible and harmless in %i columns and %i rows', (columns, rows) => {
	const seen = drawRows(search, columns, rows);
	for (const row of seen) expect(measureColumns(row)).toBeLessThanOrEqual(columns);
	const hitRows = seen.filter(row => row.includes('needle'));
	expect(hitRows).toHaveLength(3);
	expect(hitRows[0]).toContain('evil\\x1b[');
	expect(hitRows[1]).toContain('byte 25000');
	expect(hitRows[2]).toMatch(/tabs +line 1200 +needle$/);
});

describe('the status line', () => {
	test.each([
		[{}, '3 hits in 3 keys · 3,400 of 10,000 keys · 850 keys/s   esc stops'],
		[
			{request: {...search.request, total: undefined}},
			'3 hits in 3 keys · 3,400 keys searched · 850 keys/s   esc stops',
		],
		[
			{phase: {name: 'done'}, searched: 10_000, gone: 2},
			'3 hits in 3 keys · all 10,000 keys searched · 2 no longer exist',
		],
		[{phase: {name: 'stopped'}}, 'stopped: 3 hits in 3 keys · 3,400 of 10,000 keys'],
		[
			{phase: {name: 'done'}, request: {...search.request, total: 3406}, searched: 3400},
			'3 hits in 3 keys · all 3,400 keys searched · 6 no longer exist',
		],
		[
			{phase: {name: 'done'}, found: 12_000, searched: 10_000},
			'12,000 hits (3 shown) in 3 keys · all 10,000 keys searched',
		],
	] as const)('reads %j', (part, text) => {
		expect(formatSearchSummary({...search, ...part})).toBe(text);
	});

	test('has the whole key when the search is over', () => {
		expect(formatSearchStatus({search: {data: {...search, phase: {name: 'done'}, cursor: 1}}})).toMatch(
			/ bytes$/,
		);
	});
});

test.each([
	[{phase: {name: 'done'}}, 'No value contains "needle".'],
	[{phase: {name: 'stopped'}}, 'ctrl-l continues, ctrl-r starts over'],
	[{filter: 'x'}, 'No matches for "x".'],
] as const)('without hits, %j shows the reason', (part, text) => {
	expect(drawRows({...search, rows: [], ...part}).join('\n')).toContain(text);
});

test('the search of a remote namespace shows how long many keys take, and how to shorten it', () => {
	const remote = {...search.request, namespace: {...search.request.namespace, where: 'remote'}} as const;
	const unknown = {...search, request: {...remote, total: undefined}, quota: fullQuota, searched: 20_000};
	expect(formatSearchSummary(unknown)).toContain('1,000,000 keys take 41 min');
	expect(formatSearchSummary({...unknown, searched: 19_999})).not.toContain('take');
	const text = drawRows({...unknown, request: {...remote, total: 10_000_000}, rows: [], found: 0})
		.join(' ')
		.replace(/\s+/g, ' ');
	expect(text).toContain('10,000,000 keys take 110,000 calls: 7 h 33 min at the quota of the service.');
	expect(text).toContain('Fewer keys take less');
});

test('the list of hits marks those of a key that was written since', async () => {
	const testStore = createTestStore({local: true});
	const {state, signal} = testStore;
	const {namespace} = search.request;
	using store = openLocalStore({root: `${testStore.folder}/.wrangler/state/v3`, namespace: 'one'});
	await store.putMany(
		['a', 'b'].map(key => ({key, value: 'a needle'})),
		signal,
	);
	state().navigation.go('search');
	await state().keys.open(namespace, signal);
	await state().search.begin({...search.request, total: undefined});
	const target = state().keys.data?.opened.target;
	if (!target) throw new Error('No namespace is open.');
	expect(formatSearchStatus(state())).not.toContain('changed');
	const wholeKey = {bytes: Buffer.from('thread'), metadata: null};
	applyKeyChange(state(), target, 'a', wholeKey);
	expect(
		draw(createTestApp(testStore), <Search />)
			.rows()
			.slice(1, 3),
	).toEqual([expect.stringMatching(/a +changed +a needle/), expect.stringMatching(/b +line 1 +a needle/)]);
	expect(formatSearchStatus(state())).toContain('changed since the search: ctrl-r searches again');
});
