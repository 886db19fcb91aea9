import {zones as listZones, type Zone} from '../../service/zones.ts';
import {accountId, zone as zoneSetting} from '../../settings/settings.ts';
import type {Slice} from '../../store/slice.ts';
import type {OpenedZone} from '../firewall/slice.ts';
import {byName, createReader, emptyList, type ListState, listOf} from '../shell/list.ts';
import type {Screen} from '../shell/screen.ts';

/** The zones that the credential sees, by name. */
type ZonesState = ListState<Zone> & {
	/** What enter opens of a zone: that for which the zones were gone to. */
	readonly opens: Screen;
};

export type ZonesSlice = {
	readonly zones: ZonesState;
	loadZones(signal: AbortSignal): Promise<void>;
	/**
	 * The zone that options and variables name, else the only one; `undefined` where a person
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

	const {read} = createReader(() => get().zones, change);

	async function all(signal: AbortSignal): Promise<readonly Zone[]> {
		const account = session.simulated ? undefined : accountId(await session.sources())?.value;
		return byName(listZones(await session.client(), {...(account && {account})}, signal));
	}

	const show = (rows: readonly Zone[]) =>
		change(zoneList.changed(get().zones, {rows, reading: 'read', failure: undefined}));

	return {
		zones: {...emptyList, opens: 'firewall'},
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
		moveInZones: by => change(zoneList.moved(get().zones, by)),
		filterZones: filter => change(zoneList.changed(get().zones, {filter})),
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

const zoneList = listOf<Zone>(
	({id}) => id,
	({name, id, status, plan, account}) => [name, id, status, plan, account.name, account.id],
);

export const {visible: visibleZones, selected: selectedZone} = zoneList;
