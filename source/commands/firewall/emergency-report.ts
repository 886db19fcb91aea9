import {
	assessInForce,
	describeEarlierRules,
	describeInForce,
	type EarlierRule,
	earlierRulesValue,
	firstCommand,
} from '../../firewall/rules/earlier-rules.ts';
import type {EmergencyDraft} from '../../firewall/rules/emergency-draft.ts';
import {extensionsAmong} from '../../firewall/rules/emergency-extension.ts';
import {type Made, undoCommands} from '../../firewall/rules/emergency-undo.ts';
import type {FirewallZone, Rule} from '../../firewall/rules/rule.ts';
import type {Ruleset} from '../../rulesets/ruleset.ts';
import type {Output} from '../../terminal/output.ts';
import type {JsonObject} from '../../text/json.ts';
import type {CommandContext} from '../shell/context.ts';
import type {OpenedZone} from './zone.ts';

/** Behind what was made, where its answer was lost. */
export const lost = ' The answer was lost; it was found by reading the current state.';

/** A block that exists, and what is known of the rules before it. */
type Block = {
	/** The id of its rule; undefined if the answer had none. */
	readonly id: string | undefined;
	/** What exists, in words. */
	readonly what: string;
	readonly action: string;
	readonly expression: string;
	readonly earlier: readonly EarlierRule[] | undefined;
	readonly afterDoubt?: true | undefined;
};

/** Says whether a block is in force beside earlier rules; with JSON, only what a program must not miss. */
export function sayInForce(
	output: Output,
	zone: FirewallZone,
	{id, what, earlier, afterDoubt, ...block}: Block,
	kind: Parameters<typeof describeInForce>[0],
): void {
	const {heading, details, isAll} = describeInForce(kind, what, block, earlier);
	const isNew = kind === 'created' || kind === 'added';
	if (isAll && isNew && output.json) return;
	const made = isNew ? '' : kind === 'blocked' ? ' Nothing was sent.' : ' Nothing was created.';
	output.say(`${heading}${made}${afterDoubt ? lost : ''}`);
	for (const detail of details) output.say(detail);
	const first = isAll || id === undefined ? undefined : firstCommand(zone, id, earlier);
	if (first) output.say(`To run it first: ${first}`);
}

/** The same in JSON: how much is in force, and the rules before it. */
export const inForceValue = (
	expression: string,
	earlier: readonly EarlierRule[] | undefined,
): JsonObject => ({inForce: assessInForce(expression, earlier), earlierRules: earlierRulesValue(earlier)});

/** Warns of rules that run before a new one, and let some of what it stops through. */
export function warnOfEarlierRules({output}: CommandContext, earlier: readonly EarlierRule[]): void {
	const letting = earlier.filter(({effect}) => effect !== 'challenges');
	for (const sentence of describeEarlierRules(letting)) output.warn(sentence);
}

/** The commands that undo what was made. */
export function sayUndo(output: Output, zone: FirewallZone, made: Made): void {
	for (const [index, command] of undoCommands(zone, made).entries())
		output.say(`${index === 0 ? 'To undo' : 'And then'}: ${command}`);
}

/** Says that a rule has these addresses already, or could with one more command. */
export function sayAlternatives(
	{output}: CommandContext,
	{zone}: OpenedZone,
	{action, filter: {expression}, ...draft}: EmergencyDraft,
	there: readonly Rule[] | Ruleset,
): void {
	const {fitting, already} = extensionsAmong({action, filter: {expression}, ...draft}, zone, there);
	const form = 'rules' in there ? 'custom rule' : 'rule';
	if (already) {
		const what = `${form} ${already.id}: ${already.addresses.join(' ')}`;
		const {heading, details} = describeInForce('blocked', what, {action, expression}, already.earlier);
		for (const line of [heading, ...details]) output.say(line);
	}
	const [first] = fitting;
	if (first)
		output.say(
			`${form === 'rule' ? 'Rule' : 'Custom rule'} ${first.id} could block this too, without another rule: ${first.command}`,
		);
}
