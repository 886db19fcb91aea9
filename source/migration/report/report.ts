import {quoted} from '../../service/curl.ts';
import {counted} from '../../text/figures.ts';
import type {JsonObject} from '../../text/json.ts';
import {type Configuration, requestBody, shownFingerprint} from '../configuration/configuration.ts';
import type {Difference} from '../configuration/difference.ts';
import {providerSupport, thresholdInWords} from '../configuration/mapping.ts';
import type {DeployedRuleset, Verification} from '../flow/verification.ts';
import type {MigrationRecord} from '../journal/record.ts';
import {stateTable} from '../machine/states.ts';
import {type MigrationPlan, planMigration} from '../plan/plan.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';
import {previousOf} from '../zone/previous-rules.ts';
import type {Snapshot} from '../zone/snapshot.ts';
import {byHand} from './by-hand.ts';
import {codeBlock, codeSpan, inline, list, part, table} from './markdown.ts';
import {validationPart} from './validation.ts';

export type ReportParts = {
	readonly zone: MigrationZone;
	readonly record: MigrationRecord;
	/** The zone before the migration, from the backup. */
	readonly snapshot: Snapshot;
	/** The configuration that was reviewed and sent; undefined if someone else sent it. */
	readonly configuration: Configuration | undefined;
	/** What is deployed now; without a review, shows what became of the settings. */
	readonly verification: Verification;
	/** When the report is made, in milliseconds since the epoch. */
	readonly at: number;
	/** Overrides deleted before the snapshot, from an earlier backup. */
	readonly deletedOverrides?: readonly JsonObject[] | undefined;
	/** The configuration first put in validation, if it was kept. */
	readonly firstValidated?: Configuration | undefined;
	/** Damaged backups of the zone; what only they hold is not in the report. */
	readonly damagedBackups?: readonly string[] | undefined;
};

/**
 * Builds the report as Markdown: what was, what is, and what is left to do. Escapes all text of the zone.
 * Ends in a line feed.
 */
export function migrationReport(parts: ReportParts): string {
	const {
		zone,
		record,
		snapshot,
		configuration,
		verification,
		deletedOverrides = [],
		damagedBackups = [],
	} = parts;
	const after = configuration ?? verification.deployed;
	const plan = after && planMigration(snapshot, after);
	const blocks = [
		`# Migration of the managed rules of ${inline(zone.name)}`,
		list(summary(parts)),
		...whatIs(verification),
		...validationPart(record, {first: parts.firstValidated, last: after}),
		...part('What was reviewed, and what is deployed', deployedAsReviewed(verification, record)),
		...(plan ? whatWas(plan, snapshot) : []),
		...byHand(snapshot, plan?.notMigrated, deletedOverrides),
		...(plan ? comparisons(plan, configuration ? 'Reviewed' : 'Deployed') : []),
		...part(
			'What could not be read before',
			list([
				...snapshot.unread.map(({what, why}) => `${inline(what)}: ${inline(why)}`),
				...damagedBackups.map(path => `The backup ${codeSpan(path)} is damaged.`),
			]),
		),
		...terraform(parts),
		...(configuration
			? part(
					'The configuration that was reviewed',
					codeBlock(JSON.stringify(requestBody(configuration), null, 2), 'json'),
				)
			: []),
	];
	return `${blocks.filter(Boolean).join('\n\n')}\n`;
}

function summary({zone, record, snapshot, at}: ReportParts): string[] {
	const {state, put, reviewed, backup, validatingSince, completed} = record;
	return [
		`Zone: ${inline(zone.name)} (${inline(zone.id)})${zone.account ? ` of ${inline(zone.account)}` : ''}, plan ${zone.plan ?? 'not known'}`,
		`Service: ${codeSpan(snapshot.place)}`,
		`State: ${state}: ${stateTable[state].means}`,
		...(reviewed
			? [
					`Reviewed: ${counted(reviewed.rules, 'rule')}, fingerprint ${shownFingerprint(reviewed.fingerprint)}, ${time(reviewed.at)}`,
				]
			: ['Reviewed: nothing with this ledge']),
		...(put
			? [
					`Last sent: \`waf_migration=${put.mode}\`, fingerprint ${shownFingerprint(put.fingerprint)}, ${time(put.at)}; ${cameOf(put)}`,
				]
			: [`Sent: ${record.deletedOverrides?.length ? 'no configuration' : 'nothing'} by this ledge`]),
		...(record.deletedOverrides?.length
			? [`Deleted by this ledge: ${record.deletedOverrides.map(inline).join(', ')} (overrides)`]
			: []),
		...(validatingSince === undefined ? [] : [`Validation seen since ${time(validatingSince)}`]),
		...(completed === undefined ? [] : [`New version first seen alone ${time(completed)}`]),
		backup
			? `Backup: ${codeSpan(backup.folder)} (${counted(backup.objects, 'object')}, ${time(backup.at)})`
			: 'Backup: none was made by this ledge',
		`Settings before: as read ${inline(snapshot.taken)}`,
		`This report: ${time(at)}`,
	];
}

