import {describe, expect, test} from 'vitest';
import {getTheme} from '../../../source/components/theme.ts';
import {createKey} from '../../../source/keyboard/key.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {formatMigrationStatus} from '../../../source/screens/migration/view/status.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createMigratingPerson, legacy} from '../support/migration-store.ts';

const {marks} = getTheme('dark', true);
type Person = Awaited<ReturnType<typeof createMigratingPerson>>;

const formatStatus = ({migration}: Person) =>
	formatMigrationStatus(migration(), {columns: 80, marks, now: Date.now()});
const listOverridesToRecreate = ({migration}: Person): readonly string[] =>
	(migration().plan?.notMigrated ?? []).filter(({what}) => what.startsWith('URI override')).map(({id}) => id);

/** Opens the migration of a zone, and deletes all its overrides. */
async function deleteAllOverrides() {
	const person = await createMigratingPerson(legacy);
	await person.choose('read');
	const ids = (person.migration().snapshot?.overrides ?? []).map(({id}) => String(id));
	expect(ids.length).toBeGreaterThan(0);
	for (const id of ids) await person.state().migration.deleteOverrides([id]);
	expect(person.migration().failure).toBeUndefined();
	return {person, ids};
}

/** Leaves the migration of the zone, and opens it again. */
async function reopen({testStore, state}: Person) {
	state().migration.leave();
	return createMigratingPerson(legacy, testStore);
}

describe('overrides deleted as blockers', () => {
	test('are in the status line, also after the zone is reopened', async () => {
		const {person, ids} = await deleteAllOverrides();
		const expectedStatus = `${ids.length} override${ids.length === 1 ? '' : 's'} deleted, nothing else sent`;
		expect(formatStatus(person)).toContain(expectedStatus);
		expect(formatStatus(await reopen(person))).toContain(expectedStatus);
	});

	test("are in the review's list of settings to recreate", async () => {
		const {person, ids} = await deleteAllOverrides();
		expect(listOverridesToRecreate(person).toSorted()).toEqual(ids.toSorted());
		person.state().migration.applyEdit({kind: 'paranoia level', level: 4});
		expect(listOverridesToRecreate(person).toSorted()).toEqual(ids.toSorted());
	});

	test('are in that list once the migration is complete, also after the zone is reopened', async () => {
		const {person, ids} = await deleteAllOverrides();
		if (person.migration().step === 'blockers') await person.enter();
		else await person.choose('continue');
		if (person.migration().step === 'blockers') await person.enter();
		await person.enter();
		await person.choose('direct');
		await person.choose('without rehearsal');
		await person.confirm(legacy.name);
		expect(person.migration().record.state).toBe('complete');
		expect(listOverridesToRecreate(person).toSorted()).toEqual(ids.toSorted());
		const later = await reopen(person);
		await later.choose('continue');
		expect(later.migration().step).toBe('done');
		expect(listOverridesToRecreate(later).toSorted()).toEqual(ids.toSorted());
		await later.choose('recreate');
		expect(getCurrentScreen(later.state())).toBe('leftBehind');
		await later.testStore.until(({work: {list: work}}) => work.length === 0);
		const leftBehindIds = later.state().leftBehind.data?.rows.map(({leftover: {id}}) => id);
		expect(leftBehindIds).toEqual(expect.arrayContaining([...ids]));
		expect(later.state().managed.data).toMatchObject({zone: {id: legacy.id}, reading: 'read'});
		dispatch(createTestApp(later.testStore), createKey('esc', ''));
		expect(getCurrentScreen(later.state())).toBe('migration');
	});
});
