import type {JsonObject} from '../../text/json.ts';
import {newActions} from '../migration/documented-mapping.ts';
import {deriveId, deriveRuleId, getRuleTopic, getTraditionalModes} from '../waf/catalogue.ts';
import {type GroupDefinition, platformGroups, requestedGroups} from '../waf/catalogue-tables.ts';
import {formatParanoiaCategory, owaspThresholdRuleId} from '../waf/managed-ids.ts';
import {owaspParts} from './owasp-table.ts';
import {knownLogins, newerSoftware} from './software-table.ts';

/** When the managed rulesets and their rules were last changed. */
export const sampleUpdateTime = '2024-03-01T09:00:00.000000Z';

/** Builds a rule of a managed ruleset in the format of answers, which have no expression. */
export const buildManagedRule = (
	id: string,
	action: string,
	description: string,
	categories: readonly string[],
	extraFields: JsonObject = {},
): JsonObject => ({
	id,
	version: '3',
	ref: id,
	action,
	description,
	categories,
	enabled: true,
	last_updated: sampleUpdateTime,
	...extraFields,
});

/** Builds the traditional rules with their previous ids, and rules for more recent vulnerabilities. */
export const buildPlatformRules = (): readonly JsonObject[] => [
	...[...platformGroups, ...requestedGroups].flatMap(group =>
		Array.from({length: group.ruleCount}, (_, index) => buildTraditionalRule(group, index)),
	),
	...buildNewerRules(),
];

/**
 * Software in the previous managed rules: its first version, and the year of its first vulnerability there.
 */
const versionedSoftware: Readonly<Record<string, {readonly major: number; readonly year: number}>> = {
	Drupal: {major: 7, year: 2014},
	Flash: {major: 11, year: 2012},
	Joomla: {major: 3, year: 2013},
	Magento: {major: 1, year: 2015},
	Miscellaneous: {major: 2, year: 2013},
	Plone: {major: 4, year: 2011},
	Software: {major: 5, year: 2014},
	WHMCS: {major: 5, year: 2013},
	WordPress: {major: 3, year: 2012},
};

/** Groups that cover several kinds of software. */
const mixedGroups: ReadonlySet<string> = new Set(['Miscellaneous', 'Software']);

/** Builds a traditional rule; its group becomes a category. */
function buildTraditionalRule(group: GroupDefinition, index: number): JsonObject {
	const id = deriveRuleId(group.name, index + 1);
	const name = group.name.replace(/^\w+ /, '');
	const {subject, attack} = getRuleTopic(group, index);
	const {default_mode: mode} = getTraditionalModes(group, index);
	const tags = [toSlug(group.name), toSlug(attack)];
	const software = versionedSoftware[name];
	const product = mixedGroups.has(name) ? subject : `${name}:${subject}`;
	const affectedVersions =
		software && `${product} < ${software.major}.${Math.floor(index / 4) + 1}.${(index * 7) % 20}`;
	const cve = software && formatCveId(id, software.year + Math.floor((index * 8) / group.ruleCount));
	return buildManagedRule(
		id,
		newActions[String(mode)] ?? 'block',
		affectedVersions
			? `${affectedVersions} - ${attack} - CVE:${cve}`
			: `${name} - ${attack} - ${subject} #${index + 1}`,
		cve ? [...tags, cve.toLowerCase()] : tags,
		mode === 'disable' ? {enabled: false} : {},
	);
}

/** Builds the newer rules; some are on trial: they log, or are off. */
const buildNewerRules = (): readonly JsonObject[] =>
	newerSoftware
		.flatMap(({name, fixedVersion, attacks}) => attacks.map(attack => ({name, fixed: fixedVersion, attack})))
		.map(({name, fixed: fixedVersion, attack}, index) => {
			const id = deriveId(`managed rule ${name} ${attack}`);
			const cve = formatCveId(id, 2021 + (index % 5));
			const isTrial = index % 9 === 8;
			return buildManagedRule(
				id,
				isTrial ? 'log' : 'block',
				`${name} < ${fixedVersion} - ${attack} - CVE:${cve}`,
				[toSlug(name), toSlug(attack.replace(/ \(.*/, '')), cve.toLowerCase(), ...(isTrial ? ['beta'] : [])],
				index % 18 === 17 ? {enabled: false} : {},
			);
		});

/** Formats a CVE id with a number above all real ones, so that it never names a real vulnerability. */
const formatCveId = (id: string, year: number): string =>
	`CVE-${year}-${90_000 + (Number.parseInt(id.slice(0, 8), 16) % 10_000)}`;

const toSlug = (text: string): string =>
	text
		.toLowerCase()
		.replace(/[^a-z\d]+/g, '-')
		.replace(/^-|-$/g, '');

/** The paranoia levels of the rules of a part, in turn. */
const paranoiaLevels = [1, 1, 2, 3, 4] as const;

/** Builds rules that only score, and a last one that acts on the sum. */
export const buildOwaspRules = (): readonly JsonObject[] => [
	...owaspParts.flatMap(({firstNumber, kind, language, rules}) =>
		rules.map((sentence, index) => {
			const ruleNumber = firstNumber + index * 10;
			return buildManagedRule(
				deriveId(`owasp rule ${ruleNumber}`),
				'score',
				`${ruleNumber}: ${sentence}`,
				[
					formatParanoiaCategory(paranoiaLevels[index % paranoiaLevels.length] ?? 1),
					`owasp-${kind}`,
					`language-${language}`,
				],
				{score_threshold: 0},
			);
		}),
	),
	buildManagedRule(owaspThresholdRuleId, 'block', '949110: Inbound Anomaly Score Exceeded', [], {
		score_threshold: 40,
	}),
];

/** Builds rules that recognize a login, and log leaked credentials. */
export const buildCredentialRules = (): readonly JsonObject[] =>
	knownLogins.map(login =>
		buildManagedRule(deriveId(`credentials ${login}`), 'log', `Exposed credentials: ${login} login`, [
			'login',
			toSlug(login),
		]),
	);
