import type {EventFilter} from '../../analytics/event-query.ts';
import {eventActionInWords, sourceInWords} from '../../analytics/event-words.ts';
import type {SecurityEvent, SingleEvents} from '../../analytics/events.ts';
import type {Problem} from '../../analytics/problem.ts';
import {type Listed, type TopList, topLists} from '../../events/listed.ts';
import type {EventOverview, PlotBy} from '../../events/overview.ts';
import {
	calledIn,
	type KnownRules,
	type RuleBehind,
	type RuleReference,
	ruleBehind,
} from '../../events/rule-behind.ts';
import type {OpenedZone} from '../firewall/state.ts';
import {declareList} from '../list/declared.ts';
import {type ListRows, pickRows} from '../list/list.ts';

/** The times that can be looked at, in milliseconds back from now. */
export const spans = {'1 h': 3_600_000, '6 h': 21_600_000, '24 h': 86_400_000, '7 d': 604_800_000} as const;
export type Span = keyof typeof spans;

export const eventLists = [...topLists, 'events'] as const;
export type EventList = TopList | 'events';

/** What the events are narrowed by: a rule, a path and so on, or a managed ruleset. */
export type Narrowing = {
	readonly part: TopList | 'rulesets';
	readonly value: string;
	/** How it is called. Data as it is. */
	readonly label: string;
	/** Of a rule: what is known of it. */
	readonly rule?: RuleReference;
};

/** A row of a list: one of the most frequent, or one event; each with its rule by name. */
export type EventRow = {
	readonly key: string;
	readonly rule?: RuleBehind & {readonly called: string; readonly of: string};
} & (
	| {readonly kind: 'listed'; readonly listed: Listed}
	| {readonly kind: 'event'; readonly event: SecurityEvent}
);

/** Something that is read by itself. */
export type Part<Value> = {
	readonly reading: 'unread' | 'reading' | 'read' | 'failed';
	readonly value?: Value | undefined;
	/** Why some or all of it is missing. */
	readonly problems: readonly Problem[];
};

const unread = {reading: 'unread', problems: []} as const;

/** The security events of a zone, as far as they were read; the rows are those of the list in front. */
export type EventsState = ListRows<EventRow> & {
	readonly zone: OpenedZone;
	readonly span: Span;
	/** What the plot has a series for. */
	readonly by: PlotBy;
	/** In the order in which they were made. */
	readonly narrowings: readonly Narrowing[];
	readonly list: EventList;
	/** The other lists. */
	readonly behind: Readonly<Record<EventList, ListRows<EventRow>>>;
	readonly overview: Part<EventOverview>;
	/** Read once they are looked at. */
	readonly single: Part<SingleEvents>;
	/** Rules that were read for their names. */
	readonly rulesRead: KnownRules;
	/** Set while all of an event is shown in place of the lists: its first row in view. */
	readonly detail?: number | undefined;
};

const noRows = {rows: [], cursor: 0, filter: '', lastOn: undefined};
const noLists = {rules: noRows, paths: noRows, addresses: noRows, countries: noRows, events: noRows};

/** Nothing read of what is narrowed so; what was narrowed before is not shown for it. */
export const emptied = (state: EventsState): EventsState => ({
	...state,
	...noRows,
	behind: noLists,
	overview: unread,
	single: unread,
	detail: undefined,
});

export const beginningOf = (zone: OpenedZone): EventsState => ({
	...noRows,
	zone,
	span: '24 h',
	by: 'action',
	narrowings: [],
	list: 'rules',
	behind: noLists,
	overview: unread,
	single: unread,
	rulesRead: {},
});

/** Which events are asked for at a moment. */
export function filterAt({span, narrowings}: EventsState, now: number): EventFilter {
	const values = (part: Narrowing['part']) => {
		const found = narrowings.filter(one => one.part === part).map(({value}) => value);
		return found.length > 0 ? found : undefined;
	};
	return {
		since: now - spans[span],
		until: now,
		rules: values('rules'),
		rulesets: values('rulesets'),
		paths: values('paths'),
		addresses: values('addresses'),
		countries: values('countries'),
	};
}

