import {expect, test} from 'vitest';
import {
	createListOperations,
	createReader,
	emptyList,
	type ListState,
} from '../../../source/screens/list/list.ts';

type Row = {readonly id: string; readonly name: string};

const nameList = createListOperations<Row>(
	({id}) => id,
	({name}) => [name],
);

const buildRows = (...all: readonly string[]): Row[] => all.map(name => ({id: name, name}));

const buildList = (...all: readonly string[]): ListState<Row> => ({...emptyList, rows: buildRows(...all)});

test('the cursor stays within the filtered rows', () => {
	const list = {...buildList('one', 'two', 'three'), filter: 't'};
	expect(nameList.listVisible(list).map(({name}) => name)).toEqual(['two', 'three']);
	expect(nameList.listVisible({...list, filter: 'T'})).toEqual([]);
	expect(nameList.applyMove(list, 5)).toMatchObject({cursor: 1, lastKey: 'three'});
	expect(nameList.applyMove(list, Number.NEGATIVE_INFINITY).cursor).toBe(0);
	expect(nameList.applyMove(emptyList, 1)).toEqual({cursor: 0, lastKey: undefined});
});

test('a filter checks each row once, however often the list is drawn and navigated', () => {
	let checkCount = 0;
	const countingList = createListOperations<Row>(
		({id}) => id,
		({name}) => {
			checkCount++;
			return [name];
		},
	);
	const list = {...buildList('one', 'two', 'three'), filter: 't'};
	for (let step = 0; step < 3; step++) {
		countingList.listVisible(list);
		countingList.getSelected({...list, cursor: step});
		countingList.applyMove(list, 1);
	}
	expect(checkCount).toBe(3);
	expect(countingList.listVisible({...list, filter: 'o'}).map(({name}) => name)).toEqual(['one', 'two']);
	expect(countingList.listVisible({...list, rows: buildRows('ten')}).map(({name}) => name)).toEqual(['ten']);
});

test('the cursor stays on its row after a refresh, or on the next row if its own is gone', () => {
	const list = {...buildList('one', 'two', 'three'), cursor: 1};
	expect(nameList.applyChange(list, {rows: buildRows('new', 'one', 'two')}).cursor).toBe(2);
	expect(nameList.applyChange(list, {rows: buildRows('one', 'three')}).cursor).toBe(1);
	expect(nameList.applyChange(list, {rows: buildRows('one')}).cursor).toBe(0);
	expect(nameList.applyChange(list, {rows: buildRows('one', 'two')}, 'one').cursor).toBe(0);
});

test('a filter that rows had as typed never finds others once those are deleted', () => {
	const list = buildList('Partner 2', 'Partner 12', '2 for Partner');
	const typed = {...list, ...nameList.applyFilter(list, 'Partner 2')};
	expect(nameList.listVisible(typed).map(({name}) => name)).toEqual(['Partner 2']);
	const deleted = {...typed, ...nameList.applyChange(typed, {rows: list.rows.slice(1)})};
	expect(nameList.listVisible(deleted)).toEqual([]);
	expect(nameList.hasSplitWords(deleted)).toBe(false);
	const editedAgain = {...deleted, ...nameList.applyFilter(deleted, 'Partner  2')};
	expect(nameList.listVisible(editedAgain).map(({name}) => name)).toEqual(['Partner 12', '2 for Partner']);
	expect(nameList.hasSplitWords(editedAgain)).toBe(true);
});

test('clearing a filter without matches restores the cursor', () => {
	const list = {...buildList('one', 'two', 'three'), cursor: 2};
	const listWithoutMatches = {...list, ...nameList.applyChange(list, {filter: 'no such row'})};
	expect(nameList.getSelected(listWithoutMatches)).toBeUndefined();
	const listWithoutFilter = {
		...listWithoutMatches,
		...nameList.applyChange(listWithoutMatches, {filter: ''}),
	};
	expect(nameList.getSelected(listWithoutFilter)?.name).toBe('three');
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
