import {expect, test} from 'vitest';
import {openLocalStore} from '../../../source/kv/local/store.ts';
import {getCurrentKeyName} from '../../../source/screens/keys/cursor-row.ts';
import {formatKeysStatus} from '../../../source/screens/keys/view.tsx';
import {
	getCountsText,
	getRowNames,
	isComplete,
	isResting,
	listPrefixCalls,
	openCatalogue,
	openKeysScreen,
} from '../support/listed-keys.ts';
import {createTestStore} from '../support/store.ts';

test('a prefix is listed at the service in one call, far beyond what is listed', async () => {
	const testStore = await openCatalogue();
	const {state, until} = testStore;
	const callsBefore = listPrefixCalls(testStore);
	state().keys.filter('^toys/article:099');
	await until(isComplete);
	expect(listPrefixCalls(testStore)).toEqual([...callsBefore, 'toys/article:099']);
	expect(getRowNames(state())).toHaveLength(100);
	expect(getRowNames(state()).at(-1)).toBe('toys/article:09999');
	expect(getCountsText(testStore)).toBe('100 keys, listed by prefix');
	expect(formatKeysStatus(state())).toContain('100 keys');
});

test('a longer listing of a prefix goes on as the cursor moves, and says that there are more', async () => {
	const testStore = await openCatalogue();
	const {state, until} = testStore;
	state().keys.filter('^toys/');
	await until(isResting);
	expect(getCountsText(testStore)).toBe('1,000+ keys, listed by prefix');
	expect(formatKeysStatus(state())).toContain('1,000+ keys');
	state().keys.move(900);
	await until(({keys: {data: keys}}) => keys?.prefixKeys?.count === 2000 && keys.listing.state === 'resting');
	expect(getCountsText(testStore)).toBe('2,000+ keys, listed by prefix');
	state().keys.move(Number.POSITIVE_INFINITY);
	await until(isComplete);
	expect(getCountsText(testStore)).toBe('10,000 keys, listed by prefix');
	const keys = state().keys.data;
	expect(keys && getCurrentKeyName(keys)).toBe('toys/article:09999');
	expect(new Set(listPrefixCalls(testStore).slice(-9))).toEqual(new Set(['toys/']));
});

test('a stopped listing names the key that lists the rest', async () => {
	const {state, until} = await openCatalogue({faults: 'hang path=/keys after=12'});
	expect(formatKeysStatus(state())).toMatch(/ {2}1,000\+ keys, ctrl-l lists the rest$/);
	state().keys.move(Number.POSITIVE_INFINITY);
	await until(({keys: {data: keys}}) => keys?.index.count === 12_000);
	expect(formatKeysStatus(state())).toMatch(/ {2}12,000\+ keys, loading \(esc stops\)$/);
	expect(state().keys.clearFilters()).toBe(true);
	expect(state().messages.latest?.text).toBe(
		'Stopped: 12,000 keys listed, and there are more; ctrl-l goes on.',
	);
});

test('the tree of a prefix has the groups of its keys only, opened down to them', async () => {
	const testStore = await openCatalogue();
	const {state, until} = testStore;
	state().keys.arrange('tree');
	state().keys.filter('^toys/article:0999');
	await until(isComplete);
	expect(getRowNames(state())).toEqual([
		'toys/article:',
		...Array.from({length: 10}, (_, at) => `toys/article:0999${at}`),
	]);
	expect(state().keys.data?.rows.at(0)).toMatchObject({count: 10, complete: true, open: true});
	state().keys.closeGroup();
	expect(getRowNames(state())).toEqual(['toys/article:']);
});

test('the tree of a prefix is the same if all keys are listed', async () => {
	const testStore = await openCatalogue();
	const {state, until} = testStore;
	state().keys.arrange('tree');
	state().keys.listAll();
	await until(isComplete);
	state().keys.filter('^toys/article:0999');
	const names = ['toys/article:', ...Array.from({length: 10}, (_, at) => `toys/article:0999${at}`)];
	expect(getRowNames(state())).toEqual(names);
	await until(isComplete);
	expect(getRowNames(state())).toEqual(names);
	state().keys.closeGroup();
	expect(state().keys.toggleGroup()).toBe(true);
	expect(getRowNames(state())).toEqual(names);
	state().keys.filter('');
	expect(getRowNames(state())).toHaveLength(10_010);
});

test('a group of a prefix counts what is listed so far', async () => {
	const testStore = await openCatalogue();
	const {state, until} = testStore;
	state().keys.arrange('tree');
	state().keys.filter('^toys/');
	await until(isResting);
	expect(state().keys.data?.rows.at(0)).toMatchObject({
		prefix: 'toys/article:',
		count: 1000,
		complete: false,
	});
});

