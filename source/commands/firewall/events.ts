import {formatEventSource, knownSources} from '../../analytics/event-words.ts';
import {readSecurityEvents} from '../../analytics/events.ts';
import {
	type AnalyticsProblem,
	createMissingFailure,
	formatMissingLine,
	type Subject,
	securityEventsSubject,
	singleEventsSubject,
} from '../../analytics/problem.ts';
import {followEvents, maxEventDelayMs} from '../../events/follow.ts';
import {type GroupWord, groupEvents} from '../../events/group-events.ts';
import {createRuleNames} from '../../events/known-rules.ts';
import {Failure} from '../../failure.ts';
import {buildDashboardLink} from '../../settings/dashboard.ts';
import {supportsUtf8} from '../../terminal/locale.ts';
import {formatInteger} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand} from '../shell/declare.ts';
import {runUntilStopped} from '../shell/interrupt.ts';
import {
	buildEventsOptions,
	describeUnknownWords,
	type EventsOptions,
	parseEventFilter,
	parseGroups,
} from './events-options.ts';
import {
	type EventsRequest,
	formatEventGroups,
	formatEventLine,
	formatEventsTable,
	formatUtcSecond,
	toEventJson,
	toEventsJson,
	toGroupsJson,
} from './events-text.ts';
import {isTimeClipped, warnOfMissingEvents} from './missing-events.ts';
import {type OpenedZone, openZone} from './zone.ts';

const dayMs = 86_400_000;
const defaultEventLimit = 100;
const defaultGroupLimit = 50;
/** Maximum number of rows that the service returns. */
const maxEventLimit = 10_000;

/** `firewall events`. Reads only. */
export const firewallEventsCommand = defineCommand({
	usage: 'events',
	summary: 'show what rules did with requests: single events, or counts by rule, path, address',
	example: 'firewall events --zone example.com --since 1h --action block --group-by rule,path',
	sampleArguments: '--zone done.acme.example',
	formatDetails: () =>
		[
			'Filter options can be repeated. Events appear minutes late; with heavy traffic,',
			'the service keeps a sample, and counts are estimates ("about").',
			'',
			'Sources:',
			...knownSources.map(source => `  ${source.padEnd(18)} ${formatEventSource(source)}`),
		].join('\n'),
	options: buildEventsOptions,
	run: runEvents,
});

async function runEvents(context: CommandContext, options: EventsOptions): Promise<void> {
	const groupedBy = parseGroups(options);
	if (options.follow && options.until !== undefined)
		throw new Failure('usage', "--follow and --until can't be combined: --follow has no end time.");
	const now = context.now();
	const filter = parseEventFilter(options, now, options.follow ? maxEventDelayMs : dayMs);
	const {limit} = options;
	if (limit !== undefined && limit > maxEventLimit)
		throw new Failure('limit', `--limit takes at most ${formatInteger(maxEventLimit)}.`, {
			next: 'Use a shorter time range, or group the events.',
		});
	for (const line of describeUnknownWords(options)) context.output.warn(line);
	const openedZone = await openZone(context, {writes: false});
	const {name, id} = openedZone.zone;
	const request: EventsRequest = {zone: {id, name}, filter};
	if (options.follow)
		return runUntilStopped(context, printNewEvents(context, openedZone, request, limit ?? defaultEventLimit));
	if (groupedBy.length > 0)
		return printGroups(context, openedZone, request, groupedBy, limit ?? defaultGroupLimit);
	return printEvents(context, openedZone, request, limit ?? defaultEventLimit);
}

