import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {type JsonNodeRef, mergeJson} from '../../../source/text/json/merge.ts';
import type {JsonPath} from '../../../source/text/json/tree-nodes.ts';
import {readJsonNodes} from '../../../source/text/json/tree-reading.ts';
import type {JsonValue} from '../../../source/text/json.ts';
import {runSteps} from '../../../source/text/steps.ts';
import {getRunCount} from '../../support/full.ts';
import {jsonObject, jsonText, jsonValue} from './samples.ts';

/** The result of a merge, with the paths of the changes taken from the stored version and kept of mine. */
type Merged =
	| {
			readonly kind: 'merged';
			readonly text: string;
			readonly taken: readonly JsonPath[];
			readonly kept: readonly JsonPath[];
	  }
	| {readonly kind: 'conflict'; readonly paths: readonly JsonPath[]}
	| {readonly kind: 'not json'; readonly why: string};

const pathsOf = (places: readonly JsonNodeRef[]): JsonPath[] =>
	places.map(({nodes, node}) => nodes.path(node));

function mergeTexts(base: string, stored: string, mine: string): Merged {
	const result = runSteps(mergeJson(base, stored, mine));
	switch (result.kind) {
		case 'merged':
			return {
				kind: result.kind,
				text: result.text,
				taken: pathsOf(result.theirChanges.map(({before, after}) => before ?? after)),
				kept: pathsOf(result.myChanges.map(({before, after}) => before ?? after)),
			};
		case 'conflict':
			return {kind: 'conflict', paths: pathsOf(result.conflicts.map(({place}) => place))};
		case 'not json':
			return result;
	}
}

const merge = (base: unknown, stored: unknown, mine: unknown): Merged =>
	mergeTexts(JSON.stringify(base), JSON.stringify(stored), JSON.stringify(mine));

function getMergedValue(result: Merged): unknown {
	if (result.kind !== 'merged') throw new Error(`not merged: ${JSON.stringify(result)}`);
	return JSON.parse(result.text);
}

const getConflictPaths = (result: Merged): readonly JsonPath[] => {
	if (result.kind !== 'conflict') throw new Error(`no conflict: ${JSON.stringify(result)}`);
	return result.paths;
};

/** The source text of the value at a path; undefined if there is none. */
function sourceAt(text: string, path: JsonPath): string | undefined {
	const nodes = readJsonNodes(text);
	const node = nodes?.find(path);
	return node === undefined ? undefined : nodes?.source(node);
}

const startsWith = (path: JsonPath, start: JsonPath): boolean =>
	start.every((step, index) => path[index] === step);

describe('merging two changes', () => {
	it('keeps the layout and the numbers of the stored version and inserts my changes', () => {
		const base = '{"name":"Ada","roles":["admin","ops"],"seen":1}';
		const stored = '{\n  "name": "Ada",\n  "roles": ["admin", "ops"],\n  "seen": 2.50\n}';
		const mine = '{"name":"Ada","roles":["admin"],"seen":1,"new":1e3}';
		expect(mergeTexts(base, stored, mine)).toEqual({
			kind: 'merged',
			text: '{\n  "name": "Ada",\n  "roles": ["admin"],\n  "seen": 2.50,\n  "new": 1e3\n}',
			taken: [['seen']],
			kept: [['new'], ['roles']],
		});
	});

	it('descends into objects changed on both sides', () => {
		const result = merge({a: {x: 1, y: 1}, b: 1}, {a: {x: 2, y: 1}, b: 1}, {a: {x: 1, y: 3}, b: 1});
		expect(getMergedValue(result)).toEqual({a: {x: 2, y: 3}, b: 1});
		expect(result).toMatchObject({taken: [['a', 'x']], kept: [['a', 'y']]});
	});

	it('adds and removes properties of both sides', () => {
		expect(getMergedValue(merge({a: 1, b: 2, c: 3}, {b: 2, c: 3, d: 4}, {a: 1, b: 2, e: 5}))).toEqual({
			b: 2,
			d: 4,
			e: 5,
		});
		expect(getMergedValue(merge({o: {a: 1}}, {o: {a: 1, b: 2}}, {o: {}}))).toEqual({o: {b: 2}});
		expect(getMergedValue(merge({o: {a: 1}}, {o: {}}, {o: {a: 1, b: 2}}))).toEqual({o: {b: 2}});
	});

	it('counts another spelling of a number as a change, but not of a string', () => {
		expect(mergeTexts('{"a":1,"b":1}', '{"a":1.0,"b":1}', '{"a":1,"b":1.00}')).toMatchObject({
			text: '{"a":1.0,"b":1.00}',
		});
		expect(mergeTexts('{"a":"\\u0061"}', '{"a":"a"}', '{"a":"b"}')).toMatchObject({
			kind: 'merged',
			text: '{"a":"b"}',
		});
	});

	it('does not count a different order of properties as a change', () => {
		expect(mergeTexts('{"a":1,"b":2}', '{"b":2,"a":1}', '{"a":1,"b":3}')).toMatchObject({
			text: '{"b":3,"a":1}',
		});
	});

	it('merges properties called __proto__ like any other', () => {
		const text = (one: number, two: number) => `{"__proto__":{"x":${one}},"y":${two}}`;
		expect(mergeTexts(text(1, 1), text(2, 1), text(1, 2))).toMatchObject({kind: 'merged', text: text(2, 2)});
	});
});

