import {isJsonObject, type JsonObject, type JsonValue, objects} from '../../text/json.ts';
import type {ManagedContents} from '../zone/managed-contents.ts';
import type {ConfiguredRule} from './configuration.ts';
import {managedRulesets, owaspLevels, thresholdRule} from './mapping.ts';
import {executedRuleset} from './override-edits.ts';
import {overrideLayers, overridesIn} from './rule-overrides.ts';

/** A managed rule as far as its protection is judged, or what stands for those that could not be read. */
export type JudgedRule = {
	/** `undefined`: stands for all rules of its category, or of no category, that are named nowhere. */
	readonly id: string | undefined;
	readonly categories: readonly string[];
	readonly action: string;
	readonly enabled: boolean;
	readonly threshold?: number | undefined;
};

/**
 * The rules of a managed ruleset: those of the catalogue, and those that the configurations name. Where the catalogue does not
 * have the ruleset, one more stands for each category that is overridden and one for the rest, all on and blocking.
 */
export function judgedRules(
	ruleset: string,
	rules: readonly ConfiguredRule[],
	managed: readonly ManagedContents[],
): readonly JudgedRule[] {
	const known = managed.find(({id}) => id === ruleset)?.rules;
	const overrides = rules.filter(rule => executedRuleset(rule) === ruleset).map(overridesIn);
	const held = new Set(known?.map(({id}) => id));
	const named = new Set([
		...overrides.flatMap(one => textsIn(one.rules, 'id')),
		...rules.flatMap(rule => [...skippedIds(rule, ruleset)]),
		...(ruleset === managedRulesets.owasp.id ? [thresholdRule] : []),
	]);
	const categories = new Set(overrides.flatMap(one => textsIn(one.categories, 'category')));
	return [
		...(known ?? []).map(({score_threshold: threshold, ...rule}): JudgedRule => ({...rule, threshold})),
		...[...named].filter(id => !held.has(id)).map(id => unreadRule(id, [])),
		...(known
			? []
			: [...[...categories].map(name => unreadRule(undefined, [name])), unreadRule(undefined, [])]),
	];
}

const unreadRule = (id: string | undefined, categories: readonly string[]): JudgedRule => ({
	id,
	categories,
	action: 'block',
	enabled: true,
});

const textsIn = (list: JsonValue | undefined, key: 'id' | 'category'): readonly string[] =>
	objects(list).flatMap(({[key]: name}) => (typeof name === 'string' ? [name] : []));

/** The rules of a ruleset that a skip rule names by their ids. */
export function skippedIds(
	{action, action_parameters: {rules} = {}}: ConfiguredRule,
	ruleset: string,
): ReadonlySet<string> {
	const ids = action === 'skip' && isJsonObject(rules) && Object.hasOwn(rules, ruleset) ? rules[ruleset] : [];
	return new Set(Array.isArray(ids) ? ids.filter(one => typeof one === 'string') : []);
}

const sensitivities: readonly JsonValue[] = ['eoff', 'low', 'medium', 'default'];

/** What a managed rule does to a request: 0 nothing, then logging, then anything that can stop it; each more with more sensitivity. */
export type Strength = number;
const perLevel = sensitivities.length;
const [logs, acts] = [1, 2];

/** A strength in words. */
export const strengthInWords = (strength: Strength): 'off' | 'log' | 'on' =>
	strength === 0 ? 'off' : strength < acts * perLevel ? 'log' : 'on';

/** The overrides of one rule, as an entry of a configuration has them. */
export const ownOverrides = (executing: ConfiguredRule, {id}: JudgedRule): readonly JsonObject[] =>
	overrideLayers(overridesIn(executing), {id, categories: []}).rule;

/** How strong a managed rule is where a rule executes its ruleset; `own`: with other overrides of the rule itself. */
export function strengthOf(
	executing: ConfiguredRule,
	rule: JudgedRule,
	own?: readonly JsonObject[],
): Strength {
	const layers = overrideLayers(overridesIn(executing), rule);
	const said = (name: string, isValue: (value: JsonValue) => boolean): JsonValue | undefined => {
		for (const layer of [own ?? layers.rule, layers.category, layers.ruleset]) {
			const value = layer.map(one => one[name]).findLast(one => one !== undefined && isValue(one));
			if (value !== undefined) return value;
		}
		return undefined;
	};
	const isEnabled = said('enabled', value => typeof value === 'boolean') ?? rule.enabled;
	if (isEnabled === false) return 0;
	const action = said('action', value => typeof value === 'string') ?? rule.action;
	const sensitivity = said('sensitivity_level', value => sensitivities.includes(value)) ?? 'default';
	return (action === 'log' ? logs : acts) * perLevel + sensitivities.indexOf(sensitivity);
}

/** Points from which OWASP acts where a rule executes it. */
export const thresholdOf = (executing: ConfiguredRule, scoring: JudgedRule): number =>
	ownOverrides(executing, scoring)
		.map(({score_threshold: points}) => points)
		.findLast(points => typeof points === 'number') ??
	scoring.threshold ??
	owaspLevels.default.threshold;
