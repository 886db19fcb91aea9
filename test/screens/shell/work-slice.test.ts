import {expect, test} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import {createKey} from '../../../source/keyboard/key.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {minMessageMs} from '../../../source/screens/messages/slice.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

test('running work is listed until it ends', async () => {
	const {state} = createTestStore();
	let finish = () => {};
	const run = state().work.run(
		'reading',
		'read',
		() =>
			new Promise(resolve => {
				finish = resolve;
			}),
	);
	expect(state().work.list.map(({label}) => label)).toEqual(['reading']);
	finish();
	expect(await run).toBe(true);
	expect(state().work.list).toEqual([]);
});

test('a failure becomes the message, and is marked as a failure', async () => {
	const {state} = createTestStore();
	const ended = await state().work.run('reading', 'read', async () => {
		throw new Failure('unreachable', 'The service cannot be reached.');
	});
	expect(ended).toBe(false);
	expect(state().messages.latest).toMatchObject({kind: 'failed', text: 'The service cannot be reached.'});
});

test('cancelling stops reads and leaves writes alone', async () => {
	const {state} = createTestStore();
	const signals: AbortSignal[] = [];
	const begin = (label: string, kind: 'read' | 'write') =>
		state().work.run(label, kind, signal => {
			signals.push(signal);
			return new Promise((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason)));
		});
	const read = begin('reading', 'read');
	void begin('writing', 'write');
	expect(state().work.cancelReads()).toBe(true);
	expect(await read).toBe(false);
	expect(signals.map(({aborted}) => aborted)).toEqual([true, false]);
	expect(state().messages.latest).toMatchObject({kind: 'said', text: 'Stopped: reading.'});
	expect(state().work.cancelReads()).toBe(false);
});

test('a wait of the client is listed until its call is abandoned', () => {
	const {state} = createTestStore();
	const controller = new AbortController();
	state().work.wait({
		why: 'The service failed.',
		attempt: 2,
		milliseconds: 60_000,
		signal: controller.signal,
	});
	expect(state().work.waits).toMatchObject([{why: 'The service failed.', attempt: 2}]);
	controller.abort();
	expect(state().work.waits).toEqual([]);
});

test.each([
	['read', undefined],
	['write', 'It failed.'],
] as const)('a failed %s, shown briefly, leaves %s on the next screen; a later key clears it', async (kind, text) => {
	let elapsed = 0;
	const testStore = createTestStore({simulate: true}, {elapsed: () => elapsed});
	const app = createTestApp(testStore);
	const {state} = testStore;
	const press = (name: string) => dispatch(app, createKey(name, name));
	const failWork = () =>
		state().work.run('working', kind, async () => {
			throw new Failure('unreachable', 'It failed.');
		});
	state().navigation.go('jobs');
	await failWork();
	press('j');
	expect(state().messages.latest?.text).toBe('It failed.');
	press('0');
	expect(getCurrentScreen(state())).toBe('home');
	expect(state().messages.latest?.text).toBe(text);
	await state().work.run('reading', 'read', async () => {});
	expect(state().messages.latest?.text).toBe(text);
	elapsed += minMessageMs;
	press('j');
	expect(state().messages.latest).toBeUndefined();
	await failWork();
	elapsed += minMessageMs;
	press('j');
	expect(state().messages.latest?.text).toBe('It failed.');
	state().navigation.go('jobs');
	press('0');
	expect(state().messages.latest).toBeUndefined();
});
