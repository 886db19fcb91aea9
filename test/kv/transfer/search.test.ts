import {describe, expect, test} from 'vitest';
import {type Hit, type Search, searchStore} from '../../../source/kv/transfer/search.ts';
import {createSeededRandom, getTestSeed} from '../../support/seed.ts';
import {MemoryStore} from '../support/memory-store.ts';
import {failureOf} from '../support/workspace.ts';

const neverAborted = new AbortController().signal;

function createStore(): MemoryStore {
	const memory = new MemoryStore();
	const values: Record<string, string | Buffer> = {
		'user:ann': 'line one\nname: Ann\nlast a.c',
		'user:bob': 'abc ANN',
		binary: Buffer.from([0xff, 0xfe, 0x41, 0x6e, 0x6e, 0x00]),
		empty: '',
	};
	for (const [key, value] of Object.entries(values)) memory.stored.set(key, {bytes: Buffer.from(value)});
	return memory;
}

async function findHits(what: Partial<Search> & {pattern: string}): Promise<Hit[]> {
	const found: Hit[] = [];
	const search = {isRegex: false, ignoresCase: false, within: 'both' as const, ...what};
	for await (const piece of searchStore(createStore(), search, neverAborted)) found.push(...piece.hits);
	return found;
}

const toLocations = (found: readonly Hit[]) =>
	found.map(({key, in: where, line, offset}) => [key, where, line, offset]);

describe('a search', () => {
	test('finds a text in names and values, with line and offset', async () => {
		expect(toLocations(await findHits({pattern: 'Ann'}))).toEqual([
			['binary', 'value', undefined, 2],
			['user:ann', 'value', 2, 15],
		]);
	});

	test('takes text literally, and a regular expression as such', async () => {
		expect(toLocations(await findHits({pattern: 'a.c'}))).toEqual([['user:ann', 'value', 3, 24]]);
		expect(toLocations(await findHits({pattern: 'a.c', isRegex: true}))).toEqual([
			['user:ann', 'value', 3, 24],
			['user:bob', 'value', 1, 0],
		]);
	});

	test('finds compact JSON for a text as ledge shows it, in values only, and not across prose', async () => {
		const memory = new MemoryStore();
		for (const [key, value] of Object.entries({
			compact: '{"stock":41,"tags":["a","b"]}',
			formatted: '{\n  "stock": 41\n}',
			'name:"stock":41': 'a,b',
		}))
			memory.stored.set(key, {bytes: Buffer.from(value)});
		const findKeys = async (pattern: string, ignoresCase = false) => {
			const keys: string[] = [];
			const search = {pattern, ignoresCase, isRegex: false, within: 'both'} as const;
			for await (const piece of searchStore(memory, search, neverAborted))
				keys.push(...piece.hits.map(({key}) => key));
			return keys;
		};
		expect(await findKeys('"stock": 4')).toEqual(['compact', 'formatted']);
		expect(await findKeys('"STOCK": 4', true)).toEqual(['compact', 'formatted']);
		expect(await findKeys('[ "a", "b" ]')).toEqual(['compact']);
		expect(await findKeys('"stock":4')).toEqual(['compact', 'name:"stock":41']);
		expect(await findKeys('a, b')).toEqual([]);
	});

	test('ignores case if asked to', async () => {
		expect(toLocations(await findHits({pattern: 'ann', ignoresCase: true, within: 'values'}))).toEqual([
			['user:ann', 'value', 2, 15],
			['user:bob', 'value', 1, 4],
		]);
	});

	test('of names alone reads no value, and below a prefix reads nothing else', async () => {
		const memory = createStore();
		const found: Hit[] = [];
		const search = {
			pattern: 'r',
			isRegex: false,
			ignoresCase: false,
			within: 'names',
			prefix: 'user:',
		} as const;
		for await (const piece of searchStore(memory, search, neverAborted)) found.push(...piece.hits);
		expect(toLocations(found)).toEqual([
			['user:ann', 'name', undefined, undefined],
			['user:bob', 'name', undefined, undefined],
		]);
		expect(memory.batches).toEqual([]);
	});

	test('gives the position of the match in the excerpt, and shortens a long line around it', async () => {
		const memory = new MemoryStore();
		memory.stored.set('k', {bytes: Buffer.from(`${'x'.repeat(5000)}Näme${'y'.repeat(5000)}`)});
		memory.stored.set('l', {bytes: Buffer.from([0xff, 0xc3, 0xa4, 0x6d])});
		const found: Hit[] = [];
		const search = {pattern: 'ä', isRegex: false, ignoresCase: false, within: 'values'} as const;
		for await (const piece of searchStore(memory, search, neverAborted)) found.push(...piece.hits);
		expect(found.map(({excerpt, match}) => excerpt.slice(match.offset, match.offset + match.length))).toEqual(
			['ä', 'Ã¤'],
		);
		expect(found[0]?.excerpt).toHaveLength(121);
	});

	test('counts the matches of a value beyond the limit', async () => {
		const memory = new MemoryStore();
		memory.stored.set('k', {bytes: Buffer.from('hit\n'.repeat(10))});
		memory.stored.set('l', {bytes: Buffer.from('hit')});
		const search = {
			pattern: 'hit',
			isRegex: false,
			ignoresCase: true,
			within: 'values',
			maxHitsPerValue: 3,
		} as const;
		const pieces = await Array.fromAsync(searchStore(memory, search, neverAborted));
		expect(pieces.flatMap(({hits}) => hits.map(({key, line}) => [key, line]))).toEqual([
			['k', 1],
			['k', 2],
			['k', 3],
			['l', 1],
		]);
		expect(pieces.reduce((sum, {hitCount}) => sum + hitCount, 0)).toBe(11);
	});

	test('resumes from any reported position, with nothing missing and nothing twice', async () => {
		const memory = new MemoryStore();
		const name = (at: number) => `k${String(at).padStart(5, '0')}`;
		for (let at = 0; at < 2500; at++)
			memory.stored.set(name(at), {bytes: Buffer.from(at % 7 === 0 ? `hit ${'x'.repeat(3000)}` : 'no')});
		const search = {pattern: 'hit', isRegex: false, ignoresCase: false, within: 'values'} as const;
		const pieces = await Array.fromAsync(searchStore(memory, search, neverAborted));
		const all = pieces.flatMap(({hits}) => hits.map(({key}) => key));
		expect(all).toEqual(Array.from({length: 358}, (_, at) => name(at * 7)));
		expect(pieces.length).toBeGreaterThan(2);
		let before: string[] = [];
		for (const {hits, position} of pieces) {
			before = [...before, ...hits.map(({key}) => key)];
			const rest = await Array.fromAsync(searchStore(memory, {...search, from: position}, neverAborted));
			expect([...before, ...rest.flatMap(piece => piece.hits.map(({key}) => key))]).toEqual(all);
		}
	});

	test.each([{pattern: ''}, {pattern: '(', isRegex: true}])('refuses %j', async what => {
		expect(await failureOf(findHits(what))).toMatchObject({code: 'usage'});
	});

	test('finds every character that is special in a regular expression', async () => {
		const memory = new MemoryStore();
		const specialCharacters = '$()*+./?[\\]^{|}-,#&~`"\'<>=!:;%@ ';
		memory.stored.set('k', {bytes: Buffer.from(`before ${specialCharacters} behind`)});
		const search = {pattern: specialCharacters, isRegex: false, ignoresCase: true, within: 'values'} as const;
		const found: Hit[] = [];
		for await (const piece of searchStore(memory, search, neverAborted)) found.push(...piece.hits);
		expect(toLocations(found)).toEqual([['k', 'value', 1, 7]]);
	});
});

