import {gzipSync} from 'node:zlib';
import {describe, expect, test} from 'vitest';
import {getCurrentField} from '../../../source/screens/key/slice.ts';
import {formatJsonPath, getFieldAtCursor, getFieldText} from '../../../source/screens/key/tree.ts';
import type {KeyView} from '../../../source/screens/key/value-view.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const end = Number.POSITIVE_INFINITY;

/** A store on the simulated service in which a key with this value is open. */
async function openKeyWithValue(
	value: string | Uint8Array,
	faults = '',
): Promise<TestStore & {view(): KeyView}> {
	const testStore = createTestStore({simulate: true}, {faults});
	const {state, openNamespace, signal} = testStore;
	await openNamespace('assets');
	await state().keys.data?.opened.store.put('it', Buffer.from(value), {metadata: {v: 2}}, signal);
	await state().key.open('it', signal);
	return {
		...testStore,
		view() {
			const view = state().key.data?.view;
			if (!view) throw new Error('There is no value.');
			return view;
		},
	};
}

const json = (value: unknown) => JSON.stringify(value, undefined, 2);
const personJson = json({
	name: 'Ada',
	roles: ['admin', 'ops'],
	address: {town: 'London', zip: null},
	seen: 1.5,
});
const getCursorPath = ({state}: TestStore) => formatJsonPath(getCurrentField(state())?.path ?? ['nowhere']);

test('a key is read whole, and JSON is shown as a tree', async () => {
	const {state, view} = await openKeyWithValue(personJson);
	expect(state().key.data).toMatchObject({reading: 'read', wholeKey: {metadata: {v: 2}}});
	expect(view()).toMatchObject({kind: 'json', form: 'json'});
});

test.each([
	['text', 'hello', ['text', 'hex']],
	['text', '{"broken":', ['text', 'hex']],
	['text', '', ['text', 'hex']],
	['binary', new Uint8Array([0x89, 0x50, 0xff]), ['hex', 'text']],
	['binary', 'a\0b', ['hex', 'text']],
] as const)('a value is recognized by its content as %s', async (kind, value, forms) => {
	const {view} = await openKeyWithValue(value);
	expect(view()).toMatchObject({kind, forms, form: forms[0]});
});

test('tab cycles through the forms, and the cursor stays on the same part of the value', async () => {
	const store = await openKeyWithValue(personJson);
	const {state, view} = store;
	state().key.move(4);
	expect(getCursorPath(store)).toBe('$.roles[1]');
	state().key.changeForm(1);
	expect(view().form).toBe('text');
	expect(view().lines.at(view().cursors.text)?.text).toContain('"ops"');
	state().key.changeForm(1);
	expect(view().form).toBe('hex');
	expect(view().cursors.hex).toBe(Math.floor(personJson.indexOf('"ops"') / 16) * 16);
	state().key.changeForm(1);
	expect(view()).toMatchObject({form: 'json', cursors: {json: 4}});
	state().key.changeForm(-1);
	state().key.move(end);
	state().key.changeForm(1);
	expect(view().form).toBe('json');
	expect(getCursorPath(store)).toBe('$.seen');
});

test('switching through the forms without moving restores the cursor', async () => {
	const {state, view} = await openKeyWithValue(JSON.stringify(Array.from({length: 300}, (_, at) => at)));
	state().key.move(100);
	for (let step = 0; step < 3; step++) state().key.changeForm(1);
	expect(view()).toMatchObject({form: 'json', cursors: {json: 100}});
});

test('the position in a very large text is found as far as the text has been laid out', async () => {
	const {state, view} = await openKeyWithValue(`a\0b${'line\n'.repeat(1_000_000)}`);
	expect(view().form).toBe('hex');
	state().key.move(1000);
	state().key.changeForm(1);
	const row = view().lines.at(view().cursors.text);
	expect(view().lines.getRowOffset(view().cursors.text)).toBeLessThanOrEqual(16_000);
	expect(row?.line).toBe(Math.floor((16_000 - 3) / 5) + 1);
});

