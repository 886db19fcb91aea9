import {isDeepStrictEqual} from 'node:util';
import {readRulesetEntryPoint} from '../../rulesets/calls.ts';
import {changeRulesetUnchecked, type RulesetOutcome} from '../../rulesets/change.ts';
import {buildEditRequest, type RulesetEdit} from '../../rulesets/edit.ts';
import {customPhase, type Ruleset, type RulesetRule} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import type {CreationOptions} from './creation.ts';
import {toCustomRule} from './custom-rule.ts';
import {findEarlierCustomRules} from './earlier-rules.ts';
import {formatEmergencyCommand} from './emergency-command.ts';
import type {EmergencyDraft, EmergencyRecheckOutcome} from './emergency-draft.ts';
import {formatLostResponseNote} from './next-step.ts';
import type {FirewallZone} from './rule.ts';
import type {WritingRequest} from './writing.ts';

/** A planned block as a custom rule, in the existing entry point or a new one. */
export type CustomRulePlan = {
	readonly rule: RulesetRule;
	/** Entry point of the zone's custom rules as read; undefined if none exists. */
	readonly entryPoint: Ruleset | undefined;
	readonly request: WritingRequest;
	readonly edit: RulesetEdit;
	/** An existing identical custom rule, active or (if requested) paused; then nothing is sent. */
	readonly identicalRule?: RulesetRule | undefined;
	/** The equivalent command; it reads the current state itself. */
	readonly command: string;
};

/** Reads the entry point and plans the write. Fails if the entry point cannot be read. */
export const readCustomRulePlan = async (
	client: Client,
	zone: FirewallZone,
	draft: EmergencyDraft,
	signal: AbortSignal,
): Promise<CustomRulePlan> =>
	planCustomRule(zone, draft, await readRulesetEntryPoint(client, zone.id, customPhase, signal));

/** Plans the block as the first rule of an entry point. */
export function planCustomRule(
	zone: FirewallZone,
	draft: EmergencyDraft,
	entryPoint: Ruleset | undefined,
): CustomRulePlan {
	const rule = toCustomRule(draft);
	const edit: RulesetEdit = {kind: 'add', rule, position: {index: 1}};
	const {method, path, body} = buildEditRequest(zone.id, customPhase, entryPoint, edit);
	const identicalRule = entryPoint?.rules.find(one => isSameBlock(one, rule));
	const command = formatEmergencyCommand(zone, draft, draft.filter.expression);
	return {
		rule,
		entryPoint,
		edit,
		request: {method, path, body},
		command,
		...(identicalRule && {identicalRule}),
	};
}

const isSameBlock = (one: RulesetRule, other: RulesetRule): boolean =>
	one.expression === other.expression &&
	one.action === other.action &&
	(one.enabled ?? true) === (other.enabled ?? true) &&
	isDeepStrictEqual(one.action_parameters, other.action_parameters);

/** Returns the outcome if an identical rule exists, so that nothing is sent; undefined if none does. */
export function findExistingRuleOutcome({
	entryPoint,
	identicalRule,
}: CustomRulePlan): EmergencyRecheckOutcome | undefined {
	if (!entryPoint || !identicalRule) return undefined;
	const earlierRules = findEarlierCustomRules(identicalRule, identicalRule.expression, entryPoint.rules);
	return {
		state: 'created',
		form: 'custom rule',
		rule: identicalRule,
		ruleset: entryPoint,
		alreadyExisted: true,
		earlierRules,
	};
}

/**
 * Creates a block as the first custom rule of a zone. Sends one POST at most, none if an identical rule
 * exists. Never rejects: the result describes the current state.
 */
export async function createCustomRule(
	client: Client,
	zone: FirewallZone,
	plan: CustomRulePlan,
	{signal, onRecheck, onWritten}: CustomRuleOptions,
): Promise<EmergencyRecheckOutcome> {
	const existingOutcome = findExistingRuleOutcome(plan);
	if (existingOutcome) return existingOutcome;
	const {entryPoint, edit, command} = plan;
	const change = {
		zoneId: zone.id,
		phase: customPhase,
		baseline: entryPoint,
		edit,
		inspectCommand: command,
	} as const;
	// Adding a rule cannot overwrite anyone's change.
	return toCustomRuleOutcome(
		plan,
		await changeRulesetUnchecked(client, change, {signal, onRecheck}),
		onWritten,
	);
}

type CustomRuleOptions = Pick<CreationOptions, 'signal' | 'onWritten'> & {
	readonly onRecheck?: (() => void) | undefined;
};

function toCustomRuleOutcome(
	plan: CustomRulePlan,
	outcome: RulesetOutcome,
	onWritten: CreationOptions['onWritten'],
): EmergencyRecheckOutcome {
	if (outcome.state === 'done') {
		const {ruleset, lost} = outcome;
		const rule = outcome.rule ?? plan.rule;
		onWritten?.(`create custom rule ${rule.id ?? '(unknown id)'}${formatLostResponseNote(lost)}`);
		return {
			state: 'created',
			form: 'custom rule',
			rule,
			ruleset,
			earlierRules: findEarlierCustomRules(rule, rule.expression, ruleset.rules),
			...(lost && {foundAfterLostResponse: true}),
		};
	}
	const {failure} = outcome;
	if (outcome.state === 'changed meanwhile') return {state: 'nothing', failure};
	const next = `Send it again in a moment; if the rule exists by then, ledge finds it and doesn't create a second one: ${plan.command}`;
	if (outcome.state === 'unsure')
		return {
			state: 'unsure',
			failure: failure.withDetails({next}),
			lookAgain: async (client, {signal, onWritten: reportWrite}) =>
				toCustomRuleOutcome(plan, await outcome.lookAgain(client, {signal}), reportWrite),
		};
	if (!outcome.refused)
		return {
			state: 'nothing',
			failure: failure.withDetails({left: `Nothing was created. ${failure.details.left ?? ''}`, next}),
		};
	const left = 'Nothing was created: the custom rules are unchanged.';
	return {state: 'nothing', failure: failure.withDetails({left})};
}
