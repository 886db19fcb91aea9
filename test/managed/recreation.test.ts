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

describe('what it takes to make something again', () => {
	test.each<[string, Recreation]>([
		['an exception', whole],
		['an override of a rule', off(['p1'])],
		['an override of a group', off(['p1', 'p2'])],
		['an action', off(['p1'], 'p', {action: 'log', enabled: true})],
		['a rule that only adds to a score', off(['o1'], 'o')],
		['an exception of rules', skipped('p1', 'p2')],
	])('%s is a change that makes it, and nothing once it is made', (_what, recreate) => {
		const configuration = made(recreate);
		expect(configuration).not.toEqual(deployed);
		expect(step(recreate, {catalogue: managed, configuration})).toEqual({kind: 'recreated'});
	});

	test('only a person knows it', () => {
		expect(step(undefined)).toEqual({kind: 'by hand', why: 'Ask support.'});
	});

	test('an exception names the rules that it skips, in front of their ruleset, and what is left over', () => {
		const found = step(skipped('p1'));
		expect(found).toMatchObject({
			edits: [{kind: 'exception added', exception: {skips: {kind: 'rules', rules: {p: ['p1']}}}}],
			rest: ['rule x: simulate'],
		});
		expect(made(skipped('p1')).rules.map(({action}) => action)).toEqual(['skip', 'execute', 'execute']);
	});

	test('an override that others have made differently is made again', () => {
		const from = configurationOf(execute('p', {rules: [{id: 'p1', enabled: true}]}));
		const {rules} = made(off(['p1']), undefined, from);
		expect(rules[0]?.action_parameters?.overrides).toEqual({rules: [{id: 'p1', enabled: false}]});
	});

	test('of a group only those rules are overridden that do not do it already', () => {
		const from = configurationOf(execute('p', {rules: [{id: 'p1', enabled: false}]}));
		const found = step(off(['p1', 'p2']), {catalogue: managed, configuration: from});
		expect(found).toMatchObject({edits: [{id: 'p2'}]});
	});

	test('rules that are not found by their ids are searched by the name, with those that are found', () => {
		expect(step(off(['p1', 'gone']))).toEqual({
			kind: 'choice',
			ruleset: 'p',
			query: '',
			missingRules: ['Some group'],
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

	test('the chosen rules count in place of those that were found', () => {
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
	])('an exception that is %s does not count', (_what, more) => {
		const draft = {expression: 'ssl', skips: {kind: 'rules', rules: {p: ['p1']}} as const, ...more};
		const configuration = configurationOf(buildExceptionRule(draft), ...deployed.rules);
		expect(step(skipped('p1'), {catalogue: managed, configuration})).toMatchObject({kind: 'edits'});
		expect(step(whole, {catalogue: managed, configuration})).toMatchObject({kind: 'edits'});
	});

	test('an exception behind everything that is executed does not count', () => {
		const draft = {expression: 'ssl', skips: {kind: 'all'}} as const;
		const configuration = configurationOf(...deployed.rules, buildExceptionRule(draft));
		expect(step(whole, {catalogue: managed, configuration})).toMatchObject({kind: 'edits'});
		expect(step(skipped('p1'), {catalogue: managed, configuration})).toMatchObject({kind: 'edits'});
	});

	test('a page rule may be written otherwise by the service', () => {
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
	])('a ruleset that %s is the reason why it cannot be made', (_what, recreate, more, why) => {
		expect(step(recreate, {...now, ...more})).toEqual({kind: 'by hand', why: expect.stringMatching(why)});
	});
});
