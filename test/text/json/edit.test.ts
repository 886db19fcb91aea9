import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {isJson} from '../../../source/text/json/content.ts';
import {
	addMember,
	applyEdits,
	buildMemberEdits,
	parseScalarInput,
	removeMember,
	renameMember,
	replaceScalar,
} from '../../../source/text/json/edit.ts';
import type {JsonNodes} from '../../../source/text/json/tree-nodes.ts';
import {readJsonNodes} from '../../../source/text/json/tree-reading.ts';
import {runSteps} from '../../../source/text/steps.ts';
import {jsonObject, jsonText, jsonValue} from './samples.ts';

function nodesOf(text: string): JsonNodes {
	const nodes = readJsonNodes(text);
	if (!nodes) throw new Error(`not JSON: ${text}`);
	return nodes;
}

const findNode = (nodes: JsonNodes, ...path: (string | number)[]): number => nodes.find(path) as number;

describe('replacing a value', () => {
	it('leaves every other character unchanged', () => {
		const text = '{ "a" : [1.0,\t2],\r\n"a":"x" }';
		const nodes = nodesOf(text);
		expect(replaceScalar(nodes, 3, '3e0')).toBe('{ "a" : [1.0,\t3e0],\r\n"a":"x" }');
		expect(replaceScalar(nodes, findNode(nodes, 'a'), 'null')).toBe('{ "a" : [1.0,\t2],\r\n"a":null }');
		expect(replaceScalar(nodes, 0, '{}')).toBe('{}');
	});

	it('changes only that value', () => {
		fc.assert(
			fc.property(jsonText, jsonValue, fc.nat(), (text, value, pick) => {
				const before = nodesOf(text);
				const node = pick % before.size;
				const source = JSON.stringify(value);
				const after = nodesOf(replaceScalar(before, node, source));
				expect(after.source(node)).toBe(source);
				expect(after.text.slice(0, after.start(node))).toBe(text.slice(0, before.start(node)));
				expect(after.text.slice(after.end(node))).toBe(text.slice(before.end(node)));
			}),
		);
	});
});

describe('renaming a property', () => {
	it('leaves every other character unchanged, even a second property of that name', () => {
		const text = '{ "a" : 12345678901234567890 ,\r\n"\\u0062":1.0,"a":2}';
		const nodes = nodesOf(text);
		expect(renameMember(nodes, 1, 'x"y')).toBe('{ "x\\"y" : 12345678901234567890 ,\r\n"\\u0062":1.0,"a":2}');
		expect(renameMember(nodes, 2, 'c')).toBe('{ "a" : 12345678901234567890 ,\r\n"c":1.0,"a":2}');
		expect(renameMember(nodes, 3, 'ä')).toBe('{ "a" : 12345678901234567890 ,\r\n"\\u0062":1.0,"ä":2}');
	});

	it('changes only that name', () => {
		fc.assert(
			fc.property(jsonText, fc.string({unit: 'grapheme'}), fc.nat(), (text, name, pick) => {
				const before = nodesOf(text);
				const named = Array.from({length: before.size}, (_, node) => node).filter(
					node => before.nameStart(node) >= 0,
				);
				const node = named[pick % named.length];
				if (node === undefined) return;
				const after = nodesOf(renameMember(before, node, name));
				expect(after.size).toBe(before.size);
				expect(after.name(node)).toBe(name);
				expect(after.text.slice(0, after.nameStart(node))).toBe(text.slice(0, before.nameStart(node)));
				expect(after.text.slice(after.nameEnd(node))).toBe(text.slice(before.nameEnd(node)));
			}),
		);
	});
});

describe('removing a property or element', () => {
	it.each([
		['{"a":1, "b":2, "c":3}', ['a'], '{"b":2, "c":3}'],
		['{"a":1, "b":2, "c":3}', ['b'], '{"a":1, "c":3}'],
		['{"a":1, "b":2, "c":3}', ['c'], '{"a":1, "b":2}'],
		['{\n  "a": 1,\n  "b": 2\n}', ['b'], '{\n  "a": 1\n}'],
		['{\n  "a": 1,\n  "b": 2\n}', ['a'], '{\n  "b": 2\n}'],
		['{\n  "a": 1\n}', ['a'], '{}'],
		['[1,[2,3]]', [1, 0], '[1,[3]]'],
	])('takes its comma with it: %j without %j', (text, path, expected) => {
		const nodes = nodesOf(text);
		expect(removeMember(nodes, findNode(nodes, ...path))).toBe(expected);
	});
});

