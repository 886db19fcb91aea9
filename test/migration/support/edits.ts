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
const is = <Kind extends ConfigurationEdit['kind']>(kind: Kind) => fc.constant(kind);
/** Edits of all kinds, of what configurations of `configurations.ts` may hold. */
export const anyEdit: fc.Arbitrary<ConfigurationEdit> = fc.oneof(
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
