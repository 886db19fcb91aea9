import {type Failure, isFailure} from '../../failure.ts';
import {formatFingerprint} from '../../migration/configuration/configuration.ts';
import {type ReviewDrift, readReviewDrift} from '../../migration/flow/drift.ts';
import {isTransientFailure, watchUntil} from '../../migration/flow/watching.ts';
import {readReviewedFile} from '../../migration/journal/journal.ts';
import type {MigrationRecord} from '../../migration/journal/record.ts';
import {buildMigrationCommand, listNextActions, type NextAction} from '../../migration/machine/next-steps.ts';
import {getObservationEvent} from '../../migration/machine/observation.ts';
import type {Observation} from '../../migration/machine/stage.ts';
import {
	hasMovedOn,
	isAtRest,
	isUnread,
	type MachineState,
	stateTable,
} from '../../migration/machine/states.ts';
import {getNextState} from '../../migration/machine/transitions.ts';
import {readObservation as seenNow} from '../../migration/zone/calls.ts';
import {assessEligibility} from '../../migration/zone/eligibility.ts';
import {readPossibleBlockers} from '../../migration/zone/read-facts.ts';
import {qualifyAdvice} from '../../session/qualify-commands.ts';
import {describeHolding} from '../../state/holder.ts';
import {formatPlainQuantity} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {createSwitchOption, defineCommand} from '../shell/declare.ts';
import {findZoneHolder, findZoneRecord, getZoneFolder} from './journal.ts';
import {createStepReporter} from './progress.ts';
import {formatDrift, formatObservation, toRecordJson, toZoneJson} from './text.ts';
import {type OpenedMigration, openMigration} from './zone.ts';

/** `migration status`: what the service reports now, and what this machine's journal says. Reads only. */
export const migrationStatusCommand = defineCommand({
	usage: 'status',
	summary: 'where the migration of a zone stands, and what comes next',
	example: 'migration status --zone example.com --watch',
	sample: '--zone acme.example',
	options: () => [createSwitchOption('--watch', 'until it is at rest; a line for each change')],
	run: (context, {watch}) => printMigrationStatus(context, watch === true),
});

async function printMigrationStatus(context: CommandContext, watch: boolean): Promise<void> {
	const opened = await openMigration(context, {writes: false});
	const {zone} = opened;
	const now = watch ? await watchZone(context, opened) : await seenNow(opened.client, zone, context.signal);
	const journalRecord = readKeptRecord(context, opened);
	const {record} = journalRecord;
	const {state, hasChanged} = deriveState(record, now);
	const holder = findZoneHolder(context, opened);
	const drift = record && hasMovedOn(state) ? await readDrift(context, opened, record) : undefined;
	const advised = (await isBlocked(context, opened, state, now)) ? 'blocked' : state;
	const nextSteps =
		holder && !isAtRest(state)
			? [watchAdvice]
			: listNextActions(zone, {...record, state: advised, seen: now});
	const nextCommands = nextSteps
		// Without a readable journal, only reads are possible.
		.filter(({words: [word = '']}) => journalRecord.journal !== 'unreadable' || readOnlyWords.has(word))
		.map(({says, words}) => ({
			says,
			command: qualifyAdvice(buildMigrationCommand(zone, ...words), context.options),
		}));
	if (journalRecord.failure) warnOfJournal(context, journalRecord.failure);
	if (context.output.json) {
		return context.output.value(
			context.markSimulated({
				zone: toZoneJson(zone),
				...(record ? toRecordJson(record) : {}),
				state,
				means: stateTable[state].means,
				seen: now,
				...(drift && {changedSinceReview: drift.differences ?? null}),
				journal: journalRecord.journal,
				process: holder ? {pid: holder.pid, host: holder.host, started: holder.started} : null,
				next: nextCommands.map(({command}) => command),
				nextMeans: nextCommands.map(({says}) => says),
			}),
		);
	}
	const {reviewed, backup} = record ?? {};
	const lines = [
		`${zone.label}: ${formatObservation(now)}`,
		...(now.entryPoint
			? [
					`  in place     ${formatPlainQuantity(now.entryPoint.rules, 'rule')}, version ${now.entryPoint.version}, fingerprint ${formatFingerprint(now.entryPoint.fingerprint)}`,
				]
			: []),
		...(reviewed ? [`  reviewed     fingerprint ${formatFingerprint(reviewed.fingerprint)}`] : []),
		...(backup ? [`  backup       ${backup.folder}`] : []),
		...(record ? [`  journal      ${record.state}: ${stateTable[record.state].means}`] : []),
		...(drift ? formatDrift(zone, drift).map(line => `  ${line}`) : []),
		...(holder ? [`  process      ${describeHolding(holder).replace(/^process /, '')}`] : []),
		...(hasChanged ? [`  now          ${state}: ${stateTable[state].means}`] : []),
		...nextCommands.flatMap(({says, command}) => [`  next         ${says}:`, `               ${command}`]),
	];
	await context.output.text(`${lines.join('\n')}\n`);
}

