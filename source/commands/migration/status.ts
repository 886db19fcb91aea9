import {type Failure, isFailure} from '../../failure.ts';
import {formatFingerprint} from '../../migration/configuration/configuration.ts';
import {type ReviewDrift, readReviewDrift} from '../../migration/flow/drift.ts';
import {isTransientFailure, watchUntil} from '../../migration/flow/watching.ts';
import {readBackups} from '../../migration/journal/backup.ts';
import {readReviewedFile} from '../../migration/journal/journal.ts';
import type {MigrationRecord} from '../../migration/journal/record.ts';
import {buildMigrationCommand, listNextActions, type NextAction} from '../../migration/machine/next-steps.ts';
import {getObservationEvent} from '../../migration/machine/observation.ts';
import type {Observation} from '../../migration/machine/stage.ts';
import {
	isAtRest,
	isUnread,
	type MachineState,
	stateTable,
	wasChangedElsewhere,
} from '../../migration/machine/states.ts';
import {getNextState} from '../../migration/machine/transitions.ts';
import {readObservation} from '../../migration/zone/calls.ts';
import {assessEligibility} from '../../migration/zone/eligibility.ts';
import {readPossibleBlockers} from '../../migration/zone/read-facts.ts';
import {qualifyAdvice} from '../../session/qualify-commands.ts';
import {describeHolding} from '../../state/holder.ts';
import {formatPlainQuantity} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {createSwitchOption, defineCommand} from '../shell/declare.ts';
import {findZoneHolder, findZoneRecord, getZoneFolder} from './journal.ts';
import {type OpenedMigration, openMigration} from './open-migration.ts';
import {createStepReporter} from './progress.ts';
import {formatDrift, formatObservation, toRecordJson, toZoneJson} from './text.ts';

/**
 * `migration status`: shows what the service reports now, and what this machine's journal says. Reads only.
 */
export const migrationStatusCommand = defineCommand({
	usage: 'status',
	summary: "show a zone's migration status, and what comes next",
	example: 'migration status --zone example.com --watch',
	sampleArguments: '--zone acme.example',
	options: () => [createSwitchOption('--watch', 'watch until nothing is pending; prints a line per change')],
	run: (context, {watch}) => printMigrationStatus(context, watch === true),
});

async function printMigrationStatus(context: CommandContext, watch: boolean): Promise<void> {
	const openedMigration = await openMigration(context, {writes: false});
	const {zone} = openedMigration;
	const observation = watch
		? await watchZone(context, openedMigration)
		: await readObservation(openedMigration.client, zone, context.signal);
	const journalReading = readJournalRecord(context, openedMigration);
	const {record} = journalReading;
	const {state, hasChanged} = deriveState(record, observation);
	const holder = findZoneHolder(context, openedMigration);
	const drift =
		record && wasChangedElsewhere(state) ? await readDrift(context, openedMigration, record) : undefined;
	const stateForAdvice = (await isBlocked(context, openedMigration, state, observation)) ? 'blocked' : state;
	const nextSteps =
		holder && !isAtRest(state)
			? [watchAdvice]
			: listNextActions(zone, {...record, state: stateForAdvice, seen: observation});
	const nextCommands = nextSteps
		// Without a readable journal, only reads are possible.
		.filter(
			({words: [word = '']}) =>
				journalReading.journalState !== 'unreadable' || journalFreeSubcommands.has(word),
		)
		.map(({says, words}) => ({
			says,
			command: qualifyAdvice(buildMigrationCommand(zone, ...words), context.options),
		}));
	if (journalReading.failure) warnOfJournal(context, journalReading.failure);
	if (context.output.json) {
		return context.output.writeJson(
			context.markSimulated({
				zone: toZoneJson(zone),
				...(record ? toRecordJson(record) : {}),
				state,
				means: stateTable[state].meaning,
				seen: observation,
				...(drift && {changedSinceReview: drift.differences ?? null}),
				journal: journalReading.journalState,
				process: holder ? {pid: holder.pid, host: holder.host, started: holder.started} : null,
				next: nextCommands.map(({command}) => command),
				nextMeans: nextCommands.map(({says}) => says),
			}),
		);
	}
	const {reviewed, backup} = record ?? {};
	const lines = [
		`${zone.label}: ${formatObservation(observation)}`,
		...(observation.entryPoint
			? [
					`  active       ${formatPlainQuantity(observation.entryPoint.rules, 'rule')}, version ${observation.entryPoint.version}, fingerprint ${formatFingerprint(observation.entryPoint.fingerprint)}`,
				]
			: []),
		...(reviewed ? [`  reviewed     fingerprint ${formatFingerprint(reviewed.fingerprint)}`] : []),
		...(backup ? [`  backup       ${backup.folder}`] : []),
		...(record ? [`  journal      ${record.state}: ${stateTable[record.state].meaning}`] : []),
		...(drift ? formatDrift(zone, drift).map(line => `  ${line}`) : []),
		...(holder ? [`  process      ${describeHolding(holder).replace(/^process /, '')}`] : []),
		...(hasChanged ? [`  now          ${state}: ${stateTable[state].meaning}`] : []),
		...nextCommands.flatMap(({says, command}) => [`  next         ${says}:`, `               ${command}`]),
	];
	await context.output.writeText(`${lines.join('\n')}\n`);
}