test('the field under the cursor is shown with its position in the source', async () => {
	const store = await openKeyWithValue(personJson);
	store.state().key.move(4);
	const field = getCurrentField(store.state());
	expect(getCursorPath(store)).toBe('$.roles[1]');
	expect(field).toMatchObject({text: personJson, source: '"ops"', kind: 'string'});
	expect(field && getFieldText(field)).toBe('ops');
	if (field)
		expect(field.text.slice(field.nodes.start(field.node), field.nodes.end(field.node))).toBe('"ops"');
	store.state().key.move(end);
	expect(getCursorPath(store)).toBe('$');
	store.state().key.changeForm(1);
	expect(getCurrentField(store.state())).toBeUndefined();
});

test('left closes a field or goes to its parent, right opens it and goes into it', async () => {
	const store = await openKeyWithValue(personJson);
	const {state, view} = store;
	const rows = view().tree?.count ?? 0;
	state().key.move(4);
	state().key.moveSideways(-1);
	expect(getCursorPath(store)).toBe('$.roles');
	state().key.moveSideways(-1);
	expect(view().tree?.count).toBe(rows - 3);
	state().key.moveSideways(1);
	expect(view().tree?.count).toBe(rows);
	expect(getCursorPath(store)).toBe('$.roles');
	state().key.moveSideways(1);
	expect(getCursorPath(store)).toBe('$.roles[0]');
});

test('folding on a closing bracket closes its field and moves the cursor there', async () => {
	const store = await openKeyWithValue(personJson);
	store.state().key.move(5);
	expect(store.view().tree?.at(5)?.shape).toBe('end');
	store.state().key.toggleFold();
	expect(store.view().cursors.json).toBe(2);
	expect(store.view().tree?.at(2)).toMatchObject({shape: 'closed', childCount: 2});
});

test('all fields open and close at once, with the cursor on the same field or its parent', async () => {
	const store = await openKeyWithValue(personJson);
	const {state, view} = store;
	const rows = view().tree?.count;
	state().key.move(4);
	state().key.toggleAllFolds();
	expect(view().tree?.count).toBe(6);
	expect(getCursorPath(store)).toBe('$.roles');
	state().key.toggleAllFolds();
	expect(view().tree?.count).toBe(rows);
});

test('a refresh keeps the cursor and the folds if the content is the same', async () => {
	const store = await openKeyWithValue(personJson);
	const {state, view, signal} = store;
	state().key.move(2);
	state().key.toggleFold();
	state().key.move(3);
	expect(getCursorPath(store)).toBe('$.address.zip');
	const before = view();
	await state().key.open('it', signal);
	expect(view()).toBe(before);
	expect(getCurrentField(state())).toBeDefined();
	const longer = json({first: 1, ...JSON.parse(personJson), roles: ['one', 'two', 'three']});
	await state().keys.data?.opened.store.put('it', Buffer.from(longer), {}, signal);
	await state().key.open('it', signal);
	expect(getCursorPath(store)).toBe('$.address.zip');
	expect(view().tree?.at(3)).toMatchObject({shape: 'closed', childCount: 3});
});

test('a value written here is shown without reading it, and a deleted one is gone', async () => {
	const store = await openKeyWithValue(personJson);
	const {state, view} = store;
	state().key.move(1);
	const calls = state().activity.data.count.all;
	const bytes = Buffer.from(personJson.replace('Ada', 'Bo'));
	state().key.noticeWrite({bytes, metadata: null, expiration: 99});
	expect(state().key.data).toMatchObject({reading: 'read', wholeKey: {bytes, expiration: 99}});
	expect(getCurrentField(state())?.source).toBe('"Bo"');
	expect(view().cursors.json).toBe(1);
	state().key.noticeWrite(undefined);
	expect(state().key.data).toMatchObject({reading: 'absent', wholeKey: undefined, view: undefined});
	expect(state().activity.data.count.all).toBe(calls);
});

