import {describe, expect, test} from 'vitest';
import {type Hit, type Search, search} from '../../../source/kv/transfer/search.ts';
import {MemoryStore} from '../support/memory-store.ts';
import {failureOf} from '../support/workspace.ts';

const never = new AbortController().signal;

function store(): MemoryStore {
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

async function hits(what: Partial<Search> & {pattern: string}): Promise<Hit[]> {
	const found: Hit[] = [];
	const asked = {isRegex: false, ignoresCase: false, within: 'both' as const, ...what};
	for await (const piece of search(store(), asked, never)) found.push(...piece.hits);
	return found;
}

const places = (found: readonly Hit[]) =>
	found.map(({key, in: where, line, offset}) => [key, where, line, offset]);

describe('a search', () => {
	test('finds a text in names and values, with line and offset', async () => {
		expect(places(await hits({pattern: 'Ann'}))).toEqual([
			['binary', 'value', undefined, 2],
			['user:ann', 'value', 2, 15],
		]);
	});

	test('takes a text as it is, and a regular expression as that', async () => {
		expect(places(await hits({pattern: 'a.c'}))).toEqual([['user:ann', 'value', 3, 24]]);
		expect(places(await hits({pattern: 'a.c', isRegex: true}))).toEqual([
			['user:ann', 'value', 3, 24],
			['user:bob', 'value', 1, 0],
		]);
	});

	test('is blind to case where it should be', async () => {
		expect(places(await hits({pattern: 'ann', ignoresCase: true, within: 'values'}))).toEqual([
			['user:ann', 'value', 2, 15],
			['user:bob', 'value', 1, 4],
		]);
	});

	test('in names alone reads no value, and below a prefix nothing else', async () => {
		const memory = store();
		const found: Hit[] = [];
		const asked = {
			pattern: 'r',
			isRegex: false,
			ignoresCase: false,
			within: 'names',
			prefix: 'user:',
		} as const;
		for await (const piece of search(memory, asked, never)) found.push(...piece.hits);
		expect(places(found)).toEqual([
			['user:ann', 'name', undefined, undefined],
			['user:bob', 'name', undefined, undefined],
		]);
		expect(memory.batches).toEqual([]);
	});

	test.each([{pattern: ''}, {pattern: '(', isRegex: true}])('refuses %j', async what => {
		expect(await failureOf(hits(what))).toMatchObject({code: 'usage'});
	});

	test('finds each character of a text that means something in an expression', async () => {
		const memory = new MemoryStore();
		const all = '$()*+./?[\\]^{|}-,#&~`"\'<>=!:;%@ ';
		memory.stored.set('k', {bytes: Buffer.from(`before ${all} behind`)});
		const asked = {pattern: all, isRegex: false, ignoresCase: true, within: 'values'} as const;
		const found: Hit[] = [];
		for await (const piece of search(memory, asked, never)) found.push(...piece.hits);
		expect(places(found)).toEqual([['k', 'value', 1, 7]]);
	});
});

test.each([
	'names',
	'values',
] as const)('an expression that comes to no end in %s is stopped', async within => {
	const store = new MemoryStore();
	const endless = `${'a'.repeat(60)}b`;
	store.stored.set('before', {bytes: Buffer.from('aaa')});
	store.stored.set(within === 'names' ? endless : 'key', {bytes: Buffer.from(endless)});
	const asked = {pattern: '(a+)+$', isRegex: true, ignoresCase: false, within, patience: 50};
	const walk = async () => {
		for await (const _piece of search(store, asked, new AbortController().signal));
	};
	const failure = await failureOf(walk());
	expect(failure).toMatchObject({
		code: 'timed_out',
		message: expect.stringContaining(within === 'names' ? endless : '"key"'),
	});
});
