import {expect, test} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import {type WalkPosition, walkKeys} from '../../../source/kv/transfer/listing.ts';
import {MemoryStore} from '../support/memory-store.ts';

const neverAborted = new AbortController().signal;

/** A store with the keys `k0000` and so on, which rejects cursors that begin with `old`. */
class NumberedStore extends MemoryStore {
	readonly requestedCursors: (string | undefined)[] = [];

	constructor(count: number) {
		super();
		for (let at = 0; at < count; at++)
			this.stored.set(`k${String(at).padStart(4, '0')}`, {bytes: new Uint8Array()});
	}

	override async list(query: Parameters<MemoryStore['list']>[0]) {
		this.requestedCursors.push(query.cursor);
		if (query.cursor?.startsWith('old'))
			throw new Failure('refused_by_service', 'invalid list cursor', {http: 400, service: [10_041]});
		return super.list(query);
	}
}

async function listNames(store: MemoryStore, from?: WalkPosition): Promise<string[]> {
	const found: string[] = [];
	for await (const {keys} of walkKeys(store, {from}, neverAborted)) found.push(...keys.map(({name}) => name));
	return found;
}

test('a walk resumes after its last key, with the cursor of the page of that key', async () => {
	const store = new NumberedStore(2500);
	const all = await listNames(store);
	store.requestedCursors.length = 0;
	expect(await listNames(store, {after: 'k1200', cursor: 'k0999'})).toEqual(all.slice(1201));
	expect(store.requestedCursors[0]).toBe('k0999');
});

test('a cursor that is no longer known only costs listing the earlier pages again', async () => {
	const store = new NumberedStore(2500);
	expect(await listNames(store, {after: 'k1200', cursor: 'old'})).toHaveLength(1299);
	expect(store.requestedCursors).toEqual(['old', undefined, 'k0999', 'k1999']);
});

test('any other failure is reported', async () => {
	const store = new NumberedStore(10);
	store.list = async () => {
		throw new Failure('unreachable', 'gone');
	};
	await expect(listNames(store, {after: 'k0001', cursor: 'k0000'})).rejects.toMatchObject({
		code: 'unreachable',
	});
});
