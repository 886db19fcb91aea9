import {describe, expect, test} from 'vitest';
import {createInterruptedFailure} from '../../../source/failure.ts';
import type {KvStore, WriteOptions} from '../../../source/kv/store.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {formatKeyStatus} from '../../../source/screens/key/status.ts';
import {formatKeysStatus, Keys} from '../../../source/screens/keys/view.tsx';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import type {SessionOptions} from '../../../source/session/parts.ts';
import {createTestApp, type Drawn, draw} from '../support/drawn.tsx';
import {getRowNames, isComplete} from '../support/listed-keys.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

/**
 * A clock whose waits end when the test says so. Only they take time: on a busy machine a read would take
 * longer than the time between two, which then grows.
 */
function createHeldWaits() {
	const pending = new Set<() => void>();
	let announce: () => void = () => {};
	let time = 0;
	return {
		elapsed: () => time,
		wait(milliseconds: number, signal: AbortSignal): Promise<void> {
			return new Promise((resolve, reject) => {
				const finish = () => {
					pending.delete(finish);
					time += milliseconds;
					resolve();
				};
				signal.addEventListener('abort', () => {
					pending.delete(finish);
					reject(createInterruptedFailure());
				});
				pending.add(finish);
				announce();
			});
		},
		/** Waits until a read is done and the next one is waited for. */
		async untilRead(): Promise<void> {
			if (pending.size === 0)
				await new Promise<void>(resolve => {
					announce = resolve;
				});
		},
		/** Lets the waits end, and resolves when the next read is done. */
		async readAgain(): Promise<void> {
			for (const finish of [...pending]) finish();
			await this.untilRead();
		},
		countPending: () => pending.size,
	};
}

type WatchedScreen = Omit<TestStore, 'signal'> & {
	readonly waits: ReturnType<typeof createHeldWaits>;
	press(...names: readonly string[]): void;
	/** Writes as another program does. */
	put(key: string, text: string, options?: WriteOptions): Promise<void>;
	remove(key: string): Promise<unknown>;
	draw(): Drawn;
};

/** Opens CONFIG of the simulated service, or local data with the keys a, b and c, on the screen of its keys. */
async function openWatched(options: SessionOptions = {simulate: true}, faults = ''): Promise<WatchedScreen> {
	const waits = createHeldWaits();
	const testStore = createTestStore(options, {faults, clock: waits});
	const {state, signal} = testStore;
	const app = createTestApp(testStore);
	const getStore = (): KvStore => {
		const keys = state().keys.data;
		if (!keys) throw new TypeError('No namespace is open.');
		return keys.opened.store;
	};
	if (options.local) {
		const namespace = {name: 'local:one', where: 'local', id: 'one', title: 'one', bindings: []} as const;
		await state().keys.open(namespace, signal);
		for (const key of ['a', 'b', 'c']) await getStore().put(key, Buffer.from(key), {}, signal);
		void state().work.run('listing', 'background', () => state().keys.list(signal));
	} else await testStore.openNamespace('CONFIG');
	state().navigation.go('keys');
	state().keys.arrange('flat');
	await testStore.until(isComplete);
	return {
		...testStore,
		waits,
		press(...names) {
			for (const name of names) dispatch(app, {name, text: '', sequence: ''});
		},
		put: (key, text, writeOptions = {}) => getStore().put(key, Buffer.from(text), writeOptions, signal),
		remove: key => getStore().delete(key, signal),
		draw: () => draw(app, <Keys />),
	};
}

const getMarks = ({state}: WatchedScreen) => Object.fromEntries(state().watch.marks?.kinds ?? []);

const getCursorName = ({state}: WatchedScreen) => getRowNames(state())[state().keys.data?.cursor ?? 0];

