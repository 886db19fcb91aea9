import {quoteShellWord} from '../../service/curl.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {JsonObject} from '../../text/json.ts';
import {
	buildConfigurationBody,
	formatFingerprint,
	type ManagedConfiguration,
} from '../configuration/configuration.ts';
import type {ConfigurationDifference} from '../configuration/difference.ts';
import {formatScoreThreshold, terraformProviderWarning} from '../configuration/mapping.ts';
import type {DeployedRuleset, Verification} from '../flow/verification.ts';
import type {MigrationRecord} from '../journal/record.ts';
import {stateTable} from '../machine/states.ts';
import {type MigrationPlan, planMigration} from '../plan/plan.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';
import {parsePreviousRules} from '../zone/previous-rules.ts';
import type {Snapshot} from '../zone/snapshot.ts';
import {
	buildMarkdownSection,
	escapeMarkdown,
	formatCodeBlock,
	formatCodeSpan,
	formatMarkdownList,
	formatMarkdownTable,
} from './markdown.ts';
import {buildRecreationPart} from './recreation-part.ts';
import {buildValidationPart} from './validation.ts';

export type ReportParts = {
	readonly zone: MigrationZone;
	readonly record: MigrationRecord;
	/** The zone before the migration, from the backup. */
	readonly snapshot: Snapshot;
	/** The configuration that was reviewed and sent; undefined if someone else sent it. */
	readonly configuration: ManagedConfiguration | undefined;
	/** What is deployed now. Without a review, it shows what became of the settings. */
	readonly verification: Verification;
	/** When the report is made, in milliseconds since the epoch. */
	readonly at: number;
	/** Overrides that were deleted before the snapshot, from earlier backups. */
	readonly deletedOverrides?: readonly JsonObject[] | undefined;
	/** The configuration first put in validation, if it is still stored. */
	readonly firstValidated?: ManagedConfiguration | undefined;
	/** Paths of damaged backups of the zone, whose content is not in the report. */
	readonly damagedBackups?: readonly string[] | undefined;
};

/**
 * Builds the report as Markdown: the state before and after the migration, and what is left to do. Escapes
 * all text of the zone. Ends in a line feed.
 */
export function buildMigrationReport(parts: ReportParts): string {
	const {
		zone,
		record,
		snapshot,
		configuration,
		verification,
		deletedOverrides = [],
		damagedBackups = [],
	} = parts;
	const finalConfiguration = configuration ?? verification.deployed;
	const plan = finalConfiguration && planMigration(snapshot, finalConfiguration);
	const blocks = [
		`# Migration of the managed rules of ${escapeMarkdown(zone.name)}`,
		formatMarkdownList(buildReportSummary(parts)),
		...buildCurrentPart(verification),
		...buildValidationPart(record, {first: parts.firstValidated, last: finalConfiguration}),
		...buildMarkdownSection(
			'What was reviewed, and what is deployed',
			describeDeployed(verification, record),
		),
		...(plan ? buildPreviousPart(plan, snapshot) : []),
		...buildRecreationPart(snapshot, plan?.notMigrated, deletedOverrides),
		...(plan ? buildComparisonParts(plan, configuration ? 'Reviewed' : 'Deployed') : []),
		...buildMarkdownSection(
			'What could not be read before the migration',
			formatMarkdownList([
				...snapshot.unread.map(({what, why}) => `${escapeMarkdown(what)}: ${escapeMarkdown(why)}`),
				...damagedBackups.map(path => `The backup ${formatCodeSpan(path)} is damaged.`),
			]),
		),
		...buildTerraformPart(parts),
		...(configuration
			? buildMarkdownSection(
					'The configuration that was reviewed',
					formatCodeBlock(JSON.stringify(buildConfigurationBody(configuration), null, 2), 'json'),
				)
			: []),
	];
	return `${blocks.filter(Boolean).join('\n\n')}\n`;
}

function buildReportSummary({zone, record, snapshot, at}: ReportParts): string[] {
	const {state, put, reviewed, backup, validatingSince, completed} = record;
	return [
		`Zone: ${escapeMarkdown(zone.name)} (${escapeMarkdown(zone.id)})${zone.account ? ` of ${escapeMarkdown(zone.account)}` : ''}, plan ${zone.plan ?? 'unknown'}`,
		`Service: ${formatCodeSpan(snapshot.place)}`,
		`State: ${state}: ${stateTable[state].meaning}`,
		...(reviewed
			? [
					`Reviewed: ${formatQuantity(reviewed.rules, 'rule')}, fingerprint ${formatFingerprint(reviewed.fingerprint)}, ${formatReportTime(reviewed.at)}`,
				]
			: ['Reviewed: nothing with this installation of ledge']),
		...(put
			? [
					`Last sent: \`waf_migration=${put.mode}\`, fingerprint ${formatFingerprint(put.fingerprint)}, ${formatReportTime(put.at)}; ${describePutOutcome(put)}`,
				]
			: [
					`Sent: ${record.deletedOverrides?.length ? 'no configuration' : 'nothing'} by this installation of ledge`,
				]),
		...(record.deletedOverrides?.length
			? [
					`Deleted by this installation of ledge: ${record.deletedOverrides.map(escapeMarkdown).join(', ')} (overrides)`,
				]
			: []),
		...(validatingSince === undefined ? [] : [`Validation seen since ${formatReportTime(validatingSince)}`]),
		...(completed === undefined ? [] : [`New version only, first seen ${formatReportTime(completed)}`]),
		backup
			? `Backup: ${formatCodeSpan(backup.folder)} (${formatQuantity(backup.objects, 'object')}, ${formatReportTime(backup.at)})`
			: 'Backup: none made by this installation of ledge',
		`Settings before the migration: read ${escapeMarkdown(snapshot.taken)}`,
		`This report: ${formatReportTime(at)}`,
	];
}

