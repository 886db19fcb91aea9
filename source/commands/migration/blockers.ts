import {adviceText, type NamedCommand} from '../../failure.ts';
import {migrationCommand} from '../../migration/machine/next-steps.ts';
import {stageWords} from '../../migration/machine/stage.ts';
import type {Blocker, Eligibility} from '../../migration/zone/eligibility.ts';
import {hasNoMigration, planHindering} from '../../migration/zone/hindrances.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import {qualified} from '../../session/qualify-commands.ts';
import {counted} from '../../text/figures.ts';
import type {GlobalOptions} from '../shell/context.ts';

/** "eligible (previous version only)", "not eligible: Free plan". */
export function eligibleWords(zone: MigrationZone, {eligible, stage, blockers}: Eligibility): string {
	if (stage === 'complete') return 'the migration is complete, and cannot be undone';
	if (hasNoMigration({blockers})) return `not eligible: ${planHindering(zone)}`;
	return `${eligible ? 'eligible' : 'not eligible'} (${stageWords[stage]})`;
}

/** Ids that are listed; with `--json` there are all of them. */
const mostIds = 20;

/** Everything that blocks a migration, or has to be known, with what to do about it. */
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

/** The same as `--json` prints it, with every field always there. */
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

/** The same with its commands as they work when pasted: the zone is named by its id. */
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

/** The commands that continue from what was found. */
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
