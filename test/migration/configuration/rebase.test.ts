import {describe, expect, test} from 'vitest';
import type {ManagedConfiguration} from '../../../source/migration/configuration/configuration.ts';
import {applyEdit, type ConfigurationEdit} from '../../../source/migration/configuration/edits.ts';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {type AppliedEdit, rebaseEdits} from '../../../source/migration/configuration/rebase.ts';
import type {ConfiguredRule} from '../../../source/migration/configuration/rule-overrides.ts';

const {platform, owasp, credentials} = managedRulesets;
const createExecuteRuleWithId = (id: string, ruleset: string): ConfiguredRule => ({
	id,
	action: 'execute',
	action_parameters: {id: ruleset},
	expression: 'true',
	enabled: true,
});
const createSkipRuleWithId = (id: string, expression: string): ConfiguredRule => ({
	id,
	action: 'skip',
	action_parameters: {ruleset: 'current'},
	expression,
	enabled: true,
});
const createConfiguration = (...rules: readonly ConfiguredRule[]): ManagedConfiguration => ({
	name: 'default',
	rules,
});
const [platformRule, owaspRule] = [
	createExecuteRuleWithId('a', platform.id),
	createExecuteRuleWithId('b', owasp.id),
];

function applyEdits(
	start: ManagedConfiguration,
	...edits: readonly ConfigurationEdit[]
): readonly AppliedEdit[] {
	let before = start;
	return edits.map(edit => {
		const appliedEdit = {edit, before};
		before = applyEdit(before, edit);
		return appliedEdit;
	});
}

const exceptionAdded: ConfigurationEdit = {
	kind: 'exception added',
	exception: {expression: 'ssl', skips: {kind: 'all'}, description: 'of mine'},
};

describe('edits of a configuration whose rules have changed', () => {
	test('stay unchanged if nothing else changed', () => {
		const start = createConfiguration(platformRule, owaspRule);
		const edits = applyEdits(start, {kind: 'score threshold', points: 25}, exceptionAdded, {
			kind: 'rule enabled',
			rule: 0,
			enabled: false,
		});
		expect(rebaseEdits(edits, start)).toMatchObject({edits, lostEdits: []});
	});

	test('find their rules by id, at any position', () => {
		const edits = applyEdits(createConfiguration(platformRule, owaspRule), {
			kind: 'rule enabled',
			rule: 1,
			enabled: false,
		});
		const {edits: after, configuration} = rebaseEdits(
			edits,
			createConfiguration(createSkipRuleWithId('c', 'ssl'), owaspRule, platformRule),
		);
		expect(after.map(({edit}) => edit)).toEqual([{kind: 'rule enabled', rule: 1, enabled: false}]);
		expect(configuration.rules.map(({id, enabled}) => [id, enabled])).toEqual([
			['c', true],
			['b', false],
			['a', true],
		]);
	});

	test('find rules added by ledge by their content', () => {
		const edits = applyEdits(createConfiguration(platformRule, owaspRule), exceptionAdded, {
			kind: 'rule removed',
			rule: 0,
		});
		const {configuration, lostEdits} = rebaseEdits(
			edits,
			createConfiguration(createSkipRuleWithId('c', 'ip.src eq 192.0.2.1'), platformRule, owaspRule),
		);
		expect(configuration.rules.map(({id}) => id)).toEqual(['c', 'a', 'b']);
		expect(lostEdits).toEqual([]);
	});

	test.each<[string, ConfigurationEdit, ManagedConfiguration]>([
		['a rule that is gone', {kind: 'rule removed', rule: 0}, createConfiguration(owaspRule)],
		[
			'a ruleset that is deployed',
			{kind: 'ruleset deployed', ruleset: credentials.id},
			createConfiguration(platformRule, owaspRule, createExecuteRuleWithId('d', credentials.id)),
		],
		[
			'an exception that exists',
			exceptionAdded,
			applyEdit(createConfiguration(platformRule, owaspRule), exceptionAdded),
		],
		[
			'a threshold that is set',
			{kind: 'score threshold', points: 25},
			applyEdit(createConfiguration(platformRule, owaspRule), {kind: 'score threshold', points: 25}),
		],
	])('are dropped if already done: %s', (_what, edit, currentConfiguration) => {
		expect(
			rebaseEdits(applyEdits(createConfiguration(platformRule, owaspRule), edit), currentConfiguration),
		).toEqual({
			edits: [],
			configuration: currentConfiguration,
			lostEdits: [],
		});
	});

	test.each<[string, ConfigurationEdit, ManagedConfiguration, string]>([
		[
			'a rule to turn off is gone',
			{kind: 'rule enabled', rule: 0, enabled: false},
			createConfiguration(owaspRule),
			'Turn off rule 1 (Managed Ruleset).',
		],
		[
			'OWASP is gone',
			{kind: 'score threshold', points: 25},
			createConfiguration(platformRule),
			'Set score threshold 25',
		],
	])('are listed if no longer possible: %s', (_what, edit, currentConfiguration, sentence) => {
		const {edits, lostEdits, configuration} = rebaseEdits(
			applyEdits(createConfiguration(platformRule, owaspRule), edit),
			currentConfiguration,
		);
		expect(edits).toEqual([]);
		expect(configuration).toEqual(currentConfiguration);
		expect(lostEdits.join()).toContain(sentence);
	});
});

