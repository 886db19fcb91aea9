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
import {never} from '../../service/scripted-transport.ts';
import {configurationOf, execute, skip} from '../support/configurations.ts';
import {createFakeZone, zone} from '../support/fake-zone.ts';

const {platform, owasp} = managedRulesets;
const partly = {enabled: false, rules: [{id: 'a1', enabled: true}]};

describe('ruleset activity', () => {
	test.each([
		['a rule that says nothing', execute('x'), 'on'],
		['a rule that is off', execute('x', undefined, {enabled: false}), 'off'],
		['all rules off', execute('x', {enabled: false}), 'all rules off'],
		[
			'all rules off, and one other action',
			execute('x', {enabled: false, rules: [{id: 'a1', action: 'log'}]}),
			'all rules off',
		],
		['all rules off but one', execute('x', partly), 'partly on'],
		[
			'all rules off but a category',
			execute('x', {enabled: false, categories: [{category: 'c', enabled: true}]}),
			'partly on',
		],
		['one rule off', execute('x', {rules: [{id: 'a1', enabled: false}]}), 'on'],
	])('%s', (_what, rule, how) => {
		expect(getRulesetActivity(rule)).toBe(how);
		expect(activatesRuleset(rule)).toBe(how === 'on' || how === 'partly on');
	});

	test('an exception deploys nothing, nor does a ruleset with all its rules off', () => {
		expect(hasActiveRuleset(configurationOf(skip('ssl'), execute(platform.id, {enabled: false})))).toBe(
			false,
		);
		expect(hasActiveRuleset(configurationOf(execute(platform.id, partly)))).toBe(true);
	});

	test.each(['true', '(true)', ' ( true ) '])('%j matches all requests', expression => {
		expect(findTrafficFilter({...execute('x'), expression})).toBeUndefined();
	});
});

describe('a configuration that protects less than it appears to', () => {
	const lessens = (...rules: readonly ConfiguredRule[]) =>
		checkConfiguration(configurationOf(...rules), {name: 'example.com', plan: 'pro'})
			.filter(finding => finding.lessens)
			.map(({sentence}) => sentence);
	const limited = execute(owasp.id, undefined, {expression: 'ip.src eq 203.0.113.9'});

	test('is reported when a ruleset acts for some requests only', () => {
		expect(lessens(execute(platform.id), limited)).toEqual([
			'OWASP Core Ruleset runs only for requests where ip.src eq 203.0.113.9.',
		]);
		expect(lessens(execute(owasp.id), limited)).toEqual([]);
	});

	test('is reported when only part of a ruleset is on', () => {
		expect(lessens(execute(platform.id), execute(owasp.id, partly)).join()).toContain(
			'OWASP Core Ruleset is off except for what an override turns on',
		);
	});
});

describe('the final verification', () => {
	async function ended(...rules: readonly ConfiguredRule[]) {
		const service = createFakeZone();
		const reviewed = configurationOf(...rules);
		service.save(reviewed, 'complete');
		const found = await verifyDeployment(service.client, zone, {state: 'complete'}, reviewed, never);
		const ruleset = found.managedRulesets.find(({id}) => id === platform.id);
		return {
			found,
			words: ruleset && describeDeployedRuleset(ruleset).join(', '),
			json: toVerificationJson(found),
		};
	}

	test('says that all rules of a ruleset are off and that no ruleset is on', async () => {
		const {found, words, json} = await ended(execute(platform.id, {enabled: false}));
		expect(words).toBe('deployed, all rules off');
		expect(found.findings.join()).toContain('No managed ruleset is on');
		expect(json.managedRulesets[0]).toMatchObject({deployed: true, enabled: false});
	});

	test('names the requests that a ruleset is limited to', async () => {
		const {words} = await ended(execute(platform.id, undefined, {expression: 'ssl'}));
		expect(words).toBe('deployed, enabled, only for ssl');
		const both = await ended(execute(platform.id, undefined, {expression: 'ssl'}), execute(platform.id));
		expect(both.words).toBe('deployed, enabled');
		const rest = await ended(
			execute(platform.id, undefined, {expression: 'ssl'}),
			execute(platform.id, partly),
		);
		expect(rest.words).toBe('deployed, enabled, only for ssl');
	});

	test('says that a ruleset only logs', async () => {
		const {words, json} = await ended(execute(platform.id, {action: 'log'}));
		expect(words).toBe('deployed, enabled, all its rules only log');
		expect(json.managedRulesets[0]).toMatchObject({action: 'log', enabled: true});
	});

	test('says that a ruleset is partly on', async () => {
		const {words, json} = await ended(execute(platform.id, partly));
		expect(words).toContain('all rules off except those an override turns on');
		expect(json.managedRulesets[0]).toMatchObject({deployed: true, enabled: true});
	});
});
