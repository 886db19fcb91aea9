import {asFailure, type Failure} from '../../failure.ts';
import {zones as listZones, type Zone} from '../../service/zones.ts';
import {accountId, zone as zoneSetting} from '../../settings/settings.ts';
import type {Slice} from '../../store/slice.ts';
import type {OpenedZone} from '../firewall/slice.ts';

/** The zones that the credential sees. */
export type ZonesState = {
	readonly reading: 'unread' | 'reading' | 'read' | 'failed';
	readonly failure?: Failure | undefined;
	/** By name. */
	readonly rows: readonly Zone[];
	readonly cursor: number;
	readonly filter: string;
	/** The zone that the cursor was put on last, or was on when filtering began: returned to when none is left. */
	readonly lastOn?: string | undefined;
	/** What enter opens of a zone: that for which the zones were gone to. */
	readonly opens: 'firewall' | 'migration';
};

export type ZonesSlice = {
	readonly zones: ZonesState;
	loadZones(signal: AbortSignal): Promise<void>;
	/**
	 * The zone that options and variables name, else the only one there is (decision 19); `undefined` where a person
	 * has to choose, and then the zones are loaded.
	 */
	findZone(signal: AbortSignal): Promise<OpenedZone | undefined>;
	/** The zone of an id that a journal names; its plan is unknown where the credential may not read it. */
	zoneById(id: string, signal: AbortSignal): Promise<OpenedZone>;
	/** What a zone will be chosen for. */
	openZonesFor(opens: ZonesState['opens']): void;
	moveInZones(by: number): void;
	filterZones(filter: string): void;
};

export const createZonesSlice: Slice<ZonesSlice> = (set, get, {session}) => {
	const change = (part: Partial<ZonesState>) => set(({zones}) => ({zones: {...zones, ...part}}));

	/** Counts the readings: what an earlier one brings is not shown over a later one. */
	let latest = 0;

	/** Takes in what a reading brings, or why it brings nothing. */
	async function read<T>(signal: AbortSignal, reads: () => Promise<T>, take: (found: T) => void): Promise<T> {
		const reading = ++latest;
		const before = get().zones.reading;
		change({reading: 'reading'});
		try {
			const found = await reads();
			if (reading === latest) take(found);
			return found;
		} catch (error) {
			const failure = asFailure(error);
			const hasRows = get().zones.rows.length > 0;
			if (reading === latest && signal.aborted)
				change({reading: hasRows ? 'read' : before === 'reading' ? 'unread' : before});
			else if (reading === latest) change({reading: hasRows ? 'read' : 'failed', failure});
			throw failure;
		}
	}

	async function all(signal: AbortSignal): Promise<readonly Zone[]> {
		const account = session.simulated ? undefined : accountId(await session.sources())?.value;
		const found: Zone[] = [];
		for await (const zone of listZones(await session.client(), {...(account && {account})}, signal))
			found.push(zone);
		return found.toSorted((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
	}

	/** Shows these zones, the cursor on the one that it was on before, else near to where it was. */
	function show(rows: readonly Zone[]): void {
		const {cursor} = get().zones;
		const before = selectedZone(get().zones)?.id ?? get().zones.lastOn;
		change({rows, reading: 'read', failure: undefined});
		const visible = visibleZones(get().zones);
		const index = visible.findIndex(({id}) => id === before);
		// Where it is gone, the one that has taken its place.
		change({cursor: index === -1 ? Math.max(0, Math.min(cursor, visible.length - 1)) : index});
	}

	return {
		zones: {reading: 'unread', rows: [], cursor: 0, filter: '', opens: 'firewall'},
		async loadZones(signal) {
			await read(signal, () => all(signal), show);
		},
		async findZone(signal) {
			const sources = await session.sources();
			const inForce = session.simulated ? {...sources, variables: () => undefined} : sources;
			if (zoneSetting(inForce)) {
				return read(
					signal,
					async () => {
						const {chooseZone} = await import('../../session/zone.ts');
						return chooseZone(session, {writes: true}, signal);
					},
					() => change({reading: get().zones.rows.length > 0 ? 'read' : 'unread', failure: undefined}),
				);
			}
			await get().loadZones(signal);
			const [first, second] = get().zones.rows;
			return first && !second ? openedZone(first) : undefined;
		},
		async zoneById(id, signal) {
			const {chooseZone} = await import('../../session/zone.ts');
			return chooseZone(session, {writes: true, named: {value: id, from: 'the journal'}}, signal);
		},
		openZonesFor: opens => change({opens}),
		moveInZones(by) {
			const {zones} = get();
			const rows = visibleZones(zones);
			const cursor = Math.max(0, Math.min(rows.length - 1, zones.cursor + by));
			change({cursor, lastOn: rows[cursor]?.id ?? zones.lastOn});
		},
		filterZones(filter) {
			const {zones} = get();
			const under = selectedZone(zones)?.id;
			const lastOn = zones.filter === '' ? under : zones.lastOn;
			const id = under ?? lastOn;
			change({
				filter,
				lastOn,
				cursor: Math.max(
					0,
					visibleZones({...zones, filter}).findIndex(row => row.id === id),
				),
			});
		},
	};
};

/** A zone of the list as what its filters and rules are of. */
export function openedZone({id, name, level, account}: Zone): OpenedZone {
	const owner = account.name || account.id || undefined;
	return {
		id,
		name,
		plan: level,
		label: `${owner ? `${owner} › ` : ''}zone ${name}`,
		account: owner,
		accountId: account.id || undefined,
	};
}

/** The zones that the filter leaves: by name, plan, status, account or id, without regard to case. */
export function visibleZones({rows, filter}: ZonesState): readonly Zone[] {
	if (filter === '') return rows;
	const sought = filter.toLowerCase();
	return rows.filter(({id, name, status, plan, account}) =>
		[name, id, status, plan, account.name, account.id].some(text => text.toLowerCase().includes(sought)),
	);
}

export const selectedZone = (state: ZonesState): Zone | undefined => visibleZones(state)[state.cursor];
