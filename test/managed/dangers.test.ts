import {describe, expect, test} from 'vitest';
import {dangersOf} from '../../source/managed/dangers.ts';
import type {ConfiguredRule} from '../../source/migration/configuration/configuration.ts';
import {managedRulesets, thresholdRule} from '../../source/migration/configuration/mapping.ts';
import {execute, skip} from '../migration/support/configurations.ts';

const {platform, owasp, credentials} = managedRulesets;
const platformOn = execute(platform.id);
const owaspOn = execute(owasp.id, {rules: [{id: thresholdRule, score_threshold: 40}]});
const off = (rule: ConfiguredRule): ConfiguredRule => ({...rule, enabled: false});
const narrow = skip('http.host eq "a.example"', {rulesets: [owasp.id]});
const broad = skip('true', {rulesets: [owasp.id]});
const all = skip('http.host eq "a.example"');

const dangers = (before: readonly ConfiguredRule[], after: readonly ConfiguredRule[]) =>
	dangersOf({rules: before}, {rules: after}, 'shop.example').join('\n');

describe('the name of the zone is needed', () => {
	test.each<[string, readonly ConfiguredRule[], readonly ConfiguredRule[], RegExp]>([
		['to remove a ruleset', [platformOn, owaspOn], [platformOn], /OWASP Core Ruleset is removed/],
		[
			'to turn one off',
			[platformOn, owaspOn],
			[platformOn, off(owaspOn)],
			/OWASP Core Ruleset is turned off/,
		],
		[
			'to turn all its rules off',
			[platformOn],
			[execute(platform.id, {enabled: false})],
			/Managed Ruleset is turned off/,
		],
		[
			'to turn off all but some of it',
			[platformOn],
			[execute(platform.id, {enabled: false, rules: [{id: 'a1', enabled: true}]})],
			/but for what an override turns on/,
		],
		[
			'to turn off the rule of OWASP that acts',
			[owaspOn],
			[execute(owasp.id, {rules: [{id: thresholdRule, enabled: false}]})],
			/OWASP Core Ruleset is turned off/,
		],
		[
			'to let one act for some requests only',
			[platformOn],
			[execute(platform.id, undefined, {expression: 'ssl'})],
			/acts only for requests with ssl/,
		],
		[
			'to let one act for others than before',
			[execute(platform.id, undefined, {expression: 'ssl'})],
			[execute(platform.id, undefined, {expression: 'not ssl'})],
			/acts only for requests with not ssl/,
		],
		['to leave nothing that acts', [platformOn], [off(platformOn)], /No managed ruleset acts/],
		['for nothing at all', [platformOn], [], /No managed ruleset acts/],
		['for an exception for all requests', [owaspOn], [broad, owaspOn], /all or nearly all requests/],
		[
			'for one that only excludes some',
			[owaspOn],
			[skip('http.host ne "a.example"', {rulesets: [owasp.id]}), owaspOn],
			/all or nearly all requests/,
		],
		[
			'for one that skips all managed rules',
			[owaspOn],
			[all, owaspOn],
			/skips all managed rules for requests/,
		],
		[
			'for one that skips the phase',
			[owaspOn],
			[skip('ssl', {phases: ['http_request_firewall_managed']}), owaspOn],
			/skips all managed rules/,
		],
		['to turn such an exception on', [off(broad), owaspOn], [broad, owaspOn], /nearly all/],
		['to widen its expression', [narrow, owaspOn], [broad, owaspOn], /nearly all/],
		[
			'to move it before more rulesets',
			[platformOn, skip('true'), owaspOn],
			[skip('true'), platformOn, owaspOn],
			/skips all managed rules/,
		],
	])('%s', (_what, before, after, sentence) => {
		expect(dangers(before, after)).toMatch(sentence);
	});
});

describe('it is not needed', () => {
	test.each<[string, readonly ConfiguredRule[], readonly ConfiguredRule[]]>([
		['for no change', [platformOn, owaspOn], [platformOn, owaspOn]],
		['to deploy a ruleset', [platformOn], [platformOn, execute(credentials.id)]],
		['to turn one on', [off(platformOn)], [platformOn]],
		['for what was off before', [platformOn, off(owaspOn)], [platformOn]],
		['for a threshold', [owaspOn], [execute(owasp.id, {rules: [{id: thresholdRule, score_threshold: 25}]})]],
		['for one rule', [platformOn], [execute(platform.id, {rules: [{id: 'a1', enabled: false}]})]],
		['for a narrow exception', [owaspOn], [narrow, owaspOn]],
		['for an exception that is off', [owaspOn], [off(broad), owaspOn]],
		['to remove an exception', [broad, owaspOn], [owaspOn]],
		['to call a broad one otherwise', [broad, owaspOn], [{...broad, description: 'b'}, owaspOn]],
		['to move a broad one behind', [broad, owaspOn], [owaspOn, broad]],
		['where one broad exception was there', [all, owaspOn], [all, owaspOn, execute(credentials.id)]],
		['to narrow an exception', [broad, owaspOn], [narrow, owaspOn]],
		['where a second rule executes it wholly', [platformOn, platformOn], [platformOn]],
		['where nothing was in force', [], [platformOn]],
	])('%s', (_what, before, after) => {
		expect(dangers(before, after)).toBe('');
	});
});
