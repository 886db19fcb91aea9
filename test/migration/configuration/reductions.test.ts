import {describe, expect, test} from 'vitest';
import {managedRulesets, thresholdRuleId} from '../../../source/migration/configuration/mapping.ts';
import {findReductions} from '../../../source/migration/configuration/reductions.ts';
import type {ConfiguredRule} from '../../../source/migration/configuration/rule-overrides.ts';
import type {ManagedContents} from '../../../source/migration/zone/managed-contents.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {createExecuteRule, createSkipRule} from '../support/configurations.ts';

const {platform, owasp, credentials} = managedRulesets;
const platformOn = createExecuteRule(platform.id);
const withScore = (points: number, more: JsonObject = {}): ConfiguredRule =>
	createExecuteRule(owasp.id, {rules: [{id: thresholdRuleId, score_threshold: points, ...more}]});
const withLevel = (level: number): ConfiguredRule =>
	createExecuteRule(owasp.id, {
		categories: [1, 2, 3, 4]
			.filter(one => one > level)
			.map(one => ({category: `paranoia-level-${one}`, enabled: false})),
	});
const owaspOn = withScore(40);
const turnOff = (rule: ConfiguredRule): ConfiguredRule => ({...rule, enabled: false});
const narrowException = createSkipRule('http.host eq "a.example"', {rulesets: [owasp.id]});
const broadException = createSkipRule('true', {rulesets: [owasp.id]});
const allRulesException = createSkipRule('http.host eq "a.example"');
const withRuleOverrides = (count: number, override: JsonObject = {enabled: false}): ConfiguredRule =>
	createExecuteRule(platform.id, {
		rules: Array.from({length: count}, (_, at) => ({id: `a${at}`, ...override})),
	});

/** A catalogue of the first ruleset only: twelve rules, the last of which only logs. */
const managedContents: readonly ManagedContents[] = [
	{
		...platform,
		rules: Array.from({length: 12}, (_, at) => ({
			id: `a${at}`,
			description: `Rule ${at}`,
			categories: at < 3 ? ['wordpress'] : ['php'],
			action: at === 11 ? 'log' : 'block',
			enabled: true,
		})),
	},
];

type Rules = readonly ConfiguredRule[];
const listReductions = (before: Rules, after: Rules, contents?: readonly ManagedContents[]) =>
	findReductions({rules: before}, {rules: after}, {zoneName: 'shop.example', catalogue: contents});

