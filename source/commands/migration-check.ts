import type {Command} from 'commander';
import {type Blocker, type Eligibility, eligibility} from '../migration/checks.ts';
import {readFacts} from '../migration/read-snapshot.ts';
import type {MigrationZone} from '../migration/snapshot.ts';
import type {CommandContext} from './context.ts';
import {declareCommand, switchOption} from './declare.ts';
import {leadingCommands} from './leading-there.ts';
import {stageWords, zoneJson} from './migration-words.ts';
import {migrationCommand, openMigration} from './migration-zone.ts';

/** `migration check`: everything that hinders, before anything is begun (platform.md, "Migration compatibility result"). */
export function declareMigrationCheck(parent: Command): void {
	declareCommand<{allZones?: boolean}>(parent, {
		usage: 'check',
		summary: 'whether a zone can migrate, and everything that hinders it; exit code 5 where it cannot',
		example: 'migration check --zone example.com',
		options: () => [switchOption('--all-zones', 'a table of all zones that the credential sees')],
		async run(context, {allZones}) {
			if (allZones) return (await import('./migration-all-zones.ts')).checkAllZones(context);
			const {client, zone} = await openMigration(context, {writes: false});
			const facts = await readFacts(client, zone, context.signal);
			await told(context, zone, eligibility(facts));
		},
	});
}

async function told(context: CommandContext, zone: MigrationZone, found: Eligibility): Promise<void> {
	if (!found.eligible) process.exitCode = 5;
	if (context.output.json) return context.output.value(context.marked({zone: zoneJson(zone), ...found}));
	const isDone = found.stage === 'complete';
	const head = isDone
		? 'the migration is complete, and cannot be undone'
		: `${found.eligible ? 'eligible' : 'not eligible'} (${stageWords[found.stage]})`;
	const next =
		found.eligible && found.stage === 'previous' ? [`Go on with: ${migrationCommand(zone, 'plan')}`] : [];
	const lines = [
		`${zone.label}: ${head}`,
		...(isDone ? [] : found.blockers.flatMap(blocker => blockerLines(zone, blocker))),
		...next,
	];
	await context.output.text(leadingCommands(`${lines.join('\n')}\n`, context.options));
}

function blockerLines(zone: MigrationZone, {kind, hinders, sentence, ids, next}: Blocker): readonly string[] {
	const count = ids.length === 0 ? '' : ` (${ids.length})`;
	return [
		`${hinders ? '✗' : '!'} ${kind}${count}: ${sentence}`,
		...ids.map(id => `    ${id}`),
		...(next === '' ? [] : [`    next: ${next}`]),
		...(kind === 'URI overrides' && ids.length > 0
			? [`    ${migrationCommand(zone, 'overrides', 'delete', ...ids)}`]
			: []),
	];
}