test('the loaded rows are filtered at once, before the call', async () => {
	const testStore = await openCatalogue();
	const {state, until} = testStore;
	state().keys.filter('^audio/article:0001');
	expect(getRowNames(state())).toHaveLength(10);
	expect(getCountsText(testStore)).toBe('10+ keys, listed by prefix');
	await until(isComplete);
	expect(getCountsText(testStore)).toBe('10 keys, listed by prefix');
});

test('while a prefix is typed, one call goes out when the typing rests', async () => {
	let endRest = () => {};
	const testStore = await openCatalogue({
		clock: {
			wait: (_milliseconds, signal) =>
				new Promise((resolve, reject) => {
					signal.addEventListener('abort', reject);
					endRest = resolve;
				}),
		},
	});
	const {state, until} = testStore;
	const callsBefore = listPrefixCalls(testStore);
	state().dialog.beginFilter();
	for (const text of ['^', '^t', '^to', '^toy', '^toys/article:09']) state().dialog.filter(text);
	endRest();
	await until(isComplete);
	expect(listPrefixCalls(testStore)).toEqual([...callsBefore, 'toys/article:09']);
});

test('enter sends the call at once', async () => {
	const testStore = await openCatalogue({clock: {wait: () => new Promise(() => {})}});
	const {state, until} = testStore;
	state().dialog.beginFilter();
	state().dialog.filter('^toys/article:09');
	expect(listPrefixCalls(testStore)).not.toContain('toys/article:09');
	state().dialog.endFilter();
	await until(isComplete);
	expect(listPrefixCalls(testStore).at(-1)).toBe('toys/article:09');
});

test('a lone ^ is no filter and sends nothing; a prefix that is deleted again while typing sends nothing', async () => {
	const testStore = await openCatalogue({clock: {wait: () => new Promise(() => {})}});
	const {state} = testStore;
	const callsBefore = listPrefixCalls(testStore);
	const rowsBefore = getRowNames(state());
	state().dialog.beginFilter();
	state().dialog.filter('^');
	expect(getRowNames(state())).toEqual(rowsBefore);
	expect(getCountsText(testStore)).toBe('');
	state().dialog.filter('^t');
	state().dialog.filter('^');
	state().dialog.endFilter();
	expect(getRowNames(state())).toEqual(rowsBefore);
	expect(state().keys.data?.listing.state).toBe('resting');
	expect(listPrefixCalls(testStore)).toEqual(callsBefore);
});

test('clearing the prefix returns to the full listing, which goes on where it stopped', async () => {
	const testStore = await openCatalogue();
	const {state, until} = testStore;
	state().keys.move(5);
	const before = getRowNames(state());
	state().keys.filter('^toys/article:099');
	await until(isComplete);
	const callCount = listPrefixCalls(testStore).length;
	expect(state().keys.clearFilters()).toBe(true);
	expect(getRowNames(state())).toEqual(before);
	expect(state().keys.data?.cursor).toBe(5);
	expect(state().keys.data?.listing.state).toBe('resting');
	expect(formatKeysStatus(state())).toContain('1,000+ keys');
	state().keys.move(990);
	await until(({keys: {data: keys}}) => keys?.index.count === 2000 && keys.listing.state === 'resting');
	expect(listPrefixCalls(testStore).slice(callCount)).toEqual([undefined]);
	expect(new Set(getRowNames(state())).size).toBe(2000);
});

test('a finished listing is not listed again after a prefix', async () => {
	const testStore = await openKeysScreen(createTestStore(), 'SESSIONS');
	const {state, until} = testStore;
	await until(isComplete);
	const before = getRowNames(state());
	state().keys.filter('^user:0000');
	await until(isComplete);
	expect(getRowNames(state()).length).toBeLessThan(before.length);
	const calls = listPrefixCalls(testStore);
	expect(calls.at(-1)).toBe('user:0000');
	state().keys.filter('');
	expect(getRowNames(state())).toEqual(before);
	expect(isComplete(state())).toBe(true);
	expect(listPrefixCalls(testStore)).toEqual(calls);
});