test('a large value written here is laid out in the background', async () => {
	const {state, until} = await openKeyWithValue(personJson);
	const bytes = Buffer.from(JSON.stringify(Array.from({length: 60_000}, (_, at) => ({at}))));
	state().key.noticeWrite({bytes, metadata: null});
	expect(state().key.data?.wholeKey?.bytes).toBe(bytes);
	expect(getCurrentField(state())).toBeUndefined();
	await until(({key: {data: key}}) => key?.view?.bytes === bytes);
	expect(getCurrentField(state())?.kind).toBe('array');
});

test('a missing key is reported as absent', async () => {
	const {state, openNamespace, signal} = createTestStore();
	await openNamespace('assets');
	await state().key.open('nothing', signal);
	expect(state().key.data).toMatchObject({reading: 'absent', wholeKey: undefined});
});

test('a failed read is shown in place of the value, and can be retried', async () => {
	const {state, openNamespace, signal} = createTestStore(
		{simulate: true},
		{faults: 'status=403 path=/values/ times=1'},
	);
	await openNamespace('CONFIG');
	await expect(state().key.open('site', signal)).rejects.toThrow();
	expect(state().key.data).toMatchObject({reading: 'failed', wholeKey: undefined});
	expect(state().key.data?.failure).toBeDefined();
	await state().key.open('site', signal);
	expect(state().key.data).toMatchObject({reading: 'read', failure: undefined});
});

test('a failed refresh keeps the value already read, and records the failure', async () => {
	const {state, signal, view} = await openKeyWithValue(
		personJson,
		'status=403 path=/values/ method=GET after=1',
	);
	await expect(state().key.open('it', signal)).rejects.toThrow();
	expect(state().key.data).toMatchObject({reading: 'read'});
	expect(state().key.data?.failure).toBeDefined();
	expect(view().kind).toBe('json');
});

test('a cancelled slow read changes nothing afterwards', async () => {
	const {state, openNamespace} = createTestStore({simulate: true}, {faults: 'hang path=/values/'});
	await openNamespace('CONFIG');
	const done = state().work.run('reading site', 'read', signal => state().key.open('site', signal));
	expect(state().key.data?.reading).toBe('reading');
	expect(state().work.cancelReads()).toBe(true);
	state().key.close();
	expect(await done).toBe(false);
	expect(state().key.data).toBeUndefined();
});

test('of two reads, the later one wins', async () => {
	const {state, openNamespace, signal} = createTestStore(
		{simulate: true},
		{faults: 'latency=30 path=/values/site times=1'},
	);
	await openNamespace('CONFIG');
	const slow = state().key.open('site', signal);
	await state().key.open('motd', signal);
	await slow;
	expect(state().key.data?.name).toBe('motd');
	expect(Buffer.from(state().key.data?.wholeKey?.bytes ?? []).toString()).toContain('delivery');
});

test('find moves to the field with the text, opens what hides it, and wraps around', async () => {
	const store = await openKeyWithValue(personJson);
	const {state} = store;
	state().key.toggleAllFolds();
	state().key.beginSearch();
	state().key.search('Lon');
	expect(getCursorPath(store)).toBe('$.address.town');
	state().key.search('zip');
	expect(getCursorPath(store)).toBe('$.address.zip');
	state().key.search('zipper');
	expect(state().key.data?.search?.isFound).toBe(false);
	expect(getCursorPath(store)).toBe('$');
	state().key.search('a');
	const seen: string[] = [];
	for (let step = 0; step < 5; step++) {
		seen.push(getCursorPath(store));
		state().key.searchNext();
	}
	expect(seen).toEqual(['$.name', '$.roles[0]', '$.address', '$.name', '$.roles[0]']);
	expect(state().key.endSearch()).toBe(true);
	expect(state().key.endSearch()).toBe(false);
});

