import {describe, expect, test} from 'vitest';
import {type Failure, toFailure} from '../../source/failure.ts';
import {parseRulesFile} from '../../source/rule-files/parse.ts';
import type {RulesFileFormat} from '../../source/rule-files/sections.ts';

const parse = (text: string, format: RulesFileFormat = 'yaml', allowUnknown = false) =>
	parseRulesFile(text, {name: 'r', format, allowUnknown});

function getFailure(text: string, format?: RulesFileFormat, allowUnknown?: boolean): Failure {
	try {
		parse(text, format, allowUnknown);
	} catch (error) {
		return toFailure(error);
	}
	throw new Error('It was accepted.');
}

const rule = '  - action: block\n    expression: ssl\n';

describe('a file is refused with line and column for', () => {
	test.each([
		['an unknown section', 'custom_rule: []\n', 'r:1:1: unknown field "custom_rule".'],
		[
			'an unknown field',
			`custom_rules:\n${rule}    enbled: false\n`,
			'r:4:5: unknown field "enbled". Did you mean "enabled"?',
		],
		['a missing field', 'custom_rules:\n  - action: block\n', 'r:2:5: the field "expression" is missing'],
		[
			'a text in place of a flag',
			`custom_rules:\n${rule}    enabled: no\n`,
			'r:4:5: "enabled" must be true or false',
		],
		[
			'a section without a value',
			'custom_rules:\n',
			'r:1:1: "custom_rules" must be a list of rules; an empty list is written []',
		],
		['a rule that is no object', `custom_rules:\n${rule}  - block\n`, 'r:4:5: item 2 must be an object'],
		['a rate limit without its limit', `rate_limits:\n${rule}`, 'r:2:5: the field "ratelimit" is missing'],
		[
			'an unknown field of a limit',
			`rate_limits:\n${rule}    ratelimit: {characteristics: [a], period: 1, mitigation_timout: 2}\n`,
			'r:4:50: unknown field "mitigation_timout". Did you mean "mitigation_timeout"?',
		],
		[
			'a repeated id',
			`custom_rules:\n${rule}    id: a\n${rule}    id: a\n`,
			'r:7:5: another rule has the id "a"',
		],
		[
			'a repeated ref',
			`managed_rules:\n${rule}    ref: a\n${rule}    ref: a\n`,
			'r:7:5: another rule has the ref "a"',
		],
		['a repeated key', 'custom_rules: []\ncustom_rules: []\n', 'r:2:1: Map keys must be unique'],
		['a file without rules', 'zone: a\n', 'r:1:1: the file has none of custom_rules'],
		['an empty file', '', 'r:1:1: the file must be an object'],
		['a list', '- 1\n', 'r:1:1: the file must be an object'],
		['several documents', '--- {}\n--- {}\n', 'r:2:1: Source contains multiple documents'],
		['bad indentation', 'a: b: c\n', 'r:1:4: '],
		['binary data', 'zone: !!binary aGk=\n', 'r:1:7: Unresolved tag'],
		[
			'an inexact number',
			`custom_rules:\n${rule}    action_parameters: {a: 12345678901234567890}\n`,
			'r:4:25: the number 12345678901234567890 would be sent as 12345678901234567000',
		],
		[
			'no number',
			`custom_rules:\n${rule}    action_parameters: {a: [.inf]}\n`,
			'the number .inf would be sent as Infinity',
		],
		['deep nesting', `zone: ${'['.repeat(20_000)}`, 'r:1:'],
		[
			'aliases that multiply',
			`a: &a [1,1,1,1,1,1,1,1,1,1]\n${['b', 'c', 'd', 'e']
				.map((name, index) => `${name}: &${name} [${`*${'abcd'[index]},`.repeat(10)}]`)
				.join('\n')}\n`,
			'resource exhaustion',
		],
	])('%s', (_name, text, expected) => {
		const failure = getFailure(text);
		expect(failure.code).toBe('input_malformed');
		expect(failure.details.why).toContain(expected);
	});

	test('several problems at once, up to ten', () => {
		const {details} = getFailure(`custom_rules:\n${'  - {}\n'.repeat(20)}`);
		expect(details.why?.split('\n')).toHaveLength(11);
		expect(details.why).toMatch(/\nand 30 more$/);
	});

	test.each([
		'custom_rules: []',
		'{"custom_rules": [],}',
		'{"custom_rules": [] // no\n}',
	])('JSON that is none: %s', text => {
		expect(getFailure(text, 'json').message).toBe('r is not valid JSON.');
	});

	test('a field of a JSON file', () => {
		const text = '{\n  "custom_rules": [\n    {"action": "block", "expression": "ssl", "x": 1}\n  ]\n}\n';
		expect(getFailure(text, 'json').details.why).toContain('r:3:46: unknown field "x"');
	});
});

describe('a file is read', () => {
	test('with unknown fields of rules if they are allowed, and never with unknown sections', () => {
		const text = `custom_rules:\n${rule}    later: 1\n`;
		expect(parse(text, 'yaml', true).data.custom_rules?.[0]).toMatchObject({later: 1});
		expect(getFailure('other: []\n', 'yaml', true).details.why).toContain('unknown field "other"');
	});

	test('with anchors and aliases', () => {
		const text = 'custom_rules:\n  - &one {action: block, expression: ssl}\n  - *one\n';
		expect(parse(text).data.custom_rules).toHaveLength(2);
	});

	test('with a name of JavaScript as a key, which has no effect', () => {
		const text = `custom_rules:\n${rule}    action_parameters: {__proto__: {polluted: true}}\n`;
		parse(text);
		expect(Object(1).polluted).toBeUndefined();
	});

	test.each([
		['plain', 'expression: ssl and\n      not x\n', 1, 'r:3:17'],
		['a literal block', 'expression: |\n      ssl\n      and x\n', 2, 'r:5'],
	])('with the position in an expression: %s', (_name, text, line, expected) => {
		const file = parse(`custom_rules:\n  - action: block\n    ${text}`);
		expect(file.formatExpressionPosition('custom_rules', 0, line)).toBe(expected);
	});
});
