import {listSkippedNames} from '../../firewall/rules/skip.ts';
import type {RulesetOutcome} from '../../rulesets/change.ts';
import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import {isJsonObject} from '../../text/json.ts';
import type {ExistingRule} from '../rulesets/rule-list.ts';
import type {RuleType} from '../rulesets/rule-type.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import {type AboutFields, buildAboutFields} from '../stepped-form/about-fields.ts';
import {beginRuleForm, type RuleForm, rebaseForm} from '../stepped-form/rule-form.ts';
import {formatRateLimitTexts} from './limit-lines.ts';

/** The purpose of the form. */
export type RulesetPurpose =
	/** A new rule, initially a copy of `copyOf` if given. */
	| {readonly kind: 'new'; readonly copyOf?: RulesetRule | undefined}
	| {
			readonly kind: 'change';
			readonly rule: ExistingRule;
	  };

/** How the form ended: the outcome of its change to the ruleset. */
export type RulesetEnding = RulesetOutcome;

/** The form of a custom rule or a rate limit. */
export type RulesetForm = RuleForm<RulesetPurpose, RulesetEnding> & {
	readonly type: RuleType;
	/** The entry point as last read before sending; undefined if the zone has none. */
	readonly ruleset: Ruleset | undefined;
	/** The initial action of the rule, and what it skips. */
	readonly initial: {readonly action: string | undefined; readonly skipped: readonly string[]};
};

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Builds the fields of the step `about` from a rule; without a rule, they have their defaults. */
export function buildRuleFields(
	rule: RulesetRule | undefined,
	cursorRow: AboutFields['cursorRow'],
): AboutFields {
	const response = rule?.action_parameters?.response;
	const {status_code: status, content_type: type, content} = isJsonObject(response) ? response : {};
	return buildAboutFields({
		cursorRow,
		description: rule?.description,
		paused: rule?.enabled === false,
		logged: rule?.logging?.enabled,
		status: status === undefined ? '' : String(status),
		type: toText(type) || undefined,
		body: toText(content),
		...formatRateLimitTexts(rule),
	});
}

/** Creates the form at its first step. */
export function createRulesetForm(
	type: RuleType,
	id: number,
	purpose: RulesetPurpose,
	zone: ZoneWithLabel,
	ruleset: Ruleset | undefined,
): RulesetForm {
	const rule = purpose.kind === 'change' ? purpose.rule : purpose.copyOf;
	const skippedNames = rule?.action === 'skip' ? listSkippedNames(rule) : [];
	return {
		...beginRuleForm({
			id,
			purpose,
			zone,
			step: 'expression',
			expression: rule?.expression ?? '',
			action: rule?.action,
			chosenNames: skippedNames,
			aboutFields: buildRuleFields(
				rule,
				type.listScreen === 'rateLimits' ? 'requests' : purpose.kind === 'new' ? 'order' : 'description',
			),
		}),
		type,
		ruleset,
		initial: {action: rule?.action, skipped: skippedNames},
	};
}

/**
 * Rebases the form on another version of its rule: own input stays, everything else comes from that version.
 */
export const rebaseRulesetForm = (
	form: RulesetForm,
	rule: ExistingRule,
	ruleset: Ruleset | undefined,
): RulesetForm =>
	rebaseForm(
		form,
		createRulesetForm(form.type, form.id, form.purpose, form.zone, form.ruleset),
		createRulesetForm(form.type, form.id, {kind: 'change', rule}, form.zone, ruleset),
	);
