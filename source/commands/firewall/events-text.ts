import type {EventFilter} from '../../analytics/event-query.ts';
import {formatEventAction, formatEventSource} from '../../analytics/event-words.ts';
import type {SecurityEvent, SingleEvents} from '../../analytics/events.ts';
import {type AnalyticsProblem, buildMissingJson, securityEventsSubject} from '../../analytics/problem.ts';
import {
	formatEventRuleName,
	type KnownRules,
	type RuleReference,
	resolveEventRule,
} from '../../events/event-rule.ts';
import type {CountedGroup, CountedGroups, GroupWord} from '../../events/group-events.ts';
import type {Link, LinkedText} from '../../terminal/links.ts';
import type {Output} from '../../terminal/output.ts';
import {formatLinkedTable, formatTable, type LinkedColumn} from '../../terminal/table.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {formatInteger} from '../../text/figures.ts';
import {joinSpanTexts} from '../../text/plot/plot.ts';
import {buildTimePlotRows} from '../../text/plot/time-plot.ts';

/** The zone and filter of a request for events. */
export type EventsRequest = {
	readonly zone: {readonly id: string; readonly name: string | undefined};
	readonly filter: EventFilter;
};

/** `isClipped`: the beginning of the requested time span is not covered. */
type TimeCoverage = {readonly isClipped: boolean};

const formatEventTime = (moment: number): string => new Date(moment).toISOString().replace('.000Z', 'Z');

/** Formats a time to the second: `2026-11-23 15:20:01 UTC`. */
export const formatUtcSecond = (moment: number): string => `${formatSecond(moment)} UTC`;

const formatSecond = (moment: number): string =>
	new Date(moment).toISOString().slice(0, 19).replace('T', ' ');

/**
 * Converts an event to the JSON of `--json`: every event has the same fields, null if the service omits one.
 */
export function toEventJson(event: SecurityEvent, knownRules: KnownRules) {
	const {at, action, source, ray, method, host, path, query, address, country, network, agent} = event;
	return {
		at: formatEventTime(at),
		action,
		source,
		rule: toRuleJson(event, knownRules),
		ray: ray ?? null,
		method: method ?? null,
		host: host ?? null,
		path: path ?? null,
		query: query ?? null,
		address: address ?? null,
		country: country ?? null,
		network: network ?? null,
		agent: agent ?? null,
	};
}

function toRuleJson(reference: RuleReference, knownRules: KnownRules) {
	const {id, name, expression, ruleset} = resolveEventRule(reference, knownRules);
	return {
		id: id ?? null,
		name: name ?? null,
		expression: expression ?? null,
		of: formatEventSource(reference.source),
		ruleset: ruleset ? {id: ruleset.id, name: ruleset.name ?? null} : null,
	};
}

export const toEventsHeadingJson = (
	{zone: {id, name}, filter}: EventsRequest,
	since: number,
	{isClipped}: TimeCoverage,
) => ({
	zone: {id, name: name ?? null},
	since: formatEventTime(since),
	until: formatEventTime(filter.until),
	clipped: isClipped,
});

export const toMissingEventsJson = (problems: readonly AnalyticsProblem[]) =>
	problems.map(problem => buildMissingJson(securityEventsSubject, problem));

/** Converts single events to the JSON of `--json`. */
export const toEventsJson = (
	request: EventsRequest,
	{events, since, hasMore, isClipped}: SingleEvents & TimeCoverage,
	problems: readonly AnalyticsProblem[],
	knownRules: KnownRules,
) => ({
	...toEventsHeadingJson(request, since, {isClipped}),
	more: hasMore,
	events: events.map(event => toEventJson(event, knownRules)),
	missing: toMissingEventsJson(problems),
});

