import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import {compareConfigurations} from '../../../source/migration/configuration/difference.ts';
import {applyEdit} from '../../../source/migration/configuration/edits.ts';
import {managedRulesets, thresholdRuleId} from '../../../source/migration/configuration/mapping.ts';
import {getRunCount} from '../../support/full.ts';
import {
	anyConfiguration,
	configurationOf,
	createExecuteRule,
	createSkipRule,
} from '../support/configurations.ts';

const {platform, owasp} = managedRulesets;
const createThresholdRule = (score: number, action = 'log') =>
	createExecuteRule(owasp.id, {rules: [{id: thresholdRuleId, score_threshold: score, action}]});

describe('the difference of two configurations', () => {
	test('is empty exactly if the fingerprints are equal', () => {
		fc.assert(
			fc.property(anyConfiguration, anyConfiguration, (before, after) => {
				const isSame = computeFingerprint(before) === computeFingerprint(after);
				expect(compareConfigurations(before, after).length === 0).toBe(isSame);
				expect(compareConfigurations(before, before)).toEqual([]);
			}),
			{numRuns: getRunCount(500)},
		);
	});

	test('names a changed paranoia level as such', () => {
		const createLevelRule = (level: 2 | 3) =>
			applyEdit(configurationOf(createExecuteRule(owasp.id)), {kind: 'paranoia level', level});
		expect(compareConfigurations(createLevelRule(2), createLevelRule(3))).toEqual([
			{about: 'OWASP Core Ruleset: paranoia level', before: 'PL2', after: 'PL3'},
		]);
	});

	test('detects any removed rule and any other order of the rules', () => {
		fc.assert(
			fc.property(anyConfiguration, fc.nat(), fc.nat(), (before, from, to) => {
				fc.pre(before.rules.length > 1);
				const rules = [...before.rules];
				const [moved] = rules.splice(from % rules.length, 1);
				const configurationWithoutMoved = {rules};
				expect(compareConfigurations(before, configurationWithoutMoved).length).toBeGreaterThan(0);
				const after = {rules: moved ? rules.toSpliced(to % (rules.length + 1), 0, moved) : rules};
				expect(compareConfigurations(before, after).length > 0).toBe(
					computeFingerprint(before) !== computeFingerprint(after),
				);
			}),
		);
	});

	test('names the changed part of a rule, and nothing else', () => {
		expect(
			compareConfigurations(
				configurationOf(createSkipRule('ssl'), createThresholdRule(40)),
				configurationOf(createSkipRule('ssl'), createThresholdRule(25, 'block')),
			),
		).toEqual([
			{
				about: 'OWASP Core Ruleset: score threshold',
				before: 'Medium, 40 or higher',
				after: 'High, 25 or higher',
			},
			{about: 'OWASP Core Ruleset: action at the score threshold', before: 'log', after: 'block'},
		]);
	});

	test('names added and removed rules', () => {
		expect(
			compareConfigurations(
				configurationOf(createExecuteRule(platform.id)),
				configurationOf(createSkipRule('ssl')),
			),
		).toEqual([
			{about: 'Managed Ruleset', before: 'runs Managed Ruleset for all traffic', after: 'no rule'},
			{about: 'Exception ssl', before: 'no rule', after: 'skips all managed rules where ssl'},
		]);
	});

	test('names the one rule that moved', () => {
		const exception = createSkipRule('ssl');
		expect(
			compareConfigurations(
				configurationOf(exception, createExecuteRule(platform.id), createThresholdRule(40)),
				configurationOf(createExecuteRule(platform.id), createThresholdRule(40), exception),
			),
		).toEqual([{about: 'Exception ssl: position', before: 'rule 1', after: 'rule 3'}]);
	});

	test('names the ids of skipped rules if the ids differ but their number is the same', () => {
		const createSkipping = (id: string) =>
			configurationOf(createSkipRule('ssl', {rules: {[platform.id]: [id]}}));
		expect(compareConfigurations(createSkipping('a1'), createSkipping('b2'))).toEqual([
			{about: 'Exception ssl: skips', before: 'a1 of Managed Ruleset', after: 'b2 of Managed Ruleset'},
		]);
	});

	test('detects a different order of overrides', () => {
		const [one, other] = [
			{category: 'a', enabled: false},
			{category: 'b', enabled: true},
		];
		expect(
			compareConfigurations(
				configurationOf(createExecuteRule('x', {categories: [one, other]})),
				configurationOf(createExecuteRule('x', {categories: [other, one]})),
			),
		).toEqual([{about: 'x: order of overrides', before: 'original order', after: 'different order'}]);
	});

	test('leaves out what it is asked to ignore', () => {
		const before = configurationOf(createSkipRule('ssl'), createSkipRule('true'));
		const after = configurationOf(
			{...createSkipRule('true'), description: 'x'},
			{...createSkipRule('ssl'), logging: {enabled: false}},
		);
		expect(
			compareConfigurations(before, after, {ignoredProperties: ['description', 'logging', 'order']}),
		).toEqual([]);
		expect(compareConfigurations(before, after)).toHaveLength(3);
	});
});