test.each([
	'names',
	'values',
] as const)('a regular expression that takes too long in %s is stopped', async within => {
	const store = new MemoryStore();
	const slowText = `${'a'.repeat(60)}b`;
	store.stored.set('before', {bytes: Buffer.from('aaa')});
	store.stored.set(within === 'names' ? slowText : 'key', {bytes: Buffer.from(slowText)});
	const search = {pattern: '(a+)+$', isRegex: true, ignoresCase: false, within, timeoutMs: 250};
	const walk = async () => {
		for await (const _piece of searchStore(store, search, new AbortController().signal));
	};
	const failure = await failureOf(walk());
	expect(failure).toMatchObject({
		code: 'timed_out',
		message: expect.stringContaining(within === 'names' ? slowText : '"key"'),
	});
});

test('a text is found in the same lines as a regular expression for it', async () => {
	const random = createSeededRandom(getTestSeed());
	const pieces = ['a', 'b', 'ä', '名', '\n', '\r', ' ', '👩‍👩‍👧', 'ab'];
	const textOf = (length: number) =>
		Array.from({length}, () => pieces[Math.floor(random() * pieces.length)]).join('');
	for (let round = 0; round < 200; round++) {
		const memory = new MemoryStore();
		for (const key of ['k', 'l', 'm']) memory.stored.set(key, {bytes: Buffer.from(textOf(60))});
		const pattern = textOf(1 + Math.floor(random() * 3)).replaceAll('\n', 'a');
		const findAll = async (isRegex: boolean) => {
			const search = {pattern, isRegex, ignoresCase: round % 2 === 0, within: 'values'} as const;
			const all = await Array.fromAsync(searchStore(memory, search, neverAborted));
			return all.flatMap(({hits}) => hits);
		};
		expect(await findAll(false)).toEqual(await findAll(true));
	}
});

test('a value of many lines is searched in steps, and is one key with one position', async () => {
	const memory = new MemoryStore();
	memory.stored.set('k', {bytes: Buffer.from('line\n'.repeat(1_000_000))});
	const search = {
		pattern: 'x|line$',
		isRegex: true,
		ignoresCase: false,
		within: 'values',
		maxHitsPerValue: 2,
	} as const;
	const pieces = await Array.fromAsync(searchStore(memory, search, neverAborted));
	expect(pieces.length).toBeGreaterThan(3);
	expect(pieces.filter(({position}) => position !== undefined)).toEqual([
		expect.objectContaining({keyCount: 1, hitCount: 1_000_000, position: {after: 'k', cursor: undefined}}),
	]);
});
