import {
	assessInForce,
	describeEarlierRules,
	describeInForce,
	type EarlierRule,
	earlierRulesValue,
	firstCommand,
} from '../../firewall/rules/earlier-rules.ts';
import {type Made, undoCommand} from '../../firewall/rules/emergency-undo.ts';
import type {FirewallZone} from '../../firewall/rules/rule.ts';
import type {Output} from '../../terminal/output.ts';
import type {JsonObject} from '../../text/json.ts';
import type {CommandContext} from '../shell/context.ts';

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
	const isNew = kind === 'created';
	if (isAll && isNew && output.json) return;
	output.say(`${heading}${isNew ? '' : ' Nothing was created.'}${afterDoubt ? lost : ''}`);
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

/** The command that undoes what was made. */
export function sayUndo(output: Output, zone: FirewallZone, made: Made): void {
	const command = undoCommand(zone, made);
	if (command !== undefined) output.say(`To undo: ${command}`);
}