describe('less protection', () => {
	test.each<[string, Rules, Rules, readonly string[]]>([
		['a ruleset removed', [platformOn, owaspOn], [platformOn], ['OWASP: on → removed, blocks nothing.']],
		[
			'a ruleset turned off',
			[platformOn, owaspOn],
			[platformOn, turnOff(owaspOn)],
			['OWASP: on → off, blocks nothing.'],
		],
		[
			'all rules of a ruleset off',
			[platformOn, owaspOn],
			[createExecuteRule(platform.id, {enabled: false}), owaspOn],
			['Managed Ruleset: on → off, blocks nothing.'],
		],
		[
			'all rules of a ruleset logging',
			[platformOn, owaspOn],
			[createExecuteRule(platform.id, {action: 'log'}), owaspOn],
			['Managed Ruleset: on → log, blocks nothing.'],
		],
		[
			'a ruleset that only logs, turned off',
			[createExecuteRule(platform.id, {action: 'log'}), owaspOn],
			[turnOff(platformOn), owaspOn],
			['Managed Ruleset: log → off, logs nothing.'],
		],
		[
			'the default action log, even if a category blocks instead',
			[createExecuteRule(platform.id, {action: 'block', categories: [{category: 'php', action: 'log'}]})],
			[createExecuteRule(platform.id, {action: 'log', categories: [{category: 'php', action: 'block'}]})],
			['Managed Ruleset: all rules → log, except overridden ones; blocks less.'],
		],
		[
			'all of a ruleset off except one rule',
			[platformOn],
			[createExecuteRule(platform.id, {enabled: false, rules: [{id: 'a1', enabled: true}]})],
			['Managed Ruleset: all rules → off, except overridden ones; blocks less.'],
		],
		[
			'OWASP logging, whatever its threshold rule says',
			[platformOn, withScore(40, {action: 'block'})],
			[
				platformOn,
				createExecuteRule(owasp.id, {
					action: 'log',
					rules: [{id: thresholdRuleId, score_threshold: 40, action: 'block'}],
				}),
			],
			['OWASP: all rules → log, except overridden ones; blocks less.'],
		],
		[
			'a category logging',
			[platformOn],
			[createExecuteRule(platform.id, {categories: [{category: 'wordpress', action: 'log'}]})],
			['Managed Ruleset: category wordpress → log, blocks less.'],
		],
		[
			'the removal of an override that kept a category blocking',
			[
				createExecuteRule(platform.id, {
					action: 'log',
					categories: [{category: 'wordpress', action: 'block'}],
				}),
			],
			[createExecuteRule(platform.id, {action: 'log'})],
			['Managed Ruleset: on → log, blocks nothing.'],
		],
		[
			'eleven rules off',
			[platformOn, owaspOn],
			[withRuleOverrides(11), owaspOn],
			['11 managed rules → log or off, blocks less.'],
		],
		[
			'eleven rules logging',
			[platformOn, owaspOn],
			[withRuleOverrides(11, {action: 'log'}), owaspOn],
			['11 managed rules → log or off, blocks less.'],
		],
		[
			'less sensitive rules',
			[platformOn],
			[createExecuteRule(platform.id, {sensitivity_level: 'low'})],
			['Managed Ruleset: all rules → less sensitive, except overridden ones; blocks less.'],
		],
		[
			'a higher score threshold',
			[owaspOn],
			[withScore(60)],
			['OWASP: score threshold 40 → 60, blocks less.'],
		],
		[
			'the removal of a threshold below the default',
			[withScore(25)],
			[createExecuteRule(owasp.id)],
			['OWASP: score threshold 25 → 40, blocks less.'],
		],
		['a lower paranoia level', [withLevel(2)], [withLevel(1)], ['OWASP: paranoia level 2 → 1, blocks less.']],
		[
			'a level in place of the default level',
			[createExecuteRule(owasp.id)],
			[withLevel(3)],
			['OWASP: paranoia level default → 3, blocks less.'],
		],
		[
			'the threshold action log',
			[platformOn, owaspOn],
			[platformOn, withScore(40, {action: 'log'})],
			['OWASP: on → log, blocks nothing.'],
		],
		[
			'the threshold rule off',
			[platformOn, owaspOn],
			[platformOn, withScore(40, {enabled: false})],
			['OWASP: on → off, blocks nothing.'],
		],
		[
			'a ruleset for some requests only',
			[platformOn],
			[createExecuteRule(platform.id, undefined, {expression: 'ssl'})],
			['Managed Ruleset: only for requests where ssl, blocks less.'],
		],
		[
			'a ruleset for all requests but some',
			[platformOn],
			[createExecuteRule(platform.id, undefined, {expression: 'not http.request.uri.path eq "/a"'})],
			['Managed Ruleset: only for requests where not http.request.uri.path eq "/a", blocks less.'],
		],
		[
			'a ruleset for other requests than before',
			[createExecuteRule(platform.id, undefined, {expression: 'ssl'})],
			[createExecuteRule(platform.id, undefined, {expression: 'not ssl'})],
			['Managed Ruleset: only for requests where not ssl, blocks less.'],
		],
		[
			'a ruleset for few requests that only logs now',
			[createExecuteRule(platform.id, undefined, {expression: 'http.host eq "a.example"'}), owaspOn],
			[createExecuteRule(platform.id, {action: 'log'}, {expression: 'http.host eq "a.example"'}), owaspOn],
			['Managed Ruleset: on → log, blocks nothing.'],
		],
		[
			'the only ruleset turned off',
			[platformOn],
			[turnOff(platformOn)],
			['Managed Ruleset: on → off, blocks nothing.', 'No managed ruleset stays active.'],
		],
		[
			'the only ruleset removed',
			[platformOn],
			[],
			['Managed Ruleset: on → removed, blocks nothing.', 'No managed ruleset stays active.'],
		],
		[
			'an exception for all requests',
			[platformOn, owaspOn],
			[platformOn, broadException, owaspOn],
			['Exception: skips OWASP for all or nearly all requests.'],
		],
		[
			'an exception of one rule for all requests',
			[platformOn],
			[createSkipRule('true', {rules: {[platform.id]: ['a1']}}), platformOn],
			['Exception: skips 1 rule of Managed Ruleset for all or nearly all requests.'],
		],
		[
			'an exception for the host of the zone',
			[platformOn, owaspOn],
			[createSkipRule('http.host eq "shop.example"', {rulesets: [platform.id]}), platformOn, owaspOn],
			['Exception: skips Managed Ruleset for all or nearly all requests.'],
		],
		[
			'an exception for the hosts below the zone',
			[platformOn, owaspOn],
			[
				createSkipRule('ends_with(http.host, ".shop.example")', {rulesets: [platform.id]}),
				platformOn,
				owaspOn,
			],
			['Exception: skips Managed Ruleset for all or nearly all requests.'],
		],
		[
			'an exception that only leaves some requests out',
			[platformOn, owaspOn],
			[platformOn, createSkipRule('http.host ne "a.example"', {rulesets: [owasp.id]}), owaspOn],
			['Exception: skips OWASP for all or nearly all requests.'],
		],
		[
			'two exceptions that are for all requests together',
			[platformOn, owaspOn],
			[
				createSkipRule('ssl', {rulesets: [platform.id]}),
				createSkipRule('not ssl', {rulesets: [platform.id]}),
				platformOn,
				owaspOn,
			],
			['Exception: skips Managed Ruleset for all or nearly all requests.'],
		],
		[
			'an exception for all requests that a ruleset runs for',
			[createExecuteRule(platform.id, undefined, {expression: 'http.host eq "a.example"'}), owaspOn],
			[
				createSkipRule('http.host eq "a.example"', {rulesets: [platform.id]}),
				createExecuteRule(platform.id, undefined, {expression: 'http.host eq "a.example"'}),
				owaspOn,
			],
			['Exception: skips Managed Ruleset for all or nearly all requests.'],
		],
		[
			'an exception that skips all managed rules',
			[owaspOn],
			[allRulesException, owaspOn],
			['Exception: skips all managed rules for requests where http.host eq "a.example".'],
		],
		[
			'an exception that skips the phase',
			[owaspOn],
			[createSkipRule('ip.src eq 192.0.2.1', {phases: ['http_request_firewall_managed']}), owaspOn],
			['Exception: skips all managed rules for requests where ip.src eq 192.0.2.1.'],
		],
		[
			'an exception for all requests, turned on',
			[platformOn, turnOff(broadException), owaspOn],
			[platformOn, broadException, owaspOn],
			['Exception: skips OWASP for all or nearly all requests.'],
		],
		[
			'a wider expression',
			[platformOn, narrowException, owaspOn],
			[platformOn, broadException, owaspOn],
			['Exception: skips OWASP for all or nearly all requests.'],
		],
		[
			'an exception moved before more rulesets',
			[platformOn, createSkipRule('true'), owaspOn],
			[createSkipRule('true'), platformOn, owaspOn],
			[
				'Exception: skips Managed Ruleset for all or nearly all requests.',
				'No managed ruleset stays active.',
			],
		],
	])('is reported for %s', (_what, before, after, sentences) => {
		expect(listReductions(before, after)).toEqual(sentences);
	});

	test('is reported for a ruleset whose rules are turned off one by one, if the catalogue knows them', () => {
		expect(listReductions([platformOn], [withRuleOverrides(11)], managedContents)).toEqual([
			'Managed Ruleset: on → log, blocks nothing.',
		]);
		expect(listReductions([platformOn, owaspOn], [withRuleOverrides(12), owaspOn], managedContents)).toEqual([
			'Managed Ruleset: on → off, blocks nothing.',
		]);
	});

	test('is reported for the removal of an override that kept a rule from logging, for more than ten rules', () => {
		const rules = Array.from({length: 11}, (_, at) => ({id: `b${at}`, action: 'block'}));
		const contents = [
			{
				...platform,
				rules: [...rules, {id: 'c', action: 'block'}].map(({id}) => ({
					id,
					description: '',
					categories: [],
					action: id === 'c' ? 'block' : 'log',
					enabled: true,
				})),
			},
		];
		expect(listReductions([createExecuteRule(platform.id, {rules})], [platformOn], contents)).toEqual([
			'11 managed rules → log or off, blocks less.',
		]);
	});
});

