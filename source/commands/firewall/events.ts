import {knownSources, sourceInWords} from '../../analytics/event-words.ts';
import {securityEventsOf} from '../../analytics/events.ts';
import {
	missingLine,
	type Problem,
	type Subject,
	securityEvents,
	singleEvents,
	withoutNumbers,
} from '../../analytics/problem.ts';
import {follow, longestDelay} from '../../events/follow.ts';
import {type GroupWord, groupEvents} from '../../events/grouped.ts';
import {ruleNames} from '../../events/known-rules.ts';
import {asFailure, Failure} from '../../failure.ts';
import {drawsUtf8} from '../../terminal/locale.ts';
import {grouped} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand} from '../shell/declare.ts';
import {
	type EventsOptions,
	eventFilter,
	eventsOptions,
	groupsAskedFor,
	unknownWords,
} from './events-options.ts';
import {
	type Asked,
	eventLine,
	eventsTable,
	eventsValue,
	eventValue,
	groupsText,
	groupsValue,
	momentText,
} from './events-text.ts';
import {type OpenedZone, openZone} from './zone.ts';

const day = 86_400_000;
/** Milliseconds by which the first event may start later than requested without a warning. */
const tolerated = 120_000;
const usualEvents = 100;
const usualGroups = 50;
/** Maximum number of rows that the service returns. */
const mostEvents = 10_000;

/** `firewall events`. Reads only. */
export const firewallEventsCommand = defineCommand({
	usage: 'events',
	summary: 'what rules did with which requests: single events, or how many by rule, path, address',
	example: 'firewall events --zone example.com --since 1h --action block --group-by rule,path',
	sample: '--zone done.acme.example',
	more: () =>
		[
			'Options that filter may be given several times. Numbers are minutes behind; where there is much,',
			'the service keeps a sample, and counts are estimates ("about").',
			'',
			'Sources:',
			...knownSources.map(source => `  ${source.padEnd(18)} ${sourceInWords(source)}`),
		].join('\n'),
	options: eventsOptions,
	run: events,
});

async function events(context: CommandContext, options: EventsOptions): Promise<void> {
	const by = groupsAskedFor(options);
	if (options.follow && options.until !== undefined)
		throw new Failure('usage', '--follow has no end: leave out --until.');
	const now = context.now();
	const filter = eventFilter(options, now, options.follow ? longestDelay : day);
	const {limit} = options;
	if (limit !== undefined && limit > mostEvents)
		throw new Failure('limit', `--limit takes at most ${grouped(mostEvents)}.`, {
			next: 'Ask for a shorter time, or group the events.',
		});
	for (const line of unknownWords(options)) context.output.warn(line);
	const opened = await openZone(context, {writes: false});
	const {name, id} = opened.zone;
	const asked: Asked = {zone: {id, name}, filter};
	if (options.follow) return untilStopped(context, followed(context, opened, asked, limit ?? usualEvents));
	if (by.length > 0) return printGroups(context, opened, asked, by, limit ?? usualGroups);
	return printEvents(context, opened, asked, limit ?? usualEvents);
}

async function printEvents(
	context: CommandContext,
	{client, zone}: OpenedZone,
	asked: Asked,
	most: number,
): Promise<void> {
	const {output, signal} = context;
	const {value, problems} = await securityEventsOf(client, zone.id, asked.filter, most, signal);
	if (!value) throw without(singleEvents, problems);
	const names = ruleNames(client, zone.id);
	await names.learn(value.events, signal);
	const isClipped = !value.hasMore && value.since - asked.filter.since > tolerated;
	if (output.json)
		return output.value(context.marked(eventsValue(asked, {...value, isClipped}, problems, names.known())));
	warnAbout(context, problems, isClipped ? value.since : undefined);
	if (value.events.length === 0) return output.text(noEvents(asked));
	await output.text(eventsTable(value.events, names.known(), output));
	if (value.hasMore)
		output.mention(
			`The latest ${grouped(value.events.length)}, since ${momentText(value.since)}; --limit shows more.`,
		);
}