describe('edits of rules changed by someone else', () => {
	const start = createConfiguration(createSkipRuleWithId('c', 'ssl'), platformRule, owaspRule);
	test.each<[string, ConfigurationEdit, ManagedConfiguration]>([
		[
			'an exception with another expression',
			{
				kind: 'exception changed',
				rule: 0,
				exception: {expression: 'ssl', skips: {kind: 'rulesets', ids: [owasp.id]}, description: 'x'},
			},
			createConfiguration(createSkipRuleWithId('c', 'not ssl'), platformRule, owaspRule),
		],
		[
			'an override with another action',
			{kind: 'managed rule override', ruleset: platform.id, id: 'a'.repeat(32), action: 'log'},
			applyEdit(start, {
				kind: 'managed rule override',
				ruleset: platform.id,
				id: 'a'.repeat(32),
				action: 'block',
			}),
		],
		[
			'a rule to be removed, with another expression',
			{kind: 'rule removed', rule: 0},
			createConfiguration(createSkipRuleWithId('c', 'not ssl'), platformRule, owaspRule),
		],
	])('are dropped and listed: %s', (_what, edit, currentConfiguration) => {
		const {edits, lostEdits, configuration} = rebaseEdits(applyEdits(start, edit), currentConfiguration);
		expect({edits, configuration}).toEqual({edits: [], configuration: currentConfiguration});
		expect(lostEdits).toHaveLength(1);
	});

	test('are kept if they change another part of the same rule', () => {
		const currentConfiguration = createConfiguration(
			createSkipRuleWithId('c', 'not ssl'),
			platformRule,
			owaspRule,
		);
		const {edits, configuration} = rebaseEdits(
			applyEdits(start, {kind: 'rule enabled', rule: 0, enabled: false}),
			currentConfiguration,
		);
		expect(edits).toHaveLength(1);
		expect(configuration.rules[0]).toMatchObject({expression: 'not ssl', enabled: false});
	});
});

describe('edits made by hand', () => {
	const start = createConfiguration(createSkipRuleWithId('c', 'ssl'), platformRule, owaspRule);
	const rebase = (mine: ManagedConfiguration, theirs: ManagedConfiguration) =>
		rebaseEdits([{edit: 'by hand', before: start}], theirs, mine);

	test('are merged with changes made by others elsewhere', () => {
		const mine = createConfiguration(
			createSkipRuleWithId('c', 'ssl'),
			{...platformRule, enabled: false},
			owaspRule,
			createSkipRuleWithId('d', 'http.host eq "mine.example"'),
		);
		const theirs = createConfiguration(
			createSkipRuleWithId('c', 'not ssl'),
			platformRule,
			createSkipRuleWithId('e', 'http.host eq "theirs.example"'),
			owaspRule,
		);
		const {configuration, lostEdits} = rebase(mine, theirs);
		expect(lostEdits).toEqual([]);
		expect(configuration.rules.map(({expression, enabled}) => [expression, enabled])).toEqual([
			['not ssl', true],
			['true', false],
			['http.host eq "theirs.example"', true],
			['true', true],
			['http.host eq "mine.example"', true],
		]);
	});

	test('remove only what the person removed', () => {
		const {configuration, lostEdits} = rebase(
			createConfiguration(platformRule, owaspRule),
			createConfiguration(createSkipRuleWithId('c', 'ssl'), {...platformRule, enabled: false}, owaspRule),
		);
		expect(lostEdits).toEqual([]);
		expect(configuration).toEqual(createConfiguration({...platformRule, enabled: false}, owaspRule));
	});

	test.each<[string, ManagedConfiguration, ManagedConfiguration]>([
		[
			'both changed a rule',
			createConfiguration(createSkipRuleWithId('c', 'ssl'), {...platformRule, enabled: false}, owaspRule),
			createConfiguration(
				createSkipRuleWithId('c', 'ssl'),
				{...platformRule, description: 'theirs'},
				owaspRule,
			),
		],
		[
			'a changed rule is gone',
			createConfiguration(createSkipRuleWithId('c', 'ssl'), {...platformRule, enabled: false}, owaspRule),
			createConfiguration(createSkipRuleWithId('c', 'ssl'), owaspRule),
		],
		[
			'a removed rule was changed',
			createConfiguration(platformRule, owaspRule),
			createConfiguration({...createSkipRuleWithId('c', 'ssl'), enabled: false}, platformRule, owaspRule),
		],
		[
			'the order was changed',
			createConfiguration(platformRule, createSkipRuleWithId('c', 'ssl'), owaspRule),
			createConfiguration(createSkipRuleWithId('c', 'ssl'), platformRule),
		],
	])('are dropped and listed when %s', (_what, mine, theirs) => {
		expect(rebase(mine, theirs)).toEqual({
			edits: [],
			configuration: theirs,
			lostEdits: ['The change made in the editor.'],
		});
	});
});
