import {formatResumeRuleCommand} from '../../firewall/continuation.ts';
import {buildRuleConfirmOptions} from '../../firewall/rules/broad-rule.ts';
import {
	assessBlockEffect,
	describeBlockEffect,
	describeEarlierRules,
	type EarlierRule,
	formatRunFirstCommand,
	toEarlierRulesValue,
} from '../../firewall/rules/earlier-rules.ts';
import type {Emergency, EmergencyDraft} from '../../firewall/rules/emergency-draft.ts';
import {formatUndoCommand} from '../../firewall/rules/emergency-undo.ts';
import {isRuleActive} from '../../firewall/rules/rule.ts';
import {formatRuleName} from '../../firewall/rules/users.ts';
import type {CommandContext} from '../shell/context.ts';
import {formatFirewallAction} from './text.ts';
import type {OpenedZone} from './zone.ts';

type Created = Emergency & {state: 'created'};

/**
 * Prints the active block and the rules that run before it; with JSON, prints on stderr only what must not be
 * missed. Throws for any other end, with the current state and the next step.
 */
export async function printEmergency(
	{output, markSimulated}: CommandContext,
	opened: OpenedZone,
	{filter: {expression}}: EmergencyDraft,
	done: Emergency,
): Promise<void> {
	if (done.state !== 'created') throw done.failure;
	const {form, rule, earlier} = done;
	for (const line of describeCreated(opened, expression, done, output.json)) output.say(line);
	if (!output.json) return;
	const ruleset = form === 'custom rule' && {ruleset: done.ruleset.id};
	const inForce = {
		inForce: assessBlockEffect(expression, earlier),
		earlierRules: toEarlierRulesValue(earlier),
	};
	await output.value([markSimulated({...rule, ...ruleset, ...inForce})]);
}

function describeCreated(
	{zone}: OpenedZone,
	expression: string,
	done: Created,
	isJson: boolean,
): readonly string[] {
	const {form, rule, already, afterDoubt, earlier} = done;
	const isCustom = form === 'custom rule';
	const name = isCustom
		? `custom rule ${formatRuleName(rule)} in ruleset ${done.ruleset.id}`
		: `rule ${rule.id} (${formatFirewallAction(rule)}) on filter ${rule.filter.id}`;
	const what = `${name}, in zone ${zone.name}`;
	const end = `${already ? ' Nothing was created.' : ''}${afterDoubt ? ' The answer was lost; it was found by reading the current state.' : ''}`;
	if (isCustom ? rule.enabled === false : !isRuleActive(rule))
		return [
			`${already ? 'Already exists, but is paused' : 'Created, but paused, so it stops nothing yet'}: ${what}.${end}`,
			...(isCustom
				? []
				: [
						`Resume it: ${formatResumeRuleCommand(zone, rule.id, buildRuleConfirmOptions(zone, [{before: rule, after: {...rule, paused: false}}]))}`,
					]),
		];
	const block = {action: rule.action, expression};
	const {heading, details, isAll} = describeBlockEffect(
		already ? 'already' : 'created',
		what,
		block,
		earlier,
	);
	if (isAll && !already && isJson) return [];
	const first = isAll || rule.id === undefined ? undefined : formatRunFirstCommand(zone, rule.id, earlier);
	const undo = already || isJson ? undefined : formatUndoCommand(zone, done);
	return [
		`${heading}${end}`,
		...details,
		...(first === undefined ? [] : [`To run it first: ${first}`]),
		...(undo === undefined ? [] : [`To undo: ${undo}`]),
	];
}

/** Warns of rules that run before a new one and let through some of what it stops. */
export function warnOfEarlierRules({output}: CommandContext, earlier: readonly EarlierRule[]): void {
	const allowing = earlier.filter(({effect}) => effect !== 'challenges');
	for (const sentence of describeEarlierRules(allowing)) output.warn(sentence);
}
