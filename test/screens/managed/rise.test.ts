import {expect, test} from 'vitest';
import {getTheme} from '../../../source/components/theme.ts';
import {openMigrationJournal} from '../../../source/migration/journal/journal.ts';
import type {MigrationRecord} from '../../../source/migration/journal/record.ts';
import {computeManagedLayout} from '../../../source/screens/managed/body.ts';
import {buildZone} from '../support/migration-store.ts';
import {createTestStore} from '../support/store.ts';

/** In this zone, the new managed rules stop at least 70 requests in any hour. */
const checkZone = buildZone('c4e8a1f05b3d4c7e8f9a0b1c2d3e4f52', 'check.acme.example', 'enterprise');
const hourMs = 3_600_000;

/**
 * Opens the managed rules of a zone whose migration ended `ended` milliseconds ago. Validation showed at most
 * `mostInHour` stopped requests in an hour.
 */
async function openManagedAfterMigration(
	mostInHour: number,
	{
		faults = '',
		ended = 2 * hourMs,
		...change
	}: Partial<MigrationRecord> & {faults?: string; ended?: number} = {},
) {
	const testStore = createTestStore({simulate: true}, {faults});
	const {state, env} = testStore;
	const until = Date.now() - ended;
	const since = until - 9 * hourMs;
	const none = {new: 0, previous: 0};
	const journal = await openMigrationJournal(env, {place: 'simulated', zone: checkZone});
	await journal.saveRecord({
		state: 'complete',
		validatingSince: since,
		completed: until,
		validation: {
			since,
			until,
			isSampled: false,
			stopped: none,
			only: none,
			logged: none,
			candidates: [],
			rate: {since, until, mostInHour},
		},
		...change,
	});
	await journal.close();
	state().managed.open(checkZone);
	state().navigation.go('managed');
	await state().managed.readAndOfferDraft();
	await testStore.until(({work: {list: work}}) => work.length === 0);
	const managed = state().managed.data;
	const {viewport} = state().navigation;
	const message = state().messages.latest;
	const {rows: calls} = state().activity.data;
	const layout = managed && computeManagedLayout(managed, viewport, getTheme('none', false).marks);
	const rows = layout?.body.rows.slice(0, 4) ?? [];
	return {
		topText: rows
			.map(row =>
				row
					.map(({text}) => text)
					.join('')
					.trim(),
			)
			.join(' '),
		message,
		queryCount: calls.filter(({path}) => path.endsWith('/graphql')).length,
	};
}

test('more stopped requests than in validation add a line above the rules, with both figures', async () => {
	const {topText, message} = await openManagedAfterMigration(1);
	expect(topText).toMatch(
		/The new managed rules stopped \d+ requests in 60 minutes .*validation showed at most 1 in the same length of time/,
	);
	expect(message).toBeUndefined();
});

test('no line is added if no more requests are stopped than in validation', async () => {
	const {topText, queryCount} = await openManagedAfterMigration(10_000);
	expect(topText).not.toContain('validation showed');
	expect(queryCount).toBeGreaterThan(0);
});

test.each([
	['no validation is known', {validation: undefined}],
	['the migration ended just now', {ended: 60_000}],
	['the migration ended long ago', {ended: 8 * 24 * hourMs}],
	['the migration is not complete', {state: 'validating'}],
] as const)('nothing is queried if %s', async (_name, change) => {
	const {topText, queryCount} = await openManagedAfterMigration(1, change);
	expect(topText).not.toContain('validation showed');
	expect(queryCount).toBe(0);
});

test.each([
	'status=404 path=graphql',
	'analytics=not-authorized',
])('missing figures change nothing: %s', async faults => {
	const {topText, message} = await openManagedAfterMigration(1, {faults});
	expect(topText).not.toContain('validation showed');
	expect(message).toBeUndefined();
});
