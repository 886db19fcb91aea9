import {expect, test} from 'vitest';
import {
	createListOperations,
	createReader,
	emptyList,
	type ListState,
} from '../../../source/screens/list/list.ts';

type Row = {readonly id: string; readonly name: string};

const names = createListOperations<Row>(
	({id}) => id,
	({name}) => [name],
);

const rowsOf = (...all: readonly string[]): Row[] => all.map(name => ({id: name, name}));

const listWith = (...all: readonly string[]): ListState<Row> => ({...emptyList, rows: rowsOf(...all)});

test('the cursor stays within the filtered rows', () => {
	const list = {...listWith('one', 'two', 'three'), filter: 't'};
	expect(names.listVisible(list).map(({name}) => name)).toEqual(['two', 'three']);
	expect(names.listVisible({...list, filter: 'T'})).toEqual([]);
	expect(names.applyMove(list, 5)).toMatchObject({cursor: 1, lastKey: 'three'});
	expect(names.applyMove(list, Number.NEGATIVE_INFINITY).cursor).toBe(0);
	expect(names.applyMove(emptyList, 1)).toEqual({cursor: 0, lastKey: undefined});
});

test('a filter checks each row once, however often the list is drawn and navigated', () => {
	let looks = 0;
	const counted = createListOperations<Row>(
		({id}) => id,
		({name}) => {
			looks++;
			return [name];
		},
	);
	const list = {...listWith('one', 'two', 'three'), filter: 't'};
	for (let times = 0; times < 3; times++) {
		counted.listVisible(list);
		counted.getSelected({...list, cursor: times});
		counted.applyMove(list, 1);
	}
	expect(looks).toBe(3);
	expect(counted.listVisible({...list, filter: 'o'}).map(({name}) => name)).toEqual(['one', 'two']);
	expect(counted.listVisible({...list, rows: rowsOf('ten')}).map(({name}) => name)).toEqual(['ten']);
});

test('the cursor stays on its row after a refresh, or on the next row if its own is gone', () => {
	const list = {...listWith('one', 'two', 'three'), cursor: 1};
	expect(names.applyChange(list, {rows: rowsOf('new', 'one', 'two')}).cursor).toBe(2);
	expect(names.applyChange(list, {rows: rowsOf('one', 'three')}).cursor).toBe(1);
	expect(names.applyChange(list, {rows: rowsOf('one')}).cursor).toBe(0);
	expect(names.applyChange(list, {rows: rowsOf('one', 'two')}, 'one').cursor).toBe(0);
});

test('clearing a filter without matches restores the cursor', () => {
	const list = {...listWith('one', 'two', 'three'), cursor: 2};
	const none = {...list, ...names.applyChange(list, {filter: 'no such row'})};
	expect(names.getSelected(none)).toBeUndefined();
	const back = {...none, ...names.applyChange(none, {filter: ''})};
	expect(names.getSelected(back)?.name).toBe('three');
});

test('the result of an earlier read does not replace that of a later one', async () => {
	let list: ListState<string> = emptyList;
	const shown: string[] = [];
	const {read} = createReader(
		() => list,
		part => {
			list = {...list, ...part};
		},
	);
	const {signal} = new AbortController();
	const slow = Promise.withResolvers<string>();
	const first = read(
		signal,
		() => slow.promise,
		one => shown.push(one),
	);
	await read(
		signal,
		async () => 'later',
		one => shown.push(one),
	);
	slow.resolve('earlier');
	expect(await first).toBe('earlier');
	expect(shown).toEqual(['later']);
});
