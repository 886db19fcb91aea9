import type {JsonObject} from '../../text/json.ts';
import {isJsonObject} from '../../text/json.ts';
import {managedRulesets} from '../waf/managed-ids.ts';
import {readSeed, type SeededRuleset} from '../waf/seeded.ts';
import type {World} from '../world/world.ts';
import {credentialRules, managedRule, owaspRules, platformRules, since} from './managed-samples.ts';
import {managedPhase} from './phase-names.ts';

/** A ruleset of the service, as answers have it. */
export type ManagedRuleset = JsonObject & {
	readonly id: string;
	readonly version: string;
	readonly rules: readonly JsonObject[];
};

/** The managed rulesets that a zone can execute and override. */
export type ManagedCatalogue = {
	readonly rulesets: readonly ManagedRuleset[];
	/**
	 * False for a seeded zone whose rulesets are not fully known: any id and category is accepted in them,
	 * and they are not shown.
	 */
	readonly isWhole: boolean;
	/** Expressions that the service has accepted elsewhere; they are not checked. */
	readonly taken: ReadonlySet<string>;
};

let made: ManagedCatalogue | undefined;

/** Returns the managed rulesets that a zone can execute. */
export function managedCatalogue(world: Pick<World, 'resources'>, zone: string): ManagedCatalogue {
	const seed = readSeed(world, zone);
	if (seed) {
		const rules = rulesOf(seed.proposed);
		const taken = new Set(rules.map(({expression}) => String(expression)));
		const named = namedIn(rules);
		const isWhole = seed.managed?.every(one => one.rules) === true;
		return {rulesets: isWhole ? joined(seed.managed ?? [], named) : named, isWhole, taken};
	}
	made ??= {
		isWhole: true,
		taken: new Set(),
		rulesets: [
			ruleset('platform', 'Created by the service to guard against known vulnerabilities', platformRules()),
			ruleset('owasp', 'The OWASP Core Rule Set, which adds up scores', owaspRules()),
			ruleset('credentials', 'Looks for credentials that have leaked elsewhere', credentialRules()),
		],
	};
	return made;
}

function ruleset(
	which: keyof typeof managedRulesets,
	description: string,
	rules: readonly JsonObject[],
): ManagedRuleset {
	return {
		...managedRulesets[which],
		description,
		source: 'firewall_managed',
		kind: 'managed',
		version: '34',
		last_updated: since,
		phase: managedPhase,
		rules,
	};
}

const rulesOf = (proposed: JsonObject | null): readonly JsonObject[] =>
	Array.isArray(proposed?.rules) ? proposed.rules.filter(isJsonObject) : [];

/** Merges the rulesets read elsewhere with those that the proposal names. */
const joined = (
	read: readonly SeededRuleset[],
	named: readonly ManagedRuleset[],
): readonly ManagedRuleset[] => [
	...read.map(({id, name, rules = []}) => {
		const held = new Set(rules.map(rule => rule.id));
		return {
			...ruleset('platform', '', []),
			id,
			name,
			rules: [
				...rules.map(rule =>
					managedRule(rule.id, rule.action, rule.description, rule.categories, {
						enabled: rule.enabled,
						...(rule.score_threshold !== undefined && {score_threshold: rule.score_threshold}),
					}),
				),
				...(named.find(one => one.id === id)?.rules ?? []).filter(rule => !held.has(String(rule.id))),
			],
		};
	}),
	...named.filter(({id, rules}) => rules.length > 0 && !read.some(one => one.id === id)),
];

/** Collects the rulesets and rules that a seeded zone's proposal names. */
function namedIn(rules: readonly JsonObject[]): readonly ManagedRuleset[] {
	const named = new Map<string, ManagedRuleset>();
	for (const which of ['platform', 'owasp', 'credentials'] as const)
		named.set(managedRulesets[which].id, ruleset(which, '', []));
	for (const {action_parameters: parameters} of rules) {
		if (!isJsonObject(parameters) || typeof parameters.id !== 'string') continue;
		const {id, overrides} = parameters;
		const given = isJsonObject(overrides) && Array.isArray(overrides.rules) ? overrides.rules : [];
		const known = named.get(id) ?? {...ruleset('platform', '', []), id, name: id};
		const seen = given
			.filter(isJsonObject)
			.map(rule => managedRule(String(rule.id), 'block', String(rule.id), []));
		named.set(id, {...known, rules: [...known.rules, ...seen]});
	}
	return [...named.values()];
}
