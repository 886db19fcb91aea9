import type {Has} from '../../store/ledge-store.ts';
import {listActions} from '../list/screen.ts';
import {copying, readOnly, withFound} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {blockAddress, makeException, meantHere, toRule} from './leading.ts';
import {readEvents, readSingleEvents} from './opening.ts';
import {type EventList, type EventsState, eventList, eventLists, type Narrowing} from './state.ts';

const {action} = eventList;
const inLists = ({events: {data: events}}: Has<'events'>): boolean => events?.detail === undefined;
const isOnEvent = ({events: {data: events}}: Has<'events'>): boolean =>
	eventList.selected(events)?.kind === 'event';

/** Returns the filter for the row under the cursor; undefined for an event. */
function narrowingHere({events: {data: events}}: Has<'events'>): Narrowing | undefined {
	const row = eventList.selected(events);
	if (!events || row?.kind !== 'listed' || events.list === 'events') return undefined;
	const {value, rule} = row.listed;
	return {
		part: events.list,
		value,
		label: row.rule?.called ?? (value === '' ? 'none' : value),
		...(rule && {rule}),
	};
}

function narrow(app: App, narrowing: Narrowing): void {
	app.state().work.cancelReads();
	app.state().events.narrow(narrowing);
	readEvents(app);
}

function toList(app: App, list: EventList | 1 | -1): void {
	app.state().events.toList(list);
	readSingleEvents(app);
}

function changeSpan(app: App, by: 1 | -1): void {
	const before = app.state().events.data?.span;
	app.state().events.changeSpan(by);
	if (app.state().events.data?.span === before) return;
	app.state().work.cancelReads();
	readEvents(app);
}

/** Pairs what `find` returns with the open events; undefined if either is missing. */
const found =
	<State, Found>(find: (state: State) => Found | undefined) =>
	(state: State & Has<'events'>): {readonly events: EventsState; readonly found: Found} | undefined => {
		const events = state.events.data;
		const one = find(state);
		return events && one !== undefined ? {events, found: one} : undefined;
	};

const listTitles: Readonly<Record<EventList, string>> = {
	rules: 'the rules with the most events',
	paths: 'the paths with the most events',
	addresses: 'the addresses with the most events',
	countries: 'the countries with the most events',
	events: 'single events, the latest first',
};

/** The actions of the security events. */
export const eventsActions: readonly Action[] = [
	action('events.open', ['enter', 'l', 'right'], 'show all of the event', {
		opens: true,
		hint: 'open',
		isHere: state => inLists(state) && isOnEvent(state),
		run: ({state}) => state().events.showDetail(0),
	}),
	action('events.lists', ['esc', 'enter', 'left', 'h'], 'back to the lists', {
		hint: 'back',
		isHere: state => !inLists(state),
		run: ({state}) => state().events.showDetail(undefined),
	}),
	action('events.narrow', ['enter', 'l', 'right'], 'only the events of the row; esc takes it back', {
		opens: true,
		hint: 'narrow',
		words: ['drill down', 'only these'],
		isHere: state => inLists(state) && !isOnEvent(state),
		...withFound(narrowingHere, eventList.none, narrow),
	}),
	action('events.next', ['tab'], 'next list: rules, paths, addresses, countries, single events', {
		hint: 'next list',
		isHere: inLists,
		run: app => toList(app, 1),
	}),
	action('events.before', ['shift-tab'], 'the list before', {
		isHere: inLists,
		run: app => toList(app, -1),
	}),
	...eventLists.map((list, index) =>
		action(`events.list-${list}`, [String(index + 1)], listTitles[list], {
			isHere: inLists,
			run: app => toList(app, list),
		}),
	),
	action('events.longer', ['t'], 'a longer time: 1 h, 6 h, 24 h, 7 d', {
		hint: 'time',
		words: ['time range', 'since', 'last day', 'last week'],
		isHere: inLists,
		unavailable: ({events: {data: events}}) =>
			events?.span === '7 d' ? 'this is the longest time' : undefined,
		run: app => changeSpan(app, 1),
	}),
	action('events.shorter', ['T'], 'a shorter time', {
		words: ['last hour'],
		isHere: inLists,
		unavailable: ({events: {data: events}}) =>
			events?.span === '1 h' ? 'this is the shortest time' : undefined,
		run: app => changeSpan(app, -1),
	}),
	action('events.plot-by', ['s'], 'plot by source, or by action', {
		isHere: inLists,
		run: ({state}) => state().events.changePlot(),
	}),
	action('events.rule', ['r'], 'go to the rule', {
		hint: 'rule',
		words: ['which rule', 'open rule', 'why was it blocked'],
		...withFound(
			found(state => meantHere(state).rule),
			'no rule is meant here: choose an event, or narrow by a rule',
			(app, {events, found: rule}) => toRule(app, events, rule),
		),
	}),
	action('events.exception', ['x'], 'make an exception from the managed rule, for this path', {
		hint: 'exception',
		words: ['false positive', 'allow', 'skip rule', 'whitelist'],
		...withFound(
			found(state => (meantHere(state).rule ? meantHere(state) : undefined)),
			'no rule is meant here: choose an event, or narrow by a rule',
			(app, {events, found: meant}) => void makeException(app, events, meant),
			readOnly,
		),
	}),
	action('events.emergency', ['!'], 'emergency: block the address now', {
		hint: 'emergency',
		words: ['block ip', 'ban', 'block address', 'under attack'],
		...withFound(
			found(state => meantHere(state).address),
			'no address is meant here: choose an event or an address',
			(app, {events, found: address}) => blockAddress(app, events, address),
			readOnly,
		),
	}),
	...listActions(eventList, 'show only the rows that contain a text', [
		{
			key: 'y',
			what: 'the ray of the event, or what the row is about',
			hint: 'copy',
			words: ['copy ray', 'ray id'],
			text: row => (row.kind === 'listed' ? row.listed.value || undefined : row.event.ray),
		},
	]),
	action('events.copy-address', ['Y'], 'copy the address', {
		...copying(state => meantHere(state).address, 'no address is meant here'),
	}),
	action('events.copy-path', ['p'], 'copy the path', {
		...copying(state => meantHere(state).path, 'no path is meant here'),
	}),
	action('events.copy-rule', ['c'], 'copy the id of the rule', {
		...copying(state => meantHere(state).rule?.rule, 'no rule is meant here'),
	}),
];
