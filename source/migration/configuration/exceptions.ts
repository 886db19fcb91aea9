import {
	array,
	boolean,
	type InferOutput,
	is,
	literal,
	nonEmpty,
	object,
	optional,
	pipe,
	readonly,
	record,
	string,
	variant,
} from 'valibot';
import {managedPhase} from '../../rulesets/ruleset.ts';
import {formatQuantity} from '../../text/figures.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import {pickFields} from '../../text/schema.ts';
import {formatRulesetName} from './mapping.ts';
import type {ConfiguredRule} from './rule-overrides.ts';

const textListSchema = pipe(array(pipe(string(), nonEmpty())), nonEmpty(), readonly());

/** The managed rules that an exception (a `skip` rule) skips. */
export type Skips = Readonly<InferOutput<typeof skipsSchema>>;
export const skipsSchema = variant('kind', [
	/** Skips all execute rules after it. */
	object({kind: literal('all')}),
	/** Ids of managed rulesets. */
	object({kind: literal('rulesets'), ids: textListSchema}),
	/** Ids of managed rules, by the id of their ruleset. */
	object({kind: literal('rules'), rules: pipe(record(string(), textListSchema), readonly())}),
]);

export type ExceptionDraft = InferOutput<typeof exceptionDraftSchema>;
export const exceptionDraftSchema = pickFields({
	expression: string(),
	skips: skipsSchema,
	/** In a change, undefined keeps the current description. */
	description: optional(string()),
	/** Default: true; in a change, the current value. */
	enabled: optional(boolean()),
	/** True if skipped rules are logged. Default: true; in a change, the current value. */
	logging: optional(boolean()),
});

/** Parameters of a skip rule that choose what is skipped. */
const skipParameters: readonly string[] = ['ruleset', 'rulesets', 'rules'];

/** Builds a skip rule from a draft. */
export const buildExceptionRule = ({
	expression,
	skips,
	description = '',
	enabled = true,
	logging = true,
}: ExceptionDraft): ConfiguredRule => ({
	action: 'skip',
	action_parameters: buildSkipParameters(skips),
	expression,
	description,
	enabled,
	logging: {enabled: logging},
});

/** Applies a draft to a skip rule; keeps the fields that the draft does not set. */
export function applyExceptionDraft(rule: ConfiguredRule, draft: ExceptionDraft): ConfiguredRule {
	const keptParameters = Object.entries(rule.action_parameters ?? {}).filter(
		([name]) => !skipParameters.includes(name),
	);
	const loggingSettings = isJsonObject(rule.logging) ? rule.logging : {};
	return {
		...rule,
		expression: draft.expression,
		action_parameters: {...Object.fromEntries(keptParameters), ...buildSkipParameters(draft.skips)},
		...(draft.description !== undefined && {description: draft.description}),
		...(draft.enabled !== undefined && {enabled: draft.enabled}),
		...(draft.logging !== undefined && {logging: {...loggingSettings, enabled: draft.logging}}),
	};
}

function buildSkipParameters(skips: Skips): JsonObject {
	switch (skips.kind) {
		case 'all':
			return {ruleset: 'current'};
		case 'rulesets':
			return {rulesets: skips.ids};
		case 'rules':
			return {rules: skips.rules};
		default:
			return skips satisfies never;
	}
}

/** Parses what an exception skips. Undefined if the rule is not an exception, or has unknown parameters. */
export function parseSkips({action, action_parameters: parameters = {}}: ConfiguredRule): Skips | undefined {
	if (action !== 'skip' || Object.keys(parameters).length !== 1) return undefined;
	const {ruleset, rulesets, rules} = parameters;
	if (ruleset === 'current') return {kind: 'all'};
	if (isTextList(rulesets)) return {kind: 'rulesets', ids: rulesets};
	if (isJsonObject(rules) && Object.values(rules).every(isTextList))
		return {kind: 'rules', rules: rules as Readonly<Record<string, readonly string[]>>};
	return undefined;
}

/** True if a skip rule skips all or some of a managed ruleset that runs after it. */
export function affectsRuleset(
	{action, action_parameters: parameters = {}}: ConfiguredRule,
	rulesetId: string,
): boolean {
	if (action !== 'skip') return false;
	const {ruleset: skippedScope, rulesets, rules, phases} = parameters;
	if (skippedScope === 'current') return true;
	if (Array.isArray(phases) && phases.includes(managedPhase)) return true;
	return (
		(Array.isArray(rulesets) && rulesets.includes(rulesetId)) ||
		(isJsonObject(rules) && Object.hasOwn(rules, rulesetId))
	);
}

/**
 * Formats what is skipped, such as "all managed rules", "OWASP Core Ruleset" or "2 rules of Managed Ruleset".
 */
export function formatSkips(skips: Skips): string {
	switch (skips.kind) {
		case 'all':
			return 'all managed rules';
		case 'rulesets':
			return skips.ids.map(formatRulesetName).join(', ');
		case 'rules':
			return Object.entries(skips.rules)
				.map(([rulesetId, ids]) => `${formatQuantity(ids.length, 'rule')} of ${formatRulesetName(rulesetId)}`)
				.join(', ');
		default:
			return skips satisfies never;
	}
}

/** True for a non-empty list of non-empty strings. */
export const isTextList = (value: JsonValue | undefined): value is readonly string[] =>
	is(textListSchema, value);
