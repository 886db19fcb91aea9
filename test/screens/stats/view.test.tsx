import {describe, expect, test} from 'vitest';
import {StatsReading} from '../../../source/kv/stats/read-stats.ts';
import {formatSpokenEntry, formatStatsSummary} from '../../../source/screens/stats/rows.ts';
import {buildStatsEntries, type StatsState} from '../../../source/screens/stats/state.ts';
import {Stats} from '../../../source/screens/stats/view.tsx';
import {fullQuota} from '../../../source/service/limiter.ts';
import {measureColumns} from '../../../source/text/columns.ts';
import {MemoryStore} from '../../kv/support/memory-store.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

const sizes = [
	[60, 15],
	[80, 24],
	[200, 60],
] as const;

const hostile = `evil\u001b[2J\u202e${'名前'.repeat(60)}`;
const now = 1_800_000_000;

async function createStatsState(sampling: number | 'all' | 'none'): Promise<StatsState> {
	const store = new MemoryStore();
	for (let at = 0; at < 300; at++)
		store.stored.set(`${at % 2 === 0 ? `${hostile}:` : 'log/'}${at}`, {
			bytes: Buffer.alloc(at * 10),
			...(at % 3 === 0 && {expiration: now + at * 1000}),
			...(at % 5 === 0 && {metadata: {[hostile]: at}}),
		});
	const reading = new StatsReading(store, {sampling, seed: 3, depth: 2, now});
	for await (const _ of reading.run(new AbortController().signal));
	const {stats} = reading;
	return {
		readingNumber: 1,
		request: {
			namespace: {name: 'remote:1', where: 'remote', id: '1', title: hostile, bindings: []},
			prefix: undefined,
			keyCount: 300,
			sampling,
		},
		quota: fullQuota,
		phase: {name: 'done'},
		stats,
		entries: buildStatsEntries(stats),
		cursor: 0,
	};
}

function drawRows(stats: StatsState, columns: number, rows: number) {
	const testStore = createTestStore({local: true});
	testStore.store.setState({stats: {...testStore.store.getState().stats, data: stats}});
	return draw(createTestApp(testStore), <Stats />, {columns, rows}).rows();
}

describe.each(sizes)('on %i columns and %i rows', (columns, rows) => {
	test('every entry can be scrolled into view and is marked, and nothing is wider than the terminal', async () => {
		const state = await createStatsState(50);
		for (let cursor = 0; cursor < state.entries.length; cursor++) {
			const shown = drawRows({...state, cursor}, columns, rows);
			expect(shown.length).toBeLessThanOrEqual(rows - 4);
			expect(shown.filter(row => row.includes('▸'))).toHaveLength(1);
			for (const row of shown) expect(measureColumns(row)).toBeLessThanOrEqual(columns);
		}
	});

	test('the cost is visible with the way to start, and the progress while reading', async () => {
		const shown = await createStatsState('none');
		const state = {...shown, stats: undefined, entries: []};
		for (const sampling of [2000, 'all', 'none'] as const) {
			const request = {
				...shown.request,
				namespace: {...shown.request.namespace, title: 'SESSIONS'},
				keyCount: undefined,
				sampling,
			};
			const text = drawRows({...state, request, phase: {name: 'asking'}}, columns, rows).join('\n');
			expect(text).toContain('1,000,000 keys: ');
			expect(text).toContain('enter starts');
			expect(text).toContain('goes back.');
		}
		const asking = drawRows({...state, phase: {name: 'asking'}}, columns, rows).join('\n');
		expect(asking).toContain('300 keys: 1 call');
		expect(asking).toContain('enter starts');
		const reading = drawRows(
			{...state, phase: {name: 'reading', progress: {phase: 'measuring', done: 500, total: 2000}}},
			columns,
			rows,
		).join('\n');
		expect(reading).toContain('500 of 2,000');
	});
});

test('the statistics are read aloud in words, without bars', async () => {
	const {entries} = await createStatsState('all');
	const spoken = entries.map(formatSpokenEntry);
	expect(spoken).toContain('log/   150   50%');
	expect(spoken.join('')).not.toMatch(/[\u2580-\u259f]/);
	expect(spoken.filter(text => /^[A-Z][a-z ,]+: /.test(text)).length).toBeGreaterThanOrEqual(5);
});

test('the status line says what the figures are based on', async () => {
	const state = await createStatsState(50);
	expect(formatStatsSummary(state)).toBe('300 keys · 50 random values');
	expect(formatStatsSummary({...state, phase: {name: 'stopped'}})).toBe('stopped: 300 keys, incomplete');
	expect(formatStatsSummary({...state, phase: {name: 'asking'}, stats: undefined})).toBe(
		'nothing listed yet',
	);
});
