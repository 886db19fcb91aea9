import {mkdtempSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, onTestFinished, test} from 'vitest';
import {
	createSimulator,
	GeneratedKeys,
	type Simulator,
	type SimulatorOptions,
} from '../../../source/simulator/simulator.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {compareKeys} from '../../../source/text/utf8-order.ts';
import {getRunCount} from '../../support/full.ts';
import {ask, createClockedSimulator, json, makeNamespace, namespacesPath} from '../asking.ts';

const generatedPath = `${namespacesPath}/5b0e4a7d91c84f2e8a36d0c7f1e295b4`;

const createWorld = (generatedKeys: number) =>
	createClockedSimulator({rateLimit: false, generatedKeys}).simulator;

/** Lists all pages of keys, with their metadata and expirations. */
async function listKeys(simulator: Simulator, path: string, query: Record<string, string> = {}) {
	const listedKeys: JsonObject[] = [];
	for (let cursor = ''; ; ) {
		const parameters = new URLSearchParams({...query, ...(cursor && {cursor})});
		const {result, info} = await ask(simulator, `${path}/keys?${parameters}`);
		listedKeys.push(...(result as readonly JsonObject[]));
		cursor = String(info.cursor);
		if (cursor === '') return listedKeys;
	}
}

const getNames = (entries: readonly JsonObject[]) => entries.map(({name}) => String(name));

describe('generated keys', () => {
	test('have names in byte order that can be looked up, at any number of keys', () => {
		fc.assert(
			fc.property(fc.integer({min: 2, max: 100_000_000}), fc.nat(), (count, pick) => {
				const keys = new GeneratedKeys(count);
				const number = pick % (count - 1);
				const [one, other] = [keys.getName(number), keys.getName(number + 1)];
				expect(compareKeys(one, other)).toBeLessThan(0);
				expect(keys.find(one)).toBe(number);
				expect(keys.getLowerBound(`${one}\0`)).toBe(number + 1);
				expect(keys.find(`${one}x`)).toBeUndefined();
			}),
			{numRuns: getRunCount(500)},
		);
	});

	test('are all present in a small namespace of any size', () => {
		for (let count = 1; count <= 300; count++) {
			const keys = new GeneratedKeys(count);
			const names = Array.from({length: count}, (_, number) => keys.getName(number));
			expect(names).toEqual([...new Set(names)].sort(compareKeys));
			expect(names.map(name => keys.find(name))).toEqual(names.map((_, number) => number));
		}
	});

	test('have several shapes, and some have metadata and expirations', async () => {
		const entries = await listKeys(createWorld(10_000), generatedPath);
		const topPrefixes = new Set(getNames(entries).map(name => name.slice(0, name.search(/[:/]/) + 1)));
		expect([...topPrefixes]).toEqual(['asset/', 'log/', 'session:', 'user:']);
		const share = (key: string) => entries.filter(entry => key in entry).length / entries.length;
		expect(share('metadata')).toBeCloseTo(0.2, 1);
		expect(share('expiration')).toBeCloseTo(0.075, 1);
	});
});

