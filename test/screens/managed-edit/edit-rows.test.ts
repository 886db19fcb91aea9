import {describe, expect, test} from 'vitest';
import type {ManagedConfiguration} from '../../../source/migration/configuration/configuration.ts';
import {applyEdit, type ConfigurationEdit} from '../../../source/migration/configuration/edits.ts';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {buildEditRows, followEditRow} from '../../../source/screens/managed-edit/edit-rows.ts';

const {platform, owasp} = managedRulesets;

/** An exception, a managed ruleset with two rule overrides, and OWASP with its two settings. */
const before: ManagedConfiguration = {
	name: 'default',
	rules: [
		{action: 'skip', expression: 'ssl', action_parameters: {ruleset: 'current'}},
		{
			action: 'execute',
			expression: 'true',
			action_parameters: {
				id: platform.id,
				overrides: {
					rules: [
						{id: 'a', enabled: false},
						{id: 'b', enabled: false},
					],
				},
			},
		},
		{action: 'execute', expression: 'true', action_parameters: {id: owasp.id}},
	],
};

const exceptionEdit: ConfigurationEdit = {
	kind: 'exception added',
	exception: {expression: 'http.host eq "a"', skips: {kind: 'rules', rules: {[platform.id]: ['b']}}},
};

/** Names a row by its kind, rule, and what it overrides. */
const nameRow = (configuration: ManagedConfiguration, index: number): string => {
	const row = buildEditRows(configuration)[index];
	if (!row) return 'none';
	const {action, expression, action_parameters: parameters} = configuration.rules[row.index] ?? {};
	return `${row.kind} of ${action} ${parameters?.id ?? expression}: ${'id' in row ? row.id : ''}`;
};

describe('the row under the cursor stays the same', () => {
	test.each<[string, ConfigurationEdit]>([
		['when an exception is inserted above', exceptionEdit],
		['when a rule is turned off', {kind: 'rule enabled', rule: 1, enabled: false}],
		[
			'when an override is inserted',
			{kind: 'ruleset override', ruleset: platform.id, action: 'log', enabled: true},
		],
		['when an action is set', {kind: 'managed rule override', ruleset: platform.id, id: 'a', action: 'log'}],
		['when a ruleset is deployed below', {kind: 'ruleset deployed', ruleset: managedRulesets.credentials.id}],
	])('%s, and when that is undone', (_what, edit) => {
		const after = applyEdit(before, edit);
		for (const cursor of buildEditRows(before).keys()) {
			const followed = followEditRow(before, after, cursor);
			expect(nameRow(after, followed)).toBe(nameRow(before, cursor));
			expect(followEditRow(after, before, followed)).toBe(cursor);
		}
	});

	test('when the service gives a rule an id and a version', () => {
		const withIds = (version: string): ManagedConfiguration => ({
			...before,
			rules: before.rules.map((rule, index) => ({...rule, id: `r${index}`, version})),
		});
		const {rules} = withIds('2');
		const [first, ...others] = rules;
		const after = {...before, rules: first ? [...others, first] : others};
		expect(nameRow(after, followEditRow(withIds('1'), after, 0))).toBe(nameRow(before, 0));
		expect(nameRow(after, followEditRow(withIds('1'), after, 3))).toBe(nameRow(before, 3));
	});
});

test('the cursor stays near a row that is removed', () => {
	const withoutOverride = applyEdit(before, {
		kind: 'managed rule override',
		ruleset: platform.id,
		id: 'a',
		action: 'default',
		enabled: 'default',
	});
	expect(nameRow(withoutOverride, followEditRow(before, withoutOverride, 2))).toBe(nameRow(before, 3));
	const empty = {...before, rules: []};
	expect(followEditRow(before, empty, 3)).toBe(0);
});
