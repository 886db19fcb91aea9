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
const both = ['k1', 'k4'];
const extra = ['k2', 'k3', 'k5', 'k6', 'k7'];
/** What someone writes to the source meanwhile: a key of each batch, and one that is nowhere yet. */
const written = ['k2', 'k6', 'k7', 'k8'];

/** Lists and deletes the extra keys, two a batch, while someone writes to the source right before call number `at`. */
async function deleteExtra(at: number) {
	using space = makeWorkspace();
	const calls: {readonly what: 'list' | 'read source' | 'delete'; readonly keys: readonly string[]}[] = [];
	const note = (what: (typeof calls)[number]['what'], keys: readonly string[] = []) => {
		if (calls.length === at) for (const key of written) source.stored.set(key, {bytes});
		calls.push({what, keys});
	};
	const source = new MemoryStore({faults: {before: keys => note('read source', keys)}});
	const target = new MemoryStore({
		batch: {entries: 2, concurrency: 1},
		faults: {before: keys => note('delete', keys)},
	});
	for (const store of [source, target]) {
		const list = store.list.bind(store);
		store.list = query => {
			note('list');
			return list(query);
		};
	}
	for (const key of both) source.stored.set(key, {bytes});
	for (const key of [...both, ...extra]) target.stored.set(key, {bytes});
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
	return {calls, result, left: [...target.stored.keys()].sort()};
}

const undisturbed = await deleteExtra(Number.POSITIVE_INFINITY);

test('if undisturbed, all extra keys are deleted, each batch right after the source was read for it', () => {
	const {calls, result, left} = undisturbed;
	expect(left).toEqual(both);
	expect(result).toMatchObject({done: extra.length, protectedCount: 0, refused: 0});
	const deletions = calls.flatMap(({what, keys}, at) =>
		what === 'delete' ? [{keys, before: calls[at - 1]}] : [],
	);
	expect(deletions.flatMap(({keys}) => keys)).toEqual(extra);
	for (const {keys, before} of deletions) expect(before).toEqual({what: 'read source', keys});
});

test.each(
	undisturbed.calls.map(({what}, at) => [at, what] as const),
)('keys written to the source before call %i (%s) are kept, unless their batch was already checked', async at => {
	const {calls, result, left} = await deleteExtra(at);
	const readLater = new Set(calls.slice(at).flatMap(({what, keys}) => (what === 'read source' ? keys : [])));
	const listedLater = calls.slice(at).filter(({what}) => what === 'list').length > 0;
	const kept = written.filter(key => readLater.has(key));
	expect(result.protectedSamples).toEqual(kept);
	expect(result).toMatchObject({protectedCount: kept.length, refused: 0});
	const staying = new Set([...both, ...kept, ...(listedLater ? written : [])]);
	expect(left).toEqual([...both, ...extra].filter(key => staying.has(key)).sort());
});

test('the cost of keeping them is stated: calls to the service, and none for local data', () => {
	const remote = new MemoryStore({batch: {keysPerRead: 100}});
	expect(describeSourceCheck(remote, 5001)).toContain(': 51 calls');
	expect(describeSourceCheck(new MemoryStore({kind: 'local'}), 5001)).not.toContain('call');
});
