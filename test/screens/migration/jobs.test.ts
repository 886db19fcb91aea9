import {expect, test} from 'vitest';
import {openMigrationJournal} from '../../../source/migration/journal/journal.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {buildHomeEntries} from '../../../source/screens/home/entries.ts';
import {buildJobRows} from '../../../source/screens/jobs/slice.ts';
import {formatJobsStatus} from '../../../source/screens/jobs/view.tsx';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {anotherStore} from '../support/bulk.ts';
import {appOf} from '../support/drawn.tsx';
import {acme, at, shop} from '../support/migration-store.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const put = {
	mode: 'pending',
	fingerprint: 'f'.repeat(64),
	at: 1,
	before: {stage: 'previous', version: undefined, fingerprint: undefined},
} as const;

const labelOf = ({state}: Pick<TestStore, 'state'>, entry: string): string | undefined =>
	buildHomeEntries(state()).find(({value}) => value === entry)?.label;

function pressing(space: Pick<TestStore, 'store' | 'state'>) {
	const app = appOf(space);
	return (name: string) => dispatch(app, {name, text: name, sequence: name});
}

test('a PUT with an unknown outcome is on Home and in the jobs, and enter leads to it', async () => {
	const space = createTestStore();
	const journal = await openMigrationJournal(space.env, {place: 'simulated', zone: shop});
	await journal.saveRecord({state: 'sending deploy', put});
	await journal.close();
	const {state, until} = space;
	await state().connection.loadConnection();
	await state().jobs.load(space.signal);
	expect(labelOf(space, 'jobs')).toMatch(/1 unfinished: migration of acme-shop\.example/);
	expect(labelOf(space, 'migration')).toMatch(/acme-shop\.example: deploy in doubt/);
	const press = pressing(space);
	press('J');
	await until(({work: {list: work}}) => work.length === 0);
	expect(buildJobRows(state())).toMatchObject([
		{state: 'unfinished', name: 'migration of acme-shop.example: deploy in doubt'},
	]);
	expect(formatJobsStatus(state())).toContain('the response to the PUT was lost');
	press('d');
	expect(state().messages.latest?.text).toContain("the journal of a migration can't be forgotten");
	press('enter');
	await until(now => getCurrentScreen(now) === 'migration' && now.migration.data?.access.name === 'open');
	expect(state().migration.data?.zone).toMatchObject({id: shop.id, plan: 'pro'});
	expect(state().migration.data?.record.state).toBe('deploy in doubt');
	await state().migration.end();
});

test('a zone in validation is listed until validation ends, also after a restart', async () => {
	const person = await at(acme);
	await person.toConfirmation('validation first');
	await person.confirm(acme.name);
	expect(person.migration().record.state).toBe('validating');
	const {space, state} = person;
	await state().connection.loadConnection();
	expect(buildJobRows(state())).toMatchObject([{state: 'here', screen: 'migration'}]);
	expect(labelOf(space, 'jobs')).toContain('migration of acme.example');
	const another = anotherStore(space);
	await another.state().jobs.load(space.signal);
	expect(buildJobRows(another.state())).toMatchObject([{state: 'running', zone: {id: acme.id}}]);
	state().migration.leave();
	await space.until(({jobs: {data: jobs}}) => jobs.migrations.length === 1);
	expect(buildJobRows(state())).toMatchObject([
		{state: 'unfinished', about: expect.stringContaining('both versions')},
	]);
	expect(labelOf(space, 'migration')).toContain('acme.example: validating');
});

test('a completed migration is not listed', async () => {
	const person = await at(shop);
	await person.toConfirmation('direct');
	await person.confirm(shop.name);
	expect(person.migration().record.state).toBe('complete');
	person.state().migration.leave();
	await person.state().jobs.load(person.space.signal);
	expect(buildJobRows(person.state())).toEqual([]);
	expect(labelOf(person.space, 'jobs')).toContain('none unfinished');
});
