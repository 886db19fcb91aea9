import type {EventFilter} from '../../analytics/event-query.ts';
import {formatEventAction, formatEventSource} from '../../analytics/event-words.ts';
import type {SecurityEvent, SingleEvents} from '../../analytics/events.ts';
import type {AnalyticsProblem} from '../../analytics/problem.ts';
import {
	type EventRule,
	formatEventRuleName,
	type KnownRules,
	type RuleReference,
	resolveEventRule,
} from '../../events/event-rule.ts';
import type {EventOverview, PlotDimension} from '../../events/overview.ts';
import {type TopList, type TopValue, topLists} from '../../events/top-values.ts';
import {declareList} from '../list/declared.ts';
import {type ListRows, pickRows} from '../list/list.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';

/** Selectable time spans, in milliseconds before now. */
export const spans = {'1 h': 3_600_000, '6 h': 21_600_000, '24 h': 86_400_000, '7 d': 604_800_000} as const;
export type TimeSpan = keyof typeof spans;

export const eventLists = [...topLists, 'events'] as const;
export type EventList = TopList | 'events';

/** A filter of the events: a rule, a path and so on, or a managed ruleset. */
export type Narrowing = {
	readonly part: TopList | 'rulesets';
	readonly value: string;
	/** Display name. Raw text. */
	readonly label: string;
	/** The rule, for a filter by rule. */
	readonly rule?: RuleReference;
	/** The list that the row was chosen in, to return to. */
	readonly from?: Pick<ListRows<EventRow>, 'filter' | 'lastKey'>;
};

/** A row of a list: a frequent value or a single event, with the name of its rule. */
export type EventRow = {
	readonly key: string;
	readonly rule?: EventRule & {readonly displayName: string; readonly source: string};
} & (
	| {readonly kind: 'listed'; readonly listed: TopValue}
	| {readonly kind: 'event'; readonly event: SecurityEvent}
);

/** Data that one query reads. */
export type LoadedPart<Value> = {
	readonly reading: 'unread' | 'reading' | 'read' | 'failed';
	readonly value?: Value | undefined;
	/** Why some or all of the data is missing. */
	readonly problems: readonly AnalyticsProblem[];
};

const unread = {reading: 'unread', problems: []} as const;

/** The security events of a zone; `rows` are those of the list in front. */
export type EventsState = ListRows<EventRow> & {
	readonly zone: ZoneWithLabel;
	readonly span: TimeSpan;
	/** The grouping of the plot's series. */
	readonly plotBy: PlotDimension;
	/** In the order applied. */
	readonly narrowings: readonly Narrowing[];
	/** The rule that the events were opened for; esc then leaves instead of removing that filter. */
	readonly openedFor?: Narrowing | undefined;
	readonly list: EventList;
	/** The other lists. The entry of the list in front is unused. */
	readonly otherLists: Readonly<Record<EventList, ListRows<EventRow>>>;
	readonly overview: LoadedPart<EventOverview>;
	/** Read when the list is opened. */
	readonly single: LoadedPart<SingleEvents>;
	/** Rules read for their names. */
	readonly knownRules: KnownRules;
	/** First visible row of an event's details; undefined while the lists are shown. */
	readonly detail?: number | undefined;
};

const emptyRows = {rows: [], cursor: 0, filter: '', lastKey: undefined};
const emptyLists = {
	rules: emptyRows,
	paths: emptyRows,
	addresses: emptyRows,
	countries: emptyRows,
	events: emptyRows,
};

/** Resets all data after the query changed. */
export const resetEvents = (state: EventsState): EventsState => ({
	...state,
	...emptyRows,
	otherLists: emptyLists,
	overview: unread,
	single: unread,
	detail: undefined,
});

export const createEventsState = (zone: ZoneWithLabel): EventsState => ({
	...emptyRows,
	zone,
	span: '24 h',
	plotBy: 'action',
	narrowings: [],
	list: 'rules',
	otherLists: emptyLists,
	overview: unread,
	single: unread,
	knownRules: {},
});

/** Builds the query filter for the time span that ends at `now`. */
export function buildEventFilter({span, narrowings}: EventsState, now: number): EventFilter {
	const listValues = (part: Narrowing['part']) => {
		const values = narrowings.filter(one => one.part === part).map(({value}) => value);
		return values.length > 0 ? values : undefined;
	};
	return {
		since: now - spans[span],
		until: now,
		rules: listValues('rules'),
		rulesets: listValues('rulesets'),
		paths: listValues('paths'),
		addresses: listValues('addresses'),
		countries: listValues('countries'),
	};
}

