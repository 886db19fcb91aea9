import {describe, expect, test} from 'vitest';
import {ChangeTracker, type WatchedKey} from '../../../source/kv/watch/changes.ts';

const key = (name: string, fields: Omit<WatchedKey, 'name'> = {}): WatchedKey => ({name, ...fields});

/** Creates a tracker that knows `keys`, and a function that returns the changes of a read as short texts. */
function createTracker(keys: readonly WatchedKey[], staleMs = 60_000) {
	const tracker = new ChangeTracker(staleMs);
	tracker.begin(keys);
	const read = (now: number, ...readKeys: readonly WatchedKey[]) =>
		tracker.findChanges(readKeys, now).map(({kind, key: {name}, parts}) => [kind, name, ...parts].join(' '));
	return {tracker, read};
}

describe('changes between two reads', () => {
	test('are in byte order of the names', () => {
		const {read} = createTracker([key('b'), key('d', {version: '1'})]);
		expect(read(0, key('a'), key('c'), key('d', {version: '2'}))).toEqual([
			'added a',
			'deleted b',
			'added c',
			'changed d value',
		]);
		expect(read(1, key('a'), key('c'), key('d', {version: '2'}))).toEqual([]);
	});

	test('name what differs', () => {
		const {read} = createTracker([key('a', {metadata: {x: 1, y: 2}, expiration: 5, version: '1'})]);
		expect(read(0, key('a', {metadata: {y: 2, x: 1}, expiration: 5, version: '1'}))).toEqual([]);
		expect(read(1, key('a', {metadata: {x: 2}, expiration: 6, version: '2'}))).toEqual([
			'changed a value metadata expiration',
		]);
		expect(read(2, key('a', {expiration: 6, version: '2'}))).toEqual(['changed a metadata']);
	});

	test('a value that was not read before is no change, and is known afterwards', () => {
		const {read} = createTracker([key('a')]);
		expect(read(0, key('a', {version: '1'}))).toEqual([]);
		expect(read(1, key('a', {version: '2'}))).toEqual(['changed a value']);
	});

	test('the value itself is not kept', () => {
		const {tracker, read} = createTracker([]);
		read(0, key('a', {version: '1', size: 3, bytes: Buffer.from('abc')}));
		expect([...tracker.keys.values()]).toEqual([{name: 'a', version: '1', size: 3}]);
	});
});

describe('a store whose reads can be stale', () => {
	const [old, recent, newest] = ['1', '2', '3'].map(version => key('a', {version})) as [
		WatchedKey,
		WatchedKey,
		WatchedKey,
	];

	test('a change that flaps is reported once', () => {
		const {read} = createTracker([old]);
		const reports = [recent, old, recent, old, recent].flatMap((state, index) => read(index * 5000, state));
		expect(reports).toEqual(['changed a value']);
	});

	test('an added key and a deleted key may flap, too', () => {
		const {read} = createTracker([key('b')]);
		expect(read(0, old, key('b'))).toEqual(['added a']);
		expect(read(1000, key('b'))).toEqual([]);
		expect(read(2000, old)).toEqual(['deleted b']);
		expect(read(3000, old, key('b'))).toEqual([]);
	});

	test('all states of the last minute can come back, and a new one is reported', () => {
		const {read} = createTracker([old]);
		expect(read(0, recent)).toEqual(['changed a value']);
		expect(read(1000, newest)).toEqual(['changed a value']);
		expect(read(2000, old)).toEqual([]);
		expect(read(3000, recent)).toEqual([]);
		expect(read(4000, key('a', {version: '4'}))).toEqual(['changed a value']);
	});

	test('a state that stays after a minute is a change', () => {
		const {read} = createTracker([old]);
		expect(read(0, recent)).toEqual(['changed a value']);
		expect(read(59_999, old)).toEqual([]);
		expect(read(60_000, old)).toEqual(['changed a value']);
		// Since then the other state may be stale.
		expect(read(119_999, recent)).toEqual([]);
		expect(read(120_000, recent)).toEqual(['changed a value']);
	});

	test('a write of this session is no change, and the state before it may still be read', () => {
		const {tracker, read} = createTracker([old, key('b')]);
		tracker.adopt('a', recent, 0);
		tracker.adopt('b', undefined, 0);
		expect(read(1000, recent)).toEqual([]);
		expect(read(2000, old, key('b'))).toEqual([]);
		expect(read(60_000, old, key('b'))).toEqual(['changed a value', 'added b']);
	});

	test('adopting the known state changes nothing', () => {
		const {tracker, read} = createTracker([old]);
		tracker.adopt('a', old, 0);
		tracker.adopt('none', undefined, 0);
		expect(read(1, recent)).toEqual(['changed a value']);
	});
});

test('local data is never stale: each change is reported at once', () => {
	const {read} = createTracker([key('a', {version: '1'})], 0);
	const reports = ['2', '1', '2'].map((version, index) => read(index, key('a', {version})));
	expect(reports).toEqual([['changed a value'], ['changed a value'], ['changed a value']]);
});
