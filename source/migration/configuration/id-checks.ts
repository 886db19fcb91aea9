import {isJsonObject, type JsonValue, objects} from '../../text/json.ts';
import type {ManagedContents} from '../zone/managed-contents.ts';
import type {Configuration} from './configuration.ts';
import {isTexts} from './exceptions.ts';
import {type RuleFinding, wrong} from './findings.ts';
import {rulesetName} from './mapping.ts';
import {executedRuleset} from './override-edits.ts';
import {type ConfiguredRule, overridesIn} from './rule-overrides.ts';

/** Ids that a rule names: of managed rulesets, of their rules, and categories. */
type Named = {
	readonly ruleset: string;
	readonly rules: readonly string[];
	readonly categories: readonly string[];
};

/**
 * Ids of managed rulesets, of their rules and categories that the zone's managed rulesets do not hold: the service
 * refuses them. What it proposes itself it takes. Nothing is held against ids of what could not be read.
 */
export function idFindings(
	rule: ConfiguredRule,
	managed: readonly ManagedContents[] | undefined,
	proposed: Pick<Configuration, 'rules'> | undefined,
): readonly RuleFinding[] {
	if (!managed || managed.length === 0) return [];
	const trusted = (proposed?.rules ?? []).flatMap(namedBy);
	return namedBy(rule).flatMap(({ruleset, rules, categories}): readonly RuleFinding[] => {
		const known = trusted.filter(one => one.ruleset === ruleset);
		const contents = managed.find(({id}) => id === ruleset);
		if (!contents)
			return known.length > 0 ? [] : [wrong(`The zone has no managed ruleset ${rulesetName(ruleset)}.`)];
		const {rules: held} = contents;
		if (!held) return [];
		const ids = new Set([...held.map(({id}) => id), ...known.flatMap(one => one.rules)]);
		const names = new Set([...held.flatMap(one => one.categories), ...known.flatMap(one => one.categories)]);
		return [
			...rules
				.filter(id => !ids.has(id))
				.map(id => wrong(`${contents.name} has no rule ${id}: the service refuses it.`)),
			...categories
				.filter(name => !names.has(name))
				.map(name => wrong(`${contents.name} has no category ${name}: the service refuses it.`)),
		];
	});
}

function namedBy(rule: ConfiguredRule): readonly Named[] {
	const executed = executedRuleset(rule);
	if (executed !== undefined) {
		const {rules, categories} = overridesIn(rule);
		return [{ruleset: executed, rules: textsOf(rules, 'id'), categories: textsOf(categories, 'category')}];
	}
	if (rule.action !== 'skip') return [];
	const {rulesets, rules} = rule.action_parameters ?? {};
	return [
		...(isTexts(rulesets) ? rulesets.map(ruleset => ({ruleset, rules: [], categories: []})) : []),
		...(isJsonObject(rules)
			? Object.entries(rules).map(([ruleset, ids]) => ({
					ruleset,
					rules: isTexts(ids) ? ids : [],
					categories: [],
				}))
			: []),
	];
}

const textsOf = (list: JsonValue | undefined, key: 'id' | 'category'): readonly string[] =>
	objects(list).flatMap(({[key]: name}) => (typeof name === 'string' && name !== '' ? [name] : []));
