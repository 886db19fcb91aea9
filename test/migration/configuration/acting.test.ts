import {describe, expect, test} from 'vitest';
import {checkConfiguration} from '../../../source/migration/configuration/checks.ts';
import {hasActiveRuleset} from '../../../source/migration/configuration/configuration.ts';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {
	activatesRuleset,
	type ConfiguredRule,
	findTrafficFilter,
	getRulesetActivity,
} from '../../../source/migration/configuration/rule-overrides.ts';
import {
	describeDeployedRuleset,
	toVerificationJson,
	verifyDeployment,
} from '../../../source/migration/flow/verification.ts';
import {neverAbortedSignal} from '../../service/scripted-transport.ts';
import {configurationOf, createExecuteRule, createSkipRule} from '../support/configurations.ts';
import {createFakeZone, zone} from '../support/fake-zone.ts';

const {platform, owasp} = managedRulesets;
const partlyOnOverrides = {enabled: false, rules: [{id: 'a1', enabled: true}]};

describe('ruleset activity', () => {
	test.each([
		['a rule that says nothing', createExecuteRule('x'), 'on'],
		['a rule that is off', createExecuteRule('x', undefined, {enabled: false}), 'off'],
		['all rules off', createExecuteRule('x', {enabled: false}), 'all rules off'],
		[
			'all rules off, and one other action',
			createExecuteRule('x', {enabled: false, rules: [{id: 'a1', action: 'log'}]}),
			'all rules off',
		],
		['all rules off but one', createExecuteRule('x', partlyOnOverrides), 'partly on'],
		[
			'all rules off but a category',
			createExecuteRule('x', {enabled: false, categories: [{category: 'c', enabled: true}]}),
			'partly on',
		],
		['one rule off', createExecuteRule('x', {rules: [{id: 'a1', enabled: false}]}), 'on'],
	])('%s', (_what, rule, activity) => {
		expect(getRulesetActivity(rule)).toBe(activity);
		expect(activatesRuleset(rule)).toBe(activity === 'on' || activity === 'partly on');
	});

	test('an exception deploys nothing, nor does a ruleset with all its rules off', () => {
		expect(
			hasActiveRuleset(
				configurationOf(createSkipRule('ssl'), createExecuteRule(platform.id, {enabled: false})),
			),
		).toBe(false);
		expect(hasActiveRuleset(configurationOf(createExecuteRule(platform.id, partlyOnOverrides)))).toBe(true);
	});

	test.each(['true', '(true)', ' ( true ) '])('%j matches all requests', expression => {
		expect(findTrafficFilter({...createExecuteRule('x'), expression})).toBeUndefined();
	});
});

describe('a configuration that protects less than it appears to', () => {
	const listLesseningSentences = (...rules: readonly ConfiguredRule[]) =>
		checkConfiguration(configurationOf(...rules), {name: 'example.com', plan: 'pro'})
			.filter(finding => finding.lessens)
			.map(({sentence}) => sentence);
	const limitedOwasp = createExecuteRule(owasp.id, undefined, {expression: 'ip.src eq 203.0.113.9'});

	test('is reported when a ruleset acts for some requests only', () => {
		expect(listLesseningSentences(createExecuteRule(platform.id), limitedOwasp)).toEqual([
			'OWASP Core Ruleset runs only for requests where ip.src eq 203.0.113.9.',
		]);
		expect(listLesseningSentences(createExecuteRule(owasp.id), limitedOwasp)).toEqual([]);
	});

	test('is reported when only part of a ruleset is on', () => {
		expect(
			listLesseningSentences(
				createExecuteRule(platform.id),
				createExecuteRule(owasp.id, partlyOnOverrides),
			).join(),
		).toContain('OWASP Core Ruleset is off except for what an override turns on');
	});
});

describe('the final verification', () => {
	async function verifyCompleteZone(...rules: readonly ConfiguredRule[]) {
		const service = createFakeZone();
		const reviewed = configurationOf(...rules);
		service.save(reviewed, 'complete');
		const found = await verifyDeployment(
			service.client,
			zone,
			{state: 'complete'},
			reviewed,
			neverAbortedSignal,
		);
		const ruleset = found.managedRulesets.find(({id}) => id === platform.id);
		return {
			found,
			words: ruleset && describeDeployedRuleset(ruleset).join(', '),
			json: toVerificationJson(found),
		};
	}

	test('says that all rules of a ruleset are off and that no ruleset is on', async () => {
		const {found, words, json} = await verifyCompleteZone(createExecuteRule(platform.id, {enabled: false}));
		expect(words).toBe('deployed, all rules off');
		expect(found.findings.join()).toContain('No managed ruleset is on');
		expect(json.managedRulesets[0]).toMatchObject({deployed: true, enabled: false});
	});

	test('names the requests that a ruleset is limited to', async () => {
		const {words} = await verifyCompleteZone(createExecuteRule(platform.id, undefined, {expression: 'ssl'}));
		expect(words).toBe('deployed, enabled, only for ssl');
		const both = await verifyCompleteZone(
			createExecuteRule(platform.id, undefined, {expression: 'ssl'}),
			createExecuteRule(platform.id),
		);
		expect(both.words).toBe('deployed, enabled');
		const partlyOnResult = await verifyCompleteZone(
			createExecuteRule(platform.id, undefined, {expression: 'ssl'}),
			createExecuteRule(platform.id, partlyOnOverrides),
		);
		expect(partlyOnResult.words).toBe('deployed, enabled, only for ssl');
	});

	test('says that a ruleset only logs', async () => {
		const {words, json} = await verifyCompleteZone(createExecuteRule(platform.id, {action: 'log'}));
		expect(words).toBe('deployed, enabled, all its rules only log');
		expect(json.managedRulesets[0]).toMatchObject({action: 'log', enabled: true});
	});

	test('says that a ruleset is partly on', async () => {
		const {words, json} = await verifyCompleteZone(createExecuteRule(platform.id, partlyOnOverrides));
		expect(words).toContain('all rules off except those an override turns on');
		expect(json.managedRulesets[0]).toMatchObject({deployed: true, enabled: true});
	});
});
