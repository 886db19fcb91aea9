import {expect, test} from 'vitest';
import {getTheme} from '../../../source/components/theme.ts';
import {openMigrationJournal} from '../../../source/migration/journal/journal.ts';
import type {MigrationRecord} from '../../../source/migration/journal/record.ts';
import {computeManagedLayout} from '../../../source/screens/managed/body.ts';
import {zone} from '../support/migration-store.ts';
import {createTestStore} from '../support/store.ts';

/** The new managed rules of this zone stop 70 requests in an hour at least, at any time of the day. */
const check = zone('c4e8a1f05b3d4c7e8f9a0b1c2d3e4f52', 'check.acme.example', 'enterprise');
const hour = 3_600_000;

/** The managed rules of a zone whose migration ended some time ago; validation showed so many blocks in an hour at most. */
async function managedAfter(
	mostInHour: number,
	{
		faults = '',
		ended = 2 * hour,
		...change
	}: Partial<MigrationRecord> & {faults?: string; ended?: number} = {},
) {
	const space = createTestStore({simulate: true}, {faults});
	const {state, env} = space;
	const until = Date.now() - ended;
	const since = until - 9 * hour;
	const none = {new: 0, previous: 0};
	const journal = await openMigrationJournal(env, {place: 'simulated', zone: check});
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
	state().managed.open(check);
	state().navigation.go('managed');
	await state().managed.readAndOfferDraft();
	await space.until(({work: {list: work}}) => work.length === 0);
	const managed = state().managed.data;
	const {viewport} = state().navigation;
	const message = state().messages.latest;
	const {calls} = state().activity;
	const layout = managed && computeManagedLayout(managed, viewport, getTheme('none', false).marks);
	const rows = layout?.body.rows.slice(0, 4) ?? [];
	return {
		head: rows
			.map(row =>
				row
					.map(({text}) => text)
					.join('')
					.trim(),
			)
			.join(' '),
		message,
		queries: calls.filter(({path}) => path.endsWith('/graphql')).length,
	};
}

test('more stopped requests than in validation add a line above the rules, with both figures', async () => {
	const {head, message} = await managedAfter(1);
	expect(head).toMatch(
		/The new managed rules stopped \d+ requests in 60 minutes .*validation showed at most 1 in the same length of time/,
	);
	expect(message).toBeUndefined();
});

test('as many stopped requests as in validation add no line', async () => {
	const {head, queries} = await managedAfter(10_000);
	expect(head).not.toContain('validation showed');
	expect(queries).toBeGreaterThan(0);
});

test.each([
	['no validation is known', {validation: undefined}],
	['the migration ended just now', {ended: 60_000}],
	['the migration ended long ago', {ended: 8 * 24 * hour}],
	['the migration is not complete', {state: 'validating'}],
] as const)('nothing is queried if %s', async (_name, change) => {
	const {head, queries} = await managedAfter(1, change);
	expect(head).not.toContain('validation showed');
	expect(queries).toBe(0);
});

test.each([
	'status=404 path=graphql',
	'analytics=not-authorized',
])('missing figures change nothing: %s', async faults => {
	const {head, message} = await managedAfter(1, {faults});
	expect(head).not.toContain('validation showed');
	expect(message).toBeUndefined();
});
