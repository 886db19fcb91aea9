import {type Eligibility, eligibility} from '../../migration/zone/eligibility.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import {readFacts} from '../../migration/zone/read-facts.ts';
import {qualified} from '../../session/qualify-commands.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand, switchOption} from '../shell/declare.ts';
import {blockerLines, eligibilityJson, eligibleWords, qualifiedBlockers, waysOut} from './blockers.ts';
import {onwardLines, zoneJson} from './text.ts';
import {openMigration} from './zone.ts';

/** `migration check`: everything that blocks a migration, before it starts. */
export const migrationCheckCommand = defineCommand({
	usage: 'check',
	summary: 'check whether a zone can migrate, and what blocks it; exit code 5 if it cannot',
	example: 'migration check --zone example.com',
	sample: '--zone acme.example',
	options: () => [
		switchOption(
			'--all-zones',
			'a table of all zones that the credential sees, those that need attention first; exit code 5 if one of them is blocked',
		),
	],
	async run(context, {allZones}) {
		if (allZones) return (await import('./all-zones.ts')).checkAllZones(context);
		const {client, zone} = await openMigration(context, {writes: false});
		const facts = await readFacts(client, zone, context.signal);
		await told(context, zone, eligibility(facts));
	},
});

async function told(
	{output, options, marked, answer}: CommandContext,
	zone: MigrationZone,
	all: Eligibility,
): Promise<void> {
	const found = qualifiedBlockers(zone, all, options);
	if (!found.eligible) answer(5);
	const next = waysOut(zone, found).map(command => qualified(command, options));
	if (output.json) return output.value(marked({zone: zoneJson(zone), ...eligibilityJson(found), next}));
	const lines = [`${zone.label}: ${eligibleWords(zone, found)}`, ...blockerLines(found)];
	await output.text(`${lines.join('\n')}\n${onwardLines(next)}`);
}