function describePutOutcome({came, why}: NonNullable<MigrationRecord['put']>): string {
	switch (came) {
		case 'accepted':
			return 'accepted by the service';
		case 'refused':
			return `rejected by the service${why ? `: ${escapeMarkdown(why)}` : ''}`;
		case 'lost':
			return 'its answer was lost; the zone was read to check';
		case 'given up':
			return 'no effect was seen';
		case undefined:
			return 'its outcome was not recorded';
		default:
			return came satisfies never;
	}
}

const formatReportTime = (milliseconds: number): string => new Date(milliseconds).toISOString();

function buildCurrentPart({managedRulesets, newWaf, oldWaf, findings}: Verification): string[] {
	const rows = managedRulesets.map(({name, id, activity, only: trafficFilters, level, threshold}) => [
		`${name} (${id})`,
		activity === 'not deployed' ? 'no' : 'yes',
		[enabledWords[activity], ...(trafficFilters ?? []).map(expression => `only for ${expression}`)].join(
			', ',
		),
		level === undefined ? '' : `PL${level}`,
		threshold === undefined ? '' : formatScoreThreshold(threshold),
	]);
	return buildMarkdownSection(
		'What is active now',
		'There is no global switch: each managed ruleset is deployed, and turned on or off, separately.',
		rows.length > 0
			? formatMarkdownTable(
					['Managed ruleset', 'Deployed', 'Enabled', 'Paranoia level', 'Score threshold'],
					rows,
				)
			: '**No managed ruleset is deployed.**',
		formatMarkdownList([
			`New managed rules: ${escapeMarkdown(newWaf ?? 'not reported by the service')}`,
			`Previous managed rules: ${escapeMarkdown(oldWaf ?? 'not reported by the service')}`,
			...findings.map(finding => `**${escapeMarkdown(finding)}**`),
		]),
	);
}

const enabledWords: Readonly<Record<DeployedRuleset['activity'], string>> = {
	on: 'yes',
	'partly on': 'only what an override turns on',
	'all rules off': 'no, all its rules are off',
	off: 'no',
	'not deployed': 'no',
};

function describeDeployed({sameAsReviewed, differences}: Verification, {reviewed}: MigrationRecord): string {
	if (!reviewed)
		return 'Nothing was reviewed with this installation of ledge, so there is nothing to compare with.';
	if (sameAsReviewed) return 'They are the same.';
	return `**They differ.**\n\n${formatDifferenceTable(['Where', 'Reviewed', 'Deployed'], differences)}`;
}

const formatDifferenceTable = (
	head: readonly string[],
	differences: readonly ConfigurationDifference[],
): string =>
	formatMarkdownTable(
		head,
		differences.map(({about, before, after}) => [about, before, after]),
	);

function buildPreviousPart({sections, warnings}: MigrationPlan, snapshot: Snapshot): string[] {
	const {isOn} = parsePreviousRules(snapshot);
	const previousSwitch = isOn === undefined ? 'could not be read' : isOn ? 'on' : 'off';
	return buildMarkdownSection(
		'Before and after the migration',
		`Global switch of the previous managed rules: ${previousSwitch}.`,
		...sections.flatMap(({title, rows}) => [
			`### ${escapeMarkdown(title)}`,
			formatMarkdownTable(
				['Setting', 'Before', 'After', 'Remark'],
				rows.map(({what, now, after, mark}) => [
					what,
					now,
					after,
					mark === undefined ? '' : markLabels[mark],
				]),
			) || 'Nothing.',
		]),
		formatMarkdownList(warnings.map(warning => `**Check this:** ${escapeMarkdown(warning)}`)),
	);
}

const markLabels = {
	warning: 'check this',
	lost: 'not migrated',
	changed: 'different action',
	same: 'as before',
} as const;

const buildComparisonParts = ({edits, mapping}: MigrationPlan, title: string): string[] => [
	...buildMarkdownSection(
		'What was changed in the proposal',
		formatDifferenceTable(['Where', 'Proposed', title], edits),
	),
	...buildMarkdownSection(
		'Where the proposal differs from the documented mapping',
		formatDifferenceTable(['Where', 'Documented', 'Proposed'], mapping),
	),
];

const buildTerraformPart = ({zone}: ReportParts): string[] =>
	buildMarkdownSection(
		'Terraform',
		escapeMarkdown(terraformProviderWarning),
		`If you manage this zone with Terraform, ${formatCodeSpan(`ledge migration export --steps --zone-id ${quoteShellWord(zone.id)}`)} prints the steps, in order.`,
	);
