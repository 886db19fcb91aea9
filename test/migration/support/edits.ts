import fc from 'fast-check';
import type {ConfigurationEdit} from '../../../source/migration/configuration/edits.ts';
import type {ExceptionDraft} from '../../../source/migration/configuration/exceptions.ts';
import {
	managedRulesets,
	overrideActions,
	paranoiaLevels,
} from '../../../source/migration/configuration/mapping.ts';
import {categoryNames, expressions, ruleIds, rulesetIds} from './configurations.ts';

const {platform, owasp} = managedRulesets;
const changeFields = {
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
const constantKind = <Kind extends ConfigurationEdit['kind']>(kind: Kind) => fc.constant(kind);
/** Edits of all kinds, with the ids and expressions that occur in `anyConfiguration`. */
export const anyEdit: fc.Arbitrary<ConfigurationEdit> = fc.oneof(
	fc.record({kind: constantKind('rule enabled'), rule, enabled: fc.boolean()}),
	fc.record({kind: constantKind('rule removed'), rule}),
	fc.record({kind: constantKind('ruleset override'), ruleset, ...changeFields}),
	fc.record({
		kind: constantKind('category override'),
		ruleset,
		category: fc.constantFrom('', ...categoryNames),
		...changeFields,
	}),
	fc.record({
		kind: constantKind('managed rule override'),
		ruleset,
		id: fc.constantFrom('', ...ruleIds),
		...changeFields,
	}),
	fc.record({kind: constantKind('paranoia level'), level: fc.constantFrom(...paranoiaLevels)}),
	fc.record({kind: constantKind('score threshold'), points: fc.constantFrom(25, 40, 0)}),
	fc.record({
		kind: constantKind('threshold action'),
		action: fc.constantFrom(...overrideActions, 'default' as const),
	}),
	fc.record({kind: constantKind('exception added'), exception}),
	fc.record({kind: constantKind('exception changed'), rule, exception}),
	fc.record({kind: constantKind('ruleset deployed'), ruleset}),
);
