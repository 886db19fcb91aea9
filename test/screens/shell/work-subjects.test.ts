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
function startWork(space: TestStore, label: string, kind: Work['kind'] = 'write'): () => void {
	const workEnd = Promise.withResolvers<void>();
	void space.state().work.run(label, kind, () => workEnd.promise);
	return workEnd.resolve;
}

test('a key named like custom rules delays none of them', async () => {
	const space = createTestStore();
	await openMigratedCustomRules(space);
	const finish = startWork(space, 'writing every custom rule');
	dispatch(createTestApp(space), buildKey('d'));
	expect(space.state().dialog.current?.kind).toBe('confirm');
	finish();
});

test('a key named like managed rules delays none of them', async () => {
	const {space, press} = await atManaged();
	const finish = startWork(space, 'writing managed rules');
	press('s');
	expect(space.state().dialog.current?.kind).toBe('choice');
	finish();
});

test('a key whose name ends with the ID of a rule delays no rule', async () => {
	const space = createTestStore();
	const {first} = await openShopFirewall(space);
	await space.state().connection.loadConnection();
	space.state().navigation.go('firewall');
	const finish = startWork(space, `deleting block:${first}`);
	dispatch(createTestApp(space), buildKey('p'));
	expect(space.state().dialog.current?.kind).toBe('confirm');
	finish();
});

test('a key named "the jobs" does not block a refresh of the jobs', async () => {
	const space = createTestStore();
	const finish = startWork(space, 'loading jobs', 'read');
	await refreshJobs(createTestApp(space));
	expect(space.state().jobs.data.reading).toBe('read');
	finish();
});

test('a write of custom rules delays the next one, whatever its name', async () => {
	const space = createTestStore();
	await openMigratedCustomRules(space);
	const workEnd = Promise.withResolvers<void>();
	void space.state().work.run('at it', 'write', () => workEnd.promise, {kind: 'custom rules'});
	dispatch(createTestApp(space), buildKey('d'));
	expect(space.state().dialog.current).toBeUndefined();
	expect(space.state().messages.latest?.text).toContain('still at it');
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
