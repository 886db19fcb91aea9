import {expect, test} from 'vitest';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {refreshJobs} from '../../../source/screens/jobs/actions.ts';
import type {Work} from '../../../source/screens/shell/work-slice.ts';
import {openedCustomRules} from '../support/custom-rules.ts';
import {appOf} from '../support/drawn.tsx';
import {openedShop} from '../support/firewall.ts';
import {atManaged} from '../support/managed.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const key = (name: string) => ({name, text: name, sequence: name});

/** Work on a key of the store, which takes its label from the name of the key, until the function is called. */
function busyWith(space: TestStore, label: string, kind: Work['kind'] = 'write'): () => void {
	const over = Promise.withResolvers<void>();
	void space.state().work.run(label, kind, () => over.promise);
	return over.resolve;
}

test('a key named like custom rules delays none of them', async () => {
	const space = createTestStore();
	await openedCustomRules(space);
	const finish = busyWith(space, 'writing every custom rule');
	dispatch(appOf(space), key('d'));
	expect(space.state().dialog.current?.kind).toBe('confirm');
	finish();
});

test('a key named like managed rules delays none of them', async () => {
	const {space, press} = await atManaged();
	const finish = busyWith(space, 'writing managed rules');
	press('s');
	expect(space.state().dialog.current?.kind).toBe('choice');
	finish();
});

test('a key whose name ends with the ID of a rule delays no rule', async () => {
	const space = createTestStore();
	const {first} = await openedShop(space);
	await space.state().connection.loadConnection();
	space.state().navigation.go('firewall');
	const finish = busyWith(space, `deleting block:${first}`);
	dispatch(appOf(space), key('p'));
	expect(space.state().dialog.current?.kind).toBe('confirm');
	finish();
});

test('a key named "the jobs" does not block a refresh of the jobs', async () => {
	const space = createTestStore();
	const finish = busyWith(space, 'loading jobs', 'read');
	await refreshJobs(appOf(space));
	expect(space.state().jobs.data.reading).toBe('read');
	finish();
});

test('a write of custom rules delays the next one, whatever its name', async () => {
	const space = createTestStore();
	await openedCustomRules(space);
	const over = Promise.withResolvers<void>();
	void space.state().work.run('at it', 'write', () => over.promise, {kind: 'custom rules'});
	dispatch(appOf(space), key('d'));
	expect(space.state().dialog.current).toBeUndefined();
	expect(space.state().messages.latest?.text).toContain('still at it');
	over.resolve();
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
