import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	computeFingerprint,
	type ManagedConfiguration,
} from '../../../source/migration/configuration/configuration.ts';
import {
	applyEdit,
	type ConfigurationEdit,
	formatEditSentence,
} from '../../../source/migration/configuration/edits.ts';
import type {ExceptionDraft} from '../../../source/migration/configuration/exceptions.ts';
import {
	managedRulesets,
	paranoiaLevels,
	thresholdRuleId,
} from '../../../source/migration/configuration/mapping.ts';
import {configurationOf, createExecuteRule, createSkipRule} from '../support/configurations.ts';

const {platform, owasp} = managedRulesets;
const base = configurationOf(
	createSkipRule('ip.src eq 192.0.2.1'),
	createExecuteRule(platform.id, {rules: [{id: 'a1', action: 'log', enabled: true}]}),
	createExecuteRule(owasp.id, {
		categories: [
			{category: 'paranoia-level-3', enabled: false},
			{category: 'paranoia-level-4', enabled: false},
		],
		rules: [{id: thresholdRuleId, score_threshold: 40, action: 'log'}],
	}),
);

const getOverrides = (configuration: ManagedConfiguration, index: number): unknown =>
	configuration.rules[index]?.action_parameters?.overrides;

describe('edits of rules', () => {
	test('turn a rule off and on again', () => {
		const off = applyEdit(base, {kind: 'rule enabled', rule: 1, enabled: false});
		expect(off.rules.map(({enabled}) => enabled)).toEqual([true, false, true]);
		expect(applyEdit(off, {kind: 'rule enabled', rule: 1, enabled: true})).toEqual(base);
	});

	test('remove a rule', () => {
		expect(applyEdit(base, {kind: 'rule removed', rule: 0}).rules).toEqual(base.rules.slice(1));
	});

	test('deploy a ruleset after all others, only once', () => {
		const {credentials} = managedRulesets;
		const edit: ConfigurationEdit = {kind: 'ruleset deployed', ruleset: credentials.id};
		const after = applyEdit(base, edit);
		expect(after.rules.at(-1)).toEqual(createExecuteRule(credentials.id));
		expect(() => applyEdit(after, edit)).toThrow('is already in the configuration');
	});
});

describe('overrides', () => {
	test('of a managed rule are changed in place, or added if missing', () => {
		const edit = (id: string): ConfigurationEdit => ({
			kind: 'managed rule override',
			ruleset: platform.id,
			id,
			action: 'block',
		});
		expect(getOverrides(applyEdit(base, edit('a1')), 1)).toEqual({
			rules: [{id: 'a1', action: 'block', enabled: true}],
		});
		expect(getOverrides(applyEdit(base, edit('b2')), 1)).toEqual({
			rules: [
				{id: 'a1', action: 'log', enabled: true},
				{id: 'b2', action: 'block'},
			],
		});
	});

	test('that no longer say anything are removed, together with their empty list', () => {
		const after = applyEdit(base, {
			kind: 'managed rule override',
			ruleset: platform.id,
			id: 'a1',
			action: 'default',
			enabled: 'default',
		});
		expect(after.rules[1]?.action_parameters).toEqual({id: platform.id});
	});

	test('of a category and of a whole ruleset are changed', () => {
		const one = applyEdit(base, {
			kind: 'category override',
			ruleset: platform.id,
			category: 'wordpress',
			enabled: false,
		});
		const both = applyEdit(one, {kind: 'ruleset override', ruleset: platform.id, action: 'log'});
		expect(getOverrides(both, 1)).toMatchObject({
			action: 'log',
			categories: [{category: 'wordpress', enabled: false}],
		});
	});

	test('of OWASP change the score threshold and the action independently', () => {
		const scored = applyEdit(base, {kind: 'score threshold', points: 25});
		const both = applyEdit(scored, {kind: 'threshold action', action: 'block'});
		expect(getOverrides(both, 2)).toMatchObject({
			rules: [{id: thresholdRuleId, score_threshold: 25, action: 'block'}],
		});
	});

	test.each([0, -1, 1.5, Number.NaN])('refuse %s as a score threshold', points => {
		expect(() => applyEdit(base, {kind: 'score threshold', points})).toThrow('not a score threshold');
	});

	test('of a ruleset that is not deployed are refused', () => {
		expect(() => applyEdit(configurationOf(), {kind: 'paranoia level', level: 1})).toThrow(
			'does not deploy OWASP Core Ruleset',
		);
	});

	test('of unknown shape are refused, not overwritten', () => {
		const odd = configurationOf(createExecuteRule(owasp.id, {rules: 'all'}));
		expect(() => applyEdit(odd, {kind: 'score threshold', points: 40})).toThrow(
			'have a format that ledge does not know',
		);
	});
});

describe('the paranoia level', () => {
	test.each([
		[1, ['paranoia-level-2', 'paranoia-level-3', 'paranoia-level-4']],
		[2, ['paranoia-level-3', 'paranoia-level-4']],
		[3, ['paranoia-level-4']],
	] as const)('PL%i turns off all higher categories', (level, off) => {
		const after = applyEdit(base, {kind: 'paranoia level', level});
		expect(getOverrides(after, 2)).toMatchObject({
			categories: off.map(category => ({category, enabled: false})),
		});
	});

	test('PL4 is set explicitly, since leaving it out means the default of the ruleset', () => {
		expect(getOverrides(applyEdit(base, {kind: 'paranoia level', level: 4}), 2)).toMatchObject({
			categories: [{category: 'paranoia-level-4', enabled: true}],
		});
	});

	test('gives the same fingerprint, whatever level was set before', () => {
		fc.assert(
			fc.property(
				fc.array(fc.constantFrom(...paranoiaLevels)),
				fc.constantFrom(...paranoiaLevels),
				(earlierLevels, lastLevel) => {
					const setLevel = (configuration: ManagedConfiguration, level: 1 | 2 | 3 | 4) =>
						applyEdit(configuration, {kind: 'paranoia level', level});
					expect(computeFingerprint(setLevel(earlierLevels.reduce(setLevel, base), lastLevel))).toBe(
						computeFingerprint(setLevel(base, lastLevel)),
					);
				},
			),
		);
	});
});