function cameOf({came, why}: NonNullable<MigrationRecord['put']>): string {
	switch (came) {
		case 'accepted':
			return 'the service took it';
		case 'refused':
			return `the service refused it${why ? `: ${inline(why)}` : ''}`;
		case 'lost':
			return 'its answer was lost, and the zone was read';
		case 'given up':
			return 'it never took effect';
		case undefined:
			return 'what became of it was not recorded';
		default:
			return came satisfies never;
	}
}

const time = (milliseconds: number): string => new Date(milliseconds).toISOString();

function whatIs({managedRulesets, newWaf, oldWaf, findings}: Verification): string[] {
	const rows = managedRulesets.map(({name, id, is, only, level, threshold}) => [
		`${name} (${id})`,
		is === 'not deployed' ? 'no' : 'yes',
		[enabledWords[is], ...(only ?? []).map(expression => `only for ${expression}`)].join(', '),
		level === undefined ? '' : `PL${level}`,
		threshold === undefined ? '' : thresholdInWords(threshold),
	]);
	return part(
		'What is in force now',
		'There is no global switch: each managed ruleset is deployed by itself, and is on or off by itself.',
		rows.length > 0
			? table(['Managed ruleset', 'Deployed', 'Enabled', 'Paranoia level', 'Score threshold'], rows)
			: '**No managed ruleset is deployed.**',
		list([
			`New managed rules: ${inline(newWaf ?? 'the service does not say')}`,
			`Previous managed rules: ${inline(oldWaf ?? 'the service does not say')}`,
			...findings.map(finding => `**${inline(finding)}**`),
		]),
	);
}

const enabledWords: Readonly<Record<DeployedRuleset['is'], string>> = {
	on: 'yes',
	'partly on': 'only what an override turns on',
	'all rules off': 'no, all its rules are off',
	off: 'no',
	'not deployed': 'no',
};

function deployedAsReviewed(
	{sameAsReviewed, differences}: Verification,
	{reviewed}: MigrationRecord,
): string {
	if (!reviewed) return 'Nothing was reviewed with this ledge, so there is nothing to compare with.';
	if (sameAsReviewed) return 'They are the same.';
	return `**They differ.**\n\n${differenceTable(['Where', 'Reviewed', 'Deployed'], differences)}`;
}

const differenceTable = (head: readonly string[], differences: readonly Difference[]): string =>
	table(
		head,
		differences.map(({about, before, after}) => [about, before, after]),
	);

function whatWas({sections, warnings}: MigrationPlan, snapshot: Snapshot): string[] {
	const {isOn} = previousOf(snapshot);
	const wasOn = isOn === undefined ? 'could not be read' : isOn ? 'on' : 'off';
	return part(
		'What was, and what became of it',
		`The switch of the previous managed rules: ${wasOn}.`,
		...sections.flatMap(({title, rows}) => [
			`### ${inline(title)}`,
			table(
				['Setting', 'Before', 'After', 'Remark'],
				rows.map(({what, now, after, mark}) => [what, now, after, mark === undefined ? '' : marks[mark]]),
			) || 'Nothing.',
		]),
		list(warnings.map(warning => `**Look at this:** ${inline(warning)}`)),
	);
}

const marks = {
	warning: 'look at it',
	lost: 'not migrated',
	changed: 'does something else',
	same: 'as before',
} as const;

const comparisons = ({edits, mapping}: MigrationPlan, title: string): string[] => [
	...part('What was changed in the proposal', differenceTable(['Where', 'Proposed', title], edits)),
	...part(
		'Where the proposal differs from the documented mapping',
		differenceTable(['Where', 'Documented', 'Proposed'], mapping),
	),
];

const terraform = ({zone}: ReportParts): string[] =>
	part(
		'Terraform',
		inline(providerSupport),
		`Where this zone is kept with Terraform, ${codeSpan(`ledge migration export --steps --zone-id ${quoted(zone.id)}`)} prints what to do, in its order.`,
	);
