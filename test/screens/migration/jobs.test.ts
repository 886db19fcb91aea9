import {expect, test} from 'vitest';
import {openMigrationJournal, readMigrationRecord} from '../../../source/migration/journal/journal.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {listUnfinishedForms} from '../../../source/screens/drafts/actions.ts';
import {buildHomeEntries} from '../../../source/screens/home/entries.ts';
import {buildJobRows} from '../../../source/screens/jobs/slice.ts';
import {formatJobsStatus} from '../../../source/screens/jobs/view.tsx';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {createAnotherStore} from '../support/bulk.ts';
import {createTestApp} from '../support/drawn.tsx';
import {acme, createMigratingPerson, shop} from '../support/migration-store.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const put = {
	mode: 'pending',
	fingerprint: 'f'.repeat(64),
	at: 1,
	before: {stage: 'previous', version: undefined, fingerprint: undefined},
} as const;

const findHomeLabel = ({state}: Pick<TestStore, 'state'>, entry: string): string | undefined =>
	buildHomeEntries(state()).find(({value}) => value === entry)?.label;

function chooseInDialog(state: TestStore['state'], value: string): void {
	const {current: dialog, close: closeDialog} = state().dialog;
	if (dialog?.kind !== 'choice') throw new Error('No choice was asked.');
	closeDialog();
	dialog.choose(value);
}

function createPress(testStore: Pick<TestStore, 'store' | 'state'>) {
	const app = createTestApp(testStore);
	return (name: string) => dispatch(app, {name, text: name, sequence: name});
}

test('a PUT with an unknown outcome is on Home and in the jobs, and enter leads to it', async () => {
	const testStore = createTestStore();
	const journal = await openMigrationJournal(testStore.env, {place: 'simulated', zone: shop});
	await journal.saveRecord({state: 'sending deploy', put});
	await journal.close();
	const {state, until} = testStore;
	await state().connection.loadConnection();
	await state().jobs.load(testStore.signal);
	expect(findHomeLabel(testStore, 'jobs')).toMatch(/1 unfinished: migration of acme-shop\.example$/);
	expect(findHomeLabel(testStore, 'migration')).toMatch(/acme-shop\.example: deploy in doubt/);
	const press = createPress(testStore);
	press('7');
	await until(({work: {list: work}}) => work.length === 0);
	expect(buildJobRows(state())).toMatchObject([
		{state: 'unfinished', name: 'migration of acme-shop.example: deploy in doubt'},
	]);
	expect(formatJobsStatus(state())).toContain('the response to the last PUT was lost');
	press('d');
	expect(state().messages.latest?.text).toContain("the journal of a migration can't be forgotten");
	press('enter');
	await until(now => getCurrentScreen(now) === 'migration' && now.migration.data?.access.name === 'open');
	expect(state().migration.data?.zone).toMatchObject({id: shop.id, plan: 'pro'});
	expect(state().migration.data?.record.state).toBe('deploy in doubt');
	await state().migration.end();
});

test('a zone in validation is listed here, in another process, and after its migration is left', async () => {
	const person = await createMigratingPerson(acme);
	await person.goToConfirmation('validation first');
	await person.confirm(acme.name);
	expect(person.migration().record.state).toBe('validating');
	const {testStore, state} = person;
	await state().connection.loadConnection();
	expect(buildJobRows(state())).toMatchObject([{state: 'here', screen: 'migration'}]);
	expect(findHomeLabel(testStore, 'jobs')).toContain('migration of acme.example');
	const another = createAnotherStore(testStore);
	await another.state().jobs.load(testStore.signal);
	expect(buildJobRows(another.state())).toMatchObject([{state: 'running', zone: {id: acme.id}}]);
	state().migration.leave();
	await testStore.until(({jobs: {data: jobs}}) => jobs.migrations.length === 1);
	expect(buildJobRows(state())).toMatchObject([
		{state: 'unfinished', about: expect.stringContaining('both versions')},
	]);
	expect(findHomeLabel(testStore, 'migration')).toContain('acme.example: validating');
});