test('selected keys stay selected when the prefix is cleared, and the hidden ones under it', async () => {
	const testStore = await openCatalogue();
	const {state, until} = testStore;
	state().keys.toggleRowSelection();
	state().keys.filter('^toys/article:099');
	await until(isComplete);
	state().keys.toggleRowSelection();
	expect([...(state().keys.data?.index.listSelectedNames() ?? [])]).toEqual([
		'audio/article:00000',
		'toys/article:09900',
	]);
	state().keys.filter('');
	expect([...(state().keys.data?.index.listSelectedNames() ?? [])]).toEqual([
		'audio/article:00000',
		'toys/article:09900',
	]);
	state().keys.listAll();
	await until(isComplete);
	expect(state().keys.data?.index.count).toBe(100_000);
	expect(state().keys.data?.index.selectedCount).toBe(2);
});

test('\\^ searches for a literal ^ at the start of a text', async () => {
	const testStore = createTestStore({local: true});
	using store = openLocalStore({root: `${testStore.folder}/.wrangler/state/v3`, namespace: 'one'});
	await store.putMany(
		['^caret', 'a^caret', '\\^slash', 'caret'].map(key => ({key, value: 'v'})),
		testStore.signal,
	);
	const row = {name: 'local:one', where: 'local', id: 'one', title: 'one', bindings: []} as const;
	await testStore.state().keys.open(row, testStore.signal);
	void testStore.state().keys.list(testStore.signal);
	testStore.state().navigation.go('keys');
	await testStore.until(isComplete);
	testStore.state().keys.filter('\\^ca');
	await testStore.until(isComplete);
	expect(getRowNames(testStore.state())).toEqual(['^caret', 'a^caret']);
	expect(getCountsText(testStore)).toBe('2 of 4');
	testStore.state().keys.filter('^^ca');
	await testStore.until(isComplete);
	expect(getRowNames(testStore.state())).toEqual(['^caret']);
	// Local data has no service.
	expect(getCountsText(testStore)).toBe('1 key, prefix');
});

test('a prefix with characters of several bytes matches whole characters', async () => {
	const testStore = await openCatalogue();
	const {state, until, simulator} = testStore;
	const id = state().keys.data?.namespace.id ?? '';
	const account = state().keys.data?.opened.target.account ?? '';
	for (const name of ['größe:eins', 'größe:zwei', 'grütze', '日本:一', '日本:二', '日月'])
		await simulator.fetch(
			new Request(
				`http://service/client/v4/accounts/${account}/storage/kv/namespaces/${id}/values/${encodeURIComponent(name)}`,
				{method: 'PUT', body: 'v', headers: {authorization: 'Bearer simulated'}},
			),
		);
	state().keys.filter('^größ');
	await until(isComplete);
	expect(getRowNames(state())).toEqual(['größe:eins', 'größe:zwei']);
	state().keys.filter('^日本');
	await until(isComplete);
	expect(getRowNames(state())).toEqual(['日本:一', '日本:二']);
	expect(listPrefixCalls(testStore).slice(-2)).toEqual(['größ', '日本']);
	// The service compares bytes, so upper and lower case differ.
	state().keys.filter('^Größ');
	await until(isComplete);
	expect(getRowNames(state())).toEqual([]);
});

test('an answer that arrives after the prefix has changed is dropped', async () => {
	const testStore = await openCatalogue();
	const {state, until, simulator} = testStore;
	simulator.faults.replace('path=/keys times=1 latency=300');
	state().keys.filter('^toys/article:00');
	await until(({work: {list: work}}) => work.some(({label}) => label === 'loading keys'));
	state().keys.filter('^music/article:0000');
	await until(isComplete);
	expect(getRowNames(state())).toEqual(Array.from({length: 10}, (_, at) => `music/article:0000${at}`));
	const {index} = state().keys.data ?? {};
	expect(index?.find('toys/article:00000').isFound).toBe(false);
	expect(state().messages.latest?.kind).not.toBe('failed');
});

test('a page of the whole namespace on its way is dropped too, and read after the prefix', async () => {
	const testStore = await openCatalogue();
	const {state, until, simulator} = testStore;
	simulator.faults.replace('path=/keys times=1 latency=300');
	state().keys.move(990);
	await until(({work: {list: work}}) => work.some(({label}) => label === 'loading keys'));
	state().keys.filter('^music/article:0000');
	await until(isComplete);
	expect(getRowNames(state())).toHaveLength(10);
	expect(state().keys.data?.index.count).toBe(1010);
	state().keys.filter('');
	state().keys.move(1);
	await until(({keys: {data: keys}}) => keys?.index.count === 2000);
	expect(getRowNames(state()).at(-1)).toBe('audio/article:01999');
});

