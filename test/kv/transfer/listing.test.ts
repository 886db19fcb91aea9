import {expect, test} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import {type WalkPosition, walkKeys} from '../../../source/kv/transfer/listing.ts';
import {MemoryStore} from '../support/memory-store.ts';

const never = new AbortController().signal;

/** Keys `k0000` and so on; cursors that begin with "old" are not known any more. */
class Numbered extends MemoryStore {
	readonly asked: (string | undefined)[] = [];

	constructor(count: number) {
		super();
		for (let at = 0; at < count; at++)
			this.stored.set(`k${String(at).padStart(4, '0')}`, {bytes: new Uint8Array()});
	}

	override async list(query: Parameters<MemoryStore['list']>[0]) {
		this.asked.push(query.cursor);
		if (query.cursor?.startsWith('old'))
			throw new Failure('refused_by_service', 'invalid list cursor', {http: 400, service: [10_041]});
		return super.list(query);
	}
}

async function names(store: MemoryStore, from?: WalkPosition): Promise<string[]> {
	const found: string[] = [];
	for await (const {keys} of walkKeys(store, {from}, never)) found.push(...keys.map(({name}) => name));
	return found;
}

test('a walk resumes after its last key, with its page', async () => {
	const store = new Numbered(2500);
	const all = await names(store);
	store.asked.length = 0;
	expect(await names(store, {after: 'k1200', cursor: 'k0999'})).toEqual(all.slice(1201));
	expect(store.asked[0]).toBe('k0999');
});

test('a cursor that is no longer known only costs the earlier pages', async () => {
	const store = new Numbered(2500);
	expect(await names(store, {after: 'k1200', cursor: 'old'})).toHaveLength(1299);
	expect(store.asked).toEqual(['old', undefined, 'k0999', 'k1999']);
});

test('any other failure is reported', async () => {
	const store = new Numbered(10);
	store.list = async () => {
		throw new Failure('unreachable', 'gone');
	};
	await expect(names(store, {after: 'k0001', cursor: 'k0000'})).rejects.toMatchObject({code: 'unreachable'});
});