describe('equal or better protection', () => {
	test.each<[string, Rules, Rules]>([
		['no change', [platformOn, owaspOn], [platformOn, owaspOn]],
		['a ruleset deployed', [platformOn], [platformOn, createExecuteRule(credentials.id)]],
		['a ruleset turned on', [turnOff(platformOn)], [platformOn]],
		['a ruleset removed that was off', [platformOn, turnOff(owaspOn)], [platformOn]],
		['a lower score threshold', [owaspOn], [withScore(25)]],
		['the default threshold spelled out', [createExecuteRule(owasp.id)], [owaspOn]],
		['a higher threshold while OWASP is off', [turnOff(owaspOn)], [turnOff(withScore(60))]],
		['a higher paranoia level', [withLevel(1)], [withLevel(2)]],
		[
			'another action that stops',
			[platformOn],
			[createExecuteRule(platform.id, {action: 'managed_challenge'})],
		],
		['one rule off', [platformOn], [withRuleOverrides(1)]],
		['one rule logging', [platformOn], [withRuleOverrides(1, {action: 'log'})]],
		['ten rules off', [platformOn], [withRuleOverrides(10)]],
		[
			'an exception of one rule for one path',
			[platformOn],
			[createSkipRule('http.request.uri.path eq "/a"', {rules: {[platform.id]: ['a1']}}), platformOn],
		],
		['an exception of a ruleset for one host', [owaspOn], [narrowException, owaspOn]],
		['an exception that is off', [owaspOn], [turnOff(broadException), owaspOn]],
		['an exception removed', [broadException, owaspOn], [owaspOn]],
		['another description', [broadException, owaspOn], [{...broadException, description: 'b'}, owaspOn]],
		[
			'an exception for all requests moved after its ruleset',
			[broadException, owaspOn],
			[owaspOn, broadException],
		],
		[
			'a ruleset added after an exception that skips it',
			[allRulesException, owaspOn],
			[allRulesException, owaspOn, createExecuteRule(credentials.id)],
		],
		[
			'a ruleset off that was skipped everywhere',
			[platformOn, broadException, owaspOn],
			[platformOn, broadException, turnOff(owaspOn)],
		],
		['a narrower exception', [broadException, owaspOn], [narrowException, owaspOn]],
		['one of two rules that run the same ruleset, removed', [platformOn, platformOn], [platformOn]],
		[
			'a category off in one of two rules that run the same ruleset',
			[platformOn, platformOn],
			[platformOn, createExecuteRule(platform.id, {categories: [{category: 'php', enabled: false}]})],
		],
		['nothing active before', [], [platformOn]],
	])('is recognised for %s', (_what, before, after) => {
		expect(listReductions(before, after)).toEqual([]);
	});

	test('is recognised for a category turned off while overrides keep all its rules on', () => {
		const ruleOverrides = [0, 1, 2].map(at => ({id: `a${at}`, enabled: true}));
		const before = createExecuteRule(platform.id, {rules: ruleOverrides});
		const after = createExecuteRule(platform.id, {
			rules: ruleOverrides,
			categories: [{category: 'wordpress', enabled: false}],
		});
		expect(listReductions([before], [after], managedContents)).toEqual([]);
	});
});
