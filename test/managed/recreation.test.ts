import {describe, expect, test} from 'vitest';
import {type ChosenRule, planRecreation} from '../../source/managed/recreation.ts';
import {applyEdit} from '../../source/migration/configuration/edits.ts';
import {buildExceptionRule} from '../../source/migration/configuration/exceptions.ts';
import type {Recreation} from '../../source/migration/plan/recreation.ts';
import type {ManagedContents} from '../../source/migration/zone/managed-contents.ts';
import {configurationOf, createExecuteRule} from '../migration/support/configurations.ts';

const rule = (id: string, more = {}) => ({
	id,
	description: `Rule ${id}`,
	categories: ['c'],
	action: 'block',
	enabled: true,
	...more,
});
const managed: readonly ManagedContents[] = [
	{id: 'p', name: 'Platform', rules: [rule('p1'), rule('p2')]},
	{id: 'o', name: 'OWASP', rules: [rule('o1', {action: 'score'})]},
	{id: 'u', name: 'Unread'},
];
const deployed = configurationOf(createExecuteRule('p'), createExecuteRule('o'));
const currentState = {configuration: deployed, catalogue: managed};
const planStep = (recreate: Recreation | undefined, state = currentState, chosen?: readonly ChosenRule[]) =>
	planRecreation({recreate, next: 'Ask support.'}, state, chosen);

const buildRulesOverride = (
	ids: readonly string[],
	ruleset = 'p',
	change: object = {enabled: false},
): Recreation => ({
	kind: 'rules overridden',
	wanted: {ruleset, ids, name: 'Some group'},
	change,
});
const buildRulesException = (...ids: readonly string[]): Recreation => ({
	kind: 'rules skipped',
	exception: {expression: 'ssl', description: 'URI override', enabled: true},
	wanted: ids.map(id => ({ruleset: 'p', ids: [id], name: `Rule ${id}`})),
	rest: ['rule x: simulate'],
});
const exceptionForAll: Recreation = {
	kind: 'exception',
	exception: {expression: 'ssl', description: 'partners', skips: {kind: 'all'}, enabled: true},
};

/** Applies the edits of a step to a configuration. */
function applyRecreation(recreate: Recreation, chosen?: readonly ChosenRule[], from = deployed) {
	const plan = planStep(recreate, {catalogue: managed, configuration: from}, chosen);
	if (plan.kind !== 'edits') throw new Error(plan.kind);
	return plan.edits.reduce(applyEdit, from);
}

