import {shownFingerprint} from '../../migration/configuration/configuration.ts';
import type {Difference} from '../../migration/configuration/difference.ts';
import type {Finding} from '../../migration/configuration/findings.ts';
import type {MigrationPlan} from '../../migration/plan/plan.ts';
import type {Eligibility} from '../../migration/zone/eligibility.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import type {Unread} from '../../migration/zone/snapshot.ts';
import {table} from '../../terminal/table.ts';
import {counted} from '../../text/figures.ts';
import {blockerLines, eligibleWords} from './blockers.ts';
import {onwardLines} from './text.ts';

type PlanParts = {
	readonly plan: MigrationPlan;
	readonly findings: readonly Finding[];
	readonly found: Eligibility;
	readonly unread: readonly Unread[];
	/** Commands that write it to a file, and plan the edited file. */
	readonly editing: readonly string[];
	readonly commands: readonly string[];
};

/** Formats a plan, from the previous settings to the next commands. */
export function planText(
	zone: MigrationZone,
	{plan, findings, found, unread, editing, commands}: PlanParts,
): string {
	const stood = found.stage === 'validation' ? 'what is in force' : 'what the service proposes';
	const blocks = [
		`${zone.label}: ${counted(plan.rules, 'rule')}, fingerprint ${shownFingerprint(plan.fingerprint)}\n`,
		listed(`Less protection than ${stood}`, plan.reductions),
		...plan.sections.filter(({rows}) => rows.length > 0).map(section),
		listed('To be recreated by hand', notMigratedLines(plan.notMigrated)),
		differences(`Edited, against ${stood}`, plan.edits),
		differences('The proposal differs from the documented mapping', plan.mapping),
		listed('Look at', [...plan.warnings, ...findingLines(findings, 'warning')]),
		listed(
			'Could not be read: what becomes of it is not shown',
			unread.map(({what, why, isForbidden}) => `${isForbidden ? 'Not allowed to read ' : ''}${what}: ${why}`),
		),
		listed('Cannot be sent', findingLines(findings, 'error')),
		hindering(zone, found),
		onwardLines(commands),
		onwardLines(editing, 'To edit it first'),
	];
	return blocks.filter(Boolean).join('\n');
}

/** Formats what blocks sending it, or must be known before; empty if nothing does. */
function hindering(zone: MigrationZone, found: Eligibility): string {
	const lines = blockerLines(found);
	if (found.eligible && lines.length === 0) return '';
	const title = found.eligible ? 'To be known' : `Cannot be sent: ${eligibleWords(zone, found)}`;
	return [lines.length === 0 ? `${title}.` : `${title}:`, ...lines.map(line => `  ${line}`), ''].join('\n');
}

const marks = {warning: '!', lost: '!', changed: '~', same: ' '} as const;

const section = ({title, rows}: MigrationPlan['sections'][number]): string =>
	table(
		[
			{title: ' ', cell: row => (row.mark ? marks[row.mark] : ' ')},
			{title, cell: ({what}) => what},
			{title: 'NOW', cell: ({now}) => now},
			{title: 'AFTER', cell: ({after}) => after},
		],
		rows,
	);

const findingLines = (findings: readonly Finding[], severity: Finding['severity']): readonly string[] =>
	findings
		.filter(finding => finding.severity === severity)
		.map(({rule, sentence}) => (rule === undefined ? sentence : `rule ${rule + 1}: ${sentence}`));

/**
 * Formats settings that are not migrated; advice shared by consecutive entries is printed once, after them.
 */
const notMigratedLines = (all: MigrationPlan['notMigrated']): readonly string[] =>
	all.map(({what, id, setting, next}, at) => {
		const line = `${what} ${id}: ${setting}`;
		return all[at + 1]?.next === next ? line : `${line}\n      ${next}`;
	});

/** Formats a list under its title; empty without entries. */
const listed = (title: string, lines: readonly string[]): string =>
	lines.length === 0 ? '' : `${title}:\n${lines.map(line => `  ! ${line}\n`).join('')}`;

/** Formats differences as a table under a title; empty without any. */
export const differences = (title: string, all: readonly Difference[]): string =>
	all.length === 0
		? ''
		: table(
				[
					{title, cell: ({about}) => about},
					{title: 'BEFORE', cell: ({before}) => before},
					{title: 'AFTER', cell: ({after}) => after},
				],
				all,
			);
