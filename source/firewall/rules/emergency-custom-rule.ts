import {isDeepStrictEqual} from 'node:util';
import type {Failure} from '../../failure.ts';
import {entryPoint} from '../../rulesets/calls.ts';
import {changeAnyway, type RulesetChange, type RulesetOutcome} from '../../rulesets/change.ts';
import {editRequest, type RulesetEdit} from '../../rulesets/edit.ts';
import {customPhase, type Ruleset, type RulesetRule} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import type {JsonObject} from '../../text/json.ts';
import {emergencyCommand} from '../continuation.ts';
import type {CreationRequest} from './create-rule.ts';
import type {LookAgain} from './creation.ts';
import {customRuleOf} from './custom-rule.ts';
import type {EmergencyDraft} from './emergency.ts';
import type {FirewallZone} from './rule.ts';

/** The block as it will be put in force: with the entry point that is there, or with a new one. */
export type CustomRulePlan = {
	readonly rule: RulesetRule;
	/** The entry point of the zone's custom rules as it was read; `undefined` where there is none. */
	readonly entry: Ruleset | undefined;
	readonly request: CreationRequest;
	/** A custom rule that is there and is the same, in force or, as was asked for, paused: then nothing will be sent. */
	readonly already?: RulesetRule | undefined;
	/** The command that does all this, with its look at the current state. */
	readonly command: string;
};

/** What has become of the custom rule; each has the current state. */
export type EmergencyCustomRule =
	| {
			readonly state: 'created';
			readonly rule: RulesetRule;
			readonly ruleset: Ruleset;
			/** Found by reading the state after the answer was lost. */
			readonly afterDoubt?: true;
			/** It was there before; nothing was sent. */
			readonly already?: true;
	  }
	/** Nothing was made. */
	| {readonly state: 'nothing'; readonly failure: Failure}
	/** The answer was lost, and the state could not be read, does not tell, or may still change. */
	| {
			readonly state: 'unsure';
			readonly failure: Failure;
			/** Reads the state again, with all that was known when it was sent. Sends nothing, never rejects. */
			readonly lookAgain: LookAgain<EmergencyCustomRule>;
	  };

/** Reads the entry point, and plans what will be sent; writes nothing. Fails when it cannot be read. */
export async function planCustomRule(
	client: Client,
	zone: FirewallZone,
	draft: EmergencyDraft,
	signal: AbortSignal,
): Promise<CustomRulePlan> {
	const entry = await entryPoint(client, zone.id, customPhase, signal);
	const rule = customRuleOf(draft);
	const {path, body} = editRequest(zone.id, customPhase, entry, asEdit(rule));
	const request: CreationRequest = {method: 'POST', path, body: body as JsonObject};
	const already = entry?.rules.find(one => doesTheSame(one, rule));
	const command = emergencyCommand(zone, draft, draft.filter.expression);
	return {rule, entry, request, command, ...(already && {already})};
}

const doesTheSame = (one: RulesetRule, other: RulesetRule): boolean =>
	one.expression === other.expression &&
	one.action === other.action &&
	(one.enabled ?? true) === (other.enabled ?? true) &&
	isDeepStrictEqual(one.action_parameters, other.action_parameters);

/** The block before all other custom rules. */
const asEdit = (rule: RulesetRule): RulesetEdit => ({kind: 'add', rule, position: {index: 1}});

/**
 * Puts a block in force as the first custom rule of a zone, for where firewall
 * rules are gone. One POST, never sent twice, and none where a rule does the same already; never rejects: whatever
 * happens, the result has the current state.
 */
export async function createCustomRule(
	client: Client,
	zone: FirewallZone,
	plan: CustomRulePlan,
	{signal, onLook}: {readonly signal: AbortSignal; onLook?: (() => void) | undefined},
): Promise<EmergencyCustomRule> {
	const {entry, already} = plan;
	if (entry && already) return {state: 'created', rule: already, ruleset: entry, already: true};
	const change: RulesetChange = {
		zone: zone.id,
		phase: customPhase,
		shown: entry,
		edit: asEdit(plan.rule),
		where: plan.command,
	};
	return ended(plan, await changeAnyway(client, change, {signal, onLook}));
}

function ended(plan: CustomRulePlan, outcome: RulesetOutcome): EmergencyCustomRule {
	if (outcome.state === 'done') {
		const {rule = plan.rule, ruleset, lost} = outcome;
		return {state: 'created', rule, ruleset, ...(lost && {afterDoubt: true})};
	}
	const {failure} = outcome;
	const next = `Send it again in a moment; where the rule is there, it is found, and no second one made: ${plan.command}`;
	if (outcome.state === 'unsure')
		return {
			state: 'unsure',
			failure: failure.with({next}),
			lookAgain: async (client, options) => ended(plan, await outcome.lookAgain(client, options)),
		};
	if (outcome.state === 'nothing' && !outcome.refused)
		return {
			state: 'nothing',
			failure: failure.with({left: `Nothing was made. ${failure.details.left ?? ''}`, next}),
		};
	const left = 'Nothing was made: the custom rules are as they were.';
	return {state: 'nothing', failure: failure.with({left})};
}
