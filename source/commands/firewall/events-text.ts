import type {EventFilter} from '../../analytics/event-query.ts';
import {eventActionInWords, sourceInWords} from '../../analytics/event-words.ts';
import type {SecurityEvent, SingleEvents} from '../../analytics/events.ts';
import {missingJson, type Problem, securityEvents} from '../../analytics/problem.ts';
import type {CountedGroup, CountedGroups, GroupWord} from '../../events/grouped.ts';
import {calledIn, type KnownRules, type RuleReference, ruleBehind} from '../../events/rule-behind.ts';
import type {Output} from '../../terminal/output.ts';
import {type Column, table} from '../../terminal/table.ts';
import {drawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {grouped} from '../../text/figures.ts';
import {plainText} from '../../text/plot/plot.ts';
import {timePlotRows} from '../../text/plot/time-plot.ts';

/** The zone and filter of a request for events. */
export type Asked = {
	readonly zone: {readonly id: string; readonly name: string | undefined};
	readonly filter: EventFilter;
};

type Clipped = {readonly isClipped: boolean};

const iso = (moment: number): string => new Date(moment).toISOString().replace('.000Z', 'Z');

/** Formats a time to the second: `2026-11-23 15:20:01 UTC`. */
export const momentText = (moment: number): string => `${secondText(moment)} UTC`;

const secondText = (moment: number): string => new Date(moment).toISOString().slice(0, 19).replace('T', ' ');

/**
 * Converts an event to the JSON of `--json`: every event has the same fields, null if the service omits one.
 */
export function eventValue(event: SecurityEvent, known: KnownRules) {
	const {at, action, source, ray, method, host, path, query, address, country, network, agent} = event;
	return {
		at: iso(at),
		action,
		source,
		rule: ruleValue(event, known),
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

function ruleValue(reference: RuleReference, known: KnownRules) {
	const {id, name, expression, ruleset} = ruleBehind(reference, known);
	return {
		id: id ?? null,
		name: name ?? null,
		expression: expression ?? null,
		of: sourceInWords(reference.source),
		ruleset: ruleset ? {id: ruleset.id, name: ruleset.name ?? null} : null,
	};
}

const heading = ({zone: {id, name}, filter}: Asked, since: number, {isClipped}: Clipped) => ({
	zone: {id, name: name ?? null},
	since: iso(since),
	until: iso(filter.until),
	clipped: isClipped,
});

const missingValue = (problems: readonly Problem[]) =>
	problems.map(problem => missingJson(securityEvents, problem));

/** Converts single events to the JSON of `--json`. */
export const eventsValue = (
	asked: Asked,
	{events, since, hasMore, isClipped}: SingleEvents & Clipped,
	problems: readonly Problem[],
	known: KnownRules,
) => ({
	...heading(asked, since, {isClipped}),
	more: hasMore,
	events: events.map(event => eventValue(event, known)),
	missing: missingValue(problems),
});

/** Converts groups to the JSON of `--json`. */
export const groupsValue = (
	asked: Asked,
	by: readonly GroupWord[],
	{groups, since, step, isSampled, isClipped}: CountedGroups & Clipped,
	problems: readonly Problem[],
	known: KnownRules,
) => ({
	...heading(asked, since, {isClipped}),
	groupedBy: by,
	...(step !== undefined && {seconds: step / 1000}),
	estimated: isSampled,
	groups: groups.map(({values, count, isEstimate, rule}) => ({
		...values,
		...(rule && {rule: ruleValue(rule, known)}),
		count,
		estimated: isEstimate,
	})),
	missing: missingValue(problems),
});

/** Formats the name of a rule for a list; without a name, its expression or id, and its product. */
function ruleText(reference: RuleReference, known: KnownRules): string {
	const behind = ruleBehind(reference, known);
	const called = calledIn(reference, behind);
	return behind.name === undefined && behind.id !== undefined
		? `${called} (${sourceInWords(reference.source)})`
		: called;
}

const requestText = ({method, host, path, query}: SecurityEvent): string =>
	[method, `${host ?? ''}${path ?? ''}${query ?? ''}`].filter(Boolean).join(' ') || '-';

/** Maximum columns of a cell on a terminal. */
const ruleColumns = 36;
const mostGroupColumns = 60;
const leastRequest = 20;

/** Formats single events as a table, cut to the width of a terminal. */
export function eventsTable(
	events: readonly SecurityEvent[],
	known: KnownRules,
	{stdoutIsTerminal, columns: room}: Output,
): string {
	const cut = (text: string, columns: number) => (stdoutIsTerminal ? cutEnd(drawable(text), columns) : text);
	const columns: Column<SecurityEvent>[] = [
		{title: 'TIME (UTC)', cell: ({at}) => secondText(at)},
		{title: 'ACTION', cell: ({action}) => eventActionInWords(action)},
		{title: 'RULE', cell: event => cut(ruleText(event, known), ruleColumns)},
		{title: 'ADDRESS', cell: ({address}) => address ?? '-'},
		{title: 'FROM', cell: ({country}) => country ?? '-'},
		{title: 'RAY', cell: ({ray}) => ray ?? '-'},
	];
	const taken = table(columns, events)
		.split('\n')
		.reduce((most, line) => Math.max(most, line.length), 0);
	const left = Math.max(leastRequest, room - taken - 2);
	return table([...columns, {title: 'REQUEST', cell: event => cut(requestText(event), left)}], events);
}

export const eventLine = (event: SecurityEvent, known: KnownRules): string =>
	[
		secondText(event.at),
		eventActionInWords(event.action),
		[event.address, event.country].filter(Boolean).join(' ') || '-',
		requestText(event),
		ruleText(event, known),
		event.ray ?? '-',
	]
		.map(part => drawable(part))
		.join('  ');

const titles: Readonly<Record<GroupWord, string>> = {
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

const countText = ({count, isEstimate}: CountedGroup): string =>
	`${isEstimate ? 'about ' : ''}${grouped(count)}`;

type PlottedOn = Pick<Output, 'stdoutIsTerminal' | 'columns'> & {readonly isAscii: boolean};

/** Formats groups as a table; by time, on a terminal, as a plot. */
export function groupsText(
	by: readonly GroupWord[],
	counted: CountedGroups,
	asked: Asked,
	known: KnownRules,
	output: PlottedOn,
): string {
	if (output.stdoutIsTerminal && by.includes('time') && by.length <= 2)
		return plotText(by, counted, asked, known, output);
	const cut = (text: string) => (output.stdoutIsTerminal ? cutEnd(drawable(text), mostGroupColumns) : text);
	const cellOf = (word: GroupWord) => (group: CountedGroup) => cut(cellText(word, group, known));
	return table<CountedGroup>(
		[
			{title: 'COUNT', align: 'right', cell: countText},
			...by.map(word => ({title: titles[word], cell: cellOf(word)})),
			...(by.includes('rule')
				? [{title: 'RULE ID', cell: ({values}: CountedGroup) => values.rule || '-'}]
				: []),
		],
		counted.groups,
	);
}

function cellText(word: GroupWord, {values, rule, starts}: CountedGroup, known: KnownRules): string {
	switch (word) {
		case 'rule':
			return rule ? ruleText(rule, known) : '-';
		case 'action':
			return eventActionInWords(values.action ?? '') || '-';
		case 'source':
			return sourceInWords(values.source ?? '') || '-';
		case 'time':
			return starts === undefined ? '-' : secondText(starts);
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
/** Maximum number of series in a plot; the rest is summed up as "others". */
const mostSeries = 4;

function plotText(
	by: readonly GroupWord[],
	{groups, step = 1, since, isSampled}: CountedGroups,
	{filter}: Asked,
	known: KnownRules,
	{columns, isAscii}: PlottedOn,
): string {
	const word = by.find(one => one !== 'time');
	const nameOf = (group: CountedGroup) => (word ? cellText(word, group, known) : 'events');
	const sums = new Map<string, number>();
	for (const group of groups) sums.set(nameOf(group), (sums.get(nameOf(group)) ?? 0) + group.count);
	const names = [...sums].toSorted(([, one], [, other]) => other - one).map(([name]) => name);
	const shown = names.length > mostSeries ? [...names.slice(0, mostSeries), 'others'] : names;
	const starts = Math.floor(since / step) * step;
	const buckets = Math.max(1, Math.floor((filter.until - starts) / step) + 1);
	const series = shown.map(name => ({name, values: new Array<number>(buckets).fill(0)}));
	for (const group of groups) {
		const {values} = series[names.indexOf(nameOf(group))] ?? series.at(-1) ?? {};
		const place = Math.floor(((group.starts ?? 0) - starts) / step);
		if (values && place >= 0 && place < buckets) values[place] = (values[place] ?? 0) + group.count;
	}
	const rows = timePlotRows(
		{series, starts, step, unit: 'count', form: 'columns'},
		{columns, rows: plotRows, isAscii, isColoured: false},
	);
	const total = groups.reduce((sum, {count}) => sum + count, 0);
	return `${rows.map(row => plainText(row).trimEnd()).join('\n')}\n${isSampled ? 'about ' : ''}${grouped(total)} events\n`;
}
