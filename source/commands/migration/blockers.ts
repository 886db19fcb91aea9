import {adviceText, type NamedCommand} from '../../failure.ts';
import {migrationCommand} from '../../migration/machine/next-steps.ts';
import {stageWords} from '../../migration/machine/stage.ts';
import type {Blocker, Eligibility} from '../../migration/zone/eligibility.ts';
import {hasNoMigration, planHindering} from '../../migration/zone/hindrances.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import {qualified} from '../../session/qualify-commands.ts';
import {counted} from '../../text/figures.ts';
import type {GlobalOptions} from '../shell/context.ts';

/** Formats "eligible (previous version only)" or "not eligible: Free plan". */
export function eligibleWords(zone: MigrationZone, {eligible, stage, blockers}: Eligibility): string {
	if (stage === 'complete') return 'the migration is complete, and cannot be undone';
	if (hasNoMigration({blockers})) return `not eligible: ${planHindering(zone)}`;
	return `${eligible ? 'eligible' : 'not eligible'} (${stageWords[stage]})`;
}

/** Maximum number of ids printed; `--json` has all of them. */
const mostIds = 20;

/** Formats everything that blocks a migration or must be known before it, with what to do about it. */
export const blockerLines = ({stage, blockers}: Eligibility): readonly string[] =>
	stage === 'complete' ? [] : blockers.flatMap(linesOf);

function linesOf({kind, hinders, sentence, ids, next}: Blocker): readonly string[] {
	const more = ids.length - mostIds;
	return [
		`${hinders ? '✗' : '!'} ${kind}${ids.length === 0 ? '' : ` (${ids.length})`}: ${sentence}`,
		...ids.slice(0, mostIds).map(id => `    ${id}`),
		...(more > 0 ? [`    and ${counted(more, 'other')}; --json lists all`] : []),
		...(next === '' ? [] : [`    next: ${adviceText(next)}`]),
	];
}

/** Converts an eligibility to the JSON of `--json`; every field is always present. */
export const eligibilityJson = ({eligible, stage, blockers, counts, unread}: Eligibility) => ({
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

/** Returns the eligibility with commands that work when pasted: they name the zone by its id. */
export const qualifiedBlockers = (
	{id}: MigrationZone,
	found: Eligibility,
	options: GlobalOptions,
): Eligibility => ({
	...found,
	blockers: found.blockers.map(blocker => ({
		...blocker,
		next: qualified(blocker.next, {...options, zoneId: id}),
	})),
});

/** Returns the commands that continue from an eligibility. */
export function waysOut(
	zone: MigrationZone,
	{eligible, stage, blockers}: Eligibility,
): readonly NamedCommand[] {
	if (stage === 'complete') return [migrationCommand(zone, 'status')];
	if (stage === 'pending') return [migrationCommand(zone, 'status', '--watch')];
	if (stage === 'validation') return [migrationCommand(zone, 'status')];
	if (eligible) return [migrationCommand(zone, 'plan')];
	const overrides = blockers.find(({kind}) => kind === 'URI overrides')?.ids ?? [];
	return overrides.length === 0 ? [] : [migrationCommand(zone, 'overrides', 'delete', ...overrides)];
}
