import {Failure} from '../failure.ts';
import {type ManagedConfiguration, toCanonicalRule} from '../migration/configuration/configuration.ts';
import {matchConfiguredRules} from '../migration/configuration/difference-matching.ts';
import type {ConfiguredRule} from '../migration/configuration/rule-overrides.ts';

/**
 * Assigns the ids of active rules to a configuration from a file. A rule keeps the id that the file names. A
 * rule without an id gets that of an active rule that is identical, executes the same ruleset, or has the
 * same expression or description. All other rules are new. Fails with `input_malformed` if two rules have the
 * same id.
 */
export function withExistingIds(
	activeConfiguration: Pick<ManagedConfiguration, 'rules'>,
	newConfiguration: ManagedConfiguration,
): ManagedConfiguration {
	const activeById = new Map(activeConfiguration.rules.map(rule => [rule.id, rule]));
	const namedRules = newConfiguration.rules.map(({id}) =>
		typeof id === 'string' && id !== '' ? activeById.get(id) : undefined,
	);
	refuseDuplicateIds(newConfiguration, namedRules);
	const takenRules = new Set(namedRules);
	const freeRules = activeConfiguration.rules.filter(rule => !takenRules.has(rule));
	const unnamedRules = newConfiguration.rules.flatMap((rule, index) =>
		namedRules[index] ? [] : [{rule, index}],
	);
	const {pairs} = matchConfiguredRules(
		freeRules.map(toCanonicalRule),
		unnamedRules.map(({rule}) => toCanonicalRule(rule)),
	);
	const matchedRules = new Map(pairs.map(([from, to]) => [unnamedRules[to]?.index, freeRules[from]]));
	return {
		...newConfiguration,
		rules: newConfiguration.rules.map((rule, index) =>
			withActiveIds(rule, namedRules[index] ?? matchedRules.get(index)),
		),
	};
}

function withActiveIds(newRule: ConfiguredRule, activeRule: ConfiguredRule | undefined): ConfiguredRule {
	const {id, ref, version, last_updated, ...fields} = newRule;
	const reference = typeof ref === 'string' && ref !== '' && ref !== id ? ref : activeRule?.ref;
	return {
		...(activeRule?.id !== undefined && {id: activeRule.id}),
		...(reference !== undefined && {ref: reference}),
		...fields,
	} as ConfiguredRule;
}

function refuseDuplicateIds(
	{rules}: ManagedConfiguration,
	namedRules: readonly (ConfiguredRule | undefined)[],
): void {
	const duplicateIndex = namedRules.findIndex(
		(rule, index) => rule !== undefined && namedRules.indexOf(rule) < index,
	);
	if (duplicateIndex < 0) return;
	throw new Failure(
		'input_malformed',
		`Two rules have the ID ${rules[duplicateIndex]?.id}; nothing was sent.`,
		{
			why: `The second one is rule ${duplicateIndex + 1}.`,
			next: 'Remove the ID of a new rule.',
		},
	);
}