describe('a conflict', () => {
	it('is a path changed on both sides, even in the same way', () => {
		expect(getConflictPaths(merge({a: 1}, {a: 2}, {a: 3}))).toEqual([['a']]);
		expect(getConflictPaths(merge({a: 1}, {a: 2}, {a: 2}))).toEqual([['a']]);
		expect(getConflictPaths(merge({a: 1}, {}, {}))).toEqual([['a']]);
		expect(getConflictPaths(merge({}, {a: 1}, {a: 1}))).toEqual([['a']]);
		expect(getConflictPaths(merge(1, 2, 3))).toEqual([[]]);
	});

	it('is a change above or below a change of the other side', () => {
		expect(getConflictPaths(merge({a: {x: 1, y: 1}}, {a: {x: 2, y: 1}}, {}))).toEqual([['a']]);
		expect(getConflictPaths(merge({a: {x: 1}}, {a: 'gone'}, {a: {x: 2}}))).toEqual([['a']]);
		expect(getConflictPaths(merge({a: {x: 1}}, {a: {x: 1, y: 2}}, {a: []}))).toEqual([['a']]);
	});

	it('names all paths in conflict', () => {
		expect(
			getConflictPaths(merge({a: 1, b: {c: 1}, d: 1}, {a: 2, b: {c: 2}, d: 2}, {a: 3, b: {c: 3}, d: 1})),
		).toEqual([['a'], ['b', 'c']]);
	});
});

describe('arrays', () => {
	it('are merged element by element while both sides keep the length', () => {
		expect(getMergedValue(merge(['a', 'b', 'c'], ['A', 'b', 'c'], ['a', 'b', 'C']))).toEqual(['A', 'b', 'C']);
	});

	it('are one value once a side changes the length', () => {
		expect(getConflictPaths(merge({l: [1, 2]}, {l: [1, 2, 3]}, {l: [9, 2]}))).toEqual([['l']]);
		expect(getMergedValue(merge({l: [1, 2], n: 1}, {l: [1, 2], n: 2}, {l: [2], n: 1}))).toEqual({
			l: [2],
			n: 2,
		});
	});

	it('are not merged within one element', () => {
		expect(getConflictPaths(merge([{x: 1, y: 1}], [{x: 2, y: 1}], [{x: 1, y: 2}]))).toEqual([[0]]);
	});

	it('are not merged when elements may have moved', () => {
		expect(getConflictPaths(merge(['a', 'b', 'c'], ['b', 'a', 'c'], ['a', 'b', 'C']))).toEqual([[]]);
		expect(getConflictPaths(merge([{id: 1}, {id: 2}], [{id: 2}, {id: 3}], [{id: 1}, {id: 2, x: 1}]))).toEqual(
			[[]],
		);
		expect(getConflictPaths(merge(['a', 'b', 'c'], ['A', 'b', 'c'], ['a', 'c', 'b']))).toEqual([[]]);
	});
});

describe('input that is not merged', () => {
	it('is text that is not JSON, with the side named', () => {
		expect(mergeTexts('{}', '{}', '{')).toEqual({
			kind: 'not json',
			why: 'Your version is not JSON, or is too large to merge.',
		});
		expect(mergeTexts('{}', 'x', '{}')).toMatchObject({why: expect.stringContaining('The stored version')});
	});

	it('is JSON with a repeated name in one object, at any depth and in any spelling', () => {
		expect(mergeTexts('{"o":[{"a":1,"\\u0061":2}]}', '{}', '{}')).toMatchObject({
			kind: 'not json',
			why: expect.stringContaining('twice in one object'),
		});
	});
});

/** New values of some properties; undefined removes one. */
const change = fc.dictionary(
	fc.constantFrom('a', 'b', 'c', 'd', 'e'),
	fc.option(jsonValue, {nil: undefined}),
	{
		maxKeys: 2,
	},
);

type Change = {readonly [name: string]: JsonValue | undefined};

/** A text and two changed copies of it, with changes on two levels; or three unrelated texts. */
const threeVersions = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.tuple(jsonObject, jsonObject, change, change, change, change).map(buildRelatedVersions),
	},
	fc.tuple(jsonObject, jsonObject, jsonObject).map(textsOf),
);

function buildRelatedVersions([outer, inner, theirs, theirsInside, ours, oursInside]: [
	...[outer: Change, inner: Change],
	...[theirs: Change, theirsInside: Change],
	...[ours: Change, oursInside: Change],
]): [string, string, string] {
	const version = (outside: Change, inside: Change) => ({...outer, ...outside, inner: {...inner, ...inside}});
	return textsOf([version({}, {}), version(theirs, theirsInside), version(ours, oursInside)]);
}