test('find moves to the previous match, and from the first to the last', async () => {
	const store = await openKeyWithValue(personJson);
	const {state} = store;
	state().key.beginSearch();
	state().key.search('a');
	const seen: string[] = [];
	for (let step = 0; step < 4; step++) {
		seen.push(getCursorPath(store));
		state().key.searchNext('previous');
	}
	expect(seen).toEqual(['$.name', '$.address', '$.roles[0]', '$.name']);
	expect(state().messages.latest?.text).toBe('Search continued from the end.');
	state().key.searchNext();
	expect(getCursorPath(store)).toBe('$.name');
});

test('find moves to the previous match in text', async () => {
	const {state, view} = await openKeyWithValue('one\ntwo\nthree\ntwo again\n');
	state().key.beginSearch();
	state().key.search('two');
	const seen: number[] = [];
	for (let step = 0; step < 3; step++) {
		seen.push(view().cursors.text);
		state().key.searchNext('previous');
	}
	expect(seen).toEqual([1, 3, 1]);
});

test('find moves to the previous match in bytes', async () => {
	const {state, view} = await openKeyWithValue(`two ${'x'.repeat(100)} two`);
	state().key.beginSearch();
	state().key.search('two');
	state().key.changeForm(1);
	expect(view().cursors.hex).toBe(0);
	state().key.searchNext('previous');
	expect(view().cursors.hex).toBeGreaterThan(0);
	state().key.searchNext('previous');
	expect(view().cursors.hex).toBe(0);
});

test('clearing the search text returns to where the search began', async () => {
	const store = await openKeyWithValue(personJson);
	store.state().key.move(1);
	const before = store.view();
	store.state().key.beginSearch();
	store.state().key.search('zip');
	store.state().key.search('');
	expect(store.view()).toBe(before);
});

test('a search still being typed continues after a refresh', async () => {
	const store = await openKeyWithValue(personJson);
	const {state, signal} = store;
	state().key.beginSearch();
	state().key.search('zi');
	await state().key.open('it', signal);
	state().key.search('zip');
	expect(getCursorPath(store)).toBe('$.address.zip');
});

test('find works in text and in bytes', async () => {
	const {state, view} = await openKeyWithValue('one\ntwo\nthree\ntwo again\n');
	state().key.beginSearch();
	state().key.search('two');
	expect(view().cursors.text).toBe(1);
	state().key.searchNext();
	expect(view().cursors.text).toBe(3);
	state().key.searchNext();
	expect(view().cursors.text).toBe(1);
	state().key.changeForm(1);
	state().key.searchNext();
	expect(view().cursors.hex).toBe(0);
});

test('a match far to the right is scrolled into view, and one at the start of the line again', async () => {
	const {state, view} = await openKeyWithValue(`start ${'x'.repeat(300)} needle ${'y'.repeat(100)}\n`);
	state().key.beginSearch();
	state().key.search('needle');
	expect(view().scrolledColumns).toBeGreaterThan(307 - 80);
	expect(view().scrolledColumns).toBeLessThan(307);
	state().key.search('start');
	expect(view().scrolledColumns).toBe(0);
});

test('text scrolls sideways to the end of the longest line, and no further', async () => {
	const {state, view} = await openKeyWithValue(`${'x'.repeat(40)}\nshort`);
	for (let step = 0; step < 9; step++) state().key.moveSideways(1);
	expect(view().scrolledColumns).toBe(32);
	for (let step = 0; step < 9; step++) state().key.moveSideways(-1);
	expect(view().scrolledColumns).toBe(0);
});

