import {expect, test} from 'vitest';
import type {LedgeState} from '../../../source/store/ledge-store.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const valueCalls = ({state}: TestStore) => state().calls.filter(({path}) => path.includes('/values/'));

function openedIn({state}: TestStore) {
	const opened = state().keys?.opened;
	if (!opened) throw new Error('No namespace is open.');
	return opened;
}

const isRead = ({peek}: LedgeState) => peek?.reading === 'read';

test('the key that the cursor rests on is read, with its value laid out', async () => {
	const store = createTestStore();
	await store.openNamespace('CONFIG');
	await store.state().peekAt('site', openedIn(store), store.signal);
	expect(store.state().peek).toMatchObject({name: 'site', reading: 'read', view: {kind: 'json'}});
	expect(valueCalls(store)).toHaveLength(1);
});

test('a cursor that goes on at once reads nothing, and what was read stays', async () => {
	const store = createTestStore();
	await store.openNamespace('CONFIG');
	const opened = openedIn(store);
	await store.state().peekAt('site', opened, store.signal);
	const moved = new AbortController();
	const passing = store.state().peekAt('features', opened, moved.signal);
	moved.abort();
	await passing;
	expect(store.state().peek?.name).toBe('site');
	expect(valueCalls(store)).toHaveLength(1);
});

test('a slow read says that it reads, and is stopped when the cursor goes on', async () => {
	const store = createTestStore({simulate: true}, {faults: 'hang path=/values/'});
	await store.openNamespace('CONFIG');
	const moved = new AbortController();
	const slow = store.state().peekAt('site', openedIn(store), moved.signal);
	await store.until(({peek}) => peek?.reading === 'reading');
	moved.abort();
	await slow;
	expect(store.state().peek).toBeUndefined();
	expect(store.state().message).toBeUndefined();
});

test('a failure and a key that is gone are shown in the pane only', async () => {
	const store = createTestStore({simulate: true}, {faults: 'status=403 path=/values/site'});
	await store.openNamespace('CONFIG');
	await store.state().peekAt('site', openedIn(store), store.signal);
	expect(store.state().peek?.reading).toBe('failed');
	expect(store.state().message).toBeUndefined();
	await store.state().peekAt('nothing', openedIn(store), store.signal);
	expect(store.state().peek).toMatchObject({name: 'nothing', reading: 'absent'});
});

test('the same key is read once, and again when it was forgotten', async () => {
	const store = createTestStore();
	await store.openNamespace('CONFIG');
	const opened = openedIn(store);
	await store.state().peekAt('site', opened, store.signal);
	await store.state().peekAt('site', opened, store.signal);
	expect(valueCalls(store)).toHaveLength(1);
	const {peekRevision} = store.state();
	store.state().forgetPeek();
	expect(store.state().peekRevision).not.toBe(peekRevision);
	await store.state().peekAt('site', opened, store.signal);
	expect(valueCalls(store)).toHaveLength(2);
	expect(isRead(store.state())).toBe(true);
});

test('on a group nothing is shown', async () => {
	const store = createTestStore();
	await store.openNamespace('CONFIG');
	const opened = openedIn(store);
	await store.state().peekAt('site', opened, store.signal);
	await store.state().peekAt(undefined, opened, store.signal);
	expect(store.state().peek).toBeUndefined();
});

test('what comes back after the namespace was closed is dropped', async () => {
	const store = createTestStore({simulate: true}, {faults: 'latency=50 path=/values/'});
	await store.openNamespace('CONFIG');
	const late = store.state().peekAt('site', openedIn(store), store.signal);
	store.state().closeKeys();
	await late;
	expect(store.state().peek).toBeUndefined();
});

test('what was written or deleted is read again', async () => {
	const store = createTestStore();
	await store.openNamespace('CONFIG');
	const opened = openedIn(store);
	await store.state().peekAt('site', opened, store.signal);
	store.state().keyChanged({name: 'site'});
	expect(store.state().peek).toBeUndefined();
	await store.state().peekAt('site', opened, store.signal);
	store.state().keysGone(['site']);
	expect(store.state().peek).toBeUndefined();
});