describe('the generated namespace', () => {
	test('lists the same keys below a prefix as the whole list has, in pages of any size', async () => {
		const simulator = createWorld(3000);
		const all = await listKeys(simulator, generatedPath);
		expect(all).toHaveLength(3000);
		const anyPrefix = fc.oneof(
			fc
				.tuple(fc.nat(2999), fc.nat(30))
				.map(([number, length]) => String(all[number]?.name).slice(0, length)),
			fc.constantFrom('', 'a', 'asset/f', 'log/2031-12', 'session:', 'user', 'v', 'z'),
		);
		await fc.assert(
			fc.asyncProperty(anyPrefix, fc.integer({min: 10, max: 1000}), async (prefix, limit) => {
				const keysWithPrefix = await listKeys(simulator, generatedPath, {prefix, limit: String(limit)});
				expect(keysWithPrefix).toEqual(all.filter(({name}) => String(name).startsWith(prefix)));
			}),
			{numRuns: getRunCount(30)},
		);
	});

	test('behaves like a stored namespace with the same keys, whatever is written and deleted', async () => {
		const count = 40;
		const names = getNames(await listKeys(createWorld(count), generatedPath));
		const anyKey = fc.oneof(
			fc.constantFrom(...names),
			fc.constantFrom('a', 'log/é', 'session:', 'user:\u{1f511}', 'zz'),
		);
		const anyStep = fc.record({
			does: fc.constantFrom('put', 'delete', 'bulk delete', 'wait'),
			keys: fc.uniqueArray(anyKey, {minLength: 1, maxLength: 5}),
			lives: fc.constantFrom(undefined, 60, 120),
		});
		await fc.assert(
			fc.asyncProperty(fc.array(anyStep, {maxLength: 12}), async steps => {
				const {clock, simulator} = createClockedSimulator({rateLimit: false, generatedKeys: count});
				const storedPath = await makeNamespace(simulator);
				const originals = await Promise.all(
					(await listKeys(simulator, generatedPath)).map(async entry => ({
						...entry,
						key: entry.name,
						value: await readText(simulator, generatedPath, String(entry.name)),
					})),
				);
				await ask(simulator, `${storedPath}/bulk`, json('PUT', originals));
				for (const {does, keys, lives} of steps) {
					if (does === 'wait') clock.now += 61_000;
					for (const path of [generatedPath, storedPath]) {
						if (does === 'bulk delete') await ask(simulator, `${path}/bulk/delete`, json('POST', keys));
						if (does === 'delete')
							await ask(simulator, `${path}/values/${encodeURIComponent(keys[0] ?? '')}`, {method: 'DELETE'});
						const entries = keys.map(key => ({
							key,
							value: `new ${key}`,
							metadata: {new: true},
							expiration_ttl: lives,
						}));
						if (does === 'put') await ask(simulator, `${path}/bulk`, json('PUT', entries));
					}
				}
				const finalKeys = await listKeys(simulator, generatedPath, {limit: '10'});
				expect(finalKeys).toEqual(await listKeys(simulator, storedPath));
				const getBody = {keys: [...names.slice(0, 60), 'a', 'zz'], withMetadata: true};
				const [one, other] = await Promise.all(
					[generatedPath, storedPath].map(path => ask(simulator, `${path}/bulk/get`, json('POST', getBody))),
				);
				expect(one?.result).toEqual(other?.result);
			}),
			{numRuns: getRunCount(30)},
		);
	});

	test('is restored by a reset and can be deleted', async () => {
		const {simulator} = createClockedSimulator({rateLimit: false, generatedKeys: 50});
		const [first] = getNames(await listKeys(simulator, generatedPath));
		await ask(simulator, `${generatedPath}/values/${encodeURIComponent(first ?? '')}`, {method: 'DELETE'});
		expect(await listKeys(simulator, generatedPath)).toHaveLength(49);
		simulator.reset();
		expect(await listKeys(simulator, generatedPath)).toHaveLength(50);
		await ask(simulator, generatedPath, {method: 'DELETE'});
		const {result} = await ask(simulator, namespacesPath);
		expect(result).toEqual([]);
	});
});

test('a world in a file keeps its generated keys and writes until the number of keys changes', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'ledge-'));
	onTestFinished(() => rmSync(folder, {recursive: true}));
	const state = join(folder, 'world.sqlite');
	const countKeysAndAddOne = async (options: SimulatorOptions) => {
		using simulator = createSimulator({state, rateLimit: false, ...options});
		const entries = getNames(await listKeys(simulator, generatedPath));
		await ask(simulator, `${generatedPath}/values/zz`, {method: 'PUT', body: 'v'});
		return entries.length;
	};
	expect(await countKeysAndAddOne({generatedKeys: 3000})).toBe(3000);
	expect(await countKeysAndAddOne({})).toBe(3001);
	expect(await countKeysAndAddOne({generatedKeys: 3000})).toBe(3001);
	expect(await countKeysAndAddOne({generatedKeys: 20})).toBe(20);
	expect(statSync(state).size).toBeLessThan(200_000);
});

async function readText(simulator: Simulator, path: string, key: string): Promise<string> {
	const {result} = await ask(simulator, `${path}/bulk/get`, json('POST', {keys: [key]}));
	return String((result as {values: Record<string, string>}).values[key]);
}