/** Compares the current rules of the zone with those reviewed here. */
function readDrift(
	context: CommandContext,
	openedMigration: OpenedMigration,
	record: MigrationRecord,
): Promise<ReviewDrift> {
	const {client, zone} = openedMigration;
	const folder = getZoneFolder(context, openedMigration) ?? '';
	return readReviewDrift(
		client,
		zone,
		record,
		{
			readReviewed: fingerprint => readReviewedFile(folder, fingerprint),
			listBackups: () => readBackups(folder),
		},
		context.signal,
	);
}

/**
 * True if something blocks the migration that the service's check does not report, so that a plan would fail.
 */
async function isBlocked(
	{signal}: CommandContext,
	{client, zone}: OpenedMigration,
	state: MachineState,
	{check, status, stage}: Observation,
): Promise<boolean> {
	// A blocker matters only where a review can come next, or where the zone was not read before.
	if (getNextState(state, 'review') === undefined && !isUnread(state)) return false;
	const facts = await readPossibleBlockers(client, zone, signal);
	return !assessEligibility({zone, check, status, stage, ...facts}).eligible;
}

/** Advice while another process works on the zone. */
const watchAdvice: NextAction = {
	says: 'Watch it while that process is running',
	words: ['status', '--watch'],
};

type JournalReading = {
	/** `unreadable`: a migration was started on this machine, but its journal cannot be read. */
	readonly journalState: 'none' | 'kept' | 'unreadable';
	readonly record?: MigrationRecord | undefined;
	readonly failure?: Failure;
};

/** Reads the journal. Does not fail if it is unreadable, so that the state of the service is shown anyway. */
function readJournalRecord(context: CommandContext, openedMigration: OpenedMigration): JournalReading {
	try {
		const record = findZoneRecord(context, openedMigration);
		return {journalState: record ? 'kept' : 'none', record};
	} catch (error) {
		if (!isFailure(error, 'journal_invalid', 'file_failed')) throw error;
		return {journalState: 'unreadable', failure: error};
	}
}

/** Subcommands that work without the journal. */
const journalFreeSubcommands: ReadonlySet<string> = new Set(['check', 'plan', 'status']);

function warnOfJournal({output, options}: CommandContext, {message, details}: Failure): void {
	const {why, next} = details;
	const advice = next && qualifyAdvice(next, options);
	const lines = [`${message} Showing what the service reports.`, why, advice].filter(Boolean);
	output.warn(lines.join(' '));
}

/** Computes the state that this observation would give the journal; does not change the journal. */
function deriveState(
	record: MigrationRecord | undefined,
	observation: Observation,
): {readonly state: MachineState; readonly hasChanged: boolean} {
	const previousRecord: MigrationRecord = record ?? {state: 'unread'};
	const state =
		getNextState(previousRecord.state, getObservationEvent(observation, previousRecord)) ??
		previousRecord.state;
	return {state, hasChanged: record !== undefined && state !== record.state};
}

/** Watches until nothing is pending. Once the service has answered, waits if it becomes unreachable. */
async function watchZone(context: CommandContext, openedMigration: OpenedMigration): Promise<Observation> {
	const {client, zone} = openedMigration;
	const {signal} = context;
	using reporter = createStepReporter(context);
	let hasAnswered = false;
	return watchUntil(
		{
			async read() {
				const observation = await readObservation(client, zone, signal);
				hasAnswered = true;
				reporter.reportObservation(observation);
				return observation;
			},
			isOver: observation =>
				!isMigrationPending(
					deriveState(readJournalRecord(context, openedMigration).record, observation).state,
					observation,
				),
			canRetry: (error): error is Failure => hasAnswered && isTransientFailure(error),
			onFailure: outage => reporter.reportStep({does: 'trying', ...outage}),
		},
		client.clock,
		signal,
	);
}

function isMigrationPending(state: MachineState, {stage}: Observation): boolean {
	if (stage === 'pending') return true;
	return stage !== 'complete' && !isAtRest(state);
}
