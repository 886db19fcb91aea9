import {isDeepStrictEqual} from 'node:util';
import type {Failure} from '../../failure.ts';
import {entryPoint} from '../../rulesets/calls.ts';
import {changeAnyway, type RulesetChange, type RulesetOutcome} from '../../rulesets/change.ts';
import {editRequest, type RulesetEdit} from '../../rulesets/edit.ts';
import {customPhase, type Ruleset, type RulesetRule} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import type {LookAgain} from './creation.ts';
import {customRuleOf} from './custom-rule.ts';
import {type EarlierRule, findEarlierCustomRules} from './earlier-rules.ts';
import {emergencyCommand} from './emergency-command.ts';
import type {EmergencyDraft} from './emergency-draft.ts';
import type {FirewallZone} from './rule.ts';
import type {WritingRequest} from './writing.ts';

/** The block as it will be put in force: with the entry point that is there, or with a new one. */
export type CustomRulePlan = {
	readonly rule: RulesetRule;
	/** The entry point of the zone's custom rules as it was read; `undefined` where there is none. */
	readonly entry: Ruleset | undefined;
	readonly request: WritingRequest;
	/** The one edit that puts it in force. */
	readonly edit: RulesetEdit;
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
			/** Rules that run before it, and let some of it through. */
			readonly earlier: readonly EarlierRule[];
	  }
	/** Nothing was created. */
	| {readonly state: 'nothing'; readonly failure: Failure}
	/** The answer was lost, and the state could not be read, does not tell, or may still change. */
	| {
			readonly state: 'unsure';
			readonly failure: Failure;
			/** Reads the state again, with all that was known when it was sent. Sends nothing, never rejects. */
			readonly lookAgain: LookAgain<EmergencyCustomRule>;
	  };

/** Reads the entry point, and plans what will be sent; writes nothing. Fails when the entry point cannot be read. */
export async function planCustomRule(
	client: Client,
	zone: FirewallZone,
	draft: EmergencyDraft,
	signal: AbortSignal,
): Promise<CustomRulePlan> {
	const entry = await entryPoint(client, zone.id, customPhase, signal);
	const rule = customRuleOf(draft);
	const edit: RulesetEdit = {kind: 'add', rule, position: {index: 1}};
	const {method, path, body} = editRequest(zone.id, customPhase, entry, edit);
	const request: WritingRequest = {method, path, body};
	const already = entry?.rules.find(one => doesTheSame(one, rule));
	const command = emergencyCommand(zone, draft, draft.filter.expression);
	return {rule, entry, edit, request, command, ...(already && {already})};
}

const doesTheSame = (one: RulesetRule, other: RulesetRule): boolean =>
	one.expression === other.expression &&
	one.action === other.action &&
	(one.enabled ?? true) === (other.enabled ?? true) &&
	isDeepStrictEqual(one.action_parameters, other.action_parameters);

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
	const {entry, already, edit} = plan;
	if (entry && already) {
		const earlier = findEarlierCustomRules(already, already.expression, entry.rules);
		return {state: 'created', rule: already, ruleset: entry, already: true, earlier};
	}
	const change: RulesetChange = {
		zone: zone.id,
		phase: customPhase,
		shown: entry,
		edit,
		where: plan.command,
	};
	// One more rule undoes nothing of anybody.
	return ended(plan, await changeAnyway(client, change, {signal, onLook}));
}

function ended(plan: CustomRulePlan, outcome: RulesetOutcome): EmergencyCustomRule {
	if (outcome.state === 'done') {
		const {ruleset, lost} = outcome;
		const rule = outcome.rule ?? plan.rule;
		return {
			state: 'created',
			rule,
			ruleset,
			earlier: findEarlierCustomRules(rule, rule.expression, ruleset.rules),
			...(lost && {afterDoubt: true}),
		};
	}
	const {failure} = outcome;
	if (outcome.state === 'changed meanwhile') return {state: 'nothing', failure};
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
			failure: failure.with({left: `Nothing was created. ${failure.details.left ?? ''}`, next}),
		};
	const left = 'Nothing was created: the custom rules are as they were.';
	return {state: 'nothing', failure: failure.with({left})};
}