/** Converts groups to the JSON of `--json`. */
export const toGroupsJson = (
	request: EventsRequest,
	groupedBy: readonly GroupWord[],
	{groups, since, step, isSampled, isClipped}: CountedGroups & TimeCoverage,
	problems: readonly AnalyticsProblem[],
	knownRules: KnownRules,
) => ({
	...toEventsHeadingJson(request, since, {isClipped}),
	groupedBy,
	...(step !== undefined && {seconds: step / 1000}),
	estimated: isSampled,
	groups: groups.map(({values, count, isEstimate, rule}) => ({
		...values,
		...(rule && {rule: toRuleJson(rule, knownRules)}),
		count,
		estimated: isEstimate,
	})),
	missing: toMissingEventsJson(problems),
});

/** Formats the name of a rule for a list; without a name, its expression or id, and its product. */
function formatRuleReference(reference: RuleReference, knownRules: KnownRules): string {
	const ruleDetails = resolveEventRule(reference, knownRules);
	const ruleName = formatEventRuleName(reference, ruleDetails);
	return ruleDetails.name === undefined && ruleDetails.id !== undefined
		? `${ruleName} (${formatEventSource(reference.source)})`
		: ruleName;
}

const formatRequestLine = ({method, host, path, query}: SecurityEvent): string =>
	[method, `${host ?? ''}${path ?? ''}${query ?? ''}`].filter(Boolean).join(' ') || '-';

/** Widths of cells on a terminal, in columns. */
const maxRuleColumns = 36;
const maxGroupColumns = 60;
const minRequestColumns = 20;

/** Formats single events as a table, cut to the width of a terminal. Each ray id opens `page`, if given. */
export function formatEventsTable(
	events: readonly SecurityEvent[],
	knownRules: KnownRules,
	{stdoutIsTerminal, columns: terminalColumns}: Output,
	page: Link | undefined,
): LinkedText {
	const truncate = (text: string, columns: number) =>
		stdoutIsTerminal ? cutEnd(toDrawable(text), columns) : text;
	const columns: LinkedColumn<SecurityEvent>[] = [
		{title: 'TIME (UTC)', cell: ({at}) => formatSecond(at)},
		{title: 'ACTION', cell: ({action}) => formatEventAction(action)},
		{title: 'RULE', cell: event => truncate(formatRuleReference(event, knownRules), maxRuleColumns)},
		{title: 'ADDRESS', cell: ({address}) => address ?? '-'},
		{title: 'FROM', cell: ({country}) => country ?? '-'},
		{title: 'RAY', cell: ({ray}) => ray ?? '-', getLink: ({ray}) => (ray === undefined ? undefined : page)},
	];
	const usedColumns = formatTable(columns, events)
		.split('\n')
		.reduce((max, line) => Math.max(max, line.length), 0);
	const requestColumns = Math.max(minRequestColumns, terminalColumns - usedColumns - 2);
	return formatLinkedTable(
		[...columns, {title: 'REQUEST', cell: event => truncate(formatRequestLine(event), requestColumns)}],
		events,
	);
}

export function formatEventLine(
	event: SecurityEvent,
	knownRules: KnownRules,
	page: Link | undefined,
): LinkedText {
	const ray = toDrawable(event.ray ?? '-');
	const parts = [
		formatSecond(event.at),
		formatEventAction(event.action),
		[event.address, event.country].filter(Boolean).join(' ') || '-',
		formatRequestLine(event),
		formatRuleReference(event, knownRules),
	].map(part => toDrawable(part));
	const hasPage = event.ray !== undefined && page !== undefined;
	return [`${parts.join('  ')}  `, hasPage ? {text: ray, link: page} : ray, '\n'];
}

const groupTitles: Readonly<Record<GroupWord, string>> = {
	rule: 'RULE',
	action: 'ACTION',
	source: 'SOURCE',
	path: 'PATH',
	country: 'FROM',
	ip: 'ADDRESS',
	host: 'HOST',
	method: 'METHOD',
	time: 'TIME (UTC)',
};

const formatCount = ({count, isEstimate}: CountedGroup): string =>
	`${isEstimate ? 'about ' : ''}${formatInteger(count)}`;