test('a completed migration is not listed', async () => {
	const person = await createMigratingPerson(shop);
	await person.goToConfirmation('direct');
	await person.confirm(shop.name);
	expect(person.migration().record.state).toBe('complete');
	person.state().migration.leave();
	await person.state().jobs.load(person.testStore.signal);
	expect(buildJobRows(person.state())).toEqual([]);
	expect(findHomeLabel(person.testStore, 'jobs')).toContain('none unfinished');
});

test('a reviewed configuration that was not sent is among the drafts, and leads to its migration', async () => {
	const person = await createMigratingPerson(shop);
	const {testStore, state} = person;
	await state().connection.loadConnection();
	await person.choose('read');
	await person.choose('continue');
	if (person.migration().step === 'blockers') await person.enter();
	await person.enter();
	expect(person.migration().record.state).toBe('reviewed');
	state().migration.leave();
	await testStore.until(({jobs: {data: jobs}}) => jobs.reviewedMigrations.length > 0);
	expect(listUnfinishedForms(state(), 0).map(({text}) => text)).toEqual([
		'not sent: reviewed migration of acme-shop.example',
	]);
	expect(buildJobRows(state())).toEqual([]);
	const press = createPress(testStore);
	press('U');
	expect(state().dialog.current).toMatchObject({
		title: 'The reviewed migration of acme-shop.example was not sent',
	});
	chooseInDialog(state, 'on');
	await testStore.until(({migration: {data: migration}}) => migration?.access.name === 'open');
	expect(person.migration()).toMatchObject({zone: {id: shop.id}, record: {state: 'reviewed'}});
	expect(listUnfinishedForms(state(), 0)).toMatchObject([
		{text: 'not sent: reviewed migration of acme-shop.example'},
	]);
});

test.each([
	['on its screen', (person: Awaited<ReturnType<typeof createMigratingPerson>>) => person.state()],
	[
		'after it was closed',
		async ({state, testStore}: Awaited<ReturnType<typeof createMigratingPerson>>) => {
			state().migration.leave();
			await testStore.until(({jobs: {data: jobs}}) => jobs.reviewedMigrations.length > 0);
		},
	],
])('U discards a review that was not sent %s', async (_when, prepare) => {
	const person = await createMigratingPerson(shop);
	const {testStore, state} = person;
	await state().connection.loadConnection();
	await person.choose('read');
	await person.choose('continue');
	if (person.migration().step === 'blockers') await person.enter();
	state().migration.applyEdit({kind: 'paranoia level', level: 4});
	await person.enter();
	await person.enter();
	await prepare(person);
	const press = createPress(testStore);
	press('U');
	chooseInDialog(state, 'discard');
	await testStore.until(({messages}) => messages.latest?.text.startsWith('Discarded the review') === true);
	expect(listUnfinishedForms(state(), 0)).toEqual([]);
	expect(readMigrationRecord(testStore.env, {place: 'simulated', zone: shop})?.reviewed).toBeUndefined();
	const {data: migration} = state().migration;
	expect(migration?.configuration).toEqual(migration?.initialConfiguration);
});

test('the status of a long title keeps the end of the sentence about it', async () => {
	const name = `${'a-very-long-name-of-a-zone.'.repeat(3)}example`;
	const testStore = createTestStore();
	const zone = {...shop, name};
	const journal = await openMigrationJournal(testStore.env, {place: 'simulated', zone});
	await journal.saveRecord({state: 'finishing', put});
	await journal.close();
	const {state} = testStore;
	await state().connection.loadConnection();
	await state().jobs.load(testStore.signal);
	expect(formatJobsStatus(state())).toMatch(/…\S+ {3}the previous version is being turned off$/);
	expect(formatJobsStatus(state()).length).toBeLessThanOrEqual(78);
});
