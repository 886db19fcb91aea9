import {type Failure, isFailure} from '../../failure.ts';
import {shownFingerprint} from '../../migration/configuration/configuration.ts';
import {type ReviewDrift, readReviewDrift} from '../../migration/flow/drift.ts';
import {mayPass, watchUntil} from '../../migration/flow/watching.ts';
import {readReviewedIn} from '../../migration/journal/journal.ts';
import type {MigrationRecord} from '../../migration/journal/record.ts';
import {migrationCommand, type Onward, onward} from '../../migration/machine/next-steps.ts';
import {eventOf} from '../../migration/machine/observation.ts';
import type {Observation} from '../../migration/machine/stage.ts';
import {
	hasMovedOn,
	isAtRest,
	isUnread,
	type MigrationState,
	stateTable,
} from '../../migration/machine/states.ts';
import {next} from '../../migration/machine/transitions.ts';
import {seen as seenNow} from '../../migration/zone/calls.ts';
import {eligibility} from '../../migration/zone/eligibility.ts';
import {readHindrances} from '../../migration/zone/read-facts.ts';
import {qualified} from '../../session/qualify-commands.ts';
import {holdingWords} from '../../state/holder.ts';
import {quantity} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand, switchOption} from '../shell/declare.ts';
import {holderOf, recordOf, zoneFolder} from './journal.ts';
import {stepTeller} from './progress.ts';
import {driftLines, recordJson, seenWords, zoneJson} from './text.ts';
import {type OpenedMigration, openMigration} from './zone.ts';

/** `migration status`: what the service reports now, and what this machine's journal says. Reads only. */
export const migrationStatusCommand = defineCommand({
	usage: 'status',
	summary: 'where the migration of a zone stands, and what comes next',
	example: 'migration status --zone example.com --watch',
	sample: '--zone acme.example',
	options: () => [switchOption('--watch', 'until it is at rest; a line for each change')],
	run: (context, {watch}) => status(context, watch === true),
});

async function status(context: CommandContext, watch: boolean): Promise<void> {
	const opened = await openMigration(context, {writes: false});
	const {zone} = opened;
	const now = watch ? await watched(context, opened) : await seenNow(opened.client, zone, context.signal);
	const kept = keptRecord(context, opened);
	const {record} = kept;
	const {state, moved} = standing(record, now);
	const holder = holderOf(context, opened);
	const drift = record && hasMovedOn(state) ? await readDrift(context, opened, record) : undefined;
	const advised = (await isHindered(context, opened, state, now)) ? 'blocked' : state;
	const ways = holder && !isAtRest(state) ? [watching] : onward(zone, {...record, state: advised, seen: now});
	const onwards = ways
		// Without a readable journal, only reads are possible.
		.filter(({words: [word = '']}) => kept.journal !== 'unreadable' || reading.has(word))
		.map(({says, words}) => ({
			says,
			command: qualified(migrationCommand(zone, ...words), context.options),
		}));
	if (kept.failure) warnOf(context, kept.failure);
	if (context.output.json) {
		return context.output.value(
			context.marked({
				zone: zoneJson(zone),
				...(record ? recordJson(record) : {}),
				state,
				means: stateTable[state].means,
				seen: now,
				...(drift && {changedSinceReview: drift.differences ?? null}),
				journal: kept.journal,
				process: holder ? {pid: holder.pid, host: holder.host, started: holder.started} : null,
				next: onwards.map(({command}) => command),
				nextMeans: onwards.map(({says}) => says),
			}),
		);
	}
	const {reviewed, backup} = record ?? {};
	const lines = [
		`${zone.label}: ${seenWords(now)}`,
		...(now.entryPoint
			? [
					`  in place     ${quantity(now.entryPoint.rules, 'rule')}, version ${now.entryPoint.version}, fingerprint ${shownFingerprint(now.entryPoint.fingerprint)}`,
				]
			: []),
		...(reviewed ? [`  reviewed     fingerprint ${shownFingerprint(reviewed.fingerprint)}`] : []),
		...(backup ? [`  backup       ${backup.folder}`] : []),
		...(record ? [`  journal      ${record.state}: ${stateTable[record.state].means}`] : []),
		...(drift ? driftLines(zone, drift).map(line => `  ${line}`) : []),
		...(holder ? [`  process      ${holdingWords(holder).replace(/^process /, '')}`] : []),
		...(moved ? [`  now          ${state}: ${stateTable[state].means}`] : []),
		...onwards.flatMap(({says, command}) => [`  next         ${says}:`, `               ${command}`]),
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
	const folder = zoneFolder(context, opened) ?? '';
	return readReviewDrift(client, zone, record, digits => readReviewedIn(folder, digits), context.signal);
}

/** True if something blocks the migration that the service's check does not name: a plan would refuse it. */
async function isHindered(
	{signal}: CommandContext,
	{client, zone}: OpenedMigration,
	state: MigrationState,
	{check, status, stage}: Observation,
): Promise<boolean> {
	if (next(state, 'review') === undefined && !isUnread(state)) return false;
	const facts = await readHindrances(client, zone, signal);
	return !eligibility({zone, check, status, stage, ...facts}).eligible;
}

/** Advice while another process works on the zone. */
const watching: Onward = {says: 'Watch it, while that process is running', words: ['status', '--watch']};

type Kept = {
	/** `unreadable`: a migration was started here, but its journal cannot be read. */
	readonly journal: 'none' | 'kept' | 'unreadable';
	readonly record?: MigrationRecord | undefined;
	readonly failure?: Failure;
};

/** Reads the journal. An unreadable one does not fail, so that the state of the service is shown anyway. */
function keptRecord(context: CommandContext, opened: OpenedMigration): Kept {
	try {
		const record = recordOf(context, opened);
		return {journal: record ? 'kept' : 'none', record};
	} catch (error) {
		if (!isFailure(error, 'journal_invalid', 'file_failed')) throw error;
		return {journal: 'unreadable', failure: error};
	}
}

/** Commands that need only the service. */
const reading: ReadonlySet<string> = new Set(['check', 'plan', 'status']);

function warnOf({output, options}: CommandContext, {message, details}: Failure): void {
	const {why, next} = details;
	const advised = next && qualified(next, options);
	const lines = [`${message} What follows is what the service says.`, why, advised].filter(Boolean);
	output.warn(lines.join(' '));
}

/** Returns the state that the journal would have after this observation; the journal is not changed. */
function standing(
	record: MigrationRecord | undefined,
	now: Observation,
): {readonly state: MigrationState; readonly moved: boolean} {
	const before: MigrationRecord = record ?? {state: 'unread'};
	const state = next(before.state, eventOf(now, before)) ?? before.state;
	return {state, moved: record !== undefined && state !== record.state};
}

/** Watches until nothing is pending. After the first answer, waits for a service that is unreachable. */
async function watched(context: CommandContext, opened: OpenedMigration): Promise<Observation> {
	const {client, zone} = opened;
	const {signal} = context;
	using teller = stepTeller(context);
	let wasSeen = false;
	return watchUntil(
		{
			async read() {
				const now = await seenNow(client, zone, signal);
				wasSeen = true;
				teller.seen(now);
				return now;
			},
			isOver: now => !isUnderWay(standing(keptRecord(context, opened).record, now).state, now),
			passes: (error): error is Failure => wasSeen && mayPass(error),
			onFailure: failed => teller.step({does: 'trying', ...failed}),
		},
		client.clock,
		signal,
	);
}

function isUnderWay(state: MigrationState, {stage}: Observation): boolean {
	if (stage === 'pending') return true;
	return stage !== 'complete' && !isAtRest(state);
}
