import {expect, test} from 'vitest';
import type {LedgeState} from '../../../source/store/ledge-store.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const listValueCalls = ({state}: TestStore) =>
	state().activity.data.rows.filter(({path}) => path.includes('/values/'));

function getOpenedNamespace({state}: TestStore) {
	const opened = state().keys.data?.opened;
	if (!opened) throw new Error('No namespace is open.');
	return opened;
}

const isRead = ({peek: {data: peek}}: LedgeState) => peek?.reading === 'read';

test('the key that the cursor rests on is read, and its value laid out', async () => {
	const store = createTestStore();
	await store.openNamespace('CONFIG');
	await store.state().peek.show('site', getOpenedNamespace(store), store.signal);
	expect(store.state().peek.data).toMatchObject({name: 'site', reading: 'read', view: {kind: 'json'}});
	expect(listValueCalls(store)).toHaveLength(1);
});

test('a cursor that moves on at once reads nothing, and the previous value stays', async () => {
	const store = createTestStore();
	await store.openNamespace('CONFIG');
	const opened = getOpenedNamespace(store);
	await store.state().peek.show('site', opened, store.signal);
	const controller = new AbortController();
	const pendingShow = store.state().peek.show('features', opened, controller.signal);
	controller.abort();
	await pendingShow;
	expect(store.state().peek.data?.name).toBe('site');
	expect(listValueCalls(store)).toHaveLength(1);
});

test('a slow read is shown, and is stopped when the cursor moves on', async () => {
	const store = createTestStore({simulate: true}, {faults: 'hang path=/values/'});
	await store.openNamespace('CONFIG');
	const controller = new AbortController();
	const slow = store.state().peek.show('site', getOpenedNamespace(store), controller.signal);
	await store.until(({peek: {data: peek}}) => peek?.reading === 'reading');
	controller.abort();
	await slow;
	expect(store.state().peek.data).toBeUndefined();
	expect(store.state().messages.latest).toBeUndefined();
});

test('a failure or a missing key is shown only in the pane', async () => {
	const store = createTestStore({simulate: true}, {faults: 'status=403 path=/values/site'});
	await store.openNamespace('CONFIG');
	await store.state().peek.show('site', getOpenedNamespace(store), store.signal);
	expect(store.state().peek.data?.reading).toBe('failed');
	expect(store.state().messages.latest).toBeUndefined();
	await store.state().peek.show('nothing', getOpenedNamespace(store), store.signal);
	expect(store.state().peek.data).toMatchObject({name: 'nothing', reading: 'absent'});
});

test('the same key is read once, and again after it was forgotten', async () => {
	const store = createTestStore();
	await store.openNamespace('CONFIG');
	const opened = getOpenedNamespace(store);
	await store.state().peek.show('site', opened, store.signal);
	await store.state().peek.show('site', opened, store.signal);
	expect(listValueCalls(store)).toHaveLength(1);
	const peekRevision = store.state().peek.revision;
	store.state().peek.forget();
	expect(store.state().peek.revision).not.toBe(peekRevision);
	await store.state().peek.show('site', opened, store.signal);
	expect(listValueCalls(store)).toHaveLength(2);
	expect(isRead(store.state())).toBe(true);
});

test('nothing is shown for a group', async () => {
	const store = createTestStore();
	await store.openNamespace('CONFIG');
	const opened = getOpenedNamespace(store);
	await store.state().peek.show('site', opened, store.signal);
	await store.state().peek.show(undefined, opened, store.signal);
	expect(store.state().peek.data).toBeUndefined();
});

test('a read that ends after the namespace was closed is dropped', async () => {
	const store = createTestStore({simulate: true}, {faults: 'latency=50 path=/values/'});
	await store.openNamespace('CONFIG');
	const pendingShow = store.state().peek.show('site', getOpenedNamespace(store), store.signal);
	store.state().keys.close();
	await pendingShow;
	expect(store.state().peek.data).toBeUndefined();
});

test('a written or deleted key is read again', async () => {
	const store = createTestStore();
	await store.openNamespace('CONFIG');
	const opened = getOpenedNamespace(store);
	await store.state().peek.show('site', opened, store.signal);
	store.state().keys.noticeChanges([{name: 'site'}]);
	expect(store.state().peek.data).toBeUndefined();
	await store.state().peek.show('site', opened, store.signal);
	store.state().keys.noticeDeletion(['site']);
	expect(store.state().peek.data).toBeUndefined();
});