/** The rows of what was read, with names from the rules that were read. */
function rowsOf({
	overview,
	single,
	rulesRead: known,
}: EventsState): Readonly<Record<EventList, readonly EventRow[]>> {
	const ofList = (list: TopList): readonly EventRow[] =>
		(overview.value?.tops[list] ?? []).map(listed => ({
			kind: 'listed',
			key: `${listed.value} ${listed.rule?.source ?? ''}`,
			listed,
			...(listed.rule && {rule: named(listed.rule, known)}),
		}));
	return {
		rules: ofList('rules'),
		paths: ofList('paths'),
		addresses: ofList('addresses'),
		countries: ofList('countries'),
		events: (single.value?.events ?? []).map(event => ({
			kind: 'event',
			key: `${event.at} ${event.ray} ${event.rule} ${event.action}`,
			event,
			rule: named(event, known),
		})),
	};
}

function named(reference: RuleReference, known: KnownRules): NonNullable<EventRow['rule']> {
	const behind = ruleBehind(reference, known);
	return {...behind, called: calledIn(reference, behind), of: sourceInWords(reference.source)};
}

const rowTexts = (row: EventRow): readonly (string | undefined)[] => {
	const rule = [row.rule?.called, row.rule?.id, row.rule?.of];
	if (row.kind === 'listed') return [...rule, row.listed.value, row.listed.country];
	const {action, ray, address, country, network, method, host, path, query, agent} = row.event;
	const request = [method, host, path, query, agent];
	return [...rule, action, eventActionInWords(action), ray, address, country, network, ...request];
};

/** The list in front: of what events have most, or single ones. */
export const eventList = declareList({
	slice: state => state.events,
	screen: 'events',
	group: 'Security events',
	id: 'events',
	row: 'row',
	key: ({key}: EventRow) => key,
	texts: rowTexts,
});

/** All lists with the rows of what was read, the cursor of each on the row that it was on. */
export function withRows(state: EventsState): EventsState {
	const rows = rowsOf(state);
	const behind = eventLists.map(list => {
		const before = state.behind[list];
		return [list, {...before, ...eventList.changed(before, {rows: rows[list]})}];
	});
	return {
		...state,
		...eventList.changed(state, {rows: rows[state.list]}),
		behind: Object.fromEntries(behind) as EventsState['behind'],
	};
}

/** Another list in front. The one that was keeps its cursor, and loses its filter. */
export function withInFront(state: EventsState, list: EventList): EventsState {
	const left = pickRows({...state, ...eventList.changed(state, {filter: ''})});
	const behind = {...state.behind, [state.list]: left};
	return {...state, ...behind[list], list, behind, detail: undefined};
}

/** What the cursor and what is narrowed come to together. What is `undefined` is not known. */
export type Meant = {
	readonly rule: (RuleReference & Partial<Pick<SecurityEvent, 'action'>>) | undefined;
	readonly host: string | undefined;
	readonly path: string | undefined;
	readonly address: string | undefined;
	readonly event: SecurityEvent | undefined;
};

/** The rule, path and address that the row under the cursor is about; what it does not name is what all is narrowed by. */
export function meantIn(state: EventsState | undefined): Meant {
	const row = eventList.selected(state);
	const event = row?.kind === 'event' ? row.event : undefined;
	const listed = row?.kind === 'listed' ? row.listed : undefined;
	const by = (part: TopList): Narrowing | undefined => {
		const found = state?.narrowings.filter(one => one.part === part) ?? [];
		return found.length === 1 ? found[0] : undefined;
	};
	const here = (list: TopList) => (state?.list === list ? listed?.value || undefined : undefined);
	return {
		rule: event ?? listed?.rule ?? by('rules')?.rule,
		host: event?.host,
		path: event ? event.path : (here('paths') ?? by('paths')?.value),
		address: event ? event.address : (here('addresses') ?? by('addresses')?.value),
		event,
	};
}
