import {Failure} from '../../failure.ts';
import {formatFirewallCommand, formatFirewallGetCommand} from '../../firewall/continuation.ts';
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
	read: Rule,
	now: Rule,
	settings: Partial<RuleSettings>,
): void {
	const changedSettings = new Set(Object.keys(settings));
	const differs = {
		filter: read.filter.id !== now.filter.id,
		action:
			(changedSettings.has('action') || changedSettings.has('products')) &&
			formatFirewallAction(read) !== formatFirewallAction(now),
		priority: changedSettings.has('priority') && read.priority !== now.priority,
		paused: changedSettings.has('paused') && read.paused !== now.paused,
		description: changedSettings.has('description') && read.description !== now.description,
		ref: changedSettings.has('ref') && read.ref !== now.ref,
	};
	const names = Object.entries(differs).flatMap(([name, isOther]) => (isOther ? [name] : []));
	if (names.length === 0) return;
	throw new Failure('changed_meanwhile', `Rule ${read.id} was changed by someone else since it was read.`, {
		why: `Other than it was: ${names.join(', ')}.`,
		next: `Look at it with \`${formatFirewallGetCommand(zone, 'rule', read.id)}\`.`,
	});
}

/**
 * Adds the state and next step to a failure between filter and rule: the filter is changed; the rule is
 * unchanged, or its state is unknown.
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
	const now = {...rule, filter: after};
	const {left, unchanged} = failure.details;
	const ruleState = left && !unchanged ? left : `Rule ${id} is not changed.`;
	const writes = [{before: now, after: {...now, ...settings}}];
	const confirmationWords = buildRuleConfirmOptions(zone, writes);
	const rest = formatFirewallCommand(
		zone,
		['rule', 'update', id],
		[
			...buildSettingWords(settings),
			...(confirmationWords.length > 0 ? confirmationWords : buildYesOptions(writes)),
		],
	);
	const revertCommand = formatFirewallCommand(
		zone,
		['filter', 'update', before.id],
		[
			'--expression',
			before.expression,
			...buildRuleConfirmOptions(zone, [{before: now, after: {...rule, filter: before}}]),
		],
	);
	// Once firewall rules are retired, every call for them fails.
	const retryAdvice = failure.code === 'gone' ? failure.details.next : getNextStepAdvice(failure, rest);
	return failure.withDetails({
		left: `Filter ${after.id} is changed to: ${after.expression}\n${ruleState}`,
		next: buildAdvice`${retryAdvice}\nOr put the old expression back: ${revertCommand}`,
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
