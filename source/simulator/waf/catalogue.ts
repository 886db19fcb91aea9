import {createHash} from 'node:crypto';
import type {JsonObject} from '../../text/json.ts';
import {type GroupDefinition, owaspGroups, platformGroups, requestedGroups} from './catalogue-tables.ts';

/** A package of the previous managed rules with its groups and rules, in their default state. */
export type CataloguePackage = {
	readonly package: JsonObject;
	readonly groups: readonly JsonObject[];
	readonly rules: readonly JsonObject[];
};

/** Ids of the three packages; they are stable, so that examples can name them. */
export const packageIds = {
	platform: 'c504870194831cd12c3fc0284f294abb',
	owasp: 'a25a9a7e9c00afc1fb2e0245519d725b',
	requested: '1e334934fd7ae32ad705667f8c1057aa',
} as const;

let cachedCatalogue: readonly CataloguePackage[] | undefined;

/** Returns the three packages, the same for every zone; builds them on first use. */
export function getSampleCatalogue(): readonly CataloguePackage[] {
	cachedCatalogue ??= [
		buildTraditionalPackage(packageIds.platform, 'Platform', 'Rules of the service itself', platformGroups),
		buildOwaspPackage(),
		buildTraditionalPackage(
			packageIds.requested,
			'Customer Requested',
			'Rules that customers asked for',
			requestedGroups,
		),
	];
	return cachedCatalogue;
}

/** Derives a stable id from a text. */
export const deriveId = (text: string): string =>
	createHash('sha256').update(text).digest('hex').slice(0, 32);

export const deriveGroupId = (name: string): string => deriveId(`waf group ${name}`);

/**
 * Derives the id of a rule of a traditional package, by its number in its group, from 1. The new managed
 * ruleset uses the same id.
 */
export const deriveRuleId = (groupName: string, ruleNumber: number): string =>
	deriveId(`waf rule ${groupName} ${ruleNumber}`);

const traditionalRuleModes = ['default', 'disable', 'simulate', 'block', 'challenge'];
const switchModes = ['on', 'off'];

function buildTraditionalPackage(
	id: string,
	name: string,
	description: string,
	groups: readonly GroupDefinition[],
): CataloguePackage {
	return {
		package: {id, name, description, detection_mode: 'traditional', status: 'active'},
		groups: groups.map(group => buildGroup(group, id)),
		rules: groups.flatMap(group =>
			Array.from({length: group.ruleCount}, (_, index) => ({
				...buildRuleBase(group, index, id),
				id: deriveRuleId(group.name, index + 1),
				...getTraditionalModes(group, index),
			})),
		),
	};
}

/**
 * Returns the modes of the rule at `index` of a traditional group. Most block; some challenge, simulate or
 * are off by default, and a few can only be on or off.
 */
export function getTraditionalModes({ruleCount}: GroupDefinition, index: number): JsonObject {
	if (ruleCount > 40 && index === ruleCount - 1) return {mode: 'on', allowed_modes: ['on', 'off']};
	const default_mode =
		index % 11 === 10 ? 'disable' : index % 7 === 6 ? 'simulate' : index % 5 === 4 ? 'challenge' : 'block';
	return {mode: 'default', default_mode, allowed_modes: traditionalRuleModes};
}

function buildOwaspPackage(): CataloguePackage {
	const id = packageIds.owasp;
	return {
		package: {
			id,
			name: 'OWASP ModSecurity Core Rule Set',
			description: 'Covers OWASP Top 10 vulnerabilities, and more.',
			detection_mode: 'anomaly',
			status: 'active',
			sensitivity: 'high',
			action_mode: 'challenge',
		},
		groups: owaspGroups.map(group => buildGroup(group, id)),
		rules: owaspGroups.flatMap(group =>
			Array.from({length: group.ruleCount}, (_, index) => ({
				...buildRuleBase(group, index, id),
				id: String(group.first + index),
				mode: 'on',
				allowed_modes: switchModes,
			})),
		),
	};
}

const buildGroup = ({name, ruleCount, mode}: GroupDefinition, package_id: string): JsonObject => ({
	id: deriveGroupId(name),
	name,
	description: `Rules of ${name}`,
	package_id,
	mode: mode ?? 'on',
	allowed_modes: switchModes,
	rules_count: ruleCount,
	modified_rules_count: 0,
});

/** Returns what the rule at `index` of a group protects, and against which attack. */
export function getRuleTopic({subjects, attacks}: GroupDefinition, index: number) {
	const subject = subjects[index % subjects.length] ?? '';
	const attack = attacks[Math.floor(index / subjects.length) % attacks.length] ?? '';
	return {subject, attack};
}

function buildRuleBase(group: GroupDefinition, index: number, package_id: string): JsonObject {
	const {name} = group;
	const {subject, attack} = getRuleTopic(group, index);
	return {
		description: `${name.replace(/^\w+ /, '')}, ${attack} - ${subject} #${index + 1}`,
		priority: String(index % 9 === 8 ? index + 100 : index),
		package_id,
		group: {id: deriveGroupId(name), name},
	};
}
