import {Failure} from '../failure.ts';
import {type ManagedConfiguration, toCanonicalRule} from '../migration/configuration/configuration.ts';
import {matchConfiguredRules} from '../migration/configuration/difference-matching.ts';
import type {ConfiguredRule} from '../migration/configuration/rule-overrides.ts';

/**
 * Assigns ids of active rules to a configuration from a file: the ids that it names, and for rules without
 * one the id of a rule that is identical, executes the same ruleset, or has the same expression or
 * description. Other rules are new. Fails with `input_malformed` if two rules have the same id.
 */
export function withExistingIds(
	active: Pick<ManagedConfiguration, 'rules'>,
	given: ManagedConfiguration,
): ManagedConfiguration {
	const existing = new Map(active.rules.map(rule => [rule.id, rule]));
	const named = given.rules.map(({id}) =>
		typeof id === 'string' && id !== '' ? existing.get(id) : undefined,
	);
	refuseDuplicateIds(given, named);
	const taken = new Set(named);
	const free = active.rules.filter(rule => !taken.has(rule));
	const open = given.rules.flatMap((rule, index) => (named[index] ? [] : [{rule, index}]));
	const {pairs} = matchConfiguredRules(
		free.map(toCanonicalRule),
		open.map(({rule}) => toCanonicalRule(rule)),
	);
	const matched = new Map(pairs.map(([from, to]) => [open[to]?.index, free[from]]));
	return {
		...given,
		rules: given.rules.map((rule, index) => withLiveIds(rule, named[index] ?? matched.get(index))),
	};
}

function withLiveIds(given: ConfiguredRule, live: ConfiguredRule | undefined): ConfiguredRule {
	const {id, ref, version, last_updated, ...rest} = given;
	const own = typeof ref === 'string' && ref !== '' && ref !== id ? ref : live?.ref;
	return {
		...(live?.id !== undefined && {id: live.id}),
		...(own !== undefined && {ref: own}),
		...rest,
	} as ConfiguredRule;
}

function refuseDuplicateIds(
	{rules}: ManagedConfiguration,
	named: readonly (ConfiguredRule | undefined)[],
): void {
	const duplicate = named.findIndex((rule, index) => rule !== undefined && named.indexOf(rule) < index);
	if (duplicate < 0) return;
	throw new Failure('input_malformed', `Two rules have the id ${rules[duplicate]?.id}; nothing was sent.`, {
		why: `The second of them is rule ${duplicate + 1}.`,
		next: 'Leave the id of a new rule out.',
	});
}
