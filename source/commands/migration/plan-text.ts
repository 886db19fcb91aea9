import {formatFingerprint} from '../../migration/configuration/configuration.ts';
import type {ConfigurationDifference} from '../../migration/configuration/difference.ts';
import type {ConfigurationFinding} from '../../migration/configuration/findings.ts';
import type {MigrationPlan} from '../../migration/plan/plan.ts';
import type {Eligibility} from '../../migration/zone/eligibility.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import type {UnreadPart} from '../../migration/zone/snapshot.ts';
import {formatTable} from '../../terminal/table.ts';
import {formatQuantity} from '../../text/figures.ts';
import {formatBlockers, formatEligibility} from './blockers.ts';
import {formatNextCommands} from './text.ts';

type PlanParts = {
	readonly plan: MigrationPlan;
	readonly findings: readonly ConfigurationFinding[];
	readonly eligibility: Eligibility;
	readonly unread: readonly UnreadPart[];
	/** Commands that write the configuration to a file, and plan it after editing. */
	readonly editCommands: readonly string[];
	readonly followUps: readonly string[];
};

/** Formats a plan, from the previous settings to the next commands. */
export function formatMigrationPlan(
	zone: MigrationZone,
	{plan, findings, eligibility, unread, editCommands, followUps}: PlanParts,
): string {
	const baseline = eligibility.stage === 'validation' ? 'the active configuration' : "the service's proposal";
	const blocks = [
		`${zone.label}: ${formatQuantity(plan.rules, 'rule')}, fingerprint ${formatFingerprint(plan.fingerprint)}\n`,
		formatTitledList(`Less protection than ${baseline}`, [...plan.reductions, ...plan.weakenedRules]),
		...plan.sections.filter(({rows}) => rows.length > 0).map(formatPlanSection),
		formatTitledList('Recreate manually', formatNotMigrated(plan.notMigrated)),
		formatDifferenceTable(`Edits compared with ${baseline}`, plan.edits),
		formatDifferenceTable('The proposal differs from the documented mapping', plan.mapping),
		formatTitledList('Warnings', [...plan.warnings, ...formatFindings(findings, 'warning')]),
		formatTitledList(
			'Could not be read, so what becomes of it is not shown',
			unread.map(({what, why, isForbidden}) => `${isForbidden ? 'Not allowed to read ' : ''}${what}: ${why}`),
		),
		formatTitledList('Cannot be sent', formatFindings(findings, 'error')),
		formatBlockingReasons(zone, eligibility),
		formatNextCommands(followUps),
		formatNextCommands(editCommands, 'To edit it first'),
	];
	return blocks.filter(Boolean).join('\n');
}

/** Formats what prevents sending the plan or should be known beforehand; empty if there is nothing. */
function formatBlockingReasons(zone: MigrationZone, eligibility: Eligibility): string {
	const lines = formatBlockers(eligibility);
	if (eligibility.eligible && lines.length === 0) return '';
	const title = eligibility.eligible ? 'Note' : `Cannot be sent: ${formatEligibility(zone, eligibility)}`;
	return [lines.length === 0 ? `${title}.` : `${title}:`, ...lines.map(line => `  ${line}`), ''].join('\n');
}

const markSymbols = {warning: '!', lost: '!', changed: '~', same: ' '} as const;

const formatPlanSection = ({title, rows}: MigrationPlan['sections'][number]): string =>
	formatTable(
		[
			{title: ' ', cell: row => (row.mark ? markSymbols[row.mark] : ' ')},
			{title, cell: ({what}) => what},
			{title: 'NOW', cell: ({now}) => now},
			{title: 'AFTER', cell: ({after}) => after},
		],
		rows,
	);

const formatFindings = (
	findings: readonly ConfigurationFinding[],
	severity: ConfigurationFinding['severity'],
): readonly string[] =>
	findings
		.filter(finding => finding.severity === severity)
		.map(({rule, sentence}) => (rule === undefined ? sentence : `rule ${rule + 1}: ${sentence}`));

/**
 * Formats settings that are not migrated; advice shared by consecutive entries is printed once, after them.
 */
const formatNotMigrated = (settings: MigrationPlan['notMigrated']): readonly string[] =>
	settings.map(({what, id, setting, next}, index) => {
		const line = `${what} ${id}: ${setting}`;
		return settings[index + 1]?.next === next ? line : `${line}\n      ${next}`;
	});

/** Formats a list under its title; empty without entries. */
const formatTitledList = (title: string, lines: readonly string[]): string =>
	lines.length === 0 ? '' : `${title}:\n${lines.map(line => `  ! ${line}\n`).join('')}`;

/** Formats differences as a table under a title; empty without any. */
export const formatDifferenceTable = (
	title: string,
	differences: readonly ConfigurationDifference[],
): string =>
	differences.length === 0
		? ''
		: formatTable(
				[
					{title, cell: ({about}) => about},
					{title: 'BEFORE', cell: ({before}) => before},
					{title: 'AFTER', cell: ({after}) => after},
				],
				differences,
			);
