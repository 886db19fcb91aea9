import {
	compareByAttention,
	getZoneAttention,
	getZoneProgress,
	toMigrationZone,
	type ZoneOverview,
} from '../../migration/overview/overview.ts';
import {readJournals, readOverviews} from '../../migration/overview/read.ts';
import {buildOverviewCells} from '../../migration/overview/words.ts';
import {listZones, type Zone} from '../../service/zones.ts';
import {cacheZoneNames} from '../../session/listing-cache.ts';
import {getMigrationPlace} from '../../session/place.ts';
import {resolveAccountId, resolveZone} from '../../settings/settings.ts';
import type {Slice} from '../../store/slice.ts';
import {declareList, type ListMembers} from '../list/declared.ts';
import {collectSortedByName, emptyList, type ListState} from '../list/list.ts';
import {getLoadedState} from '../list/reading.ts';
import {createList} from '../list/slice.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';

/** A zone of the list and its overview. */
export type ZoneRow = Zone & {readonly overview: ZoneOverview};

/** What enter opens; `what it needs` depends on the zone. */
export type ZoneDestination =
	| 'firewall'
	| 'custom rules'
	| 'migration'
	| 'managed'
	| 'events'
	| 'what it needs';

/**
 * Zones visible to the credential. To choose one, they are listed by name. The overview orders them by
 * attention once all are read, unless the user has moved or filtered, so that rows never move under the
 * cursor. A key changes the order.
 */
type ZonesState = ListState<ZoneRow> & {
	readonly destination: ZoneDestination;
	readonly order: 'name' | 'attention';
	/** Ids of zones whose overview is not read yet. */
	readonly unreadIds: ReadonlySet<string>;
	/** Number of times that the zones were listed, or one was marked as changed. */
	readonly changeCount: number;
};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly zones: ZonesSlice;
	}
}

export type ZonesSlice = ListMembers<ZonesState> & {
	readonly data: ZonesState;
	load(signal: AbortSignal): Promise<void>;
	/**
	 * Reads unread zones after an earlier reading ends, and shows each as it arrives. Fails if the credential
	 * is refused or the signal aborted; the rest stays unread.
	 */
	readOverviews(signal: AbortSignal): Promise<void>;
	/** Marks a zone as changed: its overview will be read again, also if a reading of it is under way. */
	forgetOverview(id: string): void;
	/** Marks zones as changed while the service works on them, because their state changes by itself. */
	forgetPassingStates(): void;
	/** Orders by name or attention, also when the zones are opened again; the cursor stays on its zone. */
	sortBy(order: ZonesState['order']): void;
	/**
	 * Returns the zone named by options and variables, else the only one; undefined if the user must choose,
	 * after loading the zones.
	 */
	findNamedZone(signal: AbortSignal): Promise<ZoneWithLabel | undefined>;
	/** Returns the zone with an id from a journal; its plan is unknown if the credential may not read it. */
	loadById(id: string, signal: AbortSignal): Promise<ZoneWithLabel>;
	/** Sets what enter opens, and orders the zones for it. */
	setDestination(destination: ZoneDestination): void;
};