describe('exceptions', () => {
	const addAndFindIndex = (exception: ExceptionDraft, start = base) =>
		applyEdit(start, {kind: 'exception added', exception}).rules.findIndex(
			({expression}) => expression === exception.expression,
		);

	test('go before the first execute rule they skip', () => {
		expect(addAndFindIndex({expression: 'ssl', skips: {kind: 'all'}})).toBe(1);
		expect(addAndFindIndex({expression: 'ssl', skips: {kind: 'rulesets', ids: [owasp.id]}})).toBe(2);
		expect(addAndFindIndex({expression: 'ssl', skips: {kind: 'rules', rules: {[platform.id]: ['a1']}}})).toBe(
			1,
		);
	});

	test('go before all execute rules if they skip none of them, and last if there are none', () => {
		expect(addAndFindIndex({expression: 'ssl', skips: {kind: 'rulesets', ids: ['f00d']}})).toBe(1);
		expect(
			addAndFindIndex({expression: 'ssl', skips: {kind: 'all'}}, configurationOf(createSkipRule('true'))),
		).toBe(1);
	});

	test('are logged and active by default', () => {
		const {rules} = applyEdit(configurationOf(), {
			kind: 'exception added',
			exception: {expression: 'ssl', skips: {kind: 'all'}},
		});
		expect(rules).toEqual([createSkipRule('ssl')]);
	});

	test('move forward when changed to skip earlier rules, and keep their other fields', () => {
		const configurationWithLateException = configurationOf(
			createExecuteRule(platform.id),
			{...createSkipRule('ssl', {rulesets: [owasp.id]}), description: 'office', future: 1},
			createExecuteRule(owasp.id),
		);
		const {rules} = applyEdit(configurationWithLateException, {
			kind: 'exception changed',
			rule: 1,
			exception: {expression: 'ssl', skips: {kind: 'all'}},
		});
		expect(rules[0]).toEqual({...createSkipRule('ssl'), description: 'office', future: 1});
		expect(rules).toHaveLength(3);
	});

	test.each<[string, ExceptionDraft, string]>([
		['an expression', {expression: ' ', skips: {kind: 'all'}}, 'needs an expression.'],
		['rulesets', {expression: 'ssl', skips: {kind: 'rulesets', ids: []}}, 'must specify what it skips.'],
		['rules', {expression: 'ssl', skips: {kind: 'rules', rules: {}}}, 'must specify what it skips.'],
		[
			'rules of a ruleset',
			{expression: 'ssl', skips: {kind: 'rules', rules: {x: []}}},
			'must specify what it skips.',
		],
	])('are refused without %s', (_, exception, sentence) => {
		expect(() => applyEdit(base, {kind: 'exception added', exception})).toThrow(`An exception ${sentence}`);
	});

	test('are the only rules that can be edited as exceptions', () => {
		expect(() =>
			applyEdit(base, {
				kind: 'exception changed',
				rule: 1,
				exception: {expression: 'ssl', skips: {kind: 'all'}},
			}),
		).toThrow('Rule 2 is not an exception');
	});
});

test('edits are described in plain words', () => {
	expect(
		formatEditSentence({
			kind: 'managed rule override',
			ruleset: platform.id,
			id: 'a1',
			action: 'managed_challenge',
		}),
	).toBe('Set managed rule a1 of Managed Ruleset to action managed challenge.');
	expect(formatEditSentence({kind: 'rule enabled', rule: 2, enabled: false})).toBe('Turn off rule 3.');
	expect(
		formatEditSentence({kind: 'exception added', exception: {expression: 'ssl', skips: {kind: 'all'}}}),
	).toBe('Add exception: skip all managed rules where ssl.');
});

describe('an exception like one that exists', () => {
	const draft: ExceptionDraft = {
		expression: 'ip.src eq 192.0.2.1',
		description: 'office',
		skips: {kind: 'all'},
	};
	const add: ConfigurationEdit = {kind: 'exception added', exception: draft};

	test('is refused, with the rule and what to do', () => {
		expect(() => applyEdit(base, add)).toThrow('This exception already exists.');
		const off = applyEdit(base, {kind: 'rule enabled', rule: 0, enabled: false});
		expect(() => applyEdit(off, add)).toThrow(
			expect.objectContaining({
				details: expect.objectContaining({why: expect.stringContaining('but is off')}),
			}),
		);
	});

	test('is added if it skips something else, or if the other one comes too late', () => {
		const skips = {kind: 'rulesets', ids: [owasp.id]} as const;
		expect(applyEdit(base, {...add, exception: {...draft, skips}}).rules).toHaveLength(4);
		const late = configurationOf(createExecuteRule(platform.id), createSkipRule(draft.expression));
		expect(applyEdit(late, add).rules.map(({action}) => action)).toEqual(['skip', 'execute', 'skip']);
	});
});
