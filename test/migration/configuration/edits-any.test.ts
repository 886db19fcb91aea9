import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {isFailure} from '../../../source/failure.ts';
import {
	type Configuration,
	readConfiguration,
} from '../../../source/migration/configuration/configuration.ts';
import {applyEdit, type Edit, editSentence} from '../../../source/migration/configuration/edits.ts';
import type {ExceptionDraft} from '../../../source/migration/configuration/exceptions.ts';
import {
	managedRulesets,
	overrideActions,
	paranoiaLevels,
} from '../../../source/migration/configuration/mapping.ts';
import {runs} from '../../support/full.ts';
import {
	anyConfiguration,
	categoryNames,
	expressions,
	ruleIds,
	rulesetIds,
} from '../support/configurations.ts';

const {platform, owasp} = managedRulesets;
const change = {
	action: fc.option(fc.constantFrom(...overrideActions, 'default' as const), {nil: undefined}),
	enabled: fc.option(fc.constantFrom(true, false, 'default' as const), {nil: undefined}),
};
const ruleset = fc.constantFrom(...rulesetIds);
const rule = fc.nat({max: 6});
const exception: fc.Arbitrary<ExceptionDraft> = fc.record({
	expression: fc.constantFrom('', ...expressions),
	skips: fc.constantFrom<ExceptionDraft['skips'][]>(
		{kind: 'all'},
		{kind: 'rulesets', ids: [owasp.id]},
		{kind: 'rules', rules: {[platform.id]: ['a1']}},
	),
});
const is = <Kind extends Edit['kind']>(kind: Kind) => fc.constant(kind);
const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
	fc.record({kind: is('rule enabled'), rule, enabled: fc.boolean()}),
	fc.record({kind: is('rule removed'), rule}),
	fc.record({kind: is('ruleset override'), ruleset, ...change}),
	fc.record({
		kind: is('category override'),
		ruleset,
		category: fc.constantFrom('', ...categoryNames),
		...change,
	}),
	fc.record({kind: is('managed rule override'), ruleset, id: fc.constantFrom('', ...ruleIds), ...change}),
	fc.record({kind: is('paranoia level'), level: fc.constantFrom(...paranoiaLevels)}),
	fc.record({kind: is('score threshold'), points: fc.constantFrom(25, 40, 0)}),
	fc.record({kind: is('threshold action'), action: fc.constantFrom(...overrideActions, 'default' as const)}),
	fc.record({kind: is('exception added'), exception}),
	fc.record({kind: is('exception changed'), rule, exception}),
	fc.record({kind: is('ruleset deployed'), ruleset}),
);

/** What an edit gives, or the failure with which it was refused. */
function outcome(configuration: Configuration, edit: Edit): Configuration | undefined {
	try {
		return applyEdit(configuration, edit);
	} catch (error) {
		expect(isFailure(error, 'usage', 'input_malformed')).toBe(true);
		return undefined;
	}
}

const futuresIn = (value: unknown): number => JSON.stringify(value).split('"future"').length - 1;

describe('every edit', () => {
	test('keeps a configuration readable, and the one that it was made from as it was', () => {
		fc.assert(
			fc.property(anyConfiguration, anyEdit, (configuration, edit) => {
				const before = JSON.stringify(configuration);
				const after = outcome(configuration, edit);
				expect(JSON.stringify(configuration)).toBe(before);
				if (after) expect(readConfiguration(JSON.parse(JSON.stringify(after)), 'It')).toEqual(after);
			}),
			{numRuns: runs(500)},
		);
	});

	test('loses no field that ledge does not know', () => {
		fc.assert(
			fc.property(anyConfiguration, anyEdit, (configuration, edit) => {
				const after = outcome(configuration, edit);
				if (!after || edit.kind === 'rule removed') return;
				expect(futuresIn(after)).toBe(futuresIn(configuration));
			}),
			{numRuns: runs(500)},
		);
	});

	test('is said in one sentence', () => {
		fc.assert(
			fc.property(anyEdit, edit => {
				expect(editSentence(edit)).toMatch(/^[A-Z].*\.$/);
			}),
		);
	});
});
