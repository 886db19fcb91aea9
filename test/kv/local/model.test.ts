import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type LocalStore, openLocalStore} from '../../../source/kv/local/store.ts';
import type {JsonValue} from '../../../source/text/json.ts';
import {getRunCount} from '../../support/full.ts';
import {neverAborted, temporaryRoot} from './temporary.ts';

type Value = {bytes: string; expires: number | undefined; metadata: JsonValue | undefined};

/** What the store should hold: `now` in seconds, a value in hex. */
type Model = {now: number; values: Map<string, Value>};
type Real = {store: LocalStore; clock: {now: number}; reopen: () => void};

const findLiveValue = (model: Model, key: string): Value | undefined => {
	const value = model.values.get(key);
	return value && (value.expires === undefined || value.expires > model.now) ? value : undefined;
};

const compareBytes = (one: string, other: string): number =>
	Buffer.compare(Buffer.from(one), Buffer.from(other));

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

class Put implements fc.AsyncCommand<Model, Real> {
	readonly key: string;
	readonly value: Uint8Array;
	readonly ttl: number | undefined;
	readonly metadata: {a: string} | undefined;
	constructor(key: string, value: Uint8Array, ttl: number | undefined, metadata: {a: string} | undefined) {
		this.key = key;
		this.value = value;
		this.ttl = ttl;
		this.metadata = metadata;
	}
	check = () => true;
	async run(model: Model, {store}: Real) {
		const {key, value, ttl, metadata} = this;
		await store.put(key, value, {...(ttl && {ttl}), ...(metadata && {metadata})}, neverAborted);
		model.values.set(key, {bytes: hex(value), expires: ttl && model.now + ttl, metadata});
	}
	toString = () => `put ${JSON.stringify(this.key)} ttl ${this.ttl}`;
}

class PutMany implements fc.AsyncCommand<Model, Real> {
	readonly entries: readonly (readonly [string, string])[];
	constructor(entries: readonly (readonly [string, string])[]) {
		this.entries = entries;
	}
	check = () => true;
	async run(model: Model, {store}: Real) {
		const entries = this.entries.map(([key, value]) => ({key, value}));
		expect(await store.putMany(entries, neverAborted)).toEqual({done: entries.length, refused: []});
		for (const {key, value} of entries)
			model.values.set(key, {bytes: hex(Buffer.from(value)), expires: undefined, metadata: undefined});
	}
	toString = () => `putMany ${JSON.stringify(this.entries)}`;
}

class DeleteMany implements fc.AsyncCommand<Model, Real> {
	readonly keys: readonly string[];
	constructor(keys: readonly string[]) {
		this.keys = keys;
	}
	check = () => true;
	async run(model: Model, {store}: Real) {
		await store.deleteMany(this.keys, neverAborted);
		for (const key of this.keys) model.values.delete(key);
	}
	toString = () => `deleteMany ${JSON.stringify(this.keys)}`;
}

class Get implements fc.AsyncCommand<Model, Real> {
	readonly key: string;
	constructor(key: string) {
		this.key = key;
	}
	check = () => true;
	async run(model: Model, {store}: Real) {
		const expected = findLiveValue(model, this.key);
		const found = await store.get(this.key, neverAborted);
		expect(found && {bytes: hex(found.bytes), expires: found.expiration}).toEqual(
			expected && {bytes: expected.bytes, expires: expected.expires},
		);
		expect(await store.metadata(this.key, neverAborted)).toEqual(expected && (expected.metadata ?? null));
	}
	toString = () => `get ${JSON.stringify(this.key)}`;
}

class List implements fc.AsyncCommand<Model, Real> {
	readonly prefix: string;
	readonly limit: number;
	constructor(prefix: string, limit: number) {
		this.prefix = prefix;
		this.limit = limit;
	}
	check = () => true;
	async run(model: Model, {store}: Real) {
		const keys = [...model.values.keys()].filter(key => key.startsWith(this.prefix)).sort(compareBytes);
		// Like the peer's, a list still contains keys that expire in this very second.
		const expected = keys.flatMap(name => {
			const {expires: expiration, metadata} = model.values.get(name) ?? {};
			if (expiration !== undefined && expiration < model.now) return [];
			return [{name, ...(expiration && {expiration}), ...(metadata && {metadata})}];
		});
		const paged = [];
		let cursor: string | undefined;
		do {
			const query = {prefix: this.prefix, limit: this.limit, ...(cursor && {cursor})};
			const page = await store.list(query, neverAborted);
			expect(page.entries.length).toBeLessThanOrEqual(this.limit);
			paged.push(...page.entries);
			cursor = page.cursor;
		} while (cursor);
		expect(paged).toEqual(expected);
		expect([...store.listEntries({prefix: this.prefix, metadata: true})]).toEqual(expected);
	}
	toString = () => `list ${JSON.stringify(this.prefix)} by ${this.limit}`;
}

class Wait implements fc.AsyncCommand<Model, Real> {
	readonly seconds: number;
	constructor(seconds: number) {
		this.seconds = seconds;
	}
	check = () => true;
	async run(model: Model, {clock}: Real) {
		model.now += this.seconds;
		clock.now = model.now * 1000;
	}
	toString = () => `wait ${this.seconds}`;
}

class Reopen implements fc.AsyncCommand<Model, Real> {
	check = () => true;
	async run(_: Model, real: Real) {
		real.reopen();
	}
	toString = () => 'reopen';
}

test('the store behaves like a map, whatever happens in any order', async () => {
	const unit = fc.constantFrom('a', 'b', '/', '\0', '\x7f', 'é', '\ud7ff', '\uffff', '\u{10ffff}');
	const key = fc.string({unit, minLength: 1, maxLength: 3});
	const value = fc.uint8Array({maxLength: 40});
	const ttl = fc.option(fc.integer({min: 60, max: 200}), {nil: undefined});
	const metadata = fc.option(fc.record({a: fc.string()}), {nil: undefined});
	const commands = [
		fc.tuple(key, value, ttl, metadata).map(all => new Put(...all)),
		fc.array(fc.tuple(key, fc.string({unit: 'grapheme'}))).map(entries => new PutMany(entries)),
		fc.array(key).map(keys => new DeleteMany(keys)),
		key.map(name => new Get(name)),
		fc
			.tuple(fc.string({unit, maxLength: 2}), fc.integer({min: 1, max: 12}))
			.map(([prefix, limit]) => new List(prefix, limit)),
		fc.integer({min: 0, max: 100}).map(seconds => new Wait(seconds)),
		fc.constant(new Reopen()),
	];
	const root = temporaryRoot();
	let run = 0;
	await fc.assert(
		fc.asyncProperty(fc.commands(commands, {maxCommands: 40}), async sequence => {
			const start = 1_800_000_000;
			const clock = {now: start * 1000};
			const options = {root, namespace: `run ${run++}`, now: () => clock.now};
			const real: Real = {
				store: openLocalStore(options),
				clock,
				reopen: () => {
					real.store[Symbol.dispose]();
					real.store = openLocalStore(options);
				},
			};
			try {
				await fc.asyncModelRun(() => ({model: {now: start, values: new Map()}, real}), sequence);
			} finally {
				real.store[Symbol.dispose]();
			}
		}),
		{numRuns: getRunCount(60)},
	);
});