test('hex keeps its byte when the window is resized', async () => {
	const {state, view} = await openKeyWithValue(new Uint8Array(1000).fill(7).fill(0, 0, 1));
	state().navigation.resize({columns: 200, rows: 60});
	state().key.move(10);
	expect(view().cursors.hex).toBe(320);
	state().navigation.resize({columns: 60, rows: 15});
	state().key.move(1);
	expect(view().cursors.hex).toBe(328);
	state().key.move(end);
	expect(view().cursors.hex).toBe(992);
});

test('a long text is laid out in steps, and the cursor jumps to its end once that is known', async () => {
	const lines = 400_000;
	const {state, view, until} = await openKeyWithValue('line\n'.repeat(lines));
	expect(view()).toMatchObject({kind: 'text', tree: undefined});
	expect(view().knownRows).toBeLessThan(lines);
	state().key.move(end);
	await until(({key: {data: key}}) => key?.view?.lines.isComplete === true && !key.view.followsEnd);
	expect(view()).toMatchObject({knownRows: lines + 1, cursors: {text: lines}});
	state().key.move(-end);
	expect(view().cursors.text).toBe(0);
});

test('page down goes beyond the part laid out so far', async () => {
	const {state, view} = await openKeyWithValue('line\n'.repeat(400_000));
	const {knownRows} = view();
	state().key.move(knownRows + 100);
	expect(view().cursors.text).toBe(knownRows + 100);
	expect(view().followsEnd).toBe(false);
});

test('a one-megabyte line is continued over rows', async () => {
	const {state, view, until} = await openKeyWithValue('x'.repeat(1_000_000));
	await until(({key: {data: key}}) => key?.view?.lines.isComplete === true);
	state().key.move(end);
	expect(view().lines.at(view().cursors.text)).toMatchObject({line: 1, isContinuation: true});
});

test('a megabyte of JSON becomes a tree in several steps', async () => {
	const {view} = await openKeyWithValue(JSON.stringify(Array.from({length: 100_000}, (_, at) => ({at}))));
	expect(view()).toMatchObject({kind: 'json', form: 'json'});
	expect(view().tree?.at(0)?.childCount).toBe(100_000);
});

test('a path is formatted with brackets around indexes and around names that need quotes', () => {
	expect(formatJsonPath([])).toBe('$');
	expect(formatJsonPath(['a', 0, 'b c', 'ключ', '"'])).toBe('$.a[0]["b c"].ключ["\\""]');
});

const buildLongLine = (at: number) => `line ${at} ${'word '.repeat(60)}end ${at}`;

/** The text of the row that the cursor is on. */
const getCursorRowText = ({view}: {view(): KeyView}) => view().lines.at(view().cursors.text)?.text ?? '';

describe('wrapped lines', () => {
	const text = Array.from({length: 50}, (_, at) => buildLongLine(at)).join('\n');

	test('fit within the columns, and the cursor stays on its text, back and forth', async () => {
		const store = await openKeyWithValue(text);
		const {state, view} = store;
		state().key.move(30);
		state().key.wrapText(true);
		expect(getCursorRowText(store)).toContain('line 30 ');
		expect(view().knownRows).toBeGreaterThan(200);
		for (let row = 0; row < view().knownRows; row++)
			expect(view().lines.at(row)?.text.length).toBeLessThanOrEqual(state().navigation.viewport.columns - 6);
		state().key.move(1);
		expect(getCursorRowText(store)).not.toContain('line 3');
		state().key.moveSideways(1);
		expect(view().scrolledColumns).toBe(0);
		state().key.wrapText(false);
		expect(view().lines.at(view().cursors.text)?.line).toBe(31);
		expect(view().knownRows).toBe(50);
	});

	test('follow the width of the terminal, and also apply to the next value', async () => {
		const store = await openKeyWithValue(text);
		const {state, view} = store;
		state().key.wrapText(true);
		state().key.move(end);
		const {knownRows} = view();
		state().navigation.resize({columns: 200, rows: 60});
		state().key.fitText();
		expect(view().knownRows).toBeLessThan(knownRows / 2);
		expect(getCursorRowText(store)).toContain('end 49');
		state().key.close();
		await state().key.open('it', store.signal);
		expect(view().lines.columns).toBeDefined();
		expect(view().lines.at(1)?.isContinuation).toBe(true);
	});

	test('are searched like other lines', async () => {
		const store = await openKeyWithValue(text);
		const {state} = store;
		state().key.wrapText(true);
		state().key.beginSearch();
		state().key.search('end 20');
		expect(getCursorRowText(store)).toContain('end 20');
		expect(state().key.data?.search?.isFound).toBe(true);
	});
});