async function printEvents(
	context: CommandContext,
	{client, zone}: OpenedZone,
	request: EventsRequest,
	limit: number,
): Promise<void> {
	const {output, signal} = context;
	const {value, problems} = await readSecurityEvents(client, zone.id, request.filter, limit, signal);
	if (!value) throw buildMissingFailure(singleEventsSubject, problems);
	const ruleNames = createRuleNames(client, zone.id);
	await ruleNames.loadRules(value.events, signal);
	const isClipped = !value.hasMore && isTimeClipped(value, request.filter);
	if (output.json)
		return output.writeJson(
			context.markSimulated(toEventsJson(request, {...value, isClipped}, problems, ruleNames.getRules())),
		);
	warnOfMissingEvents(context, problems, isClipped ? value.since : undefined);
	if (value.events.length === 0) return output.writeText(formatNoEvents(request));
	const page = buildDashboardLink(client.baseUrl, zone, '/security/events');
	await output.writeText(formatEventsTable(value.events, ruleNames.getRules(), output, page));
	if (value.hasMore)
		output.sayIfInteractive(
			`Showing the latest ${formatInteger(value.events.length)}, since ${formatUtcSecond(value.since)}; --limit shows more.`,
		);
}

async function printGroups(
	context: CommandContext,
	{client, zone}: OpenedZone,
	request: EventsRequest,
	groupedBy: readonly GroupWord[],
	limit: number,
): Promise<void> {
	const {output, signal} = context;
	const {value, problems} = await groupEvents(
		client,
		zone.id,
		request.filter,
		{by: groupedBy, limit},
		signal,
	);
	if (!value) throw buildMissingFailure(securityEventsSubject, problems);
	const ruleNames = createRuleNames(client, zone.id);
	await ruleNames.loadRules(
		value.groups.flatMap(({rule}) => rule ?? []),
		signal,
	);
	const isClipped = isTimeClipped(value, request.filter);
	if (output.json)
		return output.writeJson(
			context.markSimulated(
				toGroupsJson(request, groupedBy, {...value, isClipped}, problems, ruleNames.getRules()),
			),
		);
	warnOfMissingEvents(context, problems, isClipped ? value.since : undefined);
	if (value.groups.length === 0) return output.writeText(formatNoEvents(request));
	const isAscii = !supportsUtf8(context.host.env);
	await output.writeText(
		formatEventGroups(groupedBy, value, request, ruleNames.getRules(), {...output, isAscii}),
	);
}

/** Prints single events until interrupted; with `--json`, one object per line. */
async function printNewEvents(
	{output, signal}: CommandContext,
	{client, zone}: OpenedZone,
	{filter: {until: _, ...filter}}: EventsRequest,
	initialLimit: number,
): Promise<void> {
	const ruleNames = createRuleNames(client, zone.id);
	const page = buildDashboardLink(client.baseUrl, zone, '/security/events');
	output.sayIfInteractive(
		`Following security events of ${zone.label}; they appear minutes late. Press ctrl-c to stop.`,
	);
	await followEvents(
		client,
		zone.id,
		{...filter, limit: initialLimit},
		{
			async onEvents(newEvents) {
				await ruleNames.loadRules(newEvents, signal);
				const knownRules = ruleNames.getRules();
				for (const event of newEvents)
					await (output.json
						? output.writeJsonText(`${JSON.stringify(toEventJson(event, knownRules))}\n`)
						: output.writeText(formatEventLine(event, knownRules, page)));
			},
			onProblem: problem => output.warn(formatMissingLine(securityEventsSubject, problem)),
			onOmittedEvents: (since, until) =>
				output.warn(
					`Too many events to load: some from ${formatUtcSecond(since)} to ${formatUtcSecond(until)} are missing.`,
				),
		},
		signal,
	);
}

/** Builds the failure for missing events. Suggests groups if the plan only lacks single events. */
function buildMissingFailure(subject: Subject, [problem]: readonly AnalyticsProblem[]): Failure {
	const failure = createMissingFailure(subject, problem);
	return subject === singleEventsSubject && problem?.kind === 'not in plan'
		? failure.withDetails({next: 'Use counts instead: --group-by rule,path.'})
		: failure;
}

/** `No matching events of example.com from 2026-11-23 15:00:00 to 2026-11-23 16:00:00 UTC.` */
const formatNoEvents = ({zone: {id, name}, filter: {since, until}}: EventsRequest): string =>
	`No matching events in ${name ?? id} from ${formatUtcSecond(since)} to ${formatUtcSecond(until)}.\n`;
