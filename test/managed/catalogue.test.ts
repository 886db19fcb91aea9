import {describe, expect, test} from 'vitest';
import {
	describeUnknownRuleId,
	findSearchWords,
	listCatalogueRules,
	listRulesetsWith,
	searchCatalogue,
} from '../../source/managed/catalogue.ts';
import {getManagedRuleEffect} from '../../source/migration/configuration/managed-effect.ts';
import type {ManagedContents} from '../../source/migration/zone/managed-contents.ts';
import {createExecuteRule} from '../migration/support/configurations.ts';

const rule = (id: string, description: string, categories: readonly string[] = [], more = {}) => ({
	id,
	description,
	categories,
	action: 'block',
	enabled: true,
	...more,
});
const managed: readonly ManagedContents[] = [
	{
		id: 'p',
		name: 'Managed Ruleset',
		rules: [
			rule('aa11', 'WordPress, SQLi - Comments', ['wordpress', 'sqli']),
			rule('aa12', 'Drupal, XSS - Form', ['drupal'], {action: 'log'}),
			rule('bb13', 'SQL injection in a header', [], {enabled: false}),
		],
	},
	{
		id: 'o',
		name: 'OWASP Core Ruleset',
		rules: [rule('cc14', '942100: SQL injection', ['paranoia-level-1', 'sqli'])],
	},
	{id: 'u', name: 'Unread'},
];
const allRules = listCatalogueRules(managed);
const findIds = (query: string) => searchCatalogue(query, allRules).map(({id}) => id);

describe('the search of managed rules', () => {
	test.each<[string, readonly string[]]>([
		['', ['aa11', 'aa12', 'bb13', 'cc14']],
		['cc14', ['cc14']],
		['aa1', ['aa11', 'aa12']],
		['sqli', ['aa11', 'cc14']],
		['SQL', ['bb13', 'cc14', 'aa11']],
		['sql header', ['bb13']],
		['header sql', ['bb13']],
		['jection', ['bb13', 'cc14']],
		['942100', ['cc14']],
		['rule "942100: SQL injection"', ['cc14']],
		['(942100),', ['cc14']],
		['log', ['aa12']],
		['off', ['bb13']],
		['owasp injection', ['cc14']],
		['wdprs', []],
		['sql nothing', []],
	])('%j finds %j', (query, ids) => {
		expect(findIds(query)).toEqual(ids);
	});

	test('reads the texts of a rule once, however often it is searched', () => {
		let reads = 0;
		const countingRule = {
			...rule('dd15', 'Counted'),
			ruleset: {id: 'p', name: 'P'},
			get description() {
				reads++;
				return 'Counted';
			},
		};
		for (const query of ['c', 'co', 'cou', 'counted p'])
			expect(searchCatalogue(query, [countingRule])).toHaveLength(1);
		expect(reads).toBe(1);
	});

	test.each([
		['sqli', undefined, undefined],
		['f'.repeat(32), undefined, 'Managed Ruleset, OWASP Core Ruleset do not contain rule'],
		['f'.repeat(32), 'o', 'OWASP Core Ruleset does not contain rule'],
		['f'.repeat(32), 'u', undefined],
	])('for the query %j in %j, the sentence about a missing id is %j', (query, ruleset, sentence) => {
		expect(describeUnknownRuleId(query, managed, ruleset)).toEqual(
			sentence && `${sentence} ${'f'.repeat(32)}.`,
		);
	});

	test.each([
		['OWASP SQL Injection Attacks', 'OWASP SQL Injection'],
		['SQL in a Comments of WordPress', 'SQL Comments WordPress'],
		['Platform WordPress', 'WordPress'],
		['drupal XSS header', 'drupal XSS'],
		['Zope', ''],
		['Ruleset of the OWASP', 'OWASP'],
		['Ruleset', ''],
		['OWASP Generic Attacks', 'OWASP'],
		['', ''],
	])('keeps the words of %j that find rules: %j', (name, words) => {
		expect(findSearchWords(name, allRules)).toBe(words);
	});

	test('lists the rules of one ruleset', () => {
		expect(listCatalogueRules(managed, 'o').map(({id}) => id)).toEqual(['cc14']);
		expect(listCatalogueRules(managed, 'u')).toEqual([]);
	});

	test('lists the rulesets that contain a category or rule', () => {
		expect(listRulesetsWith(managed, 'category', 'sqli').map(({id}) => id)).toEqual(['p', 'o']);
		expect(listRulesetsWith(managed, 'rule', 'cc14').map(({id}) => id)).toEqual(['o']);
	});
});

describe('the effect of a managed rule', () => {
	const [firstRule] = managed[0]?.rules ?? [];
	const getEffect = (overrides: object, more: object = {}) =>
		firstRule && getManagedRuleEffect(createExecuteRule('p', {...overrides}, {...more}), firstRule);
	test.each<[string, object, object]>([
		['nothing overridden', {}, {action: 'block', enabled: true, by: undefined}],
		['the ruleset', {action: 'log', enabled: false}, {action: 'log', enabled: false, by: 'ruleset'}],
		[
			'a category overrides the ruleset',
			{enabled: false, categories: [{category: 'sqli', enabled: true}]},
			{action: 'block', enabled: true, by: 'category'},
		],
		[
			'the last of several categories counts',
			{
				categories: [
					{category: 'sqli', action: 'log'},
					{category: 'wordpress', action: 'challenge'},
				],
			},
			{action: 'challenge', enabled: true, by: 'category'},
		],
		[
			'an override of the rule counts before all others',
			{action: 'log', categories: [{category: 'sqli', enabled: false}], rules: [{id: 'aa11', enabled: true}]},
			{action: 'log', enabled: true, by: 'rule'},
		],
		['another rule', {rules: [{id: 'aa12', enabled: false}]}, {enabled: true, by: undefined}],
	])('%s', (_what, overrides, expected) => {
		expect(getEffect(overrides)).toMatchObject(expected);
	});

	test('stays score if the rule does nothing else', () => {
		const scores = rule('s1', 'scores', ['sqli'], {action: 'score'});
		expect(getManagedRuleEffect(createExecuteRule('o', {action: 'log'}), scores)).toEqual({
			action: 'score',
			enabled: true,
			by: undefined,
		});
		expect(
			getManagedRuleEffect(
				createExecuteRule('o', {categories: [{category: 'sqli', enabled: false}]}),
				scores,
			),
		).toEqual({
			action: 'score',
			enabled: false,
			by: 'category',
		});
	});

	test('is none if the rule that executes it is off', () => {
		expect(getEffect({rules: [{id: 'aa11', enabled: true}]}, {enabled: false})).toMatchObject({
			enabled: false,
		});
	});
});
