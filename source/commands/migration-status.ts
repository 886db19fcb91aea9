import type {Command} from 'commander';
import {seen as seenNow} from '../migration/calls.ts';
import {shownFingerprint} from '../migration/configuration.ts';
import {type MigrationState, migrationStates, next, takenUp} from '../migration/machine.ts';
import {eventOf} from '../migration/observation.ts';
import type {MigrationRecord} from '../migration/record.ts';
import type {Seen} from '../migration/stage.ts';
import type {CommandContext} from './context.ts';
import {declareCommand, switchOption} from './declare.ts';
import {leadingCommands} from './leading-there.ts';
import {recordOf} from './migration-kept.ts';
import {stepTeller} from './migration-steps.ts';
import {recordJson, seenWords, zoneJson} from './migration-words.ts';
import {migrationCommand, type OpenedMigration, openMigration} from './migration-zone.ts';

/** `migration status`: what the service says now, and what this machine's journal says of it. Reads only. */
export function declareMigrationStatus(parent: Command): void {
	declareCommand<{watch?: boolean}>(parent, {
		usage: 'status',
		summary: 'where the migration of a zone stands, and what comes next',
		example: 'migration status --zone example.com --watch',
		options: () => [switchOption('--watch', 'until it stands still; a line for each change')],
		run: (context, {watch}) => status(context, watch === true),
	});
}

async function status(context: CommandContext, watch: boolean): Promise<void> {
	const opened = await openMigration(context, {writes: false});
	const {zone} = opened;
	const now = watch ? await watched(context, opened) : await seenNow(opened.client, zone.id, context.signal);
	const record = recordOf(context, opened);
	const {state, moved} = standing(record, now);
	const onward = ways(zone.name, state).map(words => migrationCommand(zone, ...words));
	const commands = onward.map(command => leadingCommands(command, context.options));
	if (context.output.json) {
		return context.output.value(
			context.marked({
				zone: zoneJson(zone),
				...(record ? recordJson(record) : {}),
				state,
				means: migrationStates[state],
				seen: now,
				next: commands,
			}),
		);
	}
	const {reviewed, backup} = record ?? {};
	const lines = [
		`${zone.label}: ${seenWords(now)}`,
		...(now.entryPoint
			? [
					`  in place     ${now.entryPoint.rules} rules, version ${now.entryPoint.version}, fingerprint ${shownFingerprint(now.entryPoint.fingerprint)}`,
				]
			: []),
		...(reviewed ? [`  reviewed     fingerprint ${shownFingerprint(reviewed.fingerprint)}`] : []),
		...(backup ? [`  backup       ${backup.folder}`] : []),
		...(record ? [`  journal      ${record.state}: ${migrationStates[record.state]}`] : []),
		...(moved ? [`  now          ${state}: ${migrationStates[state]}`] : []),
		...commands.map((command, index) => `  ${index === 0 ? 'next' : '    '}         ${command}`),
	];
	await context.output.text(`${lines.join('\n')}\n`);
}

/** Where the machine would stand if it saw this; the journal is not touched. */
function standing(
	record: MigrationRecord | undefined,
	now: Seen,
): {readonly state: MigrationState; readonly moved: boolean} {
	const before: MigrationRecord = record ? {...record, state: takenUp(record.state)} : {state: 'unread'};
	const state = next(before.state, eventOf(now, before)) ?? before.state;
	return {state, moved: record !== undefined && state !== record.state};
}

/** What can be done next in a state. */
function ways(name: string, state: MigrationState): readonly (readonly string[])[] {
	switch (state) {
		case 'blocked':
			return [['check']];
		case 'eligible':
		case 'unread':
			return [['plan']];
		case 'reviewed':
			return [['deploy', '--confirm', name]];
		case 'validating':
		case 'ready to update':
			return [['deploy', '--confirm', name]];
		case 'validating unreviewed':
			return [
				['export', '--output', 'configuration.json'],
				['plan', 'configuration.json'],
			];
		case 'sending validation':
		case 'sending deploy':
		case 'validation in doubt':
		case 'deploy in doubt':
		case 'starting validation':
		case 'finishing':
			return [['resume']];
		case 'not taken':
			return [['resume', '--confirm', name]];
		case 'moved on':
			return [['resume', '--take-over']];
		case 'complete':
			return [['report']];
		case 'unknown stage':
			return [];
		default:
			return state satisfies never;
	}
}

/** Milliseconds between two looks: the first, what each later one is longer by, and the longest. */
const between = {first: 2_000, growth: 1.5, longest: 60_000};
const longestWatch = 60 * 60 * 1000;

/** Looks ever more seldom, for an hour at most, until nothing is under way any more. */
async function watched(context: CommandContext, opened: OpenedMigration): Promise<Seen> {
	const {client, zone} = opened;
	const {signal} = context;
	const {pace} = client;
	using teller = stepTeller(context);
	// What was waited counts, and not the clock: a computer that slept has not watched.
	let waited = 0;
	for (let wait = between.first; ; wait = Math.min(between.longest, wait * between.growth)) {
		const now = await seenNow(client, zone.id, signal);
		teller.seen(now);
		const {state} = standing(recordOf(context, opened), now);
		if (!isUnderWay(state, now) || waited >= longestWatch) return now;
		await pace.wait(wait * pace.scale, signal);
		waited += wait;
	}
}

function isUnderWay(state: MigrationState, {stage}: Seen): boolean {
	if (stage === 'pending') return true;
	if (stage === 'complete') return false;
	return state === 'finishing' || state === 'starting validation' || state.endsWith('in doubt');
}