async function printGroups(
	context: CommandContext,
	{client, zone}: OpenedZone,
	asked: Asked,
	by: readonly GroupWord[],
	limit: number,
): Promise<void> {
	const {output, signal} = context;
	const {value, problems} = await groupEvents(client, zone.id, asked.filter, {by, limit}, signal);
	if (!value) throw without(securityEvents, problems);
	const names = ruleNames(client, zone.id);
	await names.learn(
		value.groups.flatMap(({rule}) => rule ?? []),
		signal,
	);
	const isClipped = value.since - asked.filter.since > tolerated;
	if (output.json)
		return output.value(
			context.marked(groupsValue(asked, by, {...value, isClipped}, problems, names.known())),
		);
	warnAbout(context, problems, isClipped ? value.since : undefined);
	if (value.groups.length === 0) return output.text(noEvents(asked));
	const isAscii = !drawsUtf8(context.host.env);
	await output.text(groupsText(by, value, asked, names.known(), {...output, isAscii}));
}

/**
 * Runs until interrupted: that is the regular end of following, so it sets the exit code and prints no error.
 */
async function untilStopped({signal, answer}: CommandContext, following: Promise<void>): Promise<void> {
	try {
		await following;
	} catch (error) {
		const failure = asFailure(error);
		if (!signal.aborted || failure.code !== 'interrupted') throw error;
		answer(failure.exit);
	}
}

/** Prints single events until interrupted; with `--json`, one object per line. */
async function followed(
	{output, signal}: CommandContext,
	{client, zone}: OpenedZone,
	{filter: {until: _, ...filter}}: Asked,
	most: number,
): Promise<void> {
	const names = ruleNames(client, zone.id);
	output.mention(
		`Following the security events of ${zone.label}; they appear minutes later. ctrl-c ends it.`,
	);
	await follow(
		client,
		zone.id,
		{...filter, most},
		{
			async onEvents(fresh) {
				await names.learn(fresh, signal);
				const known = names.known();
				for (const event of fresh)
					await (output.json
						? output.jsonText(`${JSON.stringify(eventValue(event, known))}\n`)
						: output.text(`${eventLine(event, known)}\n`));
			},
			onProblem: problem => output.warn(missingLine(securityEvents, problem)),
			onLeftOut: (since, until) =>
				output.warn(
					`More events than can be read: some from ${momentText(since)} to ${momentText(until)} are left out.`,
				),
		},
		signal,
	);
}

const unknownReason: Problem = {kind: 'failed', message: '', path: []};

/** Builds the failure for missing events; suggests groups if only single events are missing from the plan. */
function without(subject: Subject, [problem = unknownReason]: readonly Problem[]): Failure {
	const failure = withoutNumbers(subject, problem);
	return subject === singleEvents && problem.kind === 'not in plan'
		? failure.with({next: 'Ask how many there are: --group-by rule,path.'})
		: failure;
}

/** `No matching events of example.com from 2026-11-23 15:00:00 to 2026-11-23 16:00:00 UTC.` */
const noEvents = ({zone: {id, name}, filter: {since, until}}: Asked): string =>
	`No matching events of ${name ?? id} from ${momentText(since)} to ${momentText(until)}.\n`;

/** Warns of what is missing. `since`: the first available time, if later than requested. */
function warnAbout({output}: CommandContext, problems: readonly Problem[], since: number | undefined): void {
	for (const line of new Set(problems.map(problem => missingLine(securityEvents, problem))))
		output.warn(line);
	if (since === undefined) return;
	const isPlan = problems.every(({kind}) => kind === 'unknown field' || kind === 'too many fields');
	output.warn(
		isPlan
			? `The plan of the zone keeps events since ${momentText(since)}; earlier ones are not shown.`
			: `Events before ${momentText(since)} could not be read.`,
	);
}