export const createZonesSlice: Slice<ZonesSlice> = (set, get, {session}) => {
	const list = createList(zoneList, () => get().zones.data, set);
	const {change, read} = list;

	async function listAllZones(signal: AbortSignal): Promise<readonly Zone[]> {
		const account = session.simulated ? undefined : resolveAccountId(await session.sources())?.value;
		const client = await session.client();
		const listedZones = await collectSortedByName(listZones(client, {...(account && {account})}, signal));
		cacheZoneNames(session, client, account, listedZones);
		return listedZones;
	}

	/** True if the user has moved or filtered since the zones were listed. */
	let hasMovedOrFiltered = false;
	/** True once the overviews of all zones were read; changed ones are read again later. */
	let wereAllRead = false;
	/** The order that the user has chosen in this session. */
	let chosenOrder: ZonesState['order'] | undefined;

	function showZones(listedZones: readonly Zone[]): void {
		const zones = get().zones.data;
		const previousOverviews = new Map(zones.rows.map(({id, overview}) => [id, overview]));
		const rows = listedZones.map(zone => ({
			...zone,
			overview: {...previousOverviews.get(zone.id), zone: toMigrationZone(zone)},
		}));
		hasMovedOrFiltered = false;
		list.show({
			rows: sortZones(rows, zones.order),
			unreadIds: new Set(listedZones.map(({id}) => id)),
			changeCount: zones.changeCount + 1,
		});
	}

	/** Ids of zones that changed since a reading of them began. */
	const changedIds = new Set<string>();

	function showOverview(overview: ZoneOverview): void {
		const zones = get().zones.data;
		const {id} = overview.zone;
		const rows = zones.rows.map(row => (row.id === id ? {...row, overview} : row));
		change({
			...zoneList.applyChange(zones, {rows}),
			unreadIds: new Set([...zones.unreadIds].filter(one => one !== id || changedIds.has(id))),
		});
	}

	/**
	 * Yields unread zones, rechecked each time since the list may be refreshed: first those on screen from
	 * the cursor, then those that match the filter, then the rest.
	 */
	function* iterateUnreadZones(): Generator<ZoneOverview['zone']> {
		const yieldedIds = new Set<string>();
		for (;;) {
			const zones = get().zones.data;
			const isNext = ({id}: ZoneRow) => zones.unreadIds.has(id) && !yieldedIds.has(id);
			const visibleRows = zoneList.listVisible(zones);
			const nextZone =
				visibleRows.slice(zones.cursor).find(isNext) ?? visibleRows.find(isNext) ?? zones.rows.find(isNext);
			if (!nextZone) return;
			yieldedIds.add(nextZone.id);
			changedIds.delete(nextZone.id);
			yield nextZone.overview.zone;
		}
	}

	async function readUnreadOverviews(signal: AbortSignal): Promise<void> {
		/** Reads the journals, and shows them before any request. */
		const showJournals = () => {
			const getJournal = readJournals(session.env, getMigrationPlace(session));
			const rows = get().zones.data.rows.map(row => ({
				...row,
				overview: {...row.overview, journal: getJournal(row)},
			}));
			change(zoneList.applyChange(get().zones.data, {rows}));
			return getJournal;
		};
		let getJournal = showJournals();
		if (get().zones.data.unreadIds.size === 0) return;
		const client = await session.client();
		for (;;) {
			await readOverviews(client, iterateUnreadZones(), getJournal, showOverview, signal);
			if (get().zones.data.unreadIds.size === 0) break;
			// Zones changed meanwhile, and their journals with them.
			getJournal = showJournals();
		}
		wereAllRead = true;
		if (!hasMovedOrFiltered && !chosenOrder && get().zones.data.destination === 'what it needs')
			applyOrder('attention');
	}

	function applyOrder(order: ZonesState['order']): void {
		const zones = get().zones.data;
		const rows = sortZones(zones.rows, order);
		// An unmoved cursor stays on the first row.
		const [firstRow] = zoneList.listVisible({...zones, rows});
		const cursorId = !hasMovedOrFiltered && zones.cursor === 0 ? firstRow?.id : undefined;
		change({...zoneList.applyChange(zones, {rows}, cursorId), order});
	}

	let lastReading: Promise<void> = Promise.resolve();

	return {
		data: {...emptyList, destination: 'firewall', order: 'name', unreadIds: new Set(), changeCount: 0},
		readOverviews(signal) {
			const reading = lastReading.then(() => readUnreadOverviews(signal));
			lastReading = reading.catch(() => {});
			return reading;
		},
		forgetOverview(id) {
			const {rows, unreadIds, changeCount} = get().zones.data;
			if (!rows.some(row => row.id === id)) return;
			changedIds.add(id);
			change({unreadIds: new Set([...unreadIds, id]), changeCount: changeCount + 1});
		},
		forgetPassingStates() {
			for (const {id, overview} of get().zones.data.rows)
				if (['sending', 'pending'].includes(getZoneProgress(overview))) get().zones.forgetOverview(id);
		},
		sortBy(order) {
			chosenOrder = order;
			applyOrder(order);
		},
		async load(signal) {
			await read(signal, () => listAllZones(signal), showZones);
		},
		async findNamedZone(signal) {
			const sources = await session.sources();
			const effectiveSources = session.simulated ? {...sources, variables: () => undefined} : sources;
			if (resolveZone(effectiveSources)) {
				return read(
					signal,
					async () => {
						const {chooseZone} = await import('../../session/zone.ts');
						return chooseZone(session, {writes: true}, signal);
					},
					() => change({reading: getLoadedState(get().zones.data) ?? 'unread', failure: undefined}),
				);
			}
			await get().zones.load(signal);
			const [first, second] = get().zones.data.rows;
			return first && !second ? toOpenedZone(first) : undefined;
		},
		async loadById(id, signal) {
			const {chooseZone} = await import('../../session/zone.ts');
			return chooseZone(session, {writes: true, recordedId: {value: id, from: 'the journal'}}, signal);
		},
		setDestination(destination) {
			const {rows, unreadIds} = get().zones.data;
			change({destination});
			const isKnown = wereAllRead || unreadIds.size === 0;
			const usualOrder = destination === 'what it needs' && isKnown ? 'attention' : 'name';
			if (rows.length > 0) applyOrder(chosenOrder ?? usualOrder);
		},
		move(distance) {
			hasMovedOrFiltered = true;
			list.move(distance);
		},
		filter(filter) {
			if (filter !== '') hasMovedOrFiltered = true;
			list.filter(filter);
		},
	};
};

function sortZones(rows: readonly ZoneRow[], order: ZonesState['order']): readonly ZoneRow[] {
	const compareNames = (one: ZoneRow, other: ZoneRow) =>
		one.name < other.name ? -1 : one.name > other.name ? 1 : 0;
	return order === 'name'
		? rows.toSorted(compareNames)
		: rows.toSorted((one, other) => compareByAttention(one.overview, other.overview));
}

export const toOpenedZone = ({overview}: ZoneRow): ZoneWithLabel & ZoneOverview['zone'] => overview.zone;

/** Returns what enter opens for the selected zone: the chosen destination, else where it needs attention. */
export function getEnterDestination(zones: ZonesState): Exclude<ZoneDestination, 'what it needs'> {
	const row = zoneList.getSelected(zones);
	if (zones.destination !== 'what it needs') return zones.destination;
	if (!row) return 'firewall';
	switch (getZoneAttention(row.overview)) {
		case 'in doubt':
		case 'in progress':
		case 'eligible':
		case 'blocked':
			return 'migration';
		case 'complete':
		case 'custom rules nearly full':
			return 'custom rules';
		default:
			return 'firewall';
	}
}

export const zoneList = declareList({
	getSlice: state => state.zones,
	screen: 'zones',
	group: 'Zones',
	id: 'zones',
	rowLabel: 'zone',
	getKey: ({id}: ZoneRow) => id,
	getTitle: ({name}) => name,
	getTexts({name, status, plan, account, overview}) {
		const {migration, about} = buildOverviewCells(overview);
		return [name, status, plan, account.name, migration, ...about];
	},
	getIds: ({id, account}) => [id, account.id],
});

export const {listVisible: listVisibleZones, getSelected: getSelectedZone} = zoneList;