describe('a match that a key was opened for', () => {
	test('is under the cursor in a tree even if its parents are closed, and n goes on', async () => {
		const store = await openKeyWithValue(personJson);
		const {state} = store;
		state().key.toggleAllFolds();
		state().key.toggleAllFolds();
		state().key.showMatch('it', 'o', personJson.indexOf('London') + 1);
		expect(getCursorPath(store)).toBe('$.address.town');
		state().key.searchNext();
		expect(getCursorPath(store)).toBe('$.roles');
		expect(state().key.endSearch()).toBe(false);
	});

	test('is on its row in text and in bytes', async () => {
		const text = `${'a needle\n'.repeat(40)}`;
		const store = await openKeyWithValue(text);
		store.state().key.showMatch('it', 'needle', 9 * 30 + 2);
		expect(store.view().cursors.text).toBe(30);
		const binary = await openKeyWithValue(Buffer.concat([Buffer.alloc(1000, 0xff), Buffer.from('needle')]));
		binary.state().key.showMatch('it', 'needle', 1000);
		expect(binary.view().cursors.hex).toBe(992);
	});

	test('is reported as missing if the value was changed meanwhile', async () => {
		const {state} = await openKeyWithValue('something else');
		state().key.showMatch('it', 'needle', 500);
		expect(state().key.data?.search).toMatchObject({query: 'needle', isFound: false});
		expect(state().messages.latest?.text).toContain('has changed since the search');
	});

	test('is not searched for in another key', async () => {
		const {state} = await openKeyWithValue('a needle');
		state().key.showMatch('other', 'needle', 2);
		expect(state().key.data?.search).toBeUndefined();
	});
});

