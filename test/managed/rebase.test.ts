import {describe, expect, test} from 'vitest';
import {type MadeEdit, rebasedEdits} from '../../source/managed/rebase.ts';
import type {Configuration, ConfiguredRule} from '../../source/migration/configuration/configuration.ts';
import {applyEdit, type Edit} from '../../source/migration/configuration/edits.ts';
import {managedRulesets} from '../../source/migration/configuration/mapping.ts';

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
const of = (...rules: readonly ConfiguredRule[]): Configuration => ({name: 'default', rules});
const [first, second] = [executing('a', platform.id), executing('b', owasp.id)];

function made(start: Configuration, ...edits: readonly Edit[]): readonly MadeEdit[] {
	let before = start;
	return edits.map(edit => {
		const one = {edit, before};
		before = applyEdit(before, edit);
		return one;
	});
}

const added: Edit = {
	kind: 'exception added',
	exception: {expression: 'ssl', skips: {kind: 'all'}, description: 'of mine'},
};

describe('edits made to rules that are otherwise by now', () => {
	test('stay as they are where nothing is otherwise', () => {
		const start = of(first, second);
		const edits = made(start, {kind: 'score threshold', points: 25}, added, {
			kind: 'rule enabled',
			rule: 0,
			enabled: false,
		});
		expect(rebasedEdits(edits, start)).toMatchObject({edits, lost: []});
	});

	test('find their rules by id, wherever those are', () => {
		const edits = made(of(first, second), {kind: 'rule enabled', rule: 1, enabled: false});
		const {edits: after, configuration} = rebasedEdits(edits, of(skipping('c', 'ssl'), second, first));
		expect(after.map(({edit}) => edit)).toEqual([{kind: 'rule enabled', rule: 1, enabled: false}]);
		expect(configuration.rules.map(({id, enabled}) => [id, enabled])).toEqual([
			['c', true],
			['b', false],
			['a', true],
		]);
	});

	test('find own new rules by what they say', () => {
		const edits = made(of(first, second), added, {kind: 'rule removed', rule: 0});
		const {configuration, lost} = rebasedEdits(
			edits,
			of(skipping('c', 'ip.src eq 192.0.2.1'), first, second),
		);
		expect(configuration.rules.map(({id}) => id)).toEqual(['c', 'a', 'b']);
		expect(lost).toEqual([]);
	});

	test.each<[string, Edit, Configuration]>([
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
	])('are dropped where they are done already: %s', (_what, edit, now) => {
		expect(rebasedEdits(made(of(first, second), edit), now)).toEqual({
			edits: [],
			configuration: now,
			lost: [],
		});
	});

	test.each<[string, Edit, Configuration, string]>([
		[
			'a rule that is gone is turned on',
			{kind: 'rule enabled', rule: 0, enabled: false},
			of(second),
			'Rule 1 is turned off.',
		],
		['OWASP is gone', {kind: 'score threshold', points: 25}, of(first), 'Requests that score 25'],
	])('are named where they are no longer possible: %s', (_what, edit, now, sentence) => {
		const {edits, lost, configuration} = rebasedEdits(made(of(first, second), edit), now);
		expect(edits).toEqual([]);
		expect(configuration).toEqual(now);
		expect(lost.join()).toContain(sentence);
	});
});
