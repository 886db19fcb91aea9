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
import {runs} from '../../support/full.ts';
import {ask, json, makeNamespace, namespacesPath, withClock} from '../asking.ts';

const generated = `${namespacesPath}/5b0e4a7d91c84f2e8a36d0c7f1e295b4`;

const world = (generatedKeys: number) => withClock({rateLimit: false, generatedKeys}).simulator;

/** All pages of a listing, each key as it is listed. */
async function listed(simulator: Simulator, path: string, query: Record<string, string> = {}) {
	const found: JsonObject[] = [];
	for (let cursor = ''; ; ) {
		const parameters = new URLSearchParams({...query, ...(cursor && {cursor})});
		const {result, info} = await ask(simulator, `${path}/keys?${parameters}`);
		found.push(...(result as readonly JsonObject[]));
		cursor = String(info.cursor);
		if (cursor === '') return found;
	}
}

const namesOf = (entries: readonly JsonObject[]) => entries.map(({name}) => String(name));

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
			{numRuns: runs(500)},
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
		const entries = await listed(world(10_000), generated);
		const tops = new Set(namesOf(entries).map(name => name.slice(0, name.search(/[:/]/) + 1)));
		expect([...tops]).toEqual(['asset/', 'log/', 'session:', 'user:']);
		const share = (key: string) => entries.filter(entry => key in entry).length / entries.length;
		expect(share('metadata')).toBeCloseTo(0.2, 1);
		expect(share('expiration')).toBeCloseTo(0.075, 1);
	});
});

describe('the generated namespace', () => {
	test('lists the same keys below a prefix as the whole list has, in pages of any size', async () => {
		const simulator = world(3000);
		const all = await listed(simulator, generated);
		expect(all).toHaveLength(3000);
		const anyPrefix = fc.oneof(
			fc
				.tuple(fc.nat(2999), fc.nat(30))
				.map(([number, length]) => String(all[number]?.name).slice(0, length)),
			fc.constantFrom('', 'a', 'asset/f', 'log/2031-12', 'session:', 'user', 'v', 'z'),
		);
		await fc.assert(
			fc.asyncProperty(anyPrefix, fc.integer({min: 10, max: 1000}), async (prefix, limit) => {
				const below = await listed(simulator, generated, {prefix, limit: String(limit)});
				expect(below).toEqual(all.filter(({name}) => String(name).startsWith(prefix)));
			}),
			{numRuns: runs(30)},
		);
	});

	test('behaves like a stored namespace with the same keys, whatever is written and deleted', async () => {
		const count = 40;
		const names = namesOf(await listed(world(count), generated));
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
				const {clock, simulator} = withClock({rateLimit: false, generatedKeys: count});
				const stored = await makeNamespace(simulator);
				const originals = await Promise.all(
					(await listed(simulator, generated)).map(async entry => ({
						...entry,
						key: entry.name,
						value: await textOf(simulator, generated, String(entry.name)),
					})),
				);
				await ask(simulator, `${stored}/bulk`, json('PUT', originals));
				for (const {does, keys, lives} of steps) {
					if (does === 'wait') clock.now += 61_000;
					for (const path of [generated, stored]) {
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
				const now = await listed(simulator, generated, {limit: '10'});
				expect(now).toEqual(await listed(simulator, stored));
				const read = {keys: [...names.slice(0, 60), 'a', 'zz'], withMetadata: true};
				const [one, other] = await Promise.all(
					[generated, stored].map(path => ask(simulator, `${path}/bulk/get`, json('POST', read))),
				);
				expect(one?.result).toEqual(other?.result);
			}),
			{numRuns: runs(30)},
		);
	});

	test('is restored by a reset and can be deleted', async () => {
		const {simulator} = withClock({rateLimit: false, generatedKeys: 50});
		const [first] = namesOf(await listed(simulator, generated));
		await ask(simulator, `${generated}/values/${encodeURIComponent(first ?? '')}`, {method: 'DELETE'});
		expect(await listed(simulator, generated)).toHaveLength(49);
		simulator.reset();
		expect(await listed(simulator, generated)).toHaveLength(50);
		await ask(simulator, generated, {method: 'DELETE'});
		const {result} = await ask(simulator, namespacesPath);
		expect(result).toEqual([]);
	});
});

test('a world in a file keeps its generated keys and what was written to them', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'ledge-'));
	onTestFinished(() => rmSync(folder, {recursive: true}));
	const state = join(folder, 'world.sqlite');
	const keysIn = async (options: SimulatorOptions) => {
		using simulator = createSimulator({state, rateLimit: false, ...options});
		const entries = namesOf(await listed(simulator, generated));
		await ask(simulator, `${generated}/values/zz`, {method: 'PUT', body: 'v'});
		return entries.length;
	};
	expect(await keysIn({generatedKeys: 3000})).toBe(3000);
	expect(await keysIn({})).toBe(3001);
	expect(await keysIn({generatedKeys: 3000})).toBe(3001);
	expect(await keysIn({generatedKeys: 20})).toBe(20);
	expect(statSync(state).size).toBeLessThan(200_000);
});

async function textOf(simulator: Simulator, path: string, key: string): Promise<string> {
	const {result} = await ask(simulator, `${path}/bulk/get`, json('POST', {keys: [key]}));
	return String((result as {values: Record<string, string>}).values[key]);
}
