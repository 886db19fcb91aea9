import type {JsonObject} from '../../text/json.ts';
import {newActions} from '../migration/documented-mapping.ts';
import {partOf, ruleId, stableId, traditionalModes} from '../waf/catalogue.ts';
import {type GroupTable, platformGroups, requestedGroups} from '../waf/catalogue-tables.ts';
import {paranoiaCategory, thresholdRule} from '../waf/managed-ids.ts';
import {owaspParts} from './owasp-table.ts';
import {knownLogins, newerSoftware} from './software-table.ts';

/** When the managed rulesets and their rules were last changed. */
export const since = '2024-03-01T09:00:00.000000Z';

/** Builds a rule of a managed ruleset, as answers have it: without its expression. */
export const managedRule = (
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

/** Builds the traditional rules with their previous ids, and rules for more recent vulnerabilities. */
export const platformRules = (): readonly JsonObject[] => [
	...[...platformGroups, ...requestedGroups].flatMap(group =>
		Array.from({length: group.rules}, (_, index) => traditionalRule(group, index)),
	),
	...newerRules(),
];

/**
 * Software in the previous managed rules: its first version, and the year of its first vulnerability there.
 */
const versioned: Readonly<Record<string, {readonly major: number; readonly year: number}>> = {
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
const mixed: ReadonlySet<string> = new Set(['Miscellaneous', 'Software']);

/** Builds a rule; its group is a category. */
function traditionalRule(group: GroupTable, index: number): JsonObject {
	const id = ruleId(group.name, index + 1);
	const name = group.name.replace(/^\w+ /, '');
	const {subject, attack} = partOf(group, index);
	const {default_mode: mode} = traditionalModes(group, index);
	const tags = [slug(group.name), slug(attack)];
	const software = versioned[name];
	const place = mixed.has(name) ? subject : `${name}:${subject}`;
	const older = software && `${place} < ${software.major}.${Math.floor(index / 4) + 1}.${(index * 7) % 20}`;
	const cve = software && vulnerability(id, software.year + Math.floor((index * 8) / group.rules));
	return managedRule(
		id,
		newActions[String(mode)] ?? 'block',
		older ? `${older} - ${attack} - CVE:${cve}` : `${name} - ${attack} - ${subject} #${index + 1}`,
		cve ? [...tags, cve.toLowerCase()] : tags,
		mode === 'disable' ? {enabled: false} : {},
	);
}

/** Builds the newer rules; some are on trial: they log, or are off. */
const newerRules = (): readonly JsonObject[] =>
	newerSoftware
		.flatMap(({name, fixed, attacks}) => attacks.map(attack => ({name, fixed, attack})))
		.map(({name, fixed, attack}, index) => {
			const id = stableId(`managed rule ${name} ${attack}`);
			const cve = vulnerability(id, 2021 + (index % 5));
			const isTried = index % 9 === 8;
			return managedRule(
				id,
				isTried ? 'log' : 'block',
				`${name} < ${fixed} - ${attack} - CVE:${cve}`,
				[slug(name), slug(attack.replace(/ \(.*/, '')), cve.toLowerCase(), ...(isTried ? ['beta'] : [])],
				index % 18 === 17 ? {enabled: false} : {},
			);
		});

/** Formats a CVE id with a number above all real ones, so that it never names a real vulnerability. */
const vulnerability = (id: string, year: number): string =>
	`CVE-${year}-${90_000 + (Number.parseInt(id.slice(0, 8), 16) % 10_000)}`;

const slug = (words: string): string =>
	words
		.toLowerCase()
		.replace(/[^a-z\d]+/g, '-')
		.replace(/^-|-$/g, '');

const levels = [1, 1, 2, 3, 4] as const;

/** Builds rules that only score, and a last one that acts on the sum. */
export const owaspRules = (): readonly JsonObject[] => [
	...owaspParts.flatMap(({first, kind, language, rules}) =>
		rules.map((sentence, index) => {
			const number = first + index * 10;
			return managedRule(
				stableId(`owasp rule ${number}`),
				'score',
				`${number}: ${sentence}`,
				[paranoiaCategory(levels[index % levels.length] ?? 1), `owasp-${kind}`, `language-${language}`],
				{score_threshold: 0},
			);
		}),
	),
	managedRule(thresholdRule, 'block', '949110: Inbound Anomaly Score Exceeded', [], {score_threshold: 40}),
];

/** Builds rules that recognize a login, and log leaked credentials. */
export const credentialRules = (): readonly JsonObject[] =>
	knownLogins.map(where =>
		managedRule(stableId(`credentials ${where}`), 'log', `Exposed credentials: ${where} login`, [
			'login',
			slug(where),
		]),
	);
