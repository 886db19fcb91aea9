import {expect, test} from 'vitest';
import {
	buildUndoEdits,
	type FirewallEdit,
	listEditDifferences,
	previewEdits,
	renameEditIds,
} from '../../../source/firewall/rules/edits.ts';
import {addEnd} from '../../../source/firewall/rules/end-time.ts';
import type {Filter} from '../../../source/firewall/rules/filter.ts';
import type {Rule} from '../../../source/firewall/rules/rule.ts';

const filter: Filter = {id: 'f', expression: 'ip.src eq 192.0.2.1', paused: false};
const first: Rule = {id: 'a', paused: false, action: 'block', priority: 10, filter};
const second: Rule = {...first, id: 'b', priority: null, description: 'second'};

test('an undo creates filters before their rules, deletes them afterwards, and keeps the order of rules', () => {
	const deletions: readonly FirewallEdit[] = [
		{kind: 'rule', before: first, after: undefined},
		{kind: 'rule', before: second, after: undefined},
		{kind: 'filter', before: filter, after: undefined},
	];
	expect(buildUndoEdits(deletions).map(({after}) => after?.id)).toEqual(['f', 'a', 'b']);
	const creations: readonly FirewallEdit[] = [
		{kind: 'filter', before: undefined, after: filter},
		{kind: 'rule', before: undefined, after: first},
	];
	expect(buildUndoEdits(creations).map(({before}) => before?.id)).toEqual(['a', 'f']);
});

test('an edit gets the new ids of its rule and of its filter', () => {
	const edit: FirewallEdit = {kind: 'rule', before: first, after: {...first, paused: true}};
	const newIds = new Map([
		['a', 'a2'],
		['f', 'f2'],
	]);
	expect(renameEditIds(edit, newIds)).toEqual({
		kind: 'rule',
		before: {...first, id: 'a2', filter: {...filter, id: 'f2'}},
		after: {...first, id: 'a2', paused: true, filter: {...filter, id: 'f2'}},
	});
});

test('a preview counts a created rule as a paused one before, and changes a filter in all its rules', () => {
	const created = previewEdits([first], [{kind: 'rule', before: undefined, after: second}]);
	expect(created).toEqual({before: [first, {...second, paused: true}], after: [first, second]});
	const pausedFilter = {...filter, paused: true};
	expect(
		previewEdits([first, second], [{kind: 'filter', before: filter, after: pausedFilter}]).after,
	).toEqual([
		{...first, filter: pausedFilter},
		{...second, filter: pausedFilter},
	]);
	expect(previewEdits([first, second], [{kind: 'rule', before: first, after: undefined}]).after).toEqual([
		second,
	]);
});

test('differences name each property with both values, also those of the filter', () => {
	expect(
		listEditDifferences(first, {
			...second,
			action: 'bypass',
			products: ['waf'],
			filter: {...filter, expression: 'ssl'},
		}),
	).toEqual([
		'action: block → bypass',
		'priority: 10 → none',
		'products: none → waf',
		'description: none → second',
		'expression: ip.src eq 192.0.2.1 → ssl',
	]);
	expect(listEditDifferences(filter, filter)).toEqual([]);
});

test('a difference within an expression stays visible, and its end is a time of its own', () => {
	const change = (from: string, to: string) =>
		listEditDifferences({...filter, expression: from}, {...filter, expression: to});
	const inner = `http.host in {${Array.from({length: 40}, (_, index) => `"shop-${index}.example"`).join(' ')}}`;
	expect(change(addEnd(inner, 1_798_470_044), addEnd(inner, 1_798_470_104))).toEqual([
		'ends: 2026-12-28 15:00 UTC → 2026-12-28 15:01 UTC',
	]);
	expect(change(inner, addEnd(inner, 1_798_470_044))).toEqual(['ends: never → 2026-12-28 15:00 UTC']);
	const [difference = ''] = change(inner, inner.replace('shop-20', 'store-20'));
	expect(difference).toMatch(/^expression: ….*shop-20\.example.*… → ….*store-20\.example.*…$/);
	expect(difference.length).toBeLessThan(140);
});
