import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Simulator} from '../../../source/simulator/simulator.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {getRunCount} from '../../support/full.ts';
import {ask, createClockedSimulator, getErrorCodes, json, makeNamespace} from '../asking.ts';

async function createNamespaceWith(keys: readonly string[]) {
	const {simulator} = createClockedSimulator({rateLimit: false});
	const path = await makeNamespace(simulator);
	await ask(
		simulator,
		`${path}/bulk`,
		json(
			'PUT',
			keys.map(key => ({key, value: 'v'})),
		),
	);
	return {simulator, path};
}

/** Lists the names of all pages, and the number of keys on each. */
async function listNames(simulator: Simulator, path: string, query: Record<string, string> = {}) {
	const listedNames: string[] = [];
	const counts: number[] = [];
	for (let cursor: string | undefined = ''; cursor !== undefined; ) {
		const parameters = new URLSearchParams({...query, ...(cursor && {cursor})});
		const {result, info} = await ask(simulator, `${path}/keys?${parameters}`);
		const page = (result as readonly JsonObject[]).map(({name}) => String(name));
		expect(info.count).toBe(page.length);
		listedNames.push(...page);
		counts.push(page.length);
		cursor = info.cursor ? String(info.cursor) : undefined;
	}
	return {found: listedNames, counts};
}

const sortByBytes = (keys: Iterable<string>) =>
	[...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

describe('the key list', () => {
	test('is sorted by the bytes of the names, not by UTF-16', async () => {
		const keys = ['b', 'a', 'B', 'é', 'z', '\uffff', '😀', 'aa', 'a\u0000', '-x', ' '];
		const {simulator, path} = await createNamespaceWith(keys);
		const {found: listedNames} = await listNames(simulator, path);
		expect(listedNames).toEqual(sortByBytes(keys));
		expect(listedNames.indexOf('\uffff')).toBeLessThan(listedNames.indexOf('😀'));
	});

	test('has an empty page and an empty cursor for an empty namespace', async () => {
		const {simulator, path} = await createNamespaceWith([]);
		const {result, info} = await ask(simulator, `${path}/keys?prefix=`);
		expect([result, info]).toEqual([[], {count: 0, cursor: ''}]);
	});

	test('has 1,000 keys per page by default, and no cursor on the last page', async () => {
		const {simulator, path} = await createNamespaceWith(
			Array.from({length: 2001}, (_, number) => `k${number}`),
		);
		expect((await listNames(simulator, path)).counts).toEqual([1000, 1000, 1]);
		expect((await listNames(simulator, path, {limit: '700'})).counts).toEqual([700, 700, 601]);
	});

	test('has no cursor on a last page that is exactly full', async () => {
		const {simulator, path} = await createNamespaceWith(
			Array.from({length: 20}, (_, number) => `k${number}`),
		);
		expect((await listNames(simulator, path, {limit: '10'})).counts).toEqual([10, 10]);
	});

	test.each([
		'9',
		'1001',
		'0',
		'-1',
		'10.5',
		'all',
		'',
	])('rejects limit=%s with 400 and 10028', async limit => {
		const {simulator, path} = await createNamespaceWith([]);
		const seen = await ask(simulator, `${path}/keys?limit=${limit}`);
		expect([seen.status, seen.errors]).toEqual([
			400,
			[{code: 10028, message: "list keys: 'invalid limit argument'"}],
		]);
	});

	test('accepts a cursor only for its own namespace and prefix', async () => {
		const {simulator, path} = await createNamespaceWith(
			Array.from({length: 30}, (_, number) => `k${number}`),
		);
		const other = await makeNamespace(simulator, 'other');
		const {info} = await ask(simulator, `${path}/keys?limit=10&prefix=k`);
		const cursor = String(info.cursor);
		expect((await ask(simulator, `${path}/keys?limit=10&prefix=k&cursor=${cursor}`)).status).toBe(200);
		for (const invalidPath of [
			`${path}/keys?cursor=${cursor}`,
			`${other}/keys?prefix=k&cursor=${cursor}`,
			`${path}/keys?prefix=k&cursor=${cursor}x`,
			`${path}/keys?prefix=k&cursor=k17`,
		]) {
			const seen = await ask(simulator, invalidPath);
			expect([seen.status, ...getErrorCodes(seen)]).toEqual([400, 10041]);
		}
	});

	test('accepts a cursor whose key has been deleted', async () => {
		const {simulator, path} = await createNamespaceWith(
			Array.from({length: 30}, (_, number) => `k${number + 10}`),
		);
		const {info} = await ask(simulator, `${path}/keys?limit=10`);
		await ask(simulator, `${path}/values/k19`, {method: 'DELETE'});
		const next = await ask(simulator, `${path}/keys?limit=10&cursor=${info.cursor}`);
		expect((next.result as readonly JsonObject[])[0]).toEqual({name: 'k20'});
	});

	test('fills its pages in spite of expired keys', async () => {
		const {simulator, clock} = createClockedSimulator();
		const path = await makeNamespace(simulator);
		const entries = Array.from({length: 40}, (_, number) => ({
			key: `k${number + 10}`,
			value: 'v',
			...(number % 2 && {expiration_ttl: 60}),
		}));
		await ask(simulator, `${path}/bulk`, json('PUT', entries));
		clock.now += 60_000;
		const {result, info} = await ask(simulator, `${path}/keys?limit=20`);
		expect(result).toHaveLength(20);
		expect(info.cursor).toBe('');
	});

	test('has every key with the prefix once and in order, at any page size', async () => {
		const name = fc.string({
			unit: fc.constantFrom('a', 'b', '/', 'é', '\u{10ffff}', '\u0000', '😀'),
			minLength: 1,
			maxLength: 6,
		});
		await fc.assert(
			fc.asyncProperty(
				fc.uniqueArray(name, {maxLength: 60}),
				fc.string({unit: fc.constantFrom('a', '/', 'é', '\u{10ffff}', '😀'), maxLength: 2}),
				fc.integer({min: 10, max: 20}),
				async (keys, prefix, limit) => {
					const {simulator, path} = await createNamespaceWith(keys);
					const {found: listedNames} = await listNames(simulator, path, {prefix, limit: String(limit)});
					expect(listedNames).toEqual(sortByBytes(keys.filter(key => key.startsWith(prefix))));
					simulator.close();
				},
			),
			{numRuns: getRunCount(60)},
		);
	});
});
