import type {StateWith} from '../../store/ledge-store.ts';
import {createListActions} from '../list/screen.ts';
import {getReadOnlyReason, withClipboardCopy, withSelection} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {blockAddress, getEventSubject, goToRule, startException} from './go-to.ts';
import {readEvents, readSingleEvents} from './opening.ts';
import {type EventList, type EventsState, eventList, eventLists, type Narrowing} from './state.ts';

const {defineAction} = eventList;
const areListsShown = ({events: {data: events}}: StateWith<'events'>): boolean =>
	events?.detail === undefined;
const isOnEvent = ({events: {data: events}}: StateWith<'events'>): boolean =>
	eventList.getSelected(events)?.kind === 'event';

/** Returns the filter for the row under the cursor; undefined for an event. */
function getNarrowing({events: {data: events}}: StateWith<'events'>): Narrowing | undefined {
	const row = eventList.getSelected(events);
	if (!events || row?.kind !== 'listed' || events.list === 'events') return undefined;
	const {value, rule} = row.listed;
	return {
		part: events.list,
		value,
		label: row.rule?.displayName ?? (value === '' ? 'none' : value),
		...(rule && {rule}),
	};
}

function narrow(app: App, narrowing: Narrowing): void {
	app.state().work.cancelReads();
	app.state().events.narrow(narrowing);
	readEvents(app);
}

function showList(app: App, list: EventList | 1 | -1): void {
	app.state().events.switchList(list);
	readSingleEvents(app);
}

function changeSpan(app: App, direction: 1 | -1): void {
	const previousSpan = app.state().events.data?.span;
	app.state().events.changeSpan(direction);
	if (app.state().events.data?.span === previousSpan) return;
	app.state().work.cancelReads();
	readEvents(app);
}

/** Wraps `find` to return its result with the open events; undefined if either is missing. */
const withEvents =
	<State, Found>(find: (state: State) => Found | undefined) =>
	(state: State & StateWith<'events'>): {readonly events: EventsState; readonly found: Found} | undefined => {
		const events = state.events.data;
		const subject = find(state);
		return events && subject !== undefined ? {events, found: subject} : undefined;
	};

const listTitles: Readonly<Record<EventList, string>> = {
	rules: 'rules with the most events',
	paths: 'paths with the most events',
	addresses: 'addresses with the most events',
	countries: 'countries with the most events',
	events: 'individual events, latest first',
};

/** The actions of the security events. */
export const eventsActions: readonly Action[] = [
	defineAction('events.open', ['enter', 'l', 'right'], 'show the event details', {
		opensRow: true,
		hint: 'open',
		isActive: state => areListsShown(state) && isOnEvent(state),
		run: ({state}) => state().events.showDetail(0),
	}),
	defineAction('events.lists', ['esc', 'enter', 'left', 'h'], 'go back to the lists', {
		hint: 'back',
		isActive: state => !areListsShown(state),
		run: ({state}) => state().events.showDetail(undefined),
	}),
	defineAction(
		'events.narrow',
		['enter', 'l', 'right'],
		'show only the events of this row; esc widens again',
		{
			opensRow: true,
			hint: 'narrow',
			searchTerms: ['drill down', 'only these'],
			isActive: state => areListsShown(state) && !isOnEvent(state),
			...withSelection(getNarrowing, eventList.noRowReason, narrow),
		},
	),
	defineAction('events.next', ['tab'], 'next list: rules, paths, addresses, countries, individual events', {
		hint: 'next list',
		isActive: areListsShown,
		run: app => showList(app, 1),
	}),
	defineAction('events.before', ['shift-tab'], 'previous list', {
		isActive: areListsShown,
		run: app => showList(app, -1),
	}),
	...eventLists.map((list, index) =>
		defineAction(`events.list-${list}`, [String(index + 1)], listTitles[list], {
			isActive: areListsShown,
			run: app => showList(app, list),
		}),
	),
	defineAction('events.longer', ['t'], 'longer time range: 1 h, 6 h, 24 h, 7 d', {
		hint: 'time',
		searchTerms: ['time range', 'since', 'last day', 'last week'],
		isActive: areListsShown,
		getUnavailableReason: ({events: {data: events}}) =>
			events?.span === '7 d' ? 'this is the longest range' : undefined,
		run: app => changeSpan(app, 1),
	}),
	defineAction('events.shorter', ['T'], 'shorter time range', {
		searchTerms: ['last hour'],
		isActive: areListsShown,
		getUnavailableReason: ({events: {data: events}}) =>
			events?.span === '1 h' ? 'this is the shortest range' : undefined,
		run: app => changeSpan(app, -1),
	}),
	defineAction('events.plot-by', ['s'], 'plot by source or by action', {
		isActive: areListsShown,
		run: ({state}) => state().events.togglePlotDimension(),
	}),
	defineAction('events.rule', ['r'], 'go to the rule', {
		hint: 'rule',
		searchTerms: ['which rule', 'open rule', 'why was it blocked'],
		...withSelection(
			withEvents(state => getEventSubject(state).rule),
			'no rule here: select an event, or narrow to a rule',
			(app, {events, found: rule}) => goToRule(app, events, rule),
		),
	}),
	defineAction('events.exception', ['x'], 'add an exception to the managed rule for this path', {
		effect: 'prepares a write',
		hint: 'exception',
		searchTerms: ['false positive', 'allow', 'skip rule', 'whitelist'],
		...withSelection(
			withEvents(state => (getEventSubject(state).rule ? getEventSubject(state) : undefined)),
			'no rule here: select an event, or narrow to a rule',
			(app, {events, found: subject}) => void startException(app, events, subject),
			getReadOnlyReason,
		),
	}),
	defineAction('events.emergency', ['!'], 'emergency: block the address now', {
		effect: 'prepares a write',
		hint: 'emergency',
		searchTerms: ['block ip', 'ban', 'block address', 'under attack'],
		...withSelection(
			withEvents(state => getEventSubject(state).address),
			'no address here: select an event or an address',
			(app, {events, found: address}) => blockAddress(app, events, address),
			getReadOnlyReason,
		),
	}),
	...createListActions(eventList, 'filter the rows by text', [
		{
			shortcut: 'y',
			noun: 'the ray id of the event, or the value of the row',
			hint: 'copy',
			searchTerms: ['copy ray', 'ray id'],
			getText: row => (row.kind === 'listed' ? row.listed.value || undefined : row.event.ray),
		},
	]),
	defineAction('events.copy-address', ['Y'], 'copy the address', {
		...withClipboardCopy(state => getEventSubject(state).address, 'no address to copy'),
	}),
	defineAction('events.copy-path', ['p'], 'copy the path', {
		...withClipboardCopy(state => getEventSubject(state).path, 'no path to copy'),
	}),
	defineAction('events.copy-rule', ['c'], 'copy the rule id', {
		...withClipboardCopy(state => getEventSubject(state).rule?.ruleId, 'no rule to copy'),
	}),
];
