import {expect, test} from 'vitest';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {refreshJobs} from '../../../source/screens/jobs/actions.ts';
import type {Work} from '../../../source/screens/shell/work-slice.ts';
import {openMigratedCustomRules} from '../support/custom-rules.ts';
import {createTestApp} from '../support/drawn.tsx';
import {openShopFirewall} from '../support/firewall.ts';
import {atManaged} from '../support/managed.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const buildKey = (name: string) => ({name, text: name, sequence: name});

/** Starts work whose label contains the name of a key. The returned function ends it. */
function startWork(testStore: TestStore, label: string, kind: Work['kind'] = 'write'): () => void {
	const workEnd = Promise.withResolvers<void>();
	void testStore.state().work.run(label, kind, () => workEnd.promise);
	return workEnd.resolve;
}

test('a key named like custom rules delays none of them', async () => {
	const testStore = createTestStore();
	await openMigratedCustomRules(testStore);
	const finish = startWork(testStore, 'writing every custom rule');
	dispatch(createTestApp(testStore), buildKey('d'));
	expect(testStore.state().dialog.current?.kind).toBe('confirm');
	finish();
});

test('a key named like managed rules delays none of them', async () => {
	const {testStore, press} = await atManaged();
	const finish = startWork(testStore, 'writing managed rules');
	press('T');
	expect(testStore.state().dialog.current?.kind).toBe('choice');
	finish();
});

test('a key whose name ends with the ID of a rule delays no rule', async () => {
	const testStore = createTestStore();
	const {first} = await openShopFirewall(testStore);
	await testStore.state().connection.loadConnection();
	testStore.state().navigation.go('firewall');
	const finish = startWork(testStore, `deleting block:${first}`);
	dispatch(createTestApp(testStore), buildKey('p'));
	expect(testStore.state().dialog.current?.kind).toBe('confirm');
	finish();
});

test('a key named "the jobs" does not block a refresh of the jobs', async () => {
	const testStore = createTestStore();
	const finish = startWork(testStore, 'loading jobs', 'read');
	await refreshJobs(createTestApp(testStore));
	expect(testStore.state().jobs.data.reading).toBe('read');
	finish();
});

test('a write of custom rules delays the next one, whatever its name', async () => {
	const testStore = createTestStore();
	await openMigratedCustomRules(testStore);
	const workEnd = Promise.withResolvers<void>();
	void testStore.state().work.run('at it', 'write', () => workEnd.promise, {kind: 'custom rules'});
	dispatch(createTestApp(testStore), buildKey('d'));
	expect(testStore.state().dialog.current).toBeUndefined();
	expect(testStore.state().messages.latest?.text).toContain('still at it');
	workEnd.resolve();
});

test('work changes its own label, and not that of other work with the same label', async () => {
	const {state} = createTestStore();
	const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	void state().work.run('sending', 'write', async (_signal, relabel) => {
		relabel('looking');
		await one.promise;
	});
	void state().work.run('sending', 'write', () => other.promise);
	expect(state().work.list.map(({label}) => label)).toEqual(['looking', 'sending']);
	one.resolve();
	other.resolve();
});
