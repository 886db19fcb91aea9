import {expect, test} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import {createTextKey} from '../../../source/keyboard/key.ts';
import {activityScreen} from '../../../source/screens/activity/actions.ts';
import {callList} from '../../../source/screens/activity/slice.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import type {CallRecord} from '../../../source/service/call.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

const call = (path: string, status = 200) =>
	({at: 0, method: 'GET', path, status, attempt: 1, milliseconds: 1, curl: `curl ${path}`}) as CallRecord;

test('the cursor stays on its call while others arrive, whether or not the filter shows them', () => {
	const {state} = createTestStore();
	for (const path of ['/zones', '/storage/1', '/storage/2']) state().activity.record(call(path));
	state().activity.filter('storage');
	state().activity.move(1);
	expect(callList.getCurrentRow(state())?.path).toBe('/storage/1');
	state().activity.record(call('/zones'));
	expect(callList.getCurrentRow(state())?.path).toBe('/storage/1');
	state().activity.record(call('/storage/3'));
	expect(callList.getCurrentRow(state())?.path).toBe('/storage/1');
	state().activity.filter('');
	expect(callList.getCurrentRow(state())?.path).toBe('/storage/1');
});

test('calls are found by method and status; upper-case letters in the filter match exactly', () => {
	const {state} = createTestStore();
	for (const status of [200, 404]) state().activity.record(call('/zones', status));
	state().activity.filter('404');
	expect(callList.listVisible(state().activity.data)).toHaveLength(1);
	state().activity.filter('get');
	expect(callList.listVisible(state().activity.data)).toHaveLength(2);
	state().activity.filter('Get');
	expect(callList.listVisible(state().activity.data)).toHaveLength(0);
});

test('the part of a path that the list leaves out is not searched', () => {
	const {state} = createTestStore();
	state().activity.record(call('/accounts/0123abcd/storage/kv/namespaces/77/values/accounts'));
	state().activity.record(call('/accounts/0123abcd/storage/kv/namespaces/77/keys'));
	const count = (filter: string) => {
		state().activity.filter(filter);
		return callList.listVisible(state().activity.data).length;
	};
	expect(['0123', 'storage', 'accounts', '77/'].map(count)).toEqual([0, 0, 1, 2]);
});

test('that a zone has no entry point yet is not a failed call; "failed" finds the calls that did', () => {
	const {state} = createTestStore();
	const failure = new Failure('not_found', 'Not found.');
	const entryPoint = '/zones/z/rulesets/phases/http_ratelimit/entrypoint';
	state().activity.record({...call(entryPoint, 404), failure});
	expect(state().activity.data.count).toEqual({all: 1, failed: 0});
	state().activity.record({...call('/zones/z', 404), failure});
	state().activity.record({...call(entryPoint, 404), method: 'PUT', failure});
	expect(state().activity.data.count).toEqual({all: 3, failed: 2});
	state().activity.filter('failed put');
	expect(callList.listVisible(state().activity.data).map(({method}) => method)).toEqual(['PUT']);
});

test('that the plan lacks what is read is not a failed call; a refused write, or no permission, is', () => {
	const {state} = createTestStore();
	const path = '/zones/z/firewall/waf/packages';
	const failure = new Failure('refused_by_service', 'The Free plan does not have managed rules.');
	state().activity.record({...call(path, 403), failure});
	expect(state().activity.data.count).toEqual({all: 1, failed: 0});
	state().activity.record({...call(path, 403), method: 'POST', failure});
	state().activity.record({...call(path, 400), failure});
	state().activity.record({...call(path, 403), failure: new Failure('credential_refused', 'No permission.')});
	state().activity.record({
		...call(path, 403),
		failure: new Failure('refused_by_service', 'No reason.', {outcome: 'refused without a reason'}),
	});
	expect(state().activity.data.count).toEqual({all: 5, failed: 4});
});

test('that a key does not exist is not a failed call; i explains a call that failed', async () => {
	const testStore = createTestStore();
	const {state, signal, simulator, openNamespace} = testStore;
	await openNamespace('CONFIG');
	const failedBefore = state().activity.data.count.failed;
	expect(await state().keys.data?.opened.store.get('no such key', signal)).toBeUndefined();
	expect(callList.getCurrentRow(state())).toMatchObject({status: 404, failure: {code: 'key_not_found'}});
	expect(state().activity.data.count.failed).toBe(failedBefore);
	state().navigation.go('activity');
	const app = createTestApp(testStore);
	dispatch(app, createTextKey('i'));
	expect(state().dialog.current).toBeUndefined();
	simulator.faults.replace('status=403 times=1');
	await expect(state().keys.data?.opened.store.get('features', signal)).rejects.toThrow();
	expect(state().activity.data.count.failed).toBe(failedBefore + 1);
	dispatch(app, createTextKey('i'));
	expect(state().dialog.current).toMatchObject({kind: 'failure', failure: {details: {http: 403}}});
});

test('enter shows the whole path of a call, which stays while others arrive; esc shows the list', () => {
	const testStore = createTestStore();
	const {state} = testStore;
	const path = `/accounts/0123abcd/storage/kv/namespaces/77/values/${'long/'.repeat(40)}end`;
	state().activity.record(call(path));
	state().navigation.go('activity');
	const app = createTestApp(testStore);
	const getDetailText = () =>
		(activityScreen.view?.buildDetail(state().activity.data, 75, {warning: '!', dot: '.', done: '*'}) ?? [])
			.map(row => row.map(({text}) => text.trim()).join(''))
			.join('');
	dispatch(app, createTextKey('l'));
	state().activity.record(call('/zones'));
	expect(state().activity.data.detail).toBe(0);
	expect(getDetailText()).toContain(`GET ${path}curl`);
	dispatch(app, createTextKey('h'));
	expect(state().activity.data.detail).toBeUndefined();
	expect(callList.getCurrentRow(state())?.path).toBe(path);
});