test('a refused call is reported; the list keeps what it had, and works on with another filter', async () => {
	const testStore = await openCatalogue();
	const {state, until, simulator} = testStore;
	simulator.faults.replace('path=/keys times=1 status=403');
	state().keys.filter('^audio/article:0001');
	await until(({keys: {data: keys}}) => keys?.listing.state === 'failed');
	expect(state().messages.latest?.kind).toBe('failed');
	expect(getRowNames(state())).toHaveLength(10);
	expect(getCountsText(testStore)).toBe('10+ keys, listed by prefix');
	expect(formatKeysStatus(state())).toContain('10+ keys, ctrl-r retries');
	state().keys.resumeListing();
	await until(isComplete);
	expect(getCountsText(testStore)).toBe('10 keys, listed by prefix');
	simulator.faults.replace('path=/keys times=1 status=403');
	state().keys.filter('^toys/');
	await until(({keys: {data: keys}}) => keys?.listing.state === 'failed');
	state().keys.filter('');
	expect(state().keys.data?.index.count).toBe(1000);
	state().keys.move(990);
	await until(({keys: {data: keys}}) => keys?.index.count === 2000);
});

test('a refresh lists the prefix again, and keeps it and the cursor', async () => {
	const testStore = await openCatalogue();
	const {state, until, openNamespace} = testStore;
	state().keys.filter('^toys/article:099');
	await until(isComplete);
	state().keys.move(42);
	await openNamespace('catalogue');
	await until(({keys: {data: keys}}) => keys !== undefined && isComplete(state()) && keys.cursor > 0);
	const keys = state().keys.data;
	expect(keys && getCurrentKeyName(keys)).toBe('toys/article:09942');
	expect(listPrefixCalls(testStore).slice(-2)).toEqual(['toys/article:099', 'toys/article:099']);
	state().keys.filter('');
	await until(isResting);
	expect(getRowNames(state())[0]).toBe('audio/article:00000');
});

test('a key that is written under a prefix appears in the list, and one that is deleted disappears', async () => {
	const testStore = await openCatalogue();
	const {state, until} = testStore;
	state().keys.filter('^toys/article:0999');
	await until(isComplete);
	state().keys.noticeChanges([{name: 'toys/article:0999x'}]);
	expect(getRowNames(state())).toHaveLength(11);
	// A key before the prefix moves its range.
	state().keys.noticeChanges([{name: 'audio/a'}], 'stays');
	expect(getRowNames(state())).toHaveLength(11);
	state().keys.noticeDeletion(['toys/article:09990', 'audio/a']);
	expect(getRowNames(state())[0]).toBe('toys/article:09991');
	expect(getCountsText(testStore)).toBe('10 keys, listed by prefix');
	state().keys.arrange('tree');
	await until(isComplete);
	state().keys.noticeChanges([{name: 'audio/b'}], 'stays');
	expect(getRowNames(state()).at(-1)).toBe('toys/article:0999x');
});

test('the keys of a prefix are sorted by expiration too', async () => {
	const testStore = await openKeysScreen(createTestStore(), 'SESSIONS');
	const {state, until} = testStore;
	state().keys.sort('expiry');
	state().keys.filter('^user:0000');
	await until(isComplete);
	const keys = state().keys.data;
	const expirations = Array.from({length: keys?.rows.count ?? 0}, (_, at) => {
		const row = keys?.rows.at(at);
		return row?.kind === 'key' ? keys?.index.getExpiration(row.position) : undefined;
	});
	expect(expirations.length).toBeGreaterThan(1);
	expect(expirations).toEqual(expirations.toSorted((one, other) => Number(one) - Number(other)));
	expect(getRowNames(state()).every(name => name?.startsWith('user:0000'))).toBe(true);
});

test('a search and a comparison of the keys of a prefix list only these, in each store', async () => {
	const testStore = await openKeysScreen(createTestStore(), 'SESSIONS');
	const {state, signal} = testStore;
	const namespace = state().keys.data?.namespace;
	if (!namespace) throw new Error('No namespace is open.');
	const keys = {kind: 'prefix', prefix: 'user:0000'} as const;
	const callCount = listPrefixCalls(testStore).length;
	state().navigation.go('search');
	await state().search.begin({namespace, keys, total: undefined, pattern: 'user', mode: 0});
	expect(state().search.data?.searched).toBeGreaterThan(0);
	await state().compare.begin(namespace, keys, 'simulated:SESSIONS_preview', signal);
	expect(state().compare.data?.phase.name).toBe('done');
	expect(listPrefixCalls(testStore).slice(callCount)).toEqual(['user:0000', 'user:0000', 'user:0000']);
});
