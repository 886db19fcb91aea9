import {Failure} from '../../failure.ts';
import {command, showing} from '../../firewall/continuation.ts';
import {confirmWords} from '../../firewall/rules/broad-rule.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import {yesWords} from '../../firewall/rules/name-reasons.ts';
import {onward} from '../../firewall/rules/next-step.ts';
import type {FirewallZone, Rule, RuleSettings} from '../../firewall/rules/rule.ts';
import {advice} from '../../text/advice.ts';
import {actionOf} from './text.ts';

/** Fails if someone else changed the settings of a rule that are about to be written, or its filter. */
export function refuseOthersChange(
	zone: FirewallZone,
	read: Rule,
	now: Rule,
	settings: Partial<RuleSettings>,
): void {
	const isMeant = new Set(Object.keys(settings));
	const differs = {
		filter: read.filter.id !== now.filter.id,
		action: (isMeant.has('action') || isMeant.has('products')) && actionOf(read) !== actionOf(now),
		priority: isMeant.has('priority') && read.priority !== now.priority,
		paused: isMeant.has('paused') && read.paused !== now.paused,
		description: isMeant.has('description') && read.description !== now.description,
		ref: isMeant.has('ref') && read.ref !== now.ref,
	};
	const names = Object.entries(differs).flatMap(([name, isOther]) => (isOther ? [name] : []));
	if (names.length === 0) return;
	throw new Failure('changed_meanwhile', `Rule ${read.id} was changed by someone else since it was read.`, {
		why: `Other than it was: ${names.join(', ')}.`,
		next: `Look at it with \`${showing(zone, 'rule', read.id)}\`.`,
	});
}

/**
 * Adds the state and next step to a failure between filter and rule: the filter is changed; the rule is
 * unchanged, or its state is unknown.
 */
export function halfDone(
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
	const ofRule = left && !unchanged ? left : `Rule ${id} is not changed.`;
	const writes = [{before: now, after: {...now, ...settings}}];
	const named = confirmWords(zone, writes);
	const rest = command(
		zone,
		['rule', 'update', id],
		[...settingWords(settings), ...(named.length > 0 ? named : yesWords(writes))],
	);
	const back = command(
		zone,
		['filter', 'update', before.id],
		[
			'--expression',
			before.expression,
			...confirmWords(zone, [{before: now, after: {...rule, filter: before}}]),
		],
	);
	// Once firewall rules are retired, every call for them fails.
	const go = failure.code === 'gone' ? failure.details.next : onward(failure, rest);
	return failure.with({
		left: `Filter ${after.id} is changed to: ${after.expression}\n${ofRule}`,
		next: advice`${go}\nOr put the old expression back: ${back}`,
	});
}

function settingWords(settings: Partial<RuleSettings>): string[] {
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