/** Builds the rows of each list, with known rule names. */
function buildRowsByList({
	overview,
	single,
	knownRules,
}: EventsState): Readonly<Record<EventList, readonly EventRow[]>> {
	const buildTopRows = (list: TopList): readonly EventRow[] =>
		(overview.value?.topValues[list] ?? []).map(listed => ({
			kind: 'listed',
			key: `${listed.value} ${listed.rule?.source ?? ''}`,
			listed,
			...(listed.rule && {rule: nameRule(listed.rule, knownRules)}),
		}));
	return {
		rules: buildTopRows('rules'),
		paths: buildTopRows('paths'),
		addresses: buildTopRows('addresses'),
		countries: buildTopRows('countries'),
		events: (single.value?.events ?? []).map(event => ({
			kind: 'event',
			key: `${event.at} ${event.ray} ${event.ruleId} ${event.action}`,
			event,
			rule: nameRule(event, knownRules),
		})),
	};
}

function nameRule(reference: RuleReference, knownRules: KnownRules): NonNullable<EventRow['rule']> {
	const eventRule = resolveEventRule(reference, knownRules);
	return {
		...eventRule,
		displayName: formatEventRuleName(reference, eventRule),
		source: formatEventSource(reference.source),
	};
}

const getSearchTexts = (row: EventRow): readonly (string | undefined)[] => {
	const rule = [row.rule?.displayName, row.rule?.source];
	if (row.kind === 'listed') {
		const {value, country, actions = []} = row.listed;
		return [...rule, value, country, ...actions, ...actions.map(formatEventAction)];
	}
	const {action, address, country, network, method, host, path, query, agent} = row.event;
	const request = [method, host, path, query, agent];
	return [...rule, action, formatEventAction(action), address, country, network, ...request];
};

/** The list in front: frequent values, or single events. */
export const eventList = declareList({
	getSlice: state => state.events,
	screen: 'events',
	group: 'Security events',
	id: 'events',
	rowLabel: 'row',
	getKey: ({key}: EventRow) => key,
	getTexts: getSearchTexts,
	getIds: row => [row.rule?.id, row.kind === 'listed' ? undefined : row.event.ray],
});

/** Rebuilds the rows of all lists; each cursor stays on its row. */
export function withRows(state: EventsState): EventsState {
	const rows = buildRowsByList(state);
	const otherLists = eventLists.map(list => {
		const otherList = state.otherLists[list];
		return [list, {...otherList, ...eventList.applyChange(otherList, {rows: rows[list]})}];
	});
	return {
		...state,
		...eventList.applyChange(state, {rows: rows[state.list]}),
		otherLists: Object.fromEntries(otherLists) as EventsState['otherLists'],
	};
}

/** Brings another list to the front. The previous one keeps its cursor and loses its search. */
export function withFrontList(state: EventsState, list: EventList): EventsState {
	const previousList = pickRows({...state, ...eventList.applyChange(state, {filter: ''})});
	const otherLists = {...state.otherLists, [state.list]: previousList};
	return {...state, ...otherLists[list], list, otherLists, detail: undefined};
}

/** What the row under the cursor and the filters identify together; undefined where unknown. */
export type EventSubject = {
	readonly rule: (RuleReference & Partial<Pick<SecurityEvent, 'action'>>) | undefined;
	readonly host: string | undefined;
	readonly path: string | undefined;
	readonly address: string | undefined;
	readonly event: SecurityEvent | undefined;
};

/**
 * Resolves the rule, path and address of the row under the cursor; the filters supply what the row does not
 * name.
 */
export function resolveEventSubject(state: EventsState | undefined): EventSubject {
	const row = eventList.getSelected(state);
	const event = row?.kind === 'event' ? row.event : undefined;
	const listed = row?.kind === 'listed' ? row.listed : undefined;
	const findNarrowing = (part: TopList): Narrowing | undefined => {
		const matches = state?.narrowings.filter(one => one.part === part) ?? [];
		return matches.length === 1 ? matches[0] : undefined;
	};
	const getListedValue = (list: TopList) => (state?.list === list ? listed?.value || undefined : undefined);
	return {
		rule: event ?? listed?.rule ?? findNarrowing('rules')?.rule,
		host: event?.host,
		path: event ? event.path : (getListedValue('paths') ?? findNarrowing('paths')?.value),
		address: event ? event.address : (getListedValue('addresses') ?? findNarrowing('addresses')?.value),
		event,
	};
}
