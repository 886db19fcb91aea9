import type {ReadResult} from '../../analytics/problem.ts';
import type {KnownRules, RuleReference} from '../../events/event-rule.ts';
import type {RuleNames} from '../../events/known-rules.ts';
import {toFailure} from '../../failure.ts';
import {formatSessionOptions} from '../../session/qualify-commands.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import type {Slice} from '../../store/slice.ts';
import type {ListMembers} from '../list/declared.ts';
import {mustLoad} from '../list/reading.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import {
	buildEventFilter,
	createEventsState,
	type EventList,
	type EventsState,
	eventList,
	eventLists,
	type LoadedPart,
	type Narrowing,
	resetEvents,
	spans,
	type TimeSpan,
	withFrontList,
	withRows,
} from './state.ts';

/** Maximum single events per read. */
const maxSingleEvents = 200;
/** Age from which events are read again when they are opened, in milliseconds. */
const maxAgeMs = 60_000;

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly events: EventsSlice;
	}
}

type EventsSlice = ListMembers<EventsState> & {
	/** Opens the events of a zone, filtered by `narrowing` if given. Drops events of another zone. */
	open(zone: ZoneWithLabel, narrowing?: Narrowing): void;
	/**
	 * Reads plots and lists with one query, and visible single events with another. Problems are stored
	 * beside the data; fails only if interrupted.
	 */
	load(signal: AbortSignal): Promise<void>;
	/** True if what is shown was read more than a minute ago. */
	isOutdated(): boolean;
	/** Reads the single events, unless they are loaded. */
	loadSingle(signal: AbortSignal): Promise<void>;
	/** Reads the names of rules that events identify only by id. */
	loadRuleNames(signal: AbortSignal): Promise<void>;
	/** Brings a list to the front: the named one, or the next or previous one. */
	switchList(direction: 1 | -1): void;
	/** Switches to the next longer or shorter time span. */
	switchSpan(): void;
	/** Switches the plot between action and source. */
	togglePlotDimension(): void;
	/** Adds a filter, and goes to the individual events. */
	narrow(narrowing: Narrowing): void;
	/**
	 * Removes the last filter, and returns to its row in the wider list. Returns false if there was none.
	 */
	widen(): boolean;
	/** Shows the event under the cursor from row `top` on; undefined shows the lists. */
	showDetail(top: number | undefined): void;
	/** Reads whether the zone has migrated; false if that is unknown. */
	readMigrated(): Promise<boolean>;
	/** Drops all data, for a new session. */
	close(): void;
};