describe('adding a property', () => {
	it.each([
		['{}', '{"n":0}'],
		['{"a":1}', '{"a":1,"n":0}'],
		['{"a": 1, "b": 2}', '{"a": 1, "b": 2, "n": 0}'],
		['{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"n": 0\n}'],
	])('puts it last, in the layout of the others: %j', (text, expected) => {
		expect(addMember(nodesOf(text), 0, {name: 'n', source: '0'})).toBe(expected);
	});
});

describe('changing the members of a container', () => {
	it('removes and adds only the requested ones', () => {
		fc.assert(
			fc.property(
				jsonObject,
				jsonObject,
				fc.constantFrom(undefined, 2, '\t'),
				fc.array(fc.boolean(), {minLength: 5, maxLength: 5}),
				(before, addedObject, space, removals) => {
					const nodes = nodesOf(JSON.stringify(before, null, space));
					const removed = new Set<number>();
					for (let child = 1; child < nodes.size; child = nodes.nodeAfter(child))
						if (removals[nodes.memberIndex(child)]) removed.add(child);
					const added = Object.entries(addedObject).map(([name, value]) => ({
						name: `new ${name}`,
						source: JSON.stringify(value),
					}));
					const kept = Object.entries(before).filter((_, index) => !removals[index]);
					const text = runSteps(applyEdits(nodes.text, runSteps(buildMemberEdits(nodes, 0, removed, added))));
					expect(Object.entries(JSON.parse(text))).toEqual([
						...kept,
						...Object.entries(addedObject).map(([name, value]) => [`new ${name}`, value]),
					]);
				},
			),
		);
	});
});

describe('text entered by a person', () => {
	it.each([
		['12', 'number', '12'],
		[' 1.50 ', 'number', '1.50'],
		['true', 'null', 'true'],
		['"x"', 'number', '"x"'],
		['{"a":1}', 'number', '{"a":1}'],
		['"x\\n"', 'string', '"x\\n"'],
		['Ada', 'string', '"Ada"'],
		[' two  spaces ', 'string', '" two  spaces "'],
		['12', 'string', '"12"'],
		['null', 'string', '"null"'],
		['', 'string', '""'],
		['say "hi"', 'string', '"say \\"hi\\""'],
		['"open', 'string', '"\\"open"'],
	] as const)('%j for a %s is %s', (entered, kind, source) => {
		expect(parseScalarInput(entered, kind)).toEqual({source});
	});

	it('is refused with a hint about strings if it is not JSON', () => {
		expect(parseScalarInput('hello', 'number')).toEqual({
			problem: 'This is not JSON: a string needs double quotes, as in "hello".',
		});
		expect(parseScalarInput('100.4389.90', 'number')).toEqual({
			problem: '100.4389.90 is not a JSON number.',
		});
		expect(parseScalarInput('["a@x",]', 'null')).toEqual({
			problem: 'This is not JSON: line 1, column 7: remove the trailing comma.',
		});
		expect(parseScalarInput('  ', 'true')).toHaveProperty(
			'problem',
			expect.stringContaining('Nothing was entered'),
		);
		expect(parseScalarInput('\ud800', 'string')).toHaveProperty(
			'problem',
			expect.stringContaining('surrogate'),
		);
		expect(parseScalarInput('\u{1f600}'.repeat(500), 'number')).toHaveProperty(
			'problem',
			expect.stringMatching(/^.{1,120}$/u),
		);
	});

	it('is always JSON or a problem, and a string field stays a string', () => {
		fc.assert(
			fc.property(fc.string({unit: 'binary'}), fc.constantFrom('string', 'number'), (entered, kind) => {
				const result = parseScalarInput(entered, kind);
				if ('problem' in result) expect(kind).toBe('number');
				else {
					expect(isJson(result.source)).toBe(true);
					if (kind === 'string') expect(typeof JSON.parse(result.source)).toBe('string');
				}
			}),
		);
	});
});
