import {asFailure, Failure, isFailure} from '../../failure.ts';
import {createFlow} from '../../migration/flow/flow.ts';
import {deployedInWords, type Verification, verifySent} from '../../migration/flow/verification.ts';
import {migrationCommand} from '../../migration/machine/next-steps.ts';
import {isComplete} from '../../migration/machine/states.ts';
import {keepReport, reportFrom, reportName} from '../../migration/report/keep-report.ts';
import {keepWhatValidationShowed} from '../../migration/validation/keep.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import {advice} from '../../text/advice.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand, valueOption} from '../shell/declare.ts';
import {claimOutput, writeOutputFile} from '../shell/output-file.ts';
import {journalToRead, keptFile, zoneFolder} from './journal.ts';
import {zoneJson} from './text.ts';
import {type OpenedMigration, openMigration} from './zone.ts';

/** `migration report`: the settings before and after, and what is left to do by hand. */
export const migrationReportCommand = defineCommand({
	usage: 'report',
	summary: 'what was, what is now, and what must be recreated by hand, as Markdown',
	example: 'migration report --zone example.com --output report.md',
	isOffline: true,
	sample: '--zone acme.example',
	options: () => [valueOption('--output <file>', 'write it to a file; - is standard output')],
	run: (context, {output}) => printReport(context, output),
});

async function printReport(context: CommandContext, word: string | undefined): Promise<void> {
	const {output, options} = context;
	const file = word === '-' || options.dryRun ? undefined : word;
	const over = options.yes === true;
	using _claim = file === undefined ? undefined : claimOutput(context.resolve(file), over);
	const opened = await openMigration(context, {writes: false, unanswered: 'plan unknown'});
	const {text, verified} = await reportNow(context, opened);
	if (file !== undefined) writeOutputFile(context.resolve(file), text, over);
	const {zone} = opened;
	if (output.json)
		return output.value(context.marked({zone: zoneJson(zone), file: file ?? null, verified, report: text}));
	if (file === undefined) await output.text(text);
	else output.mention(`Wrote the report of ${zone.label} to ${file}.`);
}

/**
 * Loads a report of what is deployed now. If that cannot be read, returns the report kept last, with its date
 * as a warning.
 */
async function reportNow(
	context: CommandContext,
	opened: OpenedMigration,
): Promise<{
	readonly text: string /** Whether what is deployed was read just now. */;
	readonly verified: boolean;
}> {
	const kept = keptFile(context, opened, reportName);
	try {
		return {text: await freshReport(context, opened), verified: true};
	} catch (error) {
		if (!kept || isFailure(error, 'interrupted')) throw error;
		context.output.warn(
			`${asFailure(error).message} Shown is the report of ${kept.written}: how the zone was then, and not how it is now.`,
		);
		return {text: kept.text, verified: false};
	}
}

async function freshReport(context: CommandContext, opened: OpenedMigration): Promise<string> {
	const {client, zone} = opened;
	await using kept = await journalToRead(context, opened);
	const flow = createFlow({client, zone, journal: kept.journal, readOnly: kept.isHeld});
	await flow.look({signal: context.signal});
	const {state} = flow.record;
	if (!isComplete(state)) {
		throw new Failure(
			'not_found',
			`The migration of ${zone.label} is not complete: no report of it can be made.`,
			{
				next: advice`See how it stands: \`${migrationCommand(zone, 'status')}\``,
			},
		);
	}
	if (!kept.isHeld) await keepWhatValidationShowed(flow, client, context.signal);
	const end = {...(await verifySent(flow, client, context.signal)), at: client.clock.now()};
	const made =
		context.options.dryRun || kept.isHeld
			? reportFrom(zoneFolder(context, opened) ?? '', flow, end)
			: await keepReport(flow, end);
	if (!made) throw withoutBackup(zone);
	return made.text;
}

/** A report compares with the previous settings, which can no longer be read. */
const withoutBackup = (zone: MigrationZone): Failure =>
	new Failure('not_found', `No backup of ${zone.label} was made here: no report of it can be made.`, {
		why: 'A report compares with what was before; the previous settings can no longer be read.',
		next: advice`See what is in force: \`${migrationCommand(zone, 'export')}\``,
	});

/** Formats each managed ruleset, and whether it is active. */
export const managedRulesetLines = ({managedRulesets}: Verification): readonly string[] =>
	managedRulesets.map(one => `  ${one.name}: ${deployedInWords(one).join(' · ')}`);
