import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {formatRulesFile, toFileRule} from '../../source/rule-files/format.ts';
import {parseRulesFile} from '../../source/rule-files/parse.ts';
import type {RulesFileData} from '../../source/rule-files/schema.ts';
import type {RulesetRule} from '../../source/rulesets/ruleset.ts';
import {getRunCount} from '../support/full.ts';
import {formatYaml, parseYaml} from './support.ts';

const block = (expression: string, more: Partial<RulesetRule> = {}): RulesetRule => ({
	...more,
	action: 'block',
	expression,
});

const previousText = `# My rules

zone: a.example
# Section
custom_rules:
  # About the section

  # About one
  - id: one # its id
    # Before the expression
    expression: a # after it
    action: block
    action_parameters:
      response:
        status_code: 404 # teapot
        content: |
          Not
          found
        content_type: text/plain
  # About two
  - ref: second
    action: block
    expression: b

  # About three
  - action: block
    expression: c
  # At the end
rate_limits: []
# After everything
`;

const response = {status_code: 404, content: 'Not\nfound\n', content_type: 'text/plain'};
const one = block('a', {id: 'one', action_parameters: {response}});
const two = block('b', {ref: 'second'});
const three = block('c');

const rewrite = (custom_rules: readonly RulesetRule[], more: RulesFileData = {}): string =>
	formatYaml({zone: 'a.example', custom_rules, rate_limits: [], ...more}, previousText);

describe('a rewritten file', () => {
	test('of the same rules is the same, with all comments', () => {
		expect(rewrite([one, two, three]).replace('\n\n# After', '\n# After')).toBe(previousText);
	});

	test('keeps the comment of a rule that moved with it', () => {
		const text = rewrite([three, block('new'), one, two]);
		expect(text).toMatch(
			/# About the section\n\n {2}# About three\n {2}- action: block\n {4}expression: c\n/,
		);
		expect(text).toMatch(/# About one\n {2}- id: one # its id\n/);
		expect(text).toMatch(/# About two\n {2}- ref: second\n/);
		expect(text).toContain('# At the end\nrate_limits');
	});

	test.each([
		['by id', block('other', {id: 'one'}), '# About one\n  - id: one # its id'],
		['by ref', block('other', {ref: 'second', id: 'x'}), '# About two\n  - ref: second\n    id: x'],
		[
			'by content',
			block('c', {id: 'y', ref: 'z'}),
			'# About three\n  - id: y\n    ref: z\n    action: block\n',
		],
	])('finds a rule %s', (_name, rule, expected) => {
		expect(rewrite([block('first'), rule])).toContain(expected);
	});

	test('drops the comment of a deleted rule, also of the first', () => {
		const text = rewrite([two]);
		expect(text).not.toMatch(/About one|About three|its id|teapot/);
		expect(text).toMatch(/# About the section\n\n {2}# About two\n/);
		expect(rewrite([])).toContain('custom_rules:\n  # About the section\n  []\n  # At the end\n');
	});

	test('keeps a comment of the section apart from a first rule without one', () => {
		const text = rewrite([block('new'), two]);
		expect(text).toContain('  # About the section\n\n  - action: block\n    expression: new\n');
		const again = formatYaml({custom_rules: [two, block('new')]}, text);
		expect(again).toContain('  # About the section\n\n  # About two\n  - ref: second\n');
	});

	test('keeps comments within a changed rule', () => {
		const changed = {
			...one,
			expression: 'changed',
			action_parameters: {response: {...response, status_code: 405}},
		};
		const text = rewrite([changed]);
		expect(text).toContain('    # Before the expression\n    expression: changed # after it\n');
		expect(text).toContain('status_code: 405 # teapot');
	});

	test('keeps a section that was not exported', () => {
		const text = formatYaml({zone: 'a.example', rate_limits: []}, previousText);
		expect(parseYaml(text).data.custom_rules).toEqual([one, two, three]);
	});

	test('writes out aliases, whose anchors may go', () => {
		const aliased =
			'zone: a.example\ncustom_rules:\n  - action: block\n    expression: &x ssl\n  - action: log # why\n    expression: *x\n';
		const text = formatYaml({zone: 'a.example', custom_rules: [{action: 'log', expression: 'ssl'}]}, aliased);
		expect(text).toBe('zone: a.example\ncustom_rules:\n  - action: log # why\n    expression: ssl\n');
	});
});

describe('a file', () => {
	test('omits what the service sets by default', () => {
		expect(
			toFileRule(
				{
					...block('a', {id: 'one', ref: 'one', description: '', enabled: true}),
					action_parameters: {},
					logging: {enabled: false},
				},
				true,
			),
		).toEqual({id: 'one', action: 'block', expression: 'a'});
		expect(
			toFileRule(
				{action: 'execute', id: 'x', expression: 'true', action_parameters: {id: 'r', version: 'latest'}},
				false,
			),
		).toEqual({action: 'execute', expression: 'true', action_parameters: {id: 'r'}});
	});

	test('keeps fields that ledge does not know', () => {
		expect(toFileRule({...block('a'), later: {x: 1}}, true)).toMatchObject({later: {x: 1}});
	});

	const text = fc.string({unit: 'binary', maxLength: 40}).filter(value => value.isWellFormed());
	const rule = fc.record(
		{
			id: fc.option(fc.stringMatching(/^[a-f0-9]{4}$/), {nil: undefined}),
			description: text,
			action: fc.constantFrom('block', 'skip'),
			expression: text.filter(value => value !== ''),
			action_parameters: fc.dictionary(
				text,
				fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.array(text, {maxLength: 3})),
				{maxKeys: 3},
			),
		},
		{noNullPrototype: true},
	);
	const rules = fc.uniqueArray(rule, {maxLength: 5, selector: ({id}) => id ?? Symbol('none')});
	const toData = (list: readonly object[]): RulesFileData =>
		JSON.parse(JSON.stringify({zone: 'a.example', custom_rules: list})) as RulesFileData;

	test.each(['yaml', 'json'] as const)('of any texts is read back the same, as %s', format => {
		fc.assert(
			fc.property(rules, list => {
				const data = toData(list);
				const written = formatRulesFile(data, {format, header: []});
				expect(written).not.toMatch(/[^\n\t\P{Cc}]|[\u200b\u200e\u200f\u2028-\u202e\ufeff]/u);
				expect(parseRulesFile(written, {name: 'x', format}).data).toEqual(data);
			}),
			{numRuns: getRunCount(2_000)},
		);
	});

	test('rewritten with any other rules is read back as those', () => {
		fc.assert(
			fc.property(rules, rules, (first, second) => {
				const commented = formatYaml(toData(first)).replaceAll(/^ {2}- /gm, '  # about it\n  - ');
				const data = toData(second);
				const rewritten = formatYaml(data, commented);
				expect(parseYaml(rewritten).data).toEqual(data);
				expect(formatYaml(data, rewritten)).toBe(rewritten);
			}),
			{numRuns: getRunCount(2_000)},
		);
	});
});
