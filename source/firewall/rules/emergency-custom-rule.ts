import {isDeepStrictEqual} from 'node:util';
import {Failure} from '../../failure.ts';
import {entryPoint} from '../../rulesets/calls.ts';
import {changeAnyway, changeRuleset, type RulesetChange, type RulesetOutcome} from '../../rulesets/change.ts';
import {editRequest, type RulesetEdit} from '../../rulesets/edit.ts';
import {editTo} from '../../rulesets/edit-to.ts';
import {customPhase, type Ruleset, type RulesetRule} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import {rulesCommand} from '../continuation.ts';
import type {LookAgain} from './creation.ts';
import {customRuleOf} from './custom-rule.ts';
import {type EarlierRule, findEarlierCustomRules} from './earlier-rules.ts';
import {emergencyCommand, replacementCommand} from './emergency-command.ts';
import type {EmergencyDraft} from './emergency-draft.ts';
import {customNotReplaceable} from './emergency-ways.ts';
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
	/** The paused rule that becomes this one, under its id. */
	readonly replaced?: ReplacedCustomRule | undefined;
	/** The command that does all this, with its look at the current state. */
	readonly command: string;
};

/** A paused custom rule whose place and id the block takes. */
export type ReplacedCustomRule = {
	readonly rule: RulesetRule & {readonly id: string};
	/** The id of the rule that it was behind; `undefined` for the first one. */
	readonly behind: string | undefined;
	/** The version of the ruleset that still has it. */
	readonly version: string;
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
			readonly replaced?: ReplacedCustomRule;
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

/**
 * Reads the entry point, and plans what will be sent; writes nothing. `replace` is the id of a paused rule that becomes
 * the block. Fails when the entry point cannot be read, and when that rule cannot be replaced.
 */
export async function planCustomRule(
	client: Client,
	zone: FirewallZone,
	draft: EmergencyDraft,
	signal: AbortSignal,
	{replace}: {readonly replace?: string | undefined} = {},
): Promise<CustomRulePlan> {
	const entry = await entryPoint(client, zone.id, customPhase, signal);
	const replaced = replace === undefined ? undefined : replacedIn(zone, entry, replace);
	const made = customRuleOf(draft);
	// A reference that somebody gave the rule stays its name.
	const rule = replaced ? {...withRefOf(replaced.rule, made), id: replaced.rule.id} : made;
	const edit: RulesetEdit = replaced
		? taking(entry?.rules ?? [], rule)
		: {kind: 'add', rule, position: {index: 1}};
	const {method, path, body} = editRequest(zone.id, customPhase, entry, edit);
	const request: WritingRequest = {method, path, body};
	const already = entry?.rules.find(one => doesTheSame(one, made));
	const command = replaced
		? replacementCommand(zone, draft, replaced.rule.id, 'custom rule')
		: emergencyCommand(zone, draft, draft.filter.expression);
	return {rule, entry, edit, request, command, ...(already && {already}), ...(replaced && {replaced})};
}

function replacedIn(zone: FirewallZone, entry: Ruleset | undefined, id: string): ReplacedCustomRule {
	const place = entry?.rules.findIndex(one => one.id === id) ?? -1;
	const rule = entry?.rules[place];
	const next = `Paused rules can be replaced: ${rulesCommand(zone, ['list'])}`;
	if (!entry || !rule)
		throw new Failure('not_found', `There is no custom rule ${id} in zone ${zone.name}.`, {next});
	const why = customNotReplaceable(rule);
	if (why !== undefined) throw new Failure('usage', why, {left: 'Nothing was sent.', next});
	return {rule: {...rule, id}, behind: entry.rules[place - 1]?.id, version: entry.version};
}

const withRefOf = ({id, ref}: RulesetRule, made: RulesetRule): RulesetRule =>
	made.ref === undefined && ref !== undefined && ref !== id ? {...made, ref} : made;

/** The call that makes a rule of the one with its id, and the first of all. */
function taking(rules: readonly RulesetRule[], rule: RulesetRule): RulesetEdit {
	const wanted = [rule, ...rules.filter(({id}) => id !== rule.id)];
	return editTo(rules, wanted) ?? {kind: 'replace', rules: wanted};
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
	const {entry, already, edit, replaced} = plan;
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
	// One more rule undoes nothing of anybody; what takes the place of a rule does, where that was changed meanwhile.
	const write = replaced ? changeRuleset : changeAnyway;
	return ended(plan, await write(client, change, {signal, onLook}));
}

function ended(plan: CustomRulePlan, outcome: RulesetOutcome): EmergencyCustomRule {
	if (outcome.state === 'done') {
		const {ruleset, lost} = outcome;
		const {replaced} = plan;
		const there = replaced && ruleset.rules.find(({id}) => id === replaced.rule.id);
		const rule = there ?? outcome.rule ?? plan.rule;
		return {
			state: 'created',
			rule,
			ruleset,
			earlier: findEarlierCustomRules(rule, rule.expression, ruleset.rules),
			...(lost && {afterDoubt: true}),
			...(replaced && {replaced}),
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
