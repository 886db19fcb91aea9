import {expect, test} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import {createTextKey} from '../../../source/keyboard/key.ts';
import {getSelectedCall, listVisibleCalls} from '../../../source/screens/activity/slice.ts';
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
	expect(getSelectedCall(state())?.path).toBe('/storage/1');
	state().activity.record(call('/zones'));
	expect(getSelectedCall(state())?.path).toBe('/storage/1');
	state().activity.record(call('/storage/3'));
	expect(getSelectedCall(state())?.path).toBe('/storage/1');
	state().activity.filter('');
	expect(getSelectedCall(state())?.path).toBe('/storage/1');
});

test('calls are found by method and status; upper-case letters in the filter match exactly', () => {
	const {state} = createTestStore();
	for (const status of [200, 404]) state().activity.record(call('/zones', status));
	state().activity.filter('404');
	expect(listVisibleCalls(state())).toHaveLength(1);
	state().activity.filter('get');
	expect(listVisibleCalls(state())).toHaveLength(2);
	state().activity.filter('Get');
	expect(listVisibleCalls(state())).toHaveLength(0);
});

test('the part of a path that the list leaves out is not searched', () => {
	const {state} = createTestStore();
	state().activity.record(call('/accounts/0123abcd/storage/kv/namespaces/77/values/accounts'));
	state().activity.record(call('/accounts/0123abcd/storage/kv/namespaces/77/keys'));
	const count = (filter: string) => {
		state().activity.filter(filter);
		return listVisibleCalls(state()).length;
	};
	expect(['0123', 'storage', 'accounts', '77/'].map(count)).toEqual([0, 0, 1, 2]);
});

test('that a zone has no entry point yet is not a failed call; "failed" finds the calls that did', () => {
	const {state} = createTestStore();
	const failure = new Failure('not_found', 'Not found.');
	const entryPoint = '/zones/z/rulesets/phases/http_ratelimit/entrypoint';
	state().activity.record({...call(entryPoint, 404), failure});
	expect(state().activity.count).toEqual({all: 1, failed: 0});
	state().activity.record({...call('/zones/z', 404), failure});
	state().activity.record({...call(entryPoint, 404), method: 'PUT', failure});
	expect(state().activity.count).toEqual({all: 3, failed: 2});
	state().activity.filter('failed put');
	expect(listVisibleCalls(state()).map(({method}) => method)).toEqual(['PUT']);
});

test('that a key does not exist is not a failed call; i explains a call that failed', async () => {
	const testStore = createTestStore();
	const {state, signal, simulator, openNamespace} = testStore;
	await openNamespace('CONFIG');
	const failedBefore = state().activity.count.failed;
	expect(await state().keys.data?.opened.store.get('no such key', signal)).toBeUndefined();
	expect(getSelectedCall(state())).toMatchObject({status: 404, failure: {code: 'key_not_found'}});
	expect(state().activity.count.failed).toBe(failedBefore);
	state().navigation.go('activity');
	const app = createTestApp(testStore);
	dispatch(app, createTextKey('i'));
	expect(state().dialog.current).toBeUndefined();
	simulator.faults.replace('status=403 times=1');
	await expect(state().keys.data?.opened.store.get('features', signal)).rejects.toThrow();
	expect(state().activity.count.failed).toBe(failedBefore + 1);
	dispatch(app, createTextKey('i'));
	expect(state().dialog.current).toMatchObject({kind: 'failure', failure: {details: {http: 403}}});
});
