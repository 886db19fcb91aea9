import {describe, expect, test} from 'vitest';
import type {ManagedConfiguration} from '../../../source/migration/configuration/configuration.ts';
import {applyEdit, type ConfigurationEdit} from '../../../source/migration/configuration/edits.ts';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {type AppliedEdit, rebaseEdits} from '../../../source/migration/configuration/rebase.ts';
import type {ConfiguredRule} from '../../../source/migration/configuration/rule-overrides.ts';

const {platform, owasp, credentials} = managedRulesets;
const executing = (id: string, ruleset: string): ConfiguredRule => ({
	id,
	action: 'execute',
	action_parameters: {id: ruleset},
	expression: 'true',
	enabled: true,
});
const skipping = (id: string, expression: string): ConfiguredRule => ({
	id,
	action: 'skip',
	action_parameters: {ruleset: 'current'},
	expression,
	enabled: true,
});
const of = (...rules: readonly ConfiguredRule[]): ManagedConfiguration => ({name: 'default', rules});
const [first, second] = [executing('a', platform.id), executing('b', owasp.id)];

function made(start: ManagedConfiguration, ...edits: readonly ConfigurationEdit[]): readonly AppliedEdit[] {
	let before = start;
	return edits.map(edit => {
		const one = {edit, before};
		before = applyEdit(before, edit);
		return one;
	});
}

const added: ConfigurationEdit = {
	kind: 'exception added',
	exception: {expression: 'ssl', skips: {kind: 'all'}, description: 'of mine'},
};

describe('edits of a configuration whose rules have changed', () => {
	test('stay unchanged if nothing else changed', () => {
		const start = of(first, second);
		const edits = made(start, {kind: 'score threshold', points: 25}, added, {
			kind: 'rule enabled',
			rule: 0,
			enabled: false,
		});
		expect(rebaseEdits(edits, start)).toMatchObject({edits, lostEdits: []});
	});

	test('find their rules by id, at any position', () => {
		const edits = made(of(first, second), {kind: 'rule enabled', rule: 1, enabled: false});
		const {edits: after, configuration} = rebaseEdits(edits, of(skipping('c', 'ssl'), second, first));
		expect(after.map(({edit}) => edit)).toEqual([{kind: 'rule enabled', rule: 1, enabled: false}]);
		expect(configuration.rules.map(({id, enabled}) => [id, enabled])).toEqual([
			['c', true],
			['b', false],
			['a', true],
		]);
	});

	test('find rules added by ledge by their content', () => {
		const edits = made(of(first, second), added, {kind: 'rule removed', rule: 0});
		const {configuration, lostEdits} = rebaseEdits(
			edits,
			of(skipping('c', 'ip.src eq 192.0.2.1'), first, second),
		);
		expect(configuration.rules.map(({id}) => id)).toEqual(['c', 'a', 'b']);
		expect(lostEdits).toEqual([]);
	});

	test.each<[string, ConfigurationEdit, ManagedConfiguration]>([
		['a rule that is gone', {kind: 'rule removed', rule: 0}, of(second)],
		[
			'a ruleset that is deployed',
			{kind: 'ruleset deployed', ruleset: credentials.id},
			of(first, second, executing('d', credentials.id)),
		],
		['an exception that is there', added, applyEdit(of(first, second), added)],
		[
			'a threshold that is set',
			{kind: 'score threshold', points: 25},
			applyEdit(of(first, second), {kind: 'score threshold', points: 25}),
		],
	])('are dropped if already done: %s', (_what, edit, now) => {
		expect(rebaseEdits(made(of(first, second), edit), now)).toEqual({
			edits: [],
			configuration: now,
			lostEdits: [],
		});
	});

	test.each<[string, ConfigurationEdit, ManagedConfiguration, string]>([
		[
			'a rule that is gone is turned on',
			{kind: 'rule enabled', rule: 0, enabled: false},
			of(second),
			'Rule 1 (Managed Ruleset) turned off.',
		],
		['OWASP is gone', {kind: 'score threshold', points: 25}, of(first), 'score threshold set to 25'],
	])('are listed if no longer possible: %s', (_what, edit, now, sentence) => {
		const {edits, lostEdits, configuration} = rebaseEdits(made(of(first, second), edit), now);
		expect(edits).toEqual([]);
		expect(configuration).toEqual(now);
		expect(lostEdits.join()).toContain(sentence);
	});
});

describe('edits of rules changed by someone else', () => {
	const start = of(skipping('c', 'ssl'), first, second);
	test.each<[string, ConfigurationEdit, ManagedConfiguration]>([
		[
			'an exception with another expression',
			{
				kind: 'exception changed',
				rule: 0,
				exception: {expression: 'ssl', skips: {kind: 'rulesets', ids: [owasp.id]}, description: 'x'},
			},
			of(skipping('c', 'not ssl'), first, second),
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
			of(skipping('c', 'not ssl'), first, second),
		],
	])('are dropped and listed: %s', (_what, edit, now) => {
		const {edits, lostEdits, configuration} = rebaseEdits(made(start, edit), now);
		expect({edits, configuration}).toEqual({edits: [], configuration: now});
		expect(lostEdits).toHaveLength(1);
	});

	test('are kept if they change another part of the same rule', () => {
		const now = of(skipping('c', 'not ssl'), first, second);
		const {edits, configuration} = rebaseEdits(
			made(start, {kind: 'rule enabled', rule: 0, enabled: false}),
			now,
		);
		expect(edits).toHaveLength(1);
		expect(configuration.rules[0]).toMatchObject({expression: 'not ssl', enabled: false});
	});
});

describe('edits made by hand', () => {
	const start = of(skipping('c', 'ssl'), first, second);
	const rebase = (mine: ManagedConfiguration, theirs: ManagedConfiguration) =>
		rebaseEdits([{edit: 'by hand', before: start}], theirs, mine);

	test('are merged with changes made by others elsewhere', () => {
		const mine = of(
			skipping('c', 'ssl'),
			{...first, enabled: false},
			second,
			skipping('d', 'http.host eq "mine.example"'),
		);
		const theirs = of(
			skipping('c', 'not ssl'),
			first,
			skipping('e', 'http.host eq "theirs.example"'),
			second,
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
			of(first, second),
			of(skipping('c', 'ssl'), {...first, enabled: false}, second),
		);
		expect(lostEdits).toEqual([]);
		expect(configuration).toEqual(of({...first, enabled: false}, second));
	});

	test.each<[string, ManagedConfiguration, ManagedConfiguration]>([
		[
			'both changed a rule',
			of(skipping('c', 'ssl'), {...first, enabled: false}, second),
			of(skipping('c', 'ssl'), {...first, description: 'theirs'}, second),
		],
		[
			'a changed rule is gone',
			of(skipping('c', 'ssl'), {...first, enabled: false}, second),
			of(skipping('c', 'ssl'), second),
		],
		[
			'a removed rule was changed',
			of(first, second),
			of({...skipping('c', 'ssl'), enabled: false}, first, second),
		],
		['the order was changed', of(first, skipping('c', 'ssl'), second), of(skipping('c', 'ssl'), first)],
	])('are dropped and listed when %s', (_what, mine, theirs) => {
		expect(rebase(mine, theirs)).toEqual({
			edits: [],
			configuration: theirs,
			lostEdits: ['The change made in the editor.'],
		});
	});
});
