import fc from 'fast-check';
import type {ManagedConfiguration} from '../../../source/migration/configuration/configuration.ts';
import {
	managedRulesets,
	overrideActions,
	thresholdRuleId,
} from '../../../source/migration/configuration/mapping.ts';
import type {ConfiguredRule} from '../../../source/migration/configuration/rule-overrides.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../../source/text/json.ts';

/** A rule that executes a managed ruleset. */
export const createExecuteRule = (
	id: string,
	overrides?: JsonObject,
	more: JsonObject = {},
): ConfiguredRule => ({
	action: 'execute',
	action_parameters: {id, ...(overrides && {overrides})},
	expression: 'true',
	description: '',
	enabled: true,
	...more,
});

/** A rule that skips. */
export const createSkipRule = (
	expression: string,
	parameters: JsonObject = {ruleset: 'current'},
): ConfiguredRule => ({
	action: 'skip',
	action_parameters: parameters,
	expression,
	description: '',
	enabled: true,
	logging: {enabled: true},
});

export const configurationOf = (...rules: readonly ConfiguredRule[]): ManagedConfiguration => ({
	name: 'default',
	rules,
});

const {platform, owasp, credentials} = managedRulesets;
export const rulesetIds = [platform.id, owasp.id, credentials.id] as const;

/** Few ids, so that edits often find a matching rule. */
export const ruleIds = ['a1', 'b2', thresholdRuleId] as const;
export const categoryNames = [
	'paranoia-level-2',
	'paranoia-level-3',
	'paranoia-level-4',
	'wordpress',
] as const;
export const expressions = ['true', 'ip.src eq 192.0.2.1', 'http.host eq "a"', 'ssl'] as const;

const unknownFields = {future: fc.constantFrom<JsonValue>('kept', 7, {deep: [1, null]})};

const anyOverrideEntry = (key: 'id' | 'category', names: readonly string[]) =>
	fc
		.record({
			name: fc.constantFrom(...names),
			says: fc.record(
				{
					action: fc.constantFrom(...overrideActions),
					enabled: fc.boolean(),
					score_threshold: fc.constantFrom(25, 40),
					...unknownFields,
				},
				{requiredKeys: []},
			),
		})
		.map(({name, says}): JsonObject => ({[key]: name, ...(says as JsonObject)}));

const anyExecuteRule = fc
	.record({
		id: fc.constantFrom(...rulesetIds),
		overrides: fc.option(
			fc.record(
				{
					action: fc.constantFrom(...overrideActions),
					enabled: fc.boolean(),
					rules: fc.array(anyOverrideEntry('id', ruleIds), {maxLength: 4}),
					categories: fc.array(anyOverrideEntry('category', categoryNames), {maxLength: 4}),
					...unknownFields,
				},
				{requiredKeys: []},
			),
			{nil: undefined},
		),
		parameters: fc.record(unknownFields, {requiredKeys: []}),
	})
	.map(({id, overrides, parameters}) => ({
		action: 'execute',
		action_parameters: {id, ...parameters, ...(overrides && {overrides})},
	}));

const anySkipRule = fc
	.record({
		parameters: fc.constantFrom<JsonObject>(
			{ruleset: 'current'},
			{rulesets: [owasp.id]},
			{rules: {[platform.id]: ['a1', 'b2']}},
			{phases: ['http_request_firewall_managed']},
		),
		logging: fc.option(fc.boolean(), {nil: undefined}),
	})
	.map(({parameters, logging}) => ({
		action: 'skip',
		action_parameters: parameters,
		...(logging !== undefined && {logging: {enabled: logging}}),
	}));

const anyRule: fc.Arbitrary<ConfiguredRule> = fc
	.record({
		does: fc.oneof(anyExecuteRule, anySkipRule),
		expression: fc.constantFrom(...expressions),
		more: fc.record(
			{description: fc.constantFrom('', 'partners', 'office'), enabled: fc.boolean(), ...unknownFields},
			{requiredKeys: []},
		),
		service: fc.record(
			{
				id: fc.constantFrom('', '0123456789abcdef0123456789abcdef'),
				version: fc.constantFrom('', '3'),
				ref: fc.constantFrom('', 'mine'),
			},
			{requiredKeys: []},
		),
	})
	.map(({does, expression, more, service}): ConfiguredRule => ({...service, ...more, ...does, expression}));

/** Configurations of all shapes, with fields that ledge does not know. */
export const anyConfiguration: fc.Arbitrary<ManagedConfiguration> = fc
	.array(anyRule, {maxLength: 6})
	.map(rules => ({name: 'default', rules}));

/** The same value with the keys of all its objects in the opposite order. */
export function reverseKeys<T extends JsonValue>(value: T): T {
	if (Array.isArray(value)) return value.map(reverseKeys) as unknown as T;
	if (!isJsonObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value)
			.toReversed()
			.map(([name, part]) => [name, reverseKeys(part)]),
	) as T;
}
