import {expect, test} from 'vitest';
import {checkInput} from '../../../source/kv/bulk/check.ts';
import {keysFormat} from '../../../source/kv/bulk/entries.ts';
import {startBulk} from '../../../source/kv/bulk/job.ts';
import {openKeyNamesInput} from '../../../source/kv/bulk/names-input.ts';
import {describeSourceCheck} from '../../../source/kv/bulk/source-keys.ts';
import {deleteWork} from '../../../source/kv/bulk/work.ts';
import {listExtraKeys} from '../../../source/kv/transfer/pairing.ts';
import {MemoryStore} from '../support/memory-store.ts';
import {makeWorkspace} from '../support/workspace.ts';

const signal = new AbortController().signal;
const bytes = Buffer.from('v');
const keysInBoth = ['k1', 'k4'];
const extraKeys = ['k2', 'k3', 'k5', 'k6', 'k7'];
/** What someone writes to the source meanwhile: a key of each batch, and one that neither store has. */
const writtenKeys = ['k2', 'k6', 'k7', 'k8'];

/** Lists and deletes the extra keys, two a batch, while someone writes to the source right before call number `at`. */
async function deleteExtra(at: number) {
	using space = makeWorkspace();
	const calls: {readonly what: 'list' | 'read source' | 'delete'; readonly keys: readonly string[]}[] = [];
	const recordCall = (what: (typeof calls)[number]['what'], keys: readonly string[] = []) => {
		if (calls.length === at) for (const key of writtenKeys) source.stored.set(key, {bytes});
		calls.push({what, keys});
	};
	const source = new MemoryStore({faults: {before: keys => recordCall('read source', keys)}});
	const target = new MemoryStore({
		batch: {entries: 2, concurrency: 1},
		faults: {before: keys => recordCall('delete', keys)},
	});
	for (const store of [source, target]) {
		const list = store.list.bind(store);
		store.list = query => {
			recordCall('list');
			return list(query);
		};
	}
	for (const key of keysInBoth) source.stored.set(key, {bytes});
	for (const key of [...keysInBoth, ...extraKeys]) target.stored.set(key, {bytes});
	const {environment} = space;
	using input = await openKeyNamesInput(listExtraKeys(source, target, undefined, signal), {
		label: 'extra keys',
		environment,
		signal,
	});
	const checked = await checkInput(input, keysFormat, {now: 0, signal});
	const result = await startBulk(deleteWork, target, checked, {
		signal,
		environment,
		cwd: space.folder,
		source: {store: source, target: {place: 'local:/source', namespace: 'source'}},
		wait: async () => {},
	}).finished;
	return {calls, result, remainingKeys: [...target.stored.keys()].sort()};
}

const undisturbed = await deleteExtra(Number.POSITIVE_INFINITY);

test('if undisturbed, all extra keys are deleted, each batch right after the source was read for it', () => {
	const {calls, result, remainingKeys} = undisturbed;
	expect(remainingKeys).toEqual(keysInBoth);
	expect(result).toMatchObject({done: extraKeys.length, protectedCount: 0, refused: 0});
	const deletions = calls.flatMap(({what, keys}, at) =>
		what === 'delete' ? [{keys, before: calls[at - 1]}] : [],
	);
	expect(deletions.flatMap(({keys}) => keys)).toEqual(extraKeys);
	for (const {keys, before} of deletions) expect(before).toEqual({what: 'read source', keys});
});

test.each(
	undisturbed.calls.map(({what}, at) => [at, what] as const),
)('keys written to the source before call %i (%s) are kept, unless their batch was already checked', async at => {
	const {calls, result, remainingKeys} = await deleteExtra(at);
	const keysReadLater = new Set(
		calls.slice(at).flatMap(({what, keys}) => (what === 'read source' ? keys : [])),
	);
	const isListedLater = calls.slice(at).filter(({what}) => what === 'list').length > 0;
	const keptKeys = writtenKeys.filter(key => keysReadLater.has(key));
	expect(result.protectedSamples).toEqual(keptKeys);
	expect(result).toMatchObject({protectedCount: keptKeys.length, refused: 0});
	const expectedKeys = new Set([...keysInBoth, ...keptKeys, ...(isListedLater ? writtenKeys : [])]);
	expect(remainingKeys).toEqual([...keysInBoth, ...extraKeys].filter(key => expectedKeys.has(key)).sort());
});

test('the cost of protecting keys is stated: calls to the service, and none for local data', () => {
	const remote = new MemoryStore({batch: {keysPerRead: 100}});
	expect(describeSourceCheck(remote, 5001)).toContain(': 51 calls');
	expect(describeSourceCheck(new MemoryStore({kind: 'local'}), 5001)).not.toContain('call');
});
