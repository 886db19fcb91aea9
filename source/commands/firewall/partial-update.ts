import {Failure} from '../../failure.ts';
import {formatFirewallCommand, formatFirewallGetCommand} from '../../firewall/commands.ts';
import {buildRuleConfirmOptions} from '../../firewall/rules/broad-rule.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import {buildYesOptions} from '../../firewall/rules/name-reasons.ts';
import {getNextStepAdvice} from '../../firewall/rules/next-step.ts';
import type {FirewallZone, Rule, RuleSettings} from '../../firewall/rules/rule.ts';
import {buildAdvice} from '../../text/advice.ts';
import {formatFirewallAction} from './text.ts';

/** Fails if someone else changed the settings of a rule that are about to be written, or its filter. */
export function refuseConcurrentRuleChange(
	zone: FirewallZone,
	originalRule: Rule,
	currentRule: Rule,
	settings: Partial<RuleSettings>,
): void {
	const changedSettings = new Set(Object.keys(settings));
	const differences = {
		filter: originalRule.filter.id !== currentRule.filter.id,
		action:
			(changedSettings.has('action') || changedSettings.has('products')) &&
			formatFirewallAction(originalRule) !== formatFirewallAction(currentRule),
		priority: changedSettings.has('priority') && originalRule.priority !== currentRule.priority,
		paused: changedSettings.has('paused') && originalRule.paused !== currentRule.paused,
		description: changedSettings.has('description') && originalRule.description !== currentRule.description,
		ref: changedSettings.has('ref') && originalRule.ref !== currentRule.ref,
	};
	const names = Object.entries(differences).flatMap(([name, isDifferent]) => (isDifferent ? [name] : []));
	if (names.length === 0) return;
	throw new Failure(
		'changed_meanwhile',
		`Rule ${originalRule.id} was changed by someone else since ledge loaded it.`,
		{
			why: `Changed: ${names.join(', ')}.`,
			next: `To check it: \`${formatFirewallGetCommand(zone, 'rule', originalRule.id)}\``,
		},
	);
}

/**
 * Adds the state and next step to a failure that came after the filter was changed: the rule is unchanged, or
 * its state is unknown.
 */
export function withHalfwayAdvice(
	zone: FirewallZone,
	failure: Failure,
	change: {
		readonly before: Filter;
		readonly after: Filter;
		readonly rule: Rule;
		readonly settings: Partial<RuleSettings>;
	},
): Failure {
	const {before, after, rule, settings} = change;
	const {id} = rule;
	const ruleWithNewFilter = {...rule, filter: after};
	const {left, unchanged} = failure.details;
	const ruleState = left && !unchanged ? left : `Rule ${id} was not changed.`;
	const writes = [{before: ruleWithNewFilter, after: {...ruleWithNewFilter, ...settings}}];
	const confirmOptions = buildRuleConfirmOptions(zone, writes);
	const remainingCommand = formatFirewallCommand(
		zone,
		['rule', 'update', id],
		[
			...buildSettingWords(settings),
			...(confirmOptions.length > 0 ? confirmOptions : buildYesOptions(writes)),
		],
	);
	const revertCommand = formatFirewallCommand(
		zone,
		['filter', 'update', before.id],
		[
			'--expression',
			before.expression,
			...buildRuleConfirmOptions(zone, [{before: ruleWithNewFilter, after: {...rule, filter: before}}]),
		],
	);
	// Once firewall rules are retired, every call for them fails.
	const retryAdvice =
		failure.code === 'gone' ? failure.details.next : getNextStepAdvice(failure, remainingCommand);
	return failure.withDetails({
		left: `Filter ${after.id} was changed to: ${after.expression}\n${ruleState}`,
		next: buildAdvice`${retryAdvice}\nOr restore the old expression: ${revertCommand}`,
	});
}

function buildSettingWords(settings: Partial<RuleSettings>): string[] {
	const {action, products, priority, paused, description, ref} = settings;
	return [
		...(action === undefined ? [] : ['--action', action]),
		...(products === undefined ? [] : ['--products', products.join(',')]),
		...(priority === undefined ? [] : ['--priority', priority === null ? 'none' : String(priority)]),
		...(paused === undefined ? [] : [paused ? '--paused' : '--no-paused']),
		...(description === undefined ? [] : ['--description', description]),
		...(ref === undefined ? [] : ['--ref', ref]),
	];
}
