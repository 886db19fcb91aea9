import {describe, expect, test} from 'vitest';
import {managedRulesets, thresholdRuleId} from '../../../source/migration/configuration/mapping.ts';
import {findReductions} from '../../../source/migration/configuration/reductions.ts';
import type {ConfiguredRule} from '../../../source/migration/configuration/rule-overrides.ts';
import type {ManagedContents} from '../../../source/migration/zone/managed-contents.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {execute, skip} from '../support/configurations.ts';

const {platform, owasp, credentials} = managedRulesets;
const platformOn = execute(platform.id);
const withScore = (points: number, more: JsonObject = {}): ConfiguredRule =>
	execute(owasp.id, {rules: [{id: thresholdRuleId, score_threshold: points, ...more}]});
const withLevel = (level: number): ConfiguredRule =>
	execute(owasp.id, {
		categories: [1, 2, 3, 4]
			.filter(one => one > level)
			.map(one => ({category: `paranoia-level-${one}`, enabled: false})),
	});
const owaspOn = withScore(40);
const off = (rule: ConfiguredRule): ConfiguredRule => ({...rule, enabled: false});
const narrow = skip('http.host eq "a.example"', {rulesets: [owasp.id]});
const broad = skip('true', {rulesets: [owasp.id]});
const all = skip('http.host eq "a.example"');
const rulesOff = (count: number, says: JsonObject = {enabled: false}): ConfiguredRule =>
	execute(platform.id, {rules: Array.from({length: count}, (_, at) => ({id: `a${at}`, ...says}))});