describe('a value that is encoded', () => {
	const encodedPerson = gzipSync(personJson).toString('base64');

	test('is shown decoded, and tab goes through its forms and those of the stored bytes', async () => {
		const {state, view} = await openKeyWithValue(encodedPerson);
		const readForm = () => `${view().derivation ? 'decoded' : 'stored'} ${view().form}`;
		const forms = [readForm()];
		for (let step = 0; step < 4; step++) {
			state().key.changeForm(1);
			forms.push(readForm());
		}
		expect(forms).toEqual(['decoded json', 'decoded text', 'stored text', 'stored hex', 'decoded json']);
		state().key.changeForm(-1);
		expect(readForm()).toBe('stored hex');
		expect(view().derivation?.label ?? state().key.data?.otherView?.derivation?.label).toBe(
			'JSON in gzip in base64',
		);
	});

	test('keeps what is stored: a field of the decoded value is not one of the stored value', async () => {
		const {state} = await openKeyWithValue(encodedPerson);
		state().key.move(1);
		expect(getCurrentField(state())).toBeUndefined();
		expect(Buffer.from(state().key.data?.wholeKey?.bytes ?? []).toString()).toBe(encodedPerson);
	});

	test('keeps cursor and view when it is read again', async () => {
		const {state, view, signal} = await openKeyWithValue(encodedPerson);
		state().key.move(3);
		await state().key.open('it', signal);
		expect(view()).toMatchObject({form: 'json', cursors: {json: 3}, derivation: {}});
		state().key.changeForm(-1);
		await state().key.open('it', signal);
		expect(view()).toMatchObject({form: 'hex'});
		expect(view().derivation).toBeUndefined();
	});

	test('is decoded again after it was written', async () => {
		const {state, view} = await openKeyWithValue('plain');
		const wholeKey = state().key.data?.wholeKey;
		if (!wholeKey) throw new Error('There is no value.');
		state().key.noticeWrite({...wholeKey, bytes: Buffer.from(encodedPerson)});
		await expect.poll(() => view().derivation?.label).toBe('JSON in gzip in base64');
		state().key.noticeWrite({...wholeKey, bytes: Buffer.from('plain')});
		expect(view()).toMatchObject({kind: 'text', form: 'text'});
		expect(state().key.data?.otherView).toBeUndefined();
	});

	test('shows its stored bytes and the reason if it is damaged', async () => {
		const {state, view} = await openKeyWithValue(gzipSync(personJson).subarray(0, 30));
		expect(view()).toMatchObject({form: 'hex'});
		expect(state().key.data?.decodingProblem).toBe("The value can't be decoded as gzip: its end is missing.");
	});

	test('shows the stored bytes at a match of a search', async () => {
		const {state, view} = await openKeyWithValue(encodedPerson);
		state().key.showMatch('it', encodedPerson.slice(0, 8), 0);
		expect(view()).toMatchObject({kind: 'text', form: 'text'});
		expect(state().key.data?.search?.isFound).toBe(true);
	});

	test('is searched and copied as it is shown', async () => {
		const {state, view} = await openKeyWithValue(encodedPerson);
		state().key.beginSearch();
		state().key.search('London');
		expect(getFieldText(getFieldAtCursor(view()) ?? missingField())).toBe('London');
	});
});

describe('a query', () => {
	test('shows what it finds, and esc shows the value again', async () => {
		const {state, view} = await openKeyWithValue(personJson);
		state().key.move(2);
		await state().key.ask('roles[?starts_with(@, `"a"`)]');
		expect(view()).toMatchObject({
			form: 'json',
			derivation: {label: 'result of roles[?starts_with(@, `"a"`)]'},
		});
		expect(Buffer.from(view().bytes).toString()).toBe('[\n  "admin"\n]');
		expect(getCurrentField(state())).toBeUndefined();
		expect(state().key.endQuery()).toBe(true);
		expect(view()).toMatchObject({form: 'json', cursors: {json: 2}});
		expect(view().derivation).toBeUndefined();
		expect(state().key.endQuery()).toBe(false);
	});

	test('is asked again of the value, not of its result, and of what is read later', async () => {
		const {state, view, signal} = await openKeyWithValue(personJson);
		await state().key.ask('address');
		await state().key.ask('name');
		expect(Buffer.from(view().bytes).toString()).toBe('"Ada"');
		await state().keys.data?.opened.store.put('it', Buffer.from('{"name":"Bob"}'), {}, signal);
		await state().key.open('it', signal);
		await expect.poll(() => Buffer.from(view().bytes).toString()).toBe('"Bob"');
		state().key.endQuery();
		expect(Buffer.from(view().bytes).toString()).toBe('{"name":"Bob"}');
	});

	test('asks a decoded value, and returns to it', async () => {
		const {state, view} = await openKeyWithValue(gzipSync(personJson));
		await state().key.ask('seen');
		expect(Buffer.from(view().bytes).toString()).toBe('1.5');
		state().key.endQuery();
		expect(view().derivation?.label).toBe('JSON in gzip');
		expect(state().key.data?.otherView?.kind).toBe('binary');
	});

	test('says why a value cannot be queried', async () => {
		const {state, view} = await openKeyWithValue('hello');
		await state().key.ask('a');
		expect(view().derivation).toBeUndefined();
		expect(state().messages.latest?.text).toContain(
			"The value is not JSON, or nested too deeply, so it can't be queried.",
		);
	});
});

const missingField = (): never => {
	throw new Error('There is no field.');
};