/** Compares the current rules of the zone with those reviewed here. */
function readDrift(
	context: CommandContext,
	opened: OpenedMigration,
	record: MigrationRecord,
): Promise<ReviewDrift> {
	const {client, zone} = opened;
	const folder = getZoneFolder(context, opened) ?? '';
	return readReviewDrift(client, zone, record, digits => readReviewedFile(folder, digits), context.signal);
}

/** True if something blocks the migration that the service's check does not name: a plan would refuse it. */
async function isBlocked(
	{signal}: CommandContext,
	{client, zone}: OpenedMigration,
	state: MachineState,
	{check, status, stage}: Observation,
): Promise<boolean> {
	if (getNextState(state, 'review') === undefined && !isUnread(state)) return false;
	const facts = await readPossibleBlockers(client, zone, signal);
	return !assessEligibility({zone, check, status, stage, ...facts}).eligible;
}

/** Advice while another process works on the zone. */
const watchAdvice: NextAction = {
	says: 'Watch it, while that process is running',
	words: ['status', '--watch'],
};

type KeptRecord = {
	/** `unreadable`: a migration was started here, but its journal cannot be read. */
	readonly journal: 'none' | 'kept' | 'unreadable';
	readonly record?: MigrationRecord | undefined;
	readonly failure?: Failure;
};

/** Reads the journal. An unreadable one does not fail, so that the state of the service is shown anyway. */
function readKeptRecord(context: CommandContext, opened: OpenedMigration): KeptRecord {
	try {
		const record = findZoneRecord(context, opened);
		return {journal: record ? 'kept' : 'none', record};
	} catch (error) {
		if (!isFailure(error, 'journal_invalid', 'file_failed')) throw error;
		return {journal: 'unreadable', failure: error};
	}
}

/** Commands that need only the service. */
const readOnlyWords: ReadonlySet<string> = new Set(['check', 'plan', 'status']);

function warnOfJournal({output, options}: CommandContext, {message, details}: Failure): void {
	const {why, next} = details;
	const advised = next && qualifyAdvice(next, options);
	const lines = [`${message} What follows is what the service says.`, why, advised].filter(Boolean);
	output.warn(lines.join(' '));
}

/** Returns the state that the journal would have after this observation; the journal is not changed. */
function deriveState(
	record: MigrationRecord | undefined,
	now: Observation,
): {readonly state: MachineState; readonly hasChanged: boolean} {
	const before: MigrationRecord = record ?? {state: 'unread'};
	const state = getNextState(before.state, getObservationEvent(now, before)) ?? before.state;
	return {state, hasChanged: record !== undefined && state !== record.state};
}

/** Watches until nothing is pending. After the first answer, waits for a service that is unreachable. */
async function watchZone(context: CommandContext, opened: OpenedMigration): Promise<Observation> {
	const {client, zone} = opened;
	const {signal} = context;
	using reporter = createStepReporter(context);
	let wasSeen = false;
	return watchUntil(
		{
			async read() {
				const now = await seenNow(client, zone, signal);
				wasSeen = true;
				reporter.seen(now);
				return now;
			},
			isOver: now => !isMigrationPending(deriveState(readKeptRecord(context, opened).record, now).state, now),
			canRetry: (error): error is Failure => wasSeen && isTransientFailure(error),
			onFailure: failed => reporter.step({does: 'trying', ...failed}),
		},
		client.clock,
		signal,
	);
}

function isMigrationPending(state: MachineState, {stage}: Observation): boolean {
	if (stage === 'pending') return true;
	return stage !== 'complete' && !isAtRest(state);
}