type PlotOutput = Pick<Output, 'stdoutIsTerminal' | 'columns'> & {readonly isAscii: boolean};

/** Formats groups as a table; by time, on a terminal, as a plot. */
export function formatEventGroups(
	groupedBy: readonly GroupWord[],
	countedGroups: CountedGroups,
	request: EventsRequest,
	knownRules: KnownRules,
	output: PlotOutput,
): string {
	if (output.stdoutIsTerminal && groupedBy.includes('time') && groupedBy.length <= 2)
		return formatEventsPlot(groupedBy, countedGroups, request, knownRules, output);
	const truncate = (text: string) =>
		output.stdoutIsTerminal ? cutEnd(toDrawable(text), maxGroupColumns) : text;
	const createCell = (word: GroupWord) => (group: CountedGroup) =>
		truncate(formatCell(word, group, knownRules));
	return formatTable<CountedGroup>(
		[
			{title: 'COUNT', align: 'right', cell: formatCount},
			...groupedBy.map(word => ({title: groupTitles[word], cell: createCell(word)})),
			...(groupedBy.includes('rule')
				? [{title: 'RULE ID', cell: ({values}: CountedGroup) => values.rule || '-'}]
				: []),
		],
		countedGroups.groups,
	);
}

function formatCell(
	word: GroupWord,
	{values, rule, bucketStart}: CountedGroup,
	knownRules: KnownRules,
): string {
	switch (word) {
		case 'rule':
			return rule ? formatRuleReference(rule, knownRules) : '-';
		case 'action':
			return formatEventAction(values.action ?? '') || '-';
		case 'source':
			return formatEventSource(values.source ?? '') || '-';
		case 'time':
			return bucketStart === undefined ? '-' : formatSecond(bucketStart);
		case 'path':
		case 'country':
		case 'ip':
		case 'host':
		case 'method':
			return values[word] || '-';
		default:
			return word satisfies never;
	}
}

const plotRows = 14;
/** Maximum number of series in a plot; the remaining ones are summed up as "others". */
const maxSeries = 4;

function formatEventsPlot(
	groupedBy: readonly GroupWord[],
	{groups, step = 1, since, isSampled}: CountedGroups,
	{filter}: EventsRequest,
	knownRules: KnownRules,
	{columns, isAscii}: PlotOutput,
): string {
	const seriesWord = groupedBy.find(one => one !== 'time');
	const getSeriesName = (group: CountedGroup) =>
		seriesWord ? formatCell(seriesWord, group, knownRules) : 'events';
	const sums = new Map<string, number>();
	for (const group of groups)
		sums.set(getSeriesName(group), (sums.get(getSeriesName(group)) ?? 0) + group.count);
	const names = [...sums].toSorted(([, one], [, other]) => other - one).map(([name]) => name);
	const seriesNames = names.length > maxSeries ? [...names.slice(0, maxSeries), 'others'] : names;
	const firstStart = Math.floor(since / step) * step;
	const bucketCount = Math.max(1, Math.floor((filter.until - firstStart) / step) + 1);
	const series = seriesNames.map(name => ({name, values: new Array<number>(bucketCount).fill(0)}));
	for (const group of groups) {
		const {values} = series[names.indexOf(getSeriesName(group))] ?? series.at(-1) ?? {};
		const bucketIndex = Math.floor(((group.bucketStart ?? 0) - firstStart) / step);
		if (values && bucketIndex >= 0 && bucketIndex < bucketCount)
			values[bucketIndex] = (values[bucketIndex] ?? 0) + group.count;
	}
	const rows = buildTimePlotRows(
		{series, firstStart, step, unit: 'count', form: 'columns'},
		{columns, rows: plotRows, isAscii, isColored: false},
	);
	const total = groups.reduce((sum, {count}) => sum + count, 0);
	return `${rows.map(row => joinSpanTexts(row).trimEnd()).join('\n')}\n${isSampled ? 'about ' : ''}${formatInteger(total)} events\n`;
}
