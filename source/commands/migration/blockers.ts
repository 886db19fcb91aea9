import {formatAdvice, type NamedCommand} from '../../failure.ts';
import {buildMigrationCommand} from '../../migration/machine/next-steps.ts';
import {stageWords} from '../../migration/machine/stage.ts';
import {formatPlanBlocker, hasNoMigration} from '../../migration/zone/blocker-names.ts';
import type {Blocker, Eligibility} from '../../migration/zone/eligibility.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import {qualifyAdvice} from '../../session/qualify-commands.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {GlobalOptions} from '../shell/context.ts';

/** Formats "eligible (previous managed rules only)" or "not eligible: Free plan". */
export function formatEligibility(zone: MigrationZone, {eligible, stage, blockers}: Eligibility): string {
	if (stage === 'complete') return "the migration is complete and can't be undone";
	if (hasNoMigration({blockers})) return `not eligible: ${formatPlanBlocker(zone)}`;
	return `${eligible ? 'eligible' : 'not eligible'} (${stageWords[stage]})`;
}

/** Maximum number of ids printed; `--json` has all of them. */
const maxListedIds = 20;

/** Formats everything that blocks a migration or should be known before it, each with what to do about it. */
export const formatBlockers = ({stage, blockers}: Eligibility): readonly string[] =>
	stage === 'complete' ? [] : blockers.flatMap(formatBlocker);

function formatBlocker({kind, hinders, sentence, ids, next}: Blocker): readonly string[] {
	const hiddenCount = ids.length - maxListedIds;
	return [
		`${hinders ? '✗' : '!'} ${kind}${ids.length === 0 ? '' : ` (${ids.length})`}: ${sentence}`,
		...ids.slice(0, maxListedIds).map(id => `    ${id}`),
		...(hiddenCount > 0 ? [`    and ${formatQuantity(hiddenCount, 'other')}; --json lists all`] : []),
		...(next === '' ? [] : [`    next: ${formatAdvice(next)}`]),
	];
}

/** Converts an eligibility to the JSON of `--json`; every field is always present. */
export const toEligibilityJson = ({eligible, stage, blockers, counts, unread}: Eligibility) => ({
	eligible,
	stage: hasNoMigration({blockers}) ? null : stage,
	blockers,
	counts: {
		overrides: counts.overrides ?? null,
		firewallRules: counts.firewallRules ?? null,
		longestExpression: counts.longestExpression ?? null,
	},
	unread: {overrides: unread.overrides ?? null, firewallRules: unread.firewallRules ?? null},
});

/** Adds the zone's id to the commands that blockers advise, so that they work when pasted. */
export const addZoneToBlockerCommands = (
	{id}: MigrationZone,
	eligibility: Eligibility,
	options: GlobalOptions,
): Eligibility => ({
	...eligibility,
	blockers: eligibility.blockers.map(blocker => ({
		...blocker,
		next: qualifyAdvice(blocker.next, {...options, zoneId: id}),
	})),
});

/** Returns the commands that continue from an eligibility. */
export function listNextCommands(
	zone: MigrationZone,
	{eligible, stage, blockers}: Eligibility,
): readonly NamedCommand[] {
	if (stage === 'complete') return [buildMigrationCommand(zone, 'status')];
	if (stage === 'pending') return [buildMigrationCommand(zone, 'status', '--watch')];
	if (stage === 'validation') return [buildMigrationCommand(zone, 'status')];
	if (eligible) return [buildMigrationCommand(zone, 'plan')];
	const overrides = blockers.find(({kind}) => kind === 'URI overrides')?.ids ?? [];
	return overrides.length === 0 ? [] : [buildMigrationCommand(zone, 'overrides', 'delete', ...overrides)];
}
