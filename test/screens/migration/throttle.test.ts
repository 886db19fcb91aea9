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

/** A migration on the screen, and all that was drawn of it, one after the other. */
function onScreen(first: Partial<MigrationState> = {}) {
	const {store, state} = createTestStore();
	store.setState({migration: {...store.getState().migration, data: migrationWith({step: 'zone', ...first})}});
	const frames: string[] = [];
	const wordsOf = (migration: MigrationState | undefined) =>
		migration && `${migration.step}: ${migration.phase.name}`;
	store.subscribe(next => {
		const words = wordsOf(getDrawnMigration(next));
		if (words !== undefined && words !== frames.at(-1)) frames.push(words);
	});
	let lifted = 0;
	const throttle = createMigrationThrottle(
		change => store.setState(({migration}) => ({migration: {...migration, ...change}})),
		state,
		Date.now,
		() => {
			lifted++;
		},
	);
	return {
		state,
		frames,
		lifted: () => lifted,
		show(part: Partial<MigrationState>) {
			const migration = state().migration.data;
			if (migration) throttle.show({...migration, ...part});
		},
	};
}

const reading: MigrationPhase = {name: 'reading', what: 'the zone'};
const asking: MigrationPhase = {name: 'asking'};

test('a short state is not drawn: only its result is', () => {
	const {show, frames, state} = onScreen();
	show({phase: reading});
	vi.advanceTimersByTime(minDrawnMs - 50);
	show({phase: asking, step: 'eligibility'});
	vi.runAllTimers();
	expect(frames).toEqual(['zone: asking', 'eligibility: asking']);
	expect(getDrawnMigration(state())).toBe(state().migration.data);
});

test('a longer state is drawn, and its end once', () => {
	const {show, frames} = onScreen();
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
	const {show, frames} = onScreen();
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
	const {show, frames} = onScreen({step: 'watch', phase: {name: 'watching'}});
	show({phase: asking});
	show({step: 'done', phase: reading});
	vi.advanceTimersByTime(minDrawnMs - 50);
	show({phase: asking});
	vi.runAllTimers();
	expect(frames).toEqual(['watch: watching', 'done: asking']);
});

test('changes by the user are drawn at once', () => {
	const {show, frames, lifted} = onScreen();
	show({step: 'review'});
	expect(frames).toEqual(['review: asking']);
	expect(lifted()).toBe(0);
});

test('content that appears later has to be looked at from then on', () => {
	const {show, lifted} = onScreen();
	show({phase: reading});
	vi.runAllTimers();
	expect(lifted()).toBe(1);
});

test('a migration closed meanwhile is not drawn', () => {
	const {show, state} = onScreen();
	show({phase: reading});
	state().migration.leave();
	expect(getDrawnMigration(state())).toBeUndefined();
	expect(withDrawnMigration(state())).toBe(state());
});
