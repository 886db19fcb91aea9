import {managedRulesets, thresholdRule} from '../../migration/configuration/mapping.ts';
import type {ManagedContents} from '../../migration/zone/managed-contents.ts';
import {managedPhase} from '../../rulesets/ruleset.ts';
import type {JsonObject, JsonValue} from '../../text/json.ts';
import {isJsonObject} from '../../text/json.ts';
import {newActions} from '../migration/documented-mapping.ts';
import {sampleCatalogue, stableId} from '../waf/catalogue.ts';
import {readSeed} from '../waf/seeded.ts';
import type {World} from '../world/world.ts';

/** A ruleset of the service itself, as it is shown. */
export type ManagedRuleset = JsonObject & {
	readonly id: string;
	readonly version: string;
	readonly rules: readonly JsonObject[];
};

/** What of managed rulesets a zone can execute and override. */
export type ManagedCatalogue = {
	readonly rulesets: readonly ManagedRuleset[];
	/**
	 * Of a zone that came from elsewhere, what its rulesets hold may not be known: any id and category may be in them, and
	 * they are not shown.
	 */
	readonly isWhole: boolean;
	/** Expressions that stand elsewhere already: the service there has taken them, whatever this one thinks of them. */
	readonly taken: ReadonlySet<string>;
};

const since = '2024-03-01T09:00:00.000000Z';

let made: ManagedCatalogue | undefined;

/** The rulesets that a zone can execute. */
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

const managedRule = (
	id: string,
	action: string,
	description: string,
	categories: readonly string[],
	more: JsonObject = {},
): JsonObject => ({
	id,
	version: '3',
	ref: id,
	action,
	description,
	categories,
	enabled: true,
	last_updated: since,
	...more,
});

/** The traditional rules under the ids that they have always had; each group is a category. */
function platformRules(): readonly JsonObject[] {
	return sampleCatalogue()
		.filter(one => one.package.detection_mode === 'traditional')
		.flatMap(({rules}) => rules)
		.map(({id, description, group, default_mode: mode}) =>
			managedRule(
				String(id),
				newActions[String(mode)] ?? 'block',
				String(description),
				[category(group)],
				mode === 'disable' ? {enabled: false} : {},
			),
		);
}

const category = (group: JsonValue | undefined): string =>
	isJsonObject(group) ? String(group.name).toLowerCase().replaceAll(' ', '-') : 'other';

const owaspParts = [
	{first: 911100, name: 'Method is not allowed by policy', rules: 4, kind: 'method-enforcement'},
	{first: 913100, name: 'Found user agent of a security scanner', rules: 5, kind: 'scanner-detection'},
	{first: 920100, name: 'Invalid HTTP request', rules: 14, kind: 'protocol-enforcement'},
	{first: 930100, name: 'Path traversal attack', rules: 4, kind: 'lfi'},
	{first: 932100, name: 'Remote command execution', rules: 10, kind: 'rce'},
	{first: 941100, name: 'XSS attack detected', rules: 14, kind: 'xss'},
	{first: 942100, name: 'SQL injection attack detected', rules: 18, kind: 'sqli'},
];

function owaspRules(): readonly JsonObject[] {
	const rules = owaspParts.flatMap(({first, name, rules: count, kind}) =>
		Array.from({length: count}, (_, index) => {
			const number = first + index * 10;
			const level = ([1, 1, 2, 3, 4] as const)[index % 5] ?? 1;
			return managedRule(
				stableId(`owasp rule ${number}`),
				'score',
				`${number}: ${name}`,
				[`paranoia-level-${level}`, `owasp-${kind}`],
				{score_threshold: 0},
			);
		}),
	);
	const last = managedRule(thresholdRule, 'block', '949110: Inbound Anomaly Score Exceeded', [], {
		score_threshold: 40,
	});
	return [...rules, last];
}

const credentialRules = (): readonly JsonObject[] =>
	['WordPress', 'Joomla', 'Drupal', 'Ghost', 'Plone', 'Magento', 'Generic JSON', 'Generic form'].map(where =>
		managedRule(stableId(`credentials ${where}`), 'log', `Exposed credentials: ${where} login`, ['login']),
	);

const rulesOf = (proposed: JsonObject | null): readonly JsonObject[] =>
	Array.isArray(proposed?.rules) ? proposed.rules.filter(isJsonObject) : [];

/** What was read of the rulesets elsewhere, and what else the proposal of that place names. */
const joined = (
	read: readonly ManagedContents[],
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

/** Of somewhere else only what its proposal names is known. */
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
