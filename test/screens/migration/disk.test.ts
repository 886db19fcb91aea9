import {describe, expect, test} from 'vitest';
import {getTheme} from '../../../source/components/theme.ts';
import {formatMigrationStatus} from '../../../source/screens/migration/view/status.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {at, legacy} from '../support/migration-store.ts';

const {marks} = getTheme('dark', true);
type Person = Awaited<ReturnType<typeof at>>;

const status = ({migration}: Person) =>
	formatMigrationStatus(migration(), {columns: 80, marks, now: Date.now()});
const recreated = ({migration}: Person): readonly string[] =>
	(migration().plan?.notMigrated ?? []).filter(({what}) => what.startsWith('URI override')).map(({id}) => id);

/** A person who has deleted every override of a zone. */
async function deleted() {
	const person = await at(legacy);
	await person.choose('read');
	const ids = (person.migration().snapshot?.overrides ?? []).map(({id}) => String(id));
	expect(ids.length).toBeGreaterThan(0);
	for (const id of ids) await person.state().migration.deleteOverrides([id]);
	expect(person.migration().failure).toBeUndefined();
	return {person, ids};
}

/** The same zone, left and opened again. */
async function again({space, state}: Person) {
	state().migration.leave();
	return at(legacy, space);
}

describe('overrides deleted as blockers', () => {
	test('are in the status line, also after the zone is reopened', async () => {
		const {person, ids} = await deleted();
		const words = `${ids.length} override${ids.length === 1 ? '' : 's'} deleted, nothing else sent`;
		expect(status(person)).toContain(words);
		expect(status(await again(person))).toContain(words);
	});

	test("are in the review's list of settings to recreate", async () => {
		const {person, ids} = await deleted();
		expect(recreated(person).toSorted()).toEqual(ids.toSorted());
		person.state().migration.applyEdit({kind: 'paranoia level', level: 4});
		expect(recreated(person).toSorted()).toEqual(ids.toSorted());
	});

	test('are in that list once the migration is complete, also after the zone is reopened', async () => {
		const {person, ids} = await deleted();
		if (person.migration().step === 'blockers') await person.enter();
		else await person.choose('continue');
		if (person.migration().step === 'blockers') await person.enter();
		await person.enter();
		await person.choose('direct');
		await person.choose('without rehearsal');
		await person.confirm(legacy.name);
		expect(person.migration().record.state).toBe('complete');
		expect(recreated(person).toSorted()).toEqual(ids.toSorted());
		const later = await again(person);
		await later.choose('continue');
		expect(later.migration().step).toBe('done');
		expect(recreated(later).toSorted()).toEqual(ids.toSorted());
		await later.choose('recreate');
		expect(getCurrentScreen(later.state())).toBe('leftBehind');
		await later.space.until(({work: {list: work}}) => work.length === 0);
		const left = later.state().leftBehind.data?.rows.map(({leftover: {id}}) => id);
		expect(left).toEqual(expect.arrayContaining([...ids]));
		expect(later.state().managed.data).toMatchObject({zone: {id: legacy.id}, reading: 'read'});
	});
});
