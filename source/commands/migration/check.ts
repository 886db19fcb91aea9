import {assessEligibility, type Eligibility} from '../../migration/zone/eligibility.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import {readEligibilityFacts} from '../../migration/zone/read-facts.ts';
import {qualifyAdvice} from '../../session/qualify-commands.ts';
import type {CommandContext} from '../shell/context.ts';
import {createSwitchOption, defineCommand} from '../shell/declare.ts';
import {
	addZoneToBlockerCommands,
	formatBlockers,
	formatEligibility,
	listNextCommands,
	toEligibilityJson,
} from './blockers.ts';
import {openMigration} from './open-migration.ts';
import {formatNextCommands, toZoneJson} from './text.ts';

/** `migration check`: everything that blocks a migration, before it starts. */
export const migrationCheckCommand = defineCommand({
	usage: 'check',
	summary: 'check whether a zone can migrate, and what blocks it; exit code 5 if it cannot',
	example: 'migration check --zone example.com',
	sampleArguments: '--zone acme.example',
	options: () => [
		createSwitchOption(
			'--all-zones',
			'check all zones visible to the credential, those needing attention first; exit code 5 if one is blocked',
		),
	],
	async run(context, {allZones}) {
		if (allZones) return (await import('./all-zones.ts')).checkAllZones(context);
		const {client, zone} = await openMigration(context, {writes: false});
		const facts = await readEligibilityFacts(client, zone, context.signal);
		await printEligibility(context, zone, assessEligibility(facts));
	},
});

async function printEligibility(
	{output, options, markSimulated, setExitCode}: CommandContext,
	zone: MigrationZone,
	eligibility: Eligibility,
): Promise<void> {
	const qualifiedEligibility = addZoneToBlockerCommands(zone, eligibility, options);
	if (!qualifiedEligibility.eligible) setExitCode(5);
	const next = listNextCommands(zone, qualifiedEligibility).map(command => qualifyAdvice(command, options));
	if (output.json)
		return output.writeJson(
			markSimulated({zone: toZoneJson(zone), ...toEligibilityJson(qualifiedEligibility), next}),
		);
	const lines = [
		`${zone.label}: ${formatEligibility(zone, qualifiedEligibility)}`,
		...formatBlockers(qualifiedEligibility),
	];
	await output.writeText(`${lines.join('\n')}\n${formatNextCommands(next)}`);
}
