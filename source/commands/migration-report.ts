import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import type {Command} from 'commander';
import {Failure} from '../failure.ts';
import type {JsonObject} from '../json.ts';
import {addFinal, readBackup} from '../migration/backup.ts';
import type {Configuration} from '../migration/configuration.ts';
import {createFlow, type MigrationFlow} from '../migration/flow.ts';
import {migrationReport} from '../migration/report.ts';
import type {MigrationZone, Snapshot} from '../migration/snapshot.ts';
import {type Verification, verify} from '../migration/verification.ts';
import type {CommandContext} from './context.ts';
import {declareCommand, valueOption} from './declare.ts';
import {keptText, openedJournal} from './migration-kept.ts';
import {zoneJson} from './migration-words.ts';
import {migrationCommand, type OpenedMigration, openMigration} from './migration-zone.ts';
import {refuseExisting, writeOutputFile} from './output-file.ts';

/** `migration report`: what was, what is, and what is left to do by hand (design.md 6). */
export function declareMigrationReport(parent: Command): void {
	declareCommand<{output?: string}>(parent, {
		usage: 'report',
		summary: 'what was, what is now, and what must be recreated by hand, as Markdown',
		example: 'migration report --zone example.com --output report.md',
		options: () => [valueOption('--output <file>', 'write it to a file; - is standard output')],
		run: (context, {output}) => printReport(context, output),
	});
}

/** Its name in the zone's folder. */
const reportName = 'report.md';

async function printReport(context: CommandContext, word: string | undefined): Promise<void> {
	const {output, options} = context;
	const file = word === '-' || options.dryRun ? undefined : word;
	const over = options.yes === true;
	if (file !== undefined) refuseExisting(context.resolve(file), over);
	const opened = await openMigration(context, {writes: false});
	const text = keptText(context, opened, reportName) ?? (await freshReport(context, opened));
	if (file !== undefined) writeOutputFile(context.resolve(file), text, over);
	const {zone} = opened;
	if (output.json)
		return output.value(
			context.marked({zone: zoneJson(zone), ...(file === undefined ? {report: text} : {file})}),
		);
	if (file === undefined) await output.text(text);
	else output.mention(`Wrote the report of ${zone.label} to ${file}.`);
}

async function freshReport(context: CommandContext, opened: OpenedMigration): Promise<string> {
	const {client, zone} = opened;
	await using kept = await openedJournal(context, opened);
	const flow = createFlow({client, zone, journal: kept.journal});
	await flow.look({signal: context.signal});
	const {state, backup} = flow.record;
	if (state !== 'complete') {
		throw new Failure('not_found', `There is no report of ${zone.label}: its migration is not complete.`, {
			next: `See how it stands: \`${migrationCommand(zone, 'status')}\``,
		});
	}
	if (!backup) throw withoutBackup(zone);
	const configuration = await flow.reviewed();
	const verification = await verify(client, zone, flow.record, configuration, context.signal);
	return (await keptReport(flow, configuration, verification)).text;
}

/** Makes the report and keeps it, with what is in force in the end, in the zone's folder; gives its path, too. */
export async function keptReport(
	{zone, record, journal}: MigrationFlow,
	configuration: Configuration | undefined,
	verification: Verification,
): Promise<{readonly text: string; readonly path: string}> {
	const snapshot = journal.snapshot();
	if (!snapshot || !record.backup) throw withoutBackup(zone);
	const text = migrationReport({
		zone,
		record,
		snapshot,
		configuration,
		verification,
		at: record.completed ?? record.seen?.at ?? record.backup.at,
		deletedOverrides: deletedBefore(journal.folder, snapshot),
	});
	const path = journal.keepText(reportName, text);
	addFinal(record.backup.folder, {verification: {...verification} as unknown as JsonObject});
	await journal.keep({...record, report: reportName});
	return {text, path};
}

/** A report says what was before, and the previous settings cannot be read any more. */
const withoutBackup = (zone: MigrationZone): Failure =>
	new Failure('not_found', `There is no report of ${zone.label}: no backup of it was made here.`, {
		why: 'A report says what was before; the previous settings cannot be read any more.',
		next: `See what is in force: \`${migrationCommand(zone, 'export')}\``,
	});

/** Overrides that only an earlier backup still has: they were deleted to make the zone eligible. */
function deletedBefore(folder: string | undefined, {overrides}: Snapshot): readonly JsonObject[] {
	if (folder === undefined) return [];
	const there = new Set(overrides.map(({id}) => id));
	const found = new Map<unknown, JsonObject>();
	for (const name of readdirSync(folder).filter(one => one.startsWith('backup-')))
		for (const override of readBackup(join(folder, name)).overrides)
			if (!there.has(override.id)) found.set(override.id, override);
	return [...found.values()];
}

/** Each managed ruleset, and whether it is in force: there is nothing else that says so (decision 40). */
export const managedRulesetLines = ({managedRulesets}: Verification): readonly string[] =>
	managedRulesets.map(({name, deployed, enabled, level, threshold}) => {
		const parts = [
			deployed ? (enabled ? 'deployed, enabled' : 'deployed, but disabled') : 'not deployed',
			...(level === undefined ? [] : [`PL${level}`]),
			...(threshold === undefined ? [] : [`score ${threshold} or higher`]),
		];
		return `  ${name}: ${parts.join(' · ')}`;
	});