/** The JSON texts of three versions, without the properties that are undefined. */
function textsOf([base, stored, mine]: [unknown, unknown, unknown]): [string, string, string] {
	return [JSON.stringify(base), JSON.stringify(stored), JSON.stringify(mine)];
}

const toSortedTexts = (paths: readonly JsonPath[]): string[] =>
	paths.map(path => JSON.stringify(path)).sort();

function changedPaths(from: string, to: string): string[] {
	const result = mergeTexts(from, to, from);
	expect(result).toMatchObject({kind: 'merged', text: to});
	return result.kind === 'merged' ? toSortedTexts(result.taken) : [];
}

describe('the result of a merge', () => {
	it('is mine if only I changed something, and the stored version if only others did', () => {
		fc.assert(
			fc.property(jsonText, jsonText, (base, changed) => {
				expect(getMergedValue(mergeTexts(base, base, changed))).toEqual(JSON.parse(changed));
				const theirs = mergeTexts(base, changed, base);
				expect(theirs).toMatchObject({kind: 'merged', text: changed, kept: []});
			}),
		);
	});

	it('is the stored text byte for byte if I changed nothing', () => {
		fc.assert(
			fc.property(jsonText, jsonText, (base, stored) => {
				const reformatted = JSON.stringify(JSON.parse(base), null, 3);
				expect(mergeTexts(base, stored, reformatted)).toMatchObject({kind: 'merged', text: stored});
			}),
		);
	});

	it('has both changes when they are to different properties', () => {
		const addPrefix = (object: {[name: string]: JsonValue}, prefix: string) =>
			Object.fromEntries(Object.entries(object).map(([name, value]) => [prefix + name, value]));
		fc.assert(
			fc.property(jsonObject, jsonObject, jsonObject, jsonObject, (theirs, ours, theirsNew, oursNew) => {
				const base = {...addPrefix(theirs, 't'), ...addPrefix(ours, 'm')};
				const stored = {...addPrefix(theirsNew, 't'), ...addPrefix(ours, 'm')};
				const mine = {...addPrefix(theirs, 't'), ...addPrefix(oursNew, 'm')};
				expect(getMergedValue(merge(base, stored, mine))).toEqual({
					...addPrefix(theirsNew, 't'),
					...addPrefix(oursNew, 'm'),
				});
			}),
		);
	});

	it('never loses a change of either side or adds one of its own', () => {
		fc.assert(
			fc.property(threeVersions, ([base, stored, mine]) => {
				const result = mergeTexts(base, stored, mine);
				if (result.kind !== 'merged') {
					expect(result.kind).toBe('conflict');
					return;
				}
				for (const path of result.kept) expect(sourceAt(result.text, path)).toBe(sourceAt(mine, path));
				for (const path of result.taken) expect(sourceAt(result.text, path)).toBe(sourceAt(stored, path));
				for (const kept of result.kept)
					for (const taken of result.taken)
						expect(startsWith(kept, taken) || startsWith(taken, kept)).toBe(false);
				// The result differs from the stored text by my changes, and from my text by theirs.
				expect(changedPaths(stored, result.text)).toEqual(toSortedTexts(result.kept));
				expect(changedPaths(mine, result.text)).toEqual(toSortedTexts(result.taken));
			}),
			{numRuns: getRunCount(500)},
		);
	});

	it('does not depend on which side is called stored', () => {
		fc.assert(
			fc.property(jsonObject, jsonObject, jsonObject, (base, stored, mine) => {
				const one = merge(base, stored, mine);
				const other = merge(base, mine, stored);
				expect(other.kind).toBe(one.kind);
				if (one.kind === 'merged') expect(getMergedValue(other)).toEqual(getMergedValue(one));
			}),
			{numRuns: getRunCount(300)},
		);
	});
});

describe('deep nesting', () => {
	it('is merged', () => {
		const buildDeepText = (value: number, side: number) =>
			`{"side":${side},"v":${'['.repeat(10_000)}${value}${']'.repeat(10_000)}}`;
		expect(mergeTexts(buildDeepText(1, 1), buildDeepText(2, 1), buildDeepText(1, 2))).toMatchObject({
			kind: 'merged',
			text: buildDeepText(2, 2),
		});
	});

	it('is merged with a change on each level', () => {
		const levels = 20_000;
		const buildDeepText = (value: number) => `${'['.repeat(levels)}0${`,${value}]`.repeat(levels)}`;
		const result = runSteps(mergeJson(buildDeepText(1), buildDeepText(2), buildDeepText(1)));
		expect(result).toMatchObject({kind: 'merged', text: buildDeepText(2)});
		expect(result.kind === 'merged' && result.theirChanges.length).toBe(levels);
	});
});
