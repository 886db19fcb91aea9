import {Failure, isFailure, toFailure} from '../../failure.ts';
import {createFlow} from '../../migration/flow/flow.ts';
import {describeDeployedRuleset, type Verification, verifySent} from '../../migration/flow/verification.ts';
import {buildMigrationCommand} from '../../migration/machine/next-steps.ts';
import {isComplete} from '../../migration/machine/states.ts';
import {buildReportFromBackup, reportName, saveReport} from '../../migration/report/save-report.ts';
import {saveValidationSummary} from '../../migration/validation/save-summary.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import {buildAdvice} from '../../text/advice.ts';
import type {CommandContext} from '../shell/context.ts';
import {createValueOption, defineCommand} from '../shell/declare.ts';
import {claimOutputFile, writeOutputFile} from '../shell/output-file.ts';
import {getZoneFolder, openJournalForReading, readStoredFile} from './journal.ts';
import {type OpenedMigration, openMigration} from './open-migration.ts';
import {toZoneJson} from './text.ts';

/** `migration report`: the settings before and after, and what is left to do by hand. */
export const migrationReportCommand = defineCommand({
	usage: 'report',
	summary: 'report the settings before and after, and what to recreate manually, as Markdown',
	example: 'migration report --zone example.com --output report.md',
	isOffline: true,
	sampleArguments: '--zone acme.example',
	options: () => [createValueOption('--output <file>', 'write to this file; - is standard output')],
	run: (context, {output}) => printReport(context, output),
});

async function printReport(context: CommandContext, outputOption: string | undefined): Promise<void> {
	const {output, options} = context;
	const file = outputOption === '-' || options.dryRun ? undefined : outputOption;
	const overwrite = options.yes === true;
	using _claim = file === undefined ? undefined : claimOutputFile(context.resolve(file), overwrite);
	const openedMigration = await openMigration(context, {writes: false, onNoResponse: 'plan unknown'});
	const {text, verified} = await loadReport(context, openedMigration);
	if (file !== undefined) writeOutputFile(context.resolve(file), text, overwrite);
	const {zone} = openedMigration;
	if (output.json)
		return output.writeJson(
			context.markSimulated({zone: toZoneJson(zone), file: file ?? null, verified, report: text}),
		);
	if (file === undefined) await output.writeText(text);
	else output.sayIfInteractive(`Wrote the report for ${zone.label} to ${file}.`);
}

/**
 * Loads a report of what is deployed now. If that cannot be read, returns the last saved report, and warns
 * with its date.
 */
async function loadReport(
	context: CommandContext,
	openedMigration: OpenedMigration,
): Promise<{
	readonly text: string /** True if the deployed rules were read just now. */;
	readonly verified: boolean;
}> {
	const storedReport = readStoredFile(context, openedMigration, reportName);
	try {
		return {text: await buildFreshReport(context, openedMigration), verified: true};
	} catch (error) {
		if (!storedReport || isFailure(error, 'interrupted')) throw error;
		context.output.warn(
			`${toFailure(error).message} Showing the report of ${storedReport.modifiedAt}: the zone as it was then, not as it is now.`,
		);
		return {text: storedReport.text, verified: false};
	}
}

async function buildFreshReport(context: CommandContext, openedMigration: OpenedMigration): Promise<string> {
	const {client, zone} = openedMigration;
	await using zoneJournal = await openJournalForReading(context, openedMigration);
	const flow = createFlow({client, zone, journal: zoneJournal.journal, readOnly: zoneJournal.isReadOnlyCopy});
	await flow.observe({signal: context.signal});
	const {state} = flow.record;
	if (!isComplete(state)) {
		throw new Failure(
			'not_found',
			`The migration of ${zone.label} is not complete, so there is nothing to report yet.`,
			{
				next: buildAdvice`Check its status: \`${buildMigrationCommand(zone, 'status')}\``,
			},
		);
	}
	if (!zoneJournal.isReadOnlyCopy) await saveValidationSummary(flow, client, context.signal);
	const sentVerification = {...(await verifySent(flow, client, context.signal)), at: client.clock.now()};
	const report =
		context.options.dryRun || zoneJournal.isReadOnlyCopy
			? buildReportFromBackup(getZoneFolder(context, openedMigration) ?? '', flow, sentVerification)
			: await saveReport(flow, sentVerification);
	if (!report) throw buildNoBackupFailure(zone);
	return report.text;
}

/** A report compares with the previous settings, which can no longer be read. */
const buildNoBackupFailure = (zone: MigrationZone): Failure =>
	new Failure('not_found', `Can't report on ${zone.label}: no backup of it was made on this machine.`, {
		why: 'A report compares with the previous settings, which can no longer be read.',
		next: buildAdvice`To show the active configuration: \`${buildMigrationCommand(zone, 'export')}\``,
	});

/** Formats the deployed managed rulesets with their states, one per line. */
export const formatManagedRulesets = ({managedRulesets}: Verification): readonly string[] =>
	managedRulesets.map(ruleset => `  ${ruleset.name}: ${describeDeployedRuleset(ruleset).join(' · ')}`);
