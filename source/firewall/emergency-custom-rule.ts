import {isDeepStrictEqual} from 'node:util';
import {asFailure, type Failure, isFailure} from '../failure.ts';
import type {JsonObject} from '../json.ts';
import {addRule, createRuleset, entryPoint, rulesetsPath} from '../rulesets/calls.ts';
import {customPhase, type Ruleset, type RulesetRule} from '../rulesets/ruleset.ts';
import type {Client} from '../service/client.ts';
import {emergencyCommand} from './continuation.ts';
import type {CreationRequest} from './create-rule.ts';
import {customRuleOf} from './custom-rule.ts';
import {lookAfterDoubt, lookedAfterwards, mayArriveLate, unknown} from './doubt.ts';
import type {EmergencyDraft} from './emergency.ts';
import {again} from './next-step.ts';
import type {FirewallZone} from './rule.ts';

/** The block as it will be put in force: with the entry point that is there, or with a new one. */
export type CustomRulePlan = {
	readonly rule: RulesetRule;
	/** The entry point of the zone's custom rules as it was read; `undefined` where there is none. */
	readonly entry: Ruleset | undefined;
	readonly request: CreationRequest;
	/** A custom rule that is there and is the same, in force or, as was asked for, paused: then nothing will be sent. */
	readonly already?: RulesetRule | undefined;
	/** The command that does all this, with its look at what is there. */
	readonly command: string;
};

/** What has become of the custom rule; every one of them says what is there now, and is true. */
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
	/** The answer was lost, and the state could not be read or does not tell. */
	| {readonly state: 'unsure'; readonly failure: Failure};

/** Reads the entry point, and says what will be sent; writes nothing. Fails when it cannot be read. */
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

/**
 * Puts a block in force as the first custom rule of a zone (decision 24; service-contract.md 7), for where firewall
 * rules are gone. One POST, never sent twice, and none where a rule does the same already; never rejects: whatever
 * happens, the result says what is there.
 */
export async function createCustomRule(
	client: Client,
	zone: FirewallZone,
	{rule, entry, already, command}: CustomRulePlan,
	signal: AbortSignal,
): Promise<EmergencyCustomRule> {
	if (entry && already) return {state: 'created', rule: already, ruleset: entry, already: true};
	const known = new Set(entry?.rules.map(one => one.id));
	const isNew = (one: RulesetRule) => one.id === undefined || !known.has(one.id);
	const isIt = (one: RulesetRule) =>
		isNew(one) && one.expression === rule.expression && one.action === rule.action;
	try {
		const ruleset = entry
			? await addRule(client, zone.id, entry.id, rule, {position: first}, signal)
			: await createRuleset(client, zone.id, rulesetDraft(rule), signal);
		return {state: 'created', rule: ruleset.rules.find(isIt) ?? rule, ruleset};
	} catch (error) {
		const failure = asFailure(error);
		const isDoubtful = failure.details.doubtful || isFailure(failure, 'answer_malformed');
		if (!isDoubtful) return {state: 'nothing', failure: refused(failure)};
		return inDoubt(client, zone, {failure, isIt, command}, signal);
	}
}

const refused = (failure: Failure): Failure =>
	failure.with({
		left: 'Nothing was made: the custom rules are as they were.',
		next: again(failure),
	});

/** No answer: a rule of this expression and action that was not there before is the one. */
async function inDoubt(
	client: Client,
	zone: FirewallZone,
	{
		failure,
		isIt,
		command,
	}: {
		readonly failure: Failure;
		readonly isIt: (rule: RulesetRule) => boolean;
		readonly command: string;
	},
	signal: AbortSignal,
): Promise<EmergencyCustomRule> {
	const next = `Send it again in a moment; where the rule is there, it is found, and no second one made: ${command}`;
	try {
		const seen = await lookAfterDoubt(
			client,
			async looking => {
				const ruleset = await entryPoint(client, zone.id, customPhase, looking);
				const found = ruleset?.rules.filter(isIt) ?? [];
				return ruleset && found.length > 0
					? {found: {ruleset, rules: found}}
					: {instead: 'no new custom rule has this expression.'};
			},
			signal,
		);
		if (!('found' in seen)) {
			const looked = lookedAfterwards(failure, seen.instead);
			return mayArriveLate(failure)
				? {state: 'unsure', failure: failure.with({left: looked, next})}
				: {
						state: 'nothing',
						failure: failure.with({doubtful: false, left: `Nothing was made. ${looked}`, next}),
					};
		}
		const {ruleset, rules} = seen.found;
		const [rule] = rules;
		if (rule && rules.length === 1) return {state: 'created', rule, ruleset, afterDoubt: true};
		const left = `${rules.length} custom rules of this expression are new: ${rules.map(({id}) => id).join(', ')}.`;
		return {state: 'unsure', failure: failure.with({doubtful: true, left, next})};
	} catch (unread) {
		return {state: 'unsure', failure: unknown(failure, asFailure(unread), next)};
	}
}
