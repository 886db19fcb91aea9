import {type EventRuleKind, getRuleKind} from '../../events/event-rule.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {createListActions} from '../list/screen.ts';
import {getReadOnlyReason, withSelection} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {blockAddress, getEventSubject, goToRule, startException} from './go-to.ts';
import {readEvents, readSingleEvents} from './opening.ts';
import {type EventsState, eventList, type Narrowing} from './state.ts';

const {defineAction} = eventList;
const areListsShown = ({events: {data: events}}: StateWith<'events'>): boolean =>
	events?.detail === undefined;
/** True if esc removes a filter; a text that is searched for goes first. */
const canWiden = ({events: {data: events}}: StateWith<'events'>): boolean =>
	events !== undefined && events.filter === '' && events.narrowings.at(-1) !== events.openedFor;
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

/** Leaves out the hint of an action on the rule of the row, for the kinds of rules that have none. */
function hideHintUnless(
	state: StateWith<'events'>,
	isPossible: (kind: EventRuleKind) => boolean,
): 'none' | undefined {
	const {rule} = getEventSubject(state);
	return rule && !isPossible(getRuleKind(rule.source)) ? 'none' : undefined;
}

function widen(app: App): void {
	app.state().work.cancelReads();
	app.state().events.widen();
	readEvents(app);
}

function narrow(app: App, narrowing: Narrowing): void {
	app.state().work.cancelReads();
	app.state().events.narrow(narrowing);
	readEvents(app);
}

function showNextList(app: App, direction: 1 | -1): void {
	app.state().events.switchList(direction);
	readSingleEvents(app);
}

/** Wraps `find` to return its result with the open events; undefined if either is missing. */
const withEvents =
	<State, Found>(find: (state: State) => Found | undefined) =>
	(state: State & StateWith<'events'>): {readonly events: EventsState; readonly found: Found} | undefined => {
		const events = state.events.data;
		const subject = find(state);
		return events && subject !== undefined ? {events, found: subject} : undefined;
	};

/** Offers the texts of the selected event or row to copy. */
function askForTextToCopy({state, terminal}: App, texts: ReadonlyMap<string, string>): void {
	state().dialog.open({
		kind: 'choice',
		title: 'Copy what?',
		lines: [],
		choices: [...texts].map(([noun, text]) => ({value: noun, label: `${noun}: ${text}`})),
		choose: noun => state().messages.say(terminal.copy(texts.get(noun) ?? '')),
	});
}

/** Collects the texts of the selected event or row that can be copied, by noun; undefined if there are none. */
function findTextsToCopy(state: StateWith<'events'>): ReadonlyMap<string, string> | undefined {
	const {address, path, rule} = getEventSubject(state);
	const texts = [
		['address', address],
		['path', path],
		['rule id', rule?.ruleId],
	] as const;
	const found = new Map(texts.flatMap(([noun, text]) => (text ? [[noun, text]] : [])));
	return found.size > 0 ? found : undefined;
}

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
	defineAction('events.widen', ['esc'], 'widen: remove the last filter', {
		paletteMode: 'never',
		hint: 'widen',
		isActive: state => areListsShown(state) && canWiden(state),
		run: widen,
	}),
	defineAction('events.next', ['tab'], 'next list: rules, paths, addresses, countries, individual events', {
		searchTerms: ['top', 'top attackers', 'group by address', 'by country'],
		hint: 'next list',
		isActive: areListsShown,
		run: app => showNextList(app, 1),
	}),
	defineAction('events.before', ['shift-tab'], 'previous list', {
		isActive: areListsShown,
		run: app => showNextList(app, -1),
	}),
	defineAction('events.range', ['t'], 'change the time range: 1 h, 6 h, 24 h, 7 d', {
		hint: 'time',
		searchTerms: ['time range', 'since', 'last hour', 'last day', 'last week', 'last 30 min', 'minutes'],
		isActive: areListsShown,
		run(app) {
			app.state().events.switchSpan();
			app.state().work.cancelReads();
			readEvents(app);
		},
	}),
	defineAction('events.plot-by', ['b'], 'plot by source or by action', {
		isActive: areListsShown,
		run: ({state}) => state().events.togglePlotDimension(),
	}),
	defineAction('events.rule', ['r'], 'go to the rule', {
		hint: 'rule',
		getHintPlace: state => hideHintUnless(state, kind => kind !== 'previous' && kind !== 'other'),
		searchTerms: ['why blocked', 'why 403', 'why', 'which rule', 'open rule', 'why was it blocked'],
		...withSelection(
			withEvents(state => getEventSubject(state).rule),
			'no rule here: select an event, or narrow to a rule',
			(app, {events, found: rule}) => goToRule(app, events, rule),
		),
	}),
	defineAction('events.exception', ['a'], 'add an exception or a bypass of the managed rule', {
		effect: 'prepares a write',
		hint: 'exception',
		getHintPlace: state => hideHintUnless(state, kind => kind === 'managed' || kind === 'previous'),
		searchTerms: ['false positive', 'allow', 'skip rule', 'whitelist'],
		...withSelection(
			withEvents(state => (getEventSubject(state).rule ? getEventSubject(state) : undefined)),
			'no rule here: select an event, or narrow to a rule',
			(app, {events, found: subject}) => void startException(app, events, subject),
			getReadOnlyReason,
		),
	}),
	defineAction('events.emergency', ['!'], 'block the address now (emergency)', {
		effect: 'prepares a write',
		hint: 'block now',
		searchTerms: [
			'attack',
			'panic',
			'ban this address',
			'ban this guy',
			'ban ip',
			'block ip',
			'ban',
			'block address',
			'under attack',
		],
		...withSelection(
			withEvents(state => getEventSubject(state).address),
			'no address here; select an event or an address',
			(app, {events, found: address}) => blockAddress(app, events, address),
			getReadOnlyReason,
		),
	}),
	...createListActions(eventList, 'filter the rows by text, such as a ray id', [
		{
			shortcut: 'y',
			noun: 'the ray id of the event, or the value of the row',
			hint: 'copy',
			searchTerms: ['copy ray', 'ray id'],
			getText: row => (row.kind === 'listed' ? row.listed.value || undefined : row.event.ray),
		},
	]),
	defineAction('events.copy-other', ['Y'], 'copy the address, the path or the rule id', {
		searchTerms: ['copy address', 'copy ip', 'copy path', 'copy rule id'],
		...withSelection(findTextsToCopy, 'no address, path or rule id here', askForTextToCopy),
	}),
];