describe('the steps to recreate something', () => {
	test.each<[string, Recreation]>([
		['an exception', exceptionForAll],
		['an override of a rule', buildRulesOverride(['p1'])],
		['an override of a group', buildRulesOverride(['p1', 'p2'])],
		['an action', buildRulesOverride(['p1'], 'p', {action: 'log', enabled: true})],
		['a rule that only adds to a score', buildRulesOverride(['o1'], 'o')],
		['an exception of rules', buildRulesException('p1', 'p2')],
	])('for %s are edits that create it, and none once it exists', (_what, recreate) => {
		const configuration = applyRecreation(recreate);
		expect(configuration).not.toEqual(deployed);
		expect(planStep(recreate, {catalogue: managed, configuration})).toEqual({kind: 'recreated'});
	});

	test('are left to the user if only a person knows them', () => {
		expect(planStep(undefined)).toEqual({kind: 'by hand', why: 'Ask support.'});
	});

	test('for an exception list the rules that it skips, place it before their ruleset, and say what is left over', () => {
		const plan = planStep(buildRulesException('p1'));
		expect(plan).toMatchObject({
			edits: [{kind: 'exception added', exception: {skips: {kind: 'rules', rules: {p: ['p1']}}}}],
			rest: ['rule x: simulate'],
		});
		expect(applyRecreation(buildRulesException('p1')).rules.map(({action}) => action)).toEqual([
			'skip',
			'execute',
			'execute',
		]);
	});

	test('replace an override that others made differently', () => {
		const from = configurationOf(createExecuteRule('p', {rules: [{id: 'p1', enabled: true}]}));
		const {rules} = applyRecreation(buildRulesOverride(['p1']), undefined, from);
		expect(rules[0]?.action_parameters?.overrides).toEqual({rules: [{id: 'p1', enabled: false}]});
	});

	test('for a group override only the rules that need it', () => {
		const from = configurationOf(createExecuteRule('p', {rules: [{id: 'p1', enabled: false}]}));
		const plan = planStep(buildRulesOverride(['p1', 'p2']), {catalogue: managed, configuration: from});
		expect(plan).toMatchObject({edits: [{id: 'p2'}]});
	});

	test('search by name for rules not found by id, and keep those found', () => {
		expect(planStep(buildRulesOverride(['p1', 'gone']))).toEqual({
			kind: 'choice',
			ruleset: 'p',
			query: '',
			missing: ['Some group'],
			found: ['p1'],
			purpose: 'override',
			rest: [],
		});
		expect(planStep(buildRulesOverride([]))).toMatchObject({kind: 'choice', found: []});
		expect(planStep(buildRulesException('p1', 'gone'))).toMatchObject({
			kind: 'choice',
			query: '',
			found: ['p1'],
			purpose: 'skip',
			rest: ['rule x: simulate'],
		});
	});

	test('use the chosen rules instead of those found', () => {
		const chosen = [
			{id: 'p2', ruleset: {id: 'p'}},
			{id: 'o1', ruleset: {id: 'o'}},
		];
		expect(planStep(buildRulesOverride(['p1', 'gone']), currentState, chosen)).toMatchObject({
			edits: [
				{kind: 'managed rule override', ruleset: 'p', id: 'p2', enabled: false},
				{kind: 'managed rule override', ruleset: 'o', id: 'o1', enabled: false},
			],
		});
		expect(planStep(buildRulesException('gone'), currentState, chosen)).toMatchObject({
			edits: [{exception: {skips: {rules: {p: ['p2'], o: ['o1']}}}}],
		});
		const configuration = applyRecreation(buildRulesException('gone'), chosen);
		expect(planStep(buildRulesException('gone'), {catalogue: managed, configuration}, chosen)).toEqual({
			kind: 'recreated',
		});
		// The expression of the old override is enough to recognise the exception.
		expect(planStep(buildRulesException('gone'), {catalogue: managed, configuration})).toEqual({
			kind: 'recreated',
		});
	});

	test.each<[string, object]>([
		['off', {enabled: false}],
		['of other rules', {skips: {kind: 'rules', rules: {p: ['p2']}}}],
		['of another ruleset', {skips: {kind: 'rulesets', ids: ['o']}}],
		['for other requests', {expression: 'not ssl'}],
	])('do not count an exception that is %s', (_what, more) => {
		const draft = {expression: 'ssl', skips: {kind: 'rules', rules: {p: ['p1']}} as const, ...more};
		const configuration = configurationOf(buildExceptionRule(draft), ...deployed.rules);
		expect(planStep(buildRulesException('p1'), {catalogue: managed, configuration})).toMatchObject({
			kind: 'edits',
		});
		expect(planStep(exceptionForAll, {catalogue: managed, configuration})).toMatchObject({kind: 'edits'});
	});

	test('do not count an exception that comes after all executed rulesets', () => {
		const draft = {expression: 'ssl', skips: {kind: 'all'}} as const;
		const configuration = configurationOf(...deployed.rules, buildExceptionRule(draft));
		expect(planStep(exceptionForAll, {catalogue: managed, configuration})).toMatchObject({kind: 'edits'});
		expect(planStep(buildRulesException('p1'), {catalogue: managed, configuration})).toMatchObject({
			kind: 'edits',
		});
	});

	test('accept a page rule that the service writes differently', () => {
		const url = 'shop.example/*';
		const draft = {
			expression: `http.request.full_uri wildcard r"https://${url}"`,
			skips: {kind: 'all'},
		} as const;
		const configuration = configurationOf(buildExceptionRule(draft), ...deployed.rules);
		expect(planStep({...exceptionForAll, url} as Recreation, {catalogue: managed, configuration})).toEqual({
			kind: 'recreated',
		});
	});

	test.each<[string, Recreation, object, RegExp]>([
		[
			'is not deployed',
			buildRulesOverride(['p1']),
			{configuration: configurationOf(createExecuteRule('o'))},
			/p is not deployed/,
		],
		['could not be read', buildRulesOverride(['x'], 'u'), {}, /rules of u could not be read/],
		[
			'of which nothing could be read',
			buildRulesException('p1'),
			{catalogue: undefined},
			/rules of p could not be read/,
		],
		['of which none is deployed', exceptionForAll, {configuration: configurationOf()}, /nothing to skip/],
	])('are left to the user, with this reason about the ruleset: %s', (_what, recreate, more, why) => {
		expect(planStep(recreate, {...currentState, ...more})).toEqual({
			kind: 'by hand',
			why: expect.stringMatching(why),
		});
	});
});
