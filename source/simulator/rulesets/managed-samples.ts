import type {JsonObject} from '../../text/json.ts';
import {newActions} from '../migration/documented-mapping.ts';
import {partOf, ruleId, stableId, traditionalModes} from '../waf/catalogue.ts';
import {type GroupTable, platformGroups, requestedGroups} from '../waf/catalogue-tables.ts';
import {paranoiaCategory, thresholdRule} from '../waf/managed-ids.ts';
import {owaspParts} from './owasp-table.ts';
import {knownLogins, newerSoftware} from './software-table.ts';

/** When the managed rulesets and their rules were last changed. */
export const since = '2024-03-01T09:00:00.000000Z';

/** A rule of a managed ruleset, as the service shows it: without its expression. */
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

/** The traditional rules under the ids that they have always had, and rules for weaknesses that were found since. */
export const platformRules = (): readonly JsonObject[] => [
	...[...platformGroups, ...requestedGroups].flatMap(group =>
		Array.from({length: group.rules}, (_, index) => traditionalRule(group, index)),
	),
	...newerRules(),
];

/** First versions of software of the previous managed rules, with the year of its first weakness there. */
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

/** Groups whose subjects are software of their own. */
const mixed: ReadonlySet<string> = new Set(['Miscellaneous', 'Software']);

/** Each group is a category. */
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

/** Some are tried out first: they log, or are off. */
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

/** Of numbers that no year has come to: it is never the name of a real weakness. */
const vulnerability = (id: string, year: number): string =>
	`CVE-${year}-${90_000 + (Number.parseInt(id.slice(0, 8), 16) % 10_000)}`;

const slug = (words: string): string =>
	words
		.toLowerCase()
		.replace(/[^a-z\d]+/g, '-')
		.replace(/^-|-$/g, '');

const levels = [1, 1, 2, 3, 4] as const;

/** They only score; the last one acts on the sum. */
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

/** Rules that recognise a login, and log credentials that have leaked elsewhere. */
export const credentialRules = (): readonly JsonObject[] =>
	knownLogins.map(where =>
		managedRule(stableId(`credentials ${where}`), 'log', `Exposed credentials: ${where} login`, [
			'login',
			slug(where),
		]),
	);
