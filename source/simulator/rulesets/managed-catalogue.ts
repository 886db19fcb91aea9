import type {JsonObject} from '../../text/json.ts';
import {isJsonObject} from '../../text/json.ts';
import {newManagedRulesets} from '../waf/managed-ids.ts';
import {readSeed, type SeededRuleset} from '../waf/seeded.ts';
import type {World} from '../world/world.ts';
import {
	buildCredentialRules,
	buildManagedRule,
	buildOwaspRules,
	buildPlatformRules,
	sampleUpdateTime,
} from './managed-samples.ts';
import {managedRulesPhase} from './phase-names.ts';

/** A ruleset of the service, in the format of answers. */
export type ManagedRuleset = JsonObject & {
	readonly id: string;
	readonly version: string;
	readonly rules: readonly JsonObject[];
};

/** The managed rulesets that a zone can execute and override. */
export type ManagedCatalogue = {
	readonly rulesets: readonly ManagedRuleset[];
	/**
	 * False for a seeded zone whose rulesets are not fully known: then their rules are not shown, and
	 * overrides may name any rule or category.
	 */
	readonly isComplete: boolean;
	/** Expressions in the proposal of a seeded zone: made by the original service, so not checked. */
	readonly acceptedExpressions: ReadonlySet<string>;
};

let sampleCatalogue: ManagedCatalogue | undefined;

/** Returns the managed rulesets that a zone can execute. */
export function getManagedCatalogue(world: Pick<World, 'resources'>, zoneId: string): ManagedCatalogue {
	const seed = readSeed(world, zoneId);
	if (seed) {
		const rules = getProposedRules(seed.proposed);
		const acceptedExpressions = new Set(rules.map(({expression}) => String(expression)));
		const proposedRulesets = collectProposedRulesets(rules);
		const isComplete = seed.managed?.every(ruleset => ruleset.rules) === true;
		return {
			rulesets: isComplete ? mergeRulesets(seed.managed ?? [], proposedRulesets) : proposedRulesets,
			isComplete,
			acceptedExpressions,
		};
	}
	sampleCatalogue ??= {
		isComplete: true,
		acceptedExpressions: new Set(),
		rulesets: [
			buildRuleset(
				'platform',
				'Created by the service to guard against known vulnerabilities',
				buildPlatformRules(),
			),
			buildRuleset('owasp', 'The OWASP Core Rule Set, which adds up scores', buildOwaspRules()),
			buildRuleset('credentials', 'Looks for credentials that have leaked elsewhere', buildCredentialRules()),
		],
	};
	return sampleCatalogue;
}

function buildRuleset(
	key: keyof typeof newManagedRulesets,
	description: string,
	rules: readonly JsonObject[],
): ManagedRuleset {
	return {
		...newManagedRulesets[key],
		description,
		source: 'firewall_managed',
		kind: 'managed',
		version: '34',
		last_updated: sampleUpdateTime,
		phase: managedRulesPhase,
		rules,
	};
}

const getProposedRules = (proposed: JsonObject | null): readonly JsonObject[] =>
	Array.isArray(proposed?.rules) ? proposed.rules.filter(isJsonObject) : [];

/** Merges the seeded rulesets with the rulesets and rules that only the proposal names. */
const mergeRulesets = (
	seededRulesets: readonly SeededRuleset[],
	proposedRulesets: readonly ManagedRuleset[],
): readonly ManagedRuleset[] => [
	...seededRulesets.map(({id, name, rules = []}) => {
		const knownIds = new Set(rules.map(rule => rule.id));
		return {
			...buildRuleset('platform', '', []),
			id,
			name,
			rules: [
				...rules.map(rule =>
					buildManagedRule(rule.id, rule.action, rule.description, rule.categories, {
						enabled: rule.enabled,
						...(rule.score_threshold !== undefined && {score_threshold: rule.score_threshold}),
					}),
				),
				...(proposedRulesets.find(proposedRuleset => proposedRuleset.id === id)?.rules ?? []).filter(
					rule => !knownIds.has(String(rule.id)),
				),
			],
		};
	}),
	...proposedRulesets.filter(
		({id, rules}) => rules.length > 0 && !seededRulesets.some(seededRuleset => seededRuleset.id === id),
	),
];

/** Collects the rulesets and rules that a seeded zone's proposal names. */
function collectProposedRulesets(rules: readonly JsonObject[]): readonly ManagedRuleset[] {
	const proposedRulesets = new Map<string, ManagedRuleset>();
	for (const key of ['platform', 'owasp', 'credentials'] as const)
		proposedRulesets.set(newManagedRulesets[key].id, buildRuleset(key, '', []));
	for (const {action_parameters: parameters} of rules) {
		if (!isJsonObject(parameters) || typeof parameters.id !== 'string') continue;
		const {id, overrides} = parameters;
		const ruleOverrides = isJsonObject(overrides) && Array.isArray(overrides.rules) ? overrides.rules : [];
		const ruleset = proposedRulesets.get(id) ?? {...buildRuleset('platform', '', []), id, name: id};
		const overriddenRules = ruleOverrides
			.filter(isJsonObject)
			.map(rule => buildManagedRule(String(rule.id), 'block', String(rule.id), []));
		proposedRulesets.set(id, {...ruleset, rules: [...ruleset.rules, ...overriddenRules]});
	}
	return [...proposedRulesets.values()];
}
