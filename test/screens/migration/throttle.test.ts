import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import type {MigrationPhase, MigrationState} from '../../../source/screens/migration/state.ts';
import {
	createMigrationThrottle,
	getDrawnMigration,
	minDrawnMs,
	withDrawnMigration,
} from '../../../source/screens/migration/throttle.ts';
import {migrationWith} from '../support/migration.ts';
import {createTestStore} from '../support/store.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A migration on the screen. `frames` lists the states that were drawn, in order. */
function createThrottledMigration(first: Partial<MigrationState> = {}) {
	const {store, state} = createTestStore();
	store.setState({migration: {...store.getState().migration, data: migrationWith({step: 'zone', ...first})}});
	const frames: string[] = [];
	const describeMigration = (migration: MigrationState | undefined) =>
		migration && `${migration.step}: ${migration.phase.name}`;
	store.subscribe(next => {
		const description = describeMigration(getDrawnMigration(next));
		if (description !== undefined && description !== frames.at(-1)) frames.push(description);
	});
	let throttleEnds = 0;
	const throttle = createMigrationThrottle(
		change => store.setState(({migration}) => ({migration: {...migration, ...change}})),
		state,
		Date.now,
		() => {
			throttleEnds++;
		},
	);
	return {
		state,
		frames,
		countThrottleEnds: () => throttleEnds,
		show(part: Partial<MigrationState>) {
			const migration = state().migration.data;
			if (migration) throttle.show({...migration, ...part});
		},
	};
}

const reading: MigrationPhase = {name: 'reading', what: 'the zone'};
const asking: MigrationPhase = {name: 'asking'};

test('a short state is not drawn: only its result is', () => {
	const {show, frames, state} = createThrottledMigration();
	show({phase: reading});
	vi.advanceTimersByTime(minDrawnMs - 50);
	show({phase: asking, step: 'eligibility'});
	vi.runAllTimers();
	expect(frames).toEqual(['zone: asking', 'eligibility: asking']);
	expect(getDrawnMigration(state())).toBe(state().migration.data);
});

test('a longer state is drawn, and its end once', () => {
	const {show, frames} = createThrottledMigration();
	show({phase: reading});
	vi.advanceTimersByTime(minDrawnMs);
	expect(frames).toEqual(['zone: asking', 'zone: reading']);
	show({phase: asking});
	show({step: 'confirm'});
	show({phase: {name: 'watching'}, step: 'watch'});
	vi.runAllTimers();
	expect(frames).toEqual(['zone: asking', 'zone: reading', 'watch: watching']);
});

test('successive states are drawn at the same moment as a single long one', () => {
	const {show, frames} = createThrottledMigration();
	for (let each = 0; each < 10; each++) {
		show({phase: reading});
		vi.advanceTimersByTime(20);
		show({phase: asking});
	}
	show({phase: reading});
	vi.advanceTimersByTime(1);
	expect(frames).toContain('zone: reading');
});

test('the end of a watch is drawn with its result', () => {
	const {show, frames} = createThrottledMigration({step: 'watch', phase: {name: 'watching'}});
	show({phase: asking});
	show({step: 'done', phase: reading});
	vi.advanceTimersByTime(minDrawnMs - 50);
	show({phase: asking});
	vi.runAllTimers();
	expect(frames).toEqual(['watch: watching', 'done: asking']);
});

test('changes by the user are drawn at once', () => {
	const {show, frames, countThrottleEnds} = createThrottledMigration();
	show({step: 'review'});
	expect(frames).toEqual(['review: asking']);
	expect(countThrottleEnds()).toBe(0);
});

test('content drawn with a delay is reported, so that its time to be read begins then', () => {
	const {show, countThrottleEnds} = createThrottledMigration();
	show({phase: reading});
	vi.runAllTimers();
	expect(countThrottleEnds()).toBe(1);
});

test('a migration closed meanwhile is not drawn', () => {
	const {show, state} = createThrottledMigration();
	show({phase: reading});
	state().migration.leave();
	expect(getDrawnMigration(state())).toBeUndefined();
	expect(withDrawnMigration(state())).toBe(state());
});