/** Of the first ruleset all is known: twelve rules, one of which only logs. */
const managed: readonly ManagedContents[] = [
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
const reductions = (before: Rules, after: Rules, known?: readonly ManagedContents[]) =>
	findReductions({rules: before}, {rules: after}, {zoneName: 'shop.example', catalogue: known});

describe('less protection', () => {
	test.each<[string, Rules, Rules, readonly string[]]>([
		['a ruleset removed', [platformOn, owaspOn], [platformOn], ['OWASP: on → removed, blocks nothing.']],
		[
			'a ruleset turned off',
			[platformOn, owaspOn],
			[platformOn, off(owaspOn)],
			['OWASP: on → off, blocks nothing.'],
		],
		[
			'all rules of a ruleset off',
			[platformOn, owaspOn],
			[execute(platform.id, {enabled: false}), owaspOn],
			['Managed Ruleset: on → off, blocks nothing.'],
		],
		[
			'all rules of a ruleset logging',
			[platformOn, owaspOn],
			[execute(platform.id, {action: 'log'}), owaspOn],
			['Managed Ruleset: on → log, blocks nothing.'],
		],
		[
			'what logs, turned off',
			[execute(platform.id, {action: 'log'}), owaspOn],
			[off(platformOn), owaspOn],
			['Managed Ruleset: log → off, logs nothing.'],
		],
		[
			'the action that keeps it from logging, taken away',
			[execute(platform.id, {action: 'block', categories: [{category: 'php', action: 'log'}]})],
			[execute(platform.id, {action: 'log', categories: [{category: 'php', action: 'block'}]})],
			['Managed Ruleset: all rules → log, except overridden ones; blocks less.'],
		],
		[
			'all of a ruleset off but for some of it',
			[platformOn],
			[execute(platform.id, {enabled: false, rules: [{id: 'a1', enabled: true}]})],
			['Managed Ruleset: all rules → off, except overridden ones; blocks less.'],
		],
		[
			'OWASP logging, whatever its threshold rule says',
			[platformOn, withScore(40, {action: 'block'})],
			[
				platformOn,
				execute(owasp.id, {
					action: 'log',
					rules: [{id: thresholdRuleId, score_threshold: 40, action: 'block'}],
				}),
			],
			['OWASP: all rules → log, except overridden ones; blocks less.'],
		],
		[
			'a category logging',
			[platformOn],
			[execute(platform.id, {categories: [{category: 'wordpress', action: 'log'}]})],
			['Managed Ruleset: category wordpress → log, blocks less.'],
		],
		[
			'the override away that keeps a category blocking',
			[execute(platform.id, {action: 'log', categories: [{category: 'wordpress', action: 'block'}]})],
			[execute(platform.id, {action: 'log'})],
			['Managed Ruleset: on → log, blocks nothing.'],
		],
		[
			'eleven rules off',
			[platformOn, owaspOn],
			[rulesOff(11), owaspOn],
			['11 managed rules → log or off, blocks less.'],
		],
		[
			'eleven rules logging',
			[platformOn, owaspOn],
			[rulesOff(11, {action: 'log'}), owaspOn],
			['11 managed rules → log or off, blocks less.'],
		],
		[
			'less sensitive rules',
			[platformOn],
			[execute(platform.id, {sensitivity_level: 'low'})],
			['Managed Ruleset: all rules → less sensitive, except overridden ones; blocks less.'],
		],
		['a higher score threshold', [owaspOn], [withScore(60)], ['OWASP: 40 → 60, blocks less.']],
		[
			'no threshold of its own any more',
			[withScore(25)],
			[execute(owasp.id)],
			['OWASP: 25 → 40, blocks less.'],
		],
		['a lower paranoia level', [withLevel(2)], [withLevel(1)], ['OWASP: PL2 → PL1, blocks less.']],
		[
			'a level lower than unknown',
			[execute(owasp.id)],
			[withLevel(3)],
			['OWASP: default level → PL3, blocks less.'],
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
			[execute(platform.id, undefined, {expression: 'ssl'})],
			['Managed Ruleset: only for requests where ssl, blocks less.'],
		],
		[
			'a ruleset for all but some',
			[platformOn],
			[execute(platform.id, undefined, {expression: 'not http.request.uri.path eq "/a"'})],
			['Managed Ruleset: only for requests where not http.request.uri.path eq "/a", blocks less.'],
		],
		[
			'a ruleset for others than before',
			[execute(platform.id, undefined, {expression: 'ssl'})],
			[execute(platform.id, undefined, {expression: 'not ssl'})],
			['Managed Ruleset: only for requests where not ssl, blocks less.'],
		],
		[
			'a ruleset logging that runs for few requests',
			[execute(platform.id, undefined, {expression: 'http.host eq "a.example"'}), owaspOn],
			[execute(platform.id, {action: 'log'}, {expression: 'http.host eq "a.example"'}), owaspOn],
			['Managed Ruleset: on → log, blocks nothing.'],
		],
		[
			'nothing left that acts',
			[platformOn],
			[off(platformOn)],
			['Managed Ruleset: on → off, blocks nothing.', 'No managed ruleset stays active.'],
		],
		[
			'nothing left at all',
			[platformOn],
			[],
			['Managed Ruleset: on → removed, blocks nothing.', 'No managed ruleset stays active.'],
		],
		[
			'an exception for all requests',
			[platformOn, owaspOn],
			[platformOn, broad, owaspOn],
			['Exception: skips OWASP for all or nearly all requests.'],
		],
		[
			'an exception of one rule for all requests',
			[platformOn],
			[skip('true', {rules: {[platform.id]: ['a1']}}), platformOn],
			['Exception: skips 1 rule of Managed Ruleset for all or nearly all requests.'],
		],
		[
			'an exception for the host of the zone',
			[platformOn, owaspOn],
			[skip('http.host eq "shop.example"', {rulesets: [platform.id]}), platformOn, owaspOn],
			['Exception: skips Managed Ruleset for all or nearly all requests.'],
		],
		[
			'an exception for the hosts below the zone',
			[platformOn, owaspOn],
			[skip('ends_with(http.host, ".shop.example")', {rulesets: [platform.id]}), platformOn, owaspOn],
			['Exception: skips Managed Ruleset for all or nearly all requests.'],
		],
		[
			'an exception that only leaves some requests out',
			[platformOn, owaspOn],
			[platformOn, skip('http.host ne "a.example"', {rulesets: [owasp.id]}), owaspOn],
			['Exception: skips OWASP for all or nearly all requests.'],
		],
		[
			'two exceptions that are for all requests together',
			[platformOn, owaspOn],
			[
				skip('ssl', {rulesets: [platform.id]}),
				skip('not ssl', {rulesets: [platform.id]}),
				platformOn,
				owaspOn,
			],
			['Exception: skips Managed Ruleset for all or nearly all requests.'],
		],
		[
			'an exception for all that a ruleset runs for',
			[execute(platform.id, undefined, {expression: 'http.host eq "a.example"'}), owaspOn],
			[
				skip('http.host eq "a.example"', {rulesets: [platform.id]}),
				execute(platform.id, undefined, {expression: 'http.host eq "a.example"'}),
				owaspOn,
			],
			['Exception: skips Managed Ruleset for all or nearly all requests.'],
		],
		[
			'an exception that skips all managed rules',
			[owaspOn],
			[all, owaspOn],
			['Exception: skips all managed rules for requests where http.host eq "a.example".'],
		],
		[
			'an exception that skips the phase',
			[owaspOn],
			[skip('ip.src eq 192.0.2.1', {phases: ['http_request_firewall_managed']}), owaspOn],
			['Exception: skips all managed rules for requests where ip.src eq 192.0.2.1.'],
		],
		[
			'such an exception turned on',
			[platformOn, off(broad), owaspOn],
			[platformOn, broad, owaspOn],
			['Exception: skips OWASP for all or nearly all requests.'],
		],
		[
			'a wider expression',
			[platformOn, narrow, owaspOn],
			[platformOn, broad, owaspOn],
			['Exception: skips OWASP for all or nearly all requests.'],
		],
		[
			'an exception moved before more rulesets',
			[platformOn, skip('true'), owaspOn],
			[skip('true'), platformOn, owaspOn],
			[
				'Exception: skips Managed Ruleset for all or nearly all requests.',
				'No managed ruleset stays active.',
			],
		],
	])('is reported for %s', (_what, before, after, sentences) => {
		expect(reductions(before, after)).toEqual(sentences);
	});

	test('is reported for a category replaced by its rules, if the catalogue knows them', () => {
		expect(reductions([platformOn], [rulesOff(11)], managed)).toEqual([
			'Managed Ruleset: on → log, blocks nothing.',
		]);
		expect(reductions([platformOn, owaspOn], [rulesOff(12), owaspOn], managed)).toEqual([
			'Managed Ruleset: on → off, blocks nothing.',
		]);
	});

	test('is reported for the removal of an override that kept a rule from logging, for more than ten rules', () => {
		const rules = Array.from({length: 11}, (_, at) => ({id: `b${at}`, action: 'block'}));
		const known = [
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
		expect(reductions([execute(platform.id, {rules})], [platformOn], known)).toEqual([
			'11 managed rules → log or off, blocks less.',
		]);
	});
});

describe('equal or better protection', () => {
	test.each<[string, Rules, Rules]>([
		['no change', [platformOn, owaspOn], [platformOn, owaspOn]],
		['a ruleset deployed', [platformOn], [platformOn, execute(credentials.id)]],
		['one turned on', [off(platformOn)], [platformOn]],
		['a ruleset removed that was off', [platformOn, off(owaspOn)], [platformOn]],
		['a lower score threshold', [owaspOn], [withScore(25)]],
		['the default threshold spelled out', [execute(owasp.id)], [owaspOn]],
		['a threshold where OWASP does nothing', [off(owaspOn)], [off(withScore(60))]],
		['a higher paranoia level', [withLevel(1)], [withLevel(2)]],
		['another action that stops', [platformOn], [execute(platform.id, {action: 'managed_challenge'})]],
		['one rule off', [platformOn], [rulesOff(1)]],
		['one rule logging', [platformOn], [rulesOff(1, {action: 'log'})]],
		['ten rules off', [platformOn], [rulesOff(10)]],
		[
			'one rule and one path',
			[platformOn],
			[skip('http.request.uri.path eq "/a"', {rules: {[platform.id]: ['a1']}}), platformOn],
		],
		['a ruleset for one host', [owaspOn], [narrow, owaspOn]],
		['an exception that is off', [owaspOn], [off(broad), owaspOn]],
		['an exception removed', [broad, owaspOn], [owaspOn]],
		['another description', [broad, owaspOn], [{...broad, description: 'b'}, owaspOn]],
		['a wide exception moved behind', [broad, owaspOn], [owaspOn, broad]],
		['a ruleset behind a wide exception', [all, owaspOn], [all, owaspOn, execute(credentials.id)]],
		[
			'a ruleset off that was skipped everywhere',
			[platformOn, broad, owaspOn],
			[platformOn, broad, off(owaspOn)],
		],
		['a narrower exception', [broad, owaspOn], [narrow, owaspOn]],
		['one of two that run it wholly', [platformOn, platformOn], [platformOn]],
		[
			'a category off in one of two that run it',
			[platformOn, platformOn],
			[platformOn, execute(platform.id, {categories: [{category: 'php', enabled: false}]})],
		],
		['nothing in force before', [], [platformOn]],
	])('is recognised for %s', (_what, before, after) => {
		expect(reductions(before, after)).toEqual([]);
	});

	test('is recognised for a category turned off while overrides keep all its rules on', () => {
		const kept = [0, 1, 2].map(at => ({id: `a${at}`, enabled: true}));
		const before = execute(platform.id, {rules: kept});
		const after = execute(platform.id, {rules: kept, categories: [{category: 'wordpress', enabled: false}]});
		expect(reductions([before], [after], managed)).toEqual([]);
	});
});