export const createEventsSlice: Slice<EventsSlice> = (set, get, {session, now}) => {
	const change = (update: (state: EventsState) => EventsState) =>
		set(({data: events}) => (events ? {data: update(events)} : {}));

	/** Number of the latest query; results of earlier ones are ignored. */
	let lastReadNumber = 0;
	let ruleNames: {readonly zoneId: string; readonly names: RuleNames} | undefined;

	/** Changes the query and drops what was read. */
	const restartWith = (part: Partial<EventsState>, position: Narrowing['from'] = {filter: ''}) => {
		lastReadNumber++;
		change(state => ({...resetEvents({...state, ...part}), ...position}));
	};

	async function read<Value>(
		part: 'overview' | 'single',
		load: (state: EventsState) => Promise<ReadResult<Value>>,
	): Promise<void> {
		const events = get().events.data;
		if (!events) return;
		const readNumber = lastReadNumber;
		const previousPart: LoadedPart<unknown> = events[part];
		const show = (newPart: LoadedPart<unknown>) =>
			readNumber === lastReadNumber && change(state => withRows({...state, [part]: newPart}));
		show({...previousPart, reading: previousPart.value === undefined ? 'reading' : previousPart.reading});
		try {
			const {value, problems} = await load(events);
			const latestValue = value ?? previousPart.value;
			show({reading: latestValue === undefined ? 'failed' : 'read', value: latestValue, problems});
		} catch (error) {
			show(previousPart.reading === 'reading' ? {...previousPart, reading: 'unread'} : previousPart);
			throw toFailure(error);
		}
	}

	const loadSingle = (signal: AbortSignal) =>
		read('single', async state => {
			const {readSecurityEvents} = await import('../../analytics/events.ts');
			const client = await session.client();
			return readSecurityEvents(
				client,
				state.zone.id,
				buildEventFilter(state, now()),
				maxSingleEvents,
				signal,
			);
		});

	return {
		data: undefined,
		open(chosenZone, narrowing) {
			const events = get().events.data;
			const zone = {...chosenZone, sessionOptions: formatSessionOptions(session.options)};
			const narrowings = narrowing && [narrowing];
			const isSameZone = events?.zone.id === zone.id;
			// Without a rule, the filter of the rule that they were opened for is dropped.
			if (isSameZone && !narrowings && !events.openedFor)
				return change(state => ({...state, zone, detail: undefined}));
			lastReadNumber++;
			const baseState = isSameZone ? {...events, zone} : createEventsState(zone);
			set({
				data: resetEvents({
					...baseState,
					openedFor: narrowing,
					...(narrowings ? {narrowings, list: 'paths'} : {narrowings: [], list: 'rules'}),
				}),
			});
		},
		async load(signal) {
			await read('overview', async state => {
				const {readEventOverview} = await import('../../events/overview.ts');
				return readEventOverview(
					await session.client(),
					state.zone.id,
					buildEventFilter(state, now()),
					signal,
				);
			});
			const events = get().events.data;
			if (events && (events.list === 'events' || events.single.reading !== 'unread'))
				await loadSingle(signal);
		},
		isOutdated() {
			const {until} = get().events.data?.overview.value ?? {};
			return until !== undefined && now() - until > maxAgeMs;
		},
		async loadSingle(signal) {
			if (mustLoad(get().events.data?.single)) await loadSingle(signal);
		},
		async loadRuleNames(signal) {
			const events = get().events.data;
			if (!events) return;
			const {zone, overview, single} = events;
			const references: readonly RuleReference[] = [
				...(overview.value?.topValues.rules ?? []).flatMap(({rule}) => rule ?? []),
				...(single.value?.events ?? []),
			];
			const {createRuleNames} = await import('../../events/known-rules.ts');
			if (ruleNames?.zoneId !== zone.id)
				ruleNames = {
					zoneId: zone.id,
					names: createRuleNames(await session.client(), zone.id, collectKnownRules(get(), zone.id)),
				};
			const {names} = ruleNames;
			await names.loadRules(references, signal);
			if (get().events.data?.zone.id === zone.id)
				change(state => withRows({...state, knownRules: names.getRules()}));
		},
		move: distance => change(state => ({...state, ...eventList.applyMove(state, distance)})),
		filter: filter => change(state => ({...state, ...eventList.applyChange(state, {filter})})),
		switchList: direction => change(state => withFrontList(state, getAdjacentList(state.list, direction))),
		switchSpan() {
			const events = get().events.data;
			const spanNames = Object.keys(spans) as TimeSpan[];
			const newSpan = events && spanNames[(spanNames.indexOf(events.span) + 1) % spanNames.length];
			if (newSpan) restartWith({span: newSpan});
		},
		togglePlotDimension: () =>
			change(state => ({...state, plotBy: state.plotBy === 'action' ? 'source' : 'action'})),
		narrow(narrowing) {
			const events = get().events.data;
			if (!events) return;
			const from = {filter: events.filter, lastKey: eventList.getSelectedKey(events)};
			restartWith({narrowings: [...events.narrowings, {...narrowing, from}], list: 'events'});
		},
		widen() {
			const events = get().events.data;
			const lastNarrowing = events?.narrowings.at(-1);
			if (!events || !lastNarrowing || lastNarrowing === events.openedFor) return false;
			const list = lastNarrowing.part === 'rulesets' ? 'rules' : lastNarrowing.part;
			restartWith({narrowings: events.narrowings.slice(0, -1), list}, lastNarrowing.from);
			return true;
		},
		showDetail: top =>
			change(state => ({...state, detail: top === undefined ? undefined : Math.max(0, top)})),
		async readMigrated() {
			const {isMigrated} = await import('../../migration/zone/calls.ts');
			return isMigrated(await session.client(), get().events.data?.zone.id ?? '');
		},
		close() {
			lastReadNumber++;
			set({data: undefined});
		},
	};
};

function getAdjacentList(list: EventList, direction: 1 | -1): EventList {
	const index = eventLists.indexOf(list) + direction;
	return eventLists.at(index % eventLists.length) ?? list;
}

/** Collects the rules of a zone that other screens have read. */
function collectKnownRules(
	{
		customRules: {data: customRules},
		firewall: {data: firewall},
		managed: {data: managed},
	}: StateWith<'customRules' | 'firewall' | 'managed'>,
	zoneId: string,
): KnownRules {
	const {ruleset, catalogue: contents} = (managed?.zone.id === zoneId && managed.activeRules) || {};
	return {
		custom: customRules?.zone.id === zoneId ? customRules.ruleset?.rules : undefined,
		firewall: firewall?.zone.id === zoneId && firewall.rules.length > 0 ? firewall.rules : undefined,
		managed: contents,
		executing: ruleset?.rules,
	};
}