describe.each([
	{local: true},
	{simulate: true},
] satisfies SessionOptions[])('the list of keys, %o', options => {
	test('shows and marks what others change, and the cursor stays on its key', async () => {
		const screen = await openWatched(options);
		const [first = '', second = '', third = ''] = getRowNames(screen.state()) as string[];
		screen.press('j', 'W');
		await screen.waits.untilRead();
		await screen.put('!new', '1', {metadata: {by: 'other'}});
		await screen.put(third, 'other value', {metadata: {by: 'other'}});
		await screen.remove(first);
		await screen.waits.readAgain();
		expect(getMarks(screen)).toEqual({'!new': 'added', [first]: 'deleted', [third]: 'changed'});
		// A deleted key stays in the list until it was looked at.
		expect(getRowNames(screen.state()).slice(0, 4)).toEqual(['!new', first, second, third]);
		expect(getCursorName(screen)).toBe(second);
		const keys = screen.state().keys.data;
		expect(keys?.index.getMetadata(keys.index.find(third).position)).toBe('{"by":"other"}');
		await screen.waits.readAgain();
		expect(getMarks(screen)).toEqual({'!new': 'added', [first]: 'deleted', [third]: 'changed'});
	});
});

describe('the list of keys', () => {
	test('has a sign per change, which goes when the cursor leaves its row', async () => {
		const screen = await openWatched({local: true});
		const drawn = screen.draw();
		screen.press('W');
		await screen.waits.untilRead();
		await screen.put('b', 'other');
		await screen.put('d', 'new');
		await screen.remove('c');
		await screen.waits.readAgain();
		const readSigns = (rows: readonly string[]) => rows.slice(1).flatMap(row => row.match(/^.*?\w/) ?? []);
		await drawn.until(rows => readSigns(rows).join() === ' ▸  a,~   b,-   c,+   d');
		screen.press('j');
		await drawn.until(rows => readSigns(rows).join() === '    a,~▸  b,-   c,+   d');
		screen.press('j');
		await drawn.until(rows => readSigns(rows).join() === '    a,    b,-▸  c,+   d');
		screen.press('j');
		await drawn.until(rows => readSigns(rows).join() === '    a,    b,+▸  d');
		expect(getCursorName(screen)).toBe('d');
		screen.press('k');
		await drawn.until(rows => readSigns(rows).join() === '    a, ▸  b,    d');
	});

	test('says in the status line how often it is read, until it is stopped', async () => {
		const screen = await openWatched({local: true});
		screen.press('W');
		await screen.waits.untilRead();
		expect(formatKeysStatus(screen.state())).toContain('watching every 5 s');
		screen.press('W');
		await screen.until(({watch: {active}}) => active === undefined);
		expect(formatKeysStatus(screen.state())).not.toContain('watching');
		expect(screen.waits.countPending()).toBe(0);
	});

	test.each([
		['leaving it', (screen: WatchedScreen) => screen.press('esc')],
		['opening a key', (screen: WatchedScreen) => screen.press('enter')],
		['another prefix', (screen: WatchedScreen) => screen.state().keys.filter('^a')],
	])('%s ends it', async (_what, leave) => {
		const screen = await openWatched({local: true});
		screen.press('W');
		await screen.waits.untilRead();
		leave(screen);
		await screen.until(({watch: {active}}) => active === undefined);
		expect(screen.state().messages.latest?.kind).not.toBe('failed');
	});

	test('leaving it for the editor says that it is no longer watched', async () => {
		const screen = await openWatched({local: true});
		screen.press('W');
		await screen.waits.untilRead();
		screen.press('e');
		await screen.until(
			state => getCurrentScreen(state) === 'editor' && state.messages.latest?.text === 'No longer watching.',
		);
		expect(screen.state().watch.active).toBeUndefined();
	});

	test('with a prefix is watched for this prefix', async () => {
		const screen = await openWatched({local: true});
		screen.state().keys.filter('^b');
		await screen.until(isComplete);
		screen.press('W');
		await screen.waits.untilRead();
		await screen.put('b2', '');
		await screen.put('c2', '');
		await screen.waits.readAgain();
		expect(getMarks(screen)).toEqual({b2: 'added'});
		expect(getRowNames(screen.state())).toEqual(['b', 'b2']);
	});

	test('waits while a question or the filter is in front', async () => {
		const screen = await openWatched({local: true});
		screen.press('W');
		await screen.waits.untilRead();
		screen.state().dialog.beginFilter();
		await screen.put('d', '');
		await screen.waits.readAgain();
		expect(getMarks(screen)).toEqual({});
		screen.state().dialog.endFilter();
		await screen.waits.readAgain();
		expect(getMarks(screen)).toEqual({d: 'added'});
	});

	test('what this session writes is not marked', async () => {
		const screen = await openWatched();
		const {state} = screen;
		screen.press('W');
		await screen.waits.untilRead();
		await screen.put('mine', '', {metadata: 1});
		state().keys.noticeChanges([{name: 'mine', metadata: 1}], 'stays');
		await screen.remove('site');
		state().keys.noticeDeletion(['site']);
		await screen.waits.readAgain();
		expect(getMarks(screen)).toEqual({});
	});

	test('says what must be done first if not all keys are listed', async () => {
		const screen = await openWatched();
		await screen.openNamespace('catalogue');
		await screen.until(({keys: {data: keys}}) => keys?.listing.state === 'resting');
		screen.press('W');
		expect(screen.state().messages.latest?.text).toContain('list all keys first');
		expect(screen.state().watch.active).toBeUndefined();
	});

	test('a failed read is reported once, and what happened meanwhile is shown afterwards', async () => {
		const screen = await openWatched({simulate: true}, 'status=503 path=/keys after=2 times=10');
		screen.press('W');
		await screen.waits.untilRead();
		await screen.put('new', '', {metadata: 1});
		// Each wait of a retry ends, too.
		while (!screen.state().watch.active?.failure) await screen.waits.readAgain();
		expect(formatKeysStatus(screen.state())).toContain('watching: failed, retries after 10 s');
		while (screen.state().watch.active?.failure) await screen.waits.readAgain();
		expect(getMarks(screen)).toEqual({new: 'added'});
	});
});

