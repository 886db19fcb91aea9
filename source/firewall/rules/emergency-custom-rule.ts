import {isDeepStrictEqual} from 'node:util';
import {type Failure, isFailure} from '../../failure.ts';
import {addRule, createRuleset, entryPoint, rulesetsPath} from '../../rulesets/calls.ts';
import {customPhase, type Ruleset, type RulesetRule} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import {type Change, carryOut, type Outcome, settle} from '../../service/settle.ts';
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
	const request: CreationRequest = entry
		? {
				method: 'POST',
				path: rulesetsPath(zone.id, entry.id, 'rules'),
				body: {...(rule as JsonObject), position: first},
			}
		: {
				method: 'POST',
				path: rulesetsPath(zone.id),
				body: {...rulesetDraft(rule), kind: 'zone'} as unknown as JsonObject,
			};
	const already = entry?.rules.find(one => doesTheSame(one, rule));
	const command = emergencyCommand(zone, draft, draft.filter.expression);
	return {rule, entry, request, command, ...(already && {already})};
}

const doesTheSame = (one: RulesetRule, other: RulesetRule): boolean =>
	one.expression === other.expression &&
	one.action === other.action &&
	(one.enabled ?? true) === (other.enabled ?? true) &&
	isDeepStrictEqual(one.action_parameters, other.action_parameters);

/** The position before all others. */
const first = {index: 1};

const rulesetDraft = (rule: RulesetRule) => ({name: 'default', phase: customPhase, rules: [rule]}) as const;

/** The POST of a custom rule. After an unknown outcome it is done when exactly one new rule does what was sent. */
const customRuleCreating = (
	zone: FirewallZone,
	{rule, entry, command}: CustomRulePlan,
): Change<{readonly rule: RulesetRule; readonly ruleset: Ruleset}, never, readonly RulesetRule[]> => {
	const known = new Set(entry?.rules.map(one => one.id));
	const isIt = (one: RulesetRule) =>
		(one.id === undefined || !known.has(one.id)) &&
		doesTheSame(one, rule) &&
		(one.description ?? '') === (rule.description ?? '') &&
		(rule.ref === undefined || one.ref === rule.ref);
	return {
		async send(client, signal) {
			try {
				const ruleset = entry
					? await addRule(client, zone.id, entry.id, rule, {position: first}, signal)
					: await createRuleset(client, zone.id, rulesetDraft(rule), signal);
				return {rule: ruleset.rules.find(isIt) ?? rule, ruleset};
			} catch (error) {
				// A success that cannot be read names no rule: the state does.
				throw isFailure(error, 'answer_malformed') ? error.with({outcomeUnknown: true}) : error;
			}
		},
		async look(client, signal) {
			const ruleset = await entryPoint(client, zone.id, customPhase, signal);
			const found = ruleset?.rules.filter(isIt) ?? [];
			const [one] = found;
			if (!ruleset || !one) return {shows: 'not done', sentence: 'no new custom rule does this.'};
			if (found.length === 1) return {shows: 'done', value: {rule: one, ruleset}};
			const ids = found.map(({id}) => id).join(', ');
			return {
				shows: 'other',
				other: found,
				sentence: `${found.length} custom rules that do this are new: ${ids}.`,
			};
		},
		where: command,
	};
};

type CustomChange = ReturnType<typeof customRuleCreating>;
type CustomOutcome = CustomChange extends Change<infer T, infer P, infer O> ? Outcome<T, P, O> : never;

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
	return ended(plan, await carryOut(client, customRuleCreating(zone, plan), {signal, onLook}));
}

function ended(plan: CustomRulePlan, outcome: CustomOutcome): EmergencyCustomRule {
	if (outcome.state === 'done')
		return {state: 'created', ...outcome.value, ...(outcome.lost && {afterDoubt: true})};
	const {failure, state} = outcome;
	const next = `Send it again in a moment; where the rule is there, it is found, and no second one made: ${plan.command}`;
	switch (state) {
		case 'refused': {
			const left = 'Nothing was made: the custom rules are as they were.';
			return {state: 'nothing', failure: failure.with({left})};
		}
		case 'not done': {
			const left = `Nothing was made. ${failure.details.left ?? ''}`;
			return {state: 'nothing', failure: failure.with({left, next})};
		}
		case 'may still arrive':
		case 'other':
		case 'unreadable':
			return {
				state: 'unsure',
				failure: failure.with({outcomeUnknown: true, next}),
				lookAgain: async (client, {signal}) => ended(plan, await settle(client, outcome.unsettled, {signal})),
			};
	}
}
