import {expect, test} from 'vitest';
import {isFailure} from '../../../source/failure.ts';
import {parseConfiguration} from '../../../source/migration/configuration/configuration.ts';
import {applyEdit, type ConfigurationEdit} from '../../../source/migration/configuration/edits.ts';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {configurationOf, createExecuteRule} from '../support/configurations.ts';

const {platform, owasp} = managedRulesets;
const exception = {expression: 'ssl', description: '', skips: {kind: 'all'}} as const;
const configuration = configurationOf(createExecuteRule(platform.id));

const getNextStep = (run: () => unknown): string | undefined => {
	try {
		run();
	} catch (error) {
		return isFailure(error) ? error.next : undefined;
	}
	throw new TypeError('It did not fail.');
};

const impossibleEdits: readonly ConfigurationEdit[] = [
	{kind: 'rule removed', rule: 7},
	{kind: 'exception changed', rule: 0, exception},
	{kind: 'exception added', exception: {...exception, expression: ' '}},
	{kind: 'exception added', exception: {...exception, skips: {kind: 'rulesets', ids: []}}},
	{kind: 'managed rule override', ruleset: platform.id, id: '', enabled: false},
	{kind: 'ruleset deployed', ruleset: platform.id},
	{kind: 'score threshold', points: 0},
	{kind: 'ruleset override', ruleset: owasp.id, enabled: false},
];

test.each(
	impossibleEdits.map(edit => [edit.kind, edit] as const),
)('an impossible edit comes with a next step: %s', (_kind, edit) => {
	const targetConfiguration =
		edit.kind === 'score threshold' ? configurationOf(createExecuteRule(owasp.id)) : configuration;
	expect(getNextStep(() => applyEdit(targetConfiguration, edit))).toBeTruthy();
});

test('for a file that is not JSON, the next step says how to get a valid one', () => {
	expect(getNextStep(() => parseConfiguration('{', 'The file c.json'))).toContain('ledge migration config');
});