describe('the value', () => {
	async function openValue(): Promise<WatchedScreen> {
		const screen = await openWatched({local: true});
		await screen.put('a', '{"one": 1, "two": 2}');
		screen.press('enter');
		await screen.until(({key: {data: key}}) => key?.view !== undefined);
		screen.press('W');
		await screen.waits.untilRead();
		return screen;
	}

	test('is shown as others change it; the cursor stays on its field', async () => {
		const screen = await openValue();
		screen.press('j', 'j');
		expect(formatKeyStatus(screen.state())).toContain('$.two');
		await screen.put('a', '{"one": 1, "two": 22}', {metadata: {by: 'other'}});
		await screen.waits.readAgain();
		expect(Buffer.from(screen.state().key.data?.wholeKey?.bytes ?? []).toString()).toContain('22');
		expect(screen.state().key.data?.wholeKey?.metadata).toEqual({by: 'other'});
		const status = formatKeyStatus(screen.state());
		expect(screen.state().messages.latest?.text).toMatch(
			/^Changed at \d\d:\d\d:\d\d UTC by somebody else, 20 → 21 bytes\.$/,
		);
		expect(status).toMatch(/^watching every 5 s: changed \d\d:\d\d:\d\d UTC, 20 → 21 bytes {3}\$\.two/);
		await screen.put('a', '{"one": 1, "two": 22}');
		await screen.waits.readAgain();
		expect(screen.state().key.data?.wholeKey?.metadata).toBeNull();
	});

	test('may be deleted, and come back', async () => {
		const screen = await openValue();
		await screen.remove('a');
		await screen.waits.readAgain();
		expect(screen.state().key.data?.reading).toBe('absent');
		expect(screen.state().messages.latest?.text).toMatch(/^Deleted or expired at \d\d:\d\d:\d\d UTC\.$/);
		expect(getRowNames(screen.state())).toEqual(['b', 'c']);
		await screen.put('a', 'back');
		await screen.waits.readAgain();
		expect(screen.state().key.data?.reading).toBe('read');
		expect(screen.state().messages.latest?.text).toContain('Added at ');
		expect(getRowNames(screen.state())).toEqual(['a', 'b', 'c']);
	});

	test('is not touched while it is edited', async () => {
		const screen = await openValue();
		screen.press('e');
		await screen.until(state => getCurrentScreen(state) === 'editor' && state.watch.active === undefined);
		await screen.put('a', '{"one": 3}');
		expect(screen.waits.countPending()).toBe(0);
		expect(Buffer.from(screen.state().key.data?.wholeKey?.bytes ?? []).toString()).toContain('"two"');
	});
});
