import {describe, expect, test} from 'vitest';
import {type ChosenRule, planRecreation} from '../../source/managed/recreation.ts';
import {applyEdit} from '../../source/migration/configuration/edits.ts';
import {buildExceptionRule} from '../../source/migration/configuration/exceptions.ts';
import type {Recreation} from '../../source/migration/plan/recreation.ts';
import type {ManagedContents} from '../../source/migration/zone/managed-contents.ts';
import {configurationOf, execute} from '../migration/support/configurations.ts';

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
const deployed = configurationOf(execute('p'), execute('o'));
const now = {configuration: deployed, catalogue: managed};
const step = (recreate: Recreation | undefined, at = now, chosen?: readonly ChosenRule[]) =>
	planRecreation({recreate, next: 'Ask support.'}, at, chosen);

const off = (ids: readonly string[], ruleset = 'p', change: object = {enabled: false}): Recreation => ({
	kind: 'rules overridden',
	wanted: {ruleset, ids, name: 'Some group'},
	change,
});
const skipped = (...ids: readonly string[]): Recreation => ({
	kind: 'rules skipped',
	exception: {expression: 'ssl', description: 'URI override', enabled: true},
	wanted: ids.map(id => ({ruleset: 'p', ids: [id], name: `Rule ${id}`})),
	rest: ['rule x: simulate'],
});
const whole: Recreation = {
	kind: 'exception',
	exception: {expression: 'ssl', description: 'partners', skips: {kind: 'all'}, enabled: true},
};

/** The configuration once the edits of a step were made. */
function made(recreate: Recreation, chosen?: readonly ChosenRule[], from = deployed) {
	const found = step(recreate, {catalogue: managed, configuration: from}, chosen);
	if (found.kind !== 'edits') throw new Error(found.kind);
	return found.edits.reduce(applyEdit, from);
}

describe('the steps to recreate something', () => {
	test.each<[string, Recreation]>([
		['an exception', whole],
		['an override of a rule', off(['p1'])],
		['an override of a group', off(['p1', 'p2'])],
		['an action', off(['p1'], 'p', {action: 'log', enabled: true})],
		['a rule that only adds to a score', off(['o1'], 'o')],
		['an exception of rules', skipped('p1', 'p2')],
	])('for %s are a change that makes it, and none once it is made', (_what, recreate) => {
		const configuration = made(recreate);
		expect(configuration).not.toEqual(deployed);
		expect(step(recreate, {catalogue: managed, configuration})).toEqual({kind: 'recreated'});
	});

	test('are left to the user if only a person knows them', () => {
		expect(step(undefined)).toEqual({kind: 'by hand', why: 'Ask support.'});
	});

	test('for an exception name the rules it skips, placed before their ruleset, and what is left over', () => {
		const found = step(skipped('p1'));
		expect(found).toMatchObject({
			edits: [{kind: 'exception added', exception: {skips: {kind: 'rules', rules: {p: ['p1']}}}}],
			rest: ['rule x: simulate'],
		});
		expect(made(skipped('p1')).rules.map(({action}) => action)).toEqual(['skip', 'execute', 'execute']);
	});

	test('replace an override that others made differently', () => {
		const from = configurationOf(execute('p', {rules: [{id: 'p1', enabled: true}]}));
		const {rules} = made(off(['p1']), undefined, from);
		expect(rules[0]?.action_parameters?.overrides).toEqual({rules: [{id: 'p1', enabled: false}]});
	});

	test('for a group override only the rules that need it', () => {
		const from = configurationOf(execute('p', {rules: [{id: 'p1', enabled: false}]}));
		const found = step(off(['p1', 'p2']), {catalogue: managed, configuration: from});
		expect(found).toMatchObject({edits: [{id: 'p2'}]});
	});

	test('search by name for rules not found by id, and keep those found', () => {
		expect(step(off(['p1', 'gone']))).toEqual({
			kind: 'choice',
			ruleset: 'p',
			query: '',
			missing: ['Some group'],
			found: ['p1'],
			purpose: 'override',
			rest: [],
		});
		expect(step(off([]))).toMatchObject({kind: 'choice', found: []});
		expect(step(skipped('p1', 'gone'))).toMatchObject({
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
		expect(step(off(['p1', 'gone']), now, chosen)).toMatchObject({
			edits: [
				{kind: 'managed rule override', ruleset: 'p', id: 'p2', enabled: false},
				{kind: 'managed rule override', ruleset: 'o', id: 'o1', enabled: false},
			],
		});
		expect(step(skipped('gone'), now, chosen)).toMatchObject({
			edits: [{exception: {skips: {rules: {p: ['p2'], o: ['o1']}}}}],
		});
		const configuration = made(skipped('gone'), chosen);
		expect(step(skipped('gone'), {catalogue: managed, configuration}, chosen)).toEqual({kind: 'recreated'});
		// Its expression is that of the old override: nobody else makes it.
		expect(step(skipped('gone'), {catalogue: managed, configuration})).toEqual({kind: 'recreated'});
	});

	test.each<[string, object]>([
		['off', {enabled: false}],
		['of other rules', {skips: {kind: 'rules', rules: {p: ['p2']}}}],
		['of another ruleset', {skips: {kind: 'rulesets', ids: ['o']}}],
		['for other requests', {expression: 'not ssl'}],
	])('do not count an exception that is %s', (_what, more) => {
		const draft = {expression: 'ssl', skips: {kind: 'rules', rules: {p: ['p1']}} as const, ...more};
		const configuration = configurationOf(buildExceptionRule(draft), ...deployed.rules);
		expect(step(skipped('p1'), {catalogue: managed, configuration})).toMatchObject({kind: 'edits'});
		expect(step(whole, {catalogue: managed, configuration})).toMatchObject({kind: 'edits'});
	});

	test('do not count an exception after everything that is executed', () => {
		const draft = {expression: 'ssl', skips: {kind: 'all'}} as const;
		const configuration = configurationOf(...deployed.rules, buildExceptionRule(draft));
		expect(step(whole, {catalogue: managed, configuration})).toMatchObject({kind: 'edits'});
		expect(step(skipped('p1'), {catalogue: managed, configuration})).toMatchObject({kind: 'edits'});
	});

	test('accept a page rule that the service writes differently', () => {
		const url = 'shop.example/*';
		const draft = {
			expression: `http.request.full_uri wildcard r"https://${url}"`,
			skips: {kind: 'all'},
		} as const;
		const configuration = configurationOf(buildExceptionRule(draft), ...deployed.rules);
		expect(step({...whole, url} as Recreation, {catalogue: managed, configuration})).toEqual({
			kind: 'recreated',
		});
	});

	test.each<[string, Recreation, object, RegExp]>([
		['is not deployed', off(['p1']), {configuration: configurationOf(execute('o'))}, /p is not deployed/],
		['could not be read', off(['x'], 'u'), {}, /rules of u could not be read/],
		['of which nothing could be read', skipped('p1'), {catalogue: undefined}, /rules of p could not be read/],
		['of which none is deployed', whole, {configuration: configurationOf()}, /nothing to skip/],
	])('are left to the user, with this reason about the ruleset: %s', (_what, recreate, more, why) => {
		expect(step(recreate, {...now, ...more})).toEqual({kind: 'by hand', why: expect.stringMatching(why)});
	});
});
