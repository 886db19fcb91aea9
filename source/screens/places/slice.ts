import {toFailure} from '../../failure.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {type LastPlace, readLastPlace, storeLastPlace} from '../../state/last-place.ts';
import {type Pin, readPins, storePins} from '../../state/pins.ts';
import {type Recent, readRecents, storeRecents, withRecent} from '../../state/recent.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import type {Slice} from '../../store/slice.ts';
import {toDrawable} from '../../text/columns.ts';
import {getCurrentScreen, type Screen} from '../shell/screen-name.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import {getCurrentPlace, getPlaceId, isRedirected, type Place} from './place.ts';
import {toLastPlace, toRecent} from './recents.ts';

export type Direction = 'back' | 'forward';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly places: PlacesSlice;
	}
}

/** Places of this session in visiting order. */
type PlacesSlice = {
	/** Recent namespaces with their filters, and zones, latest first; kept for the next run. */
	readonly recents: readonly Recent[];
	/** The zone visited last in this session. */
	readonly lastZone: ZoneWithLabel | undefined;
	forgetRecents(): void;
	/** Pinned namespaces, prefixes and zones of this service and account, in the order of the user. */
	readonly pins: readonly Pin[];
	/**
	 * Changes the stored pins, which another process may have changed meanwhile. If they can't be stored, reports
	 * that, changes nothing and returns false.
	 */
	changePins(update: (pins: readonly Pin[]) => readonly Pin[]): boolean;
	/** Records the current place, and says if a form stays open behind it; called after every change of the state. */
	remember(): void;
	/** Records only the place where `run` ends, not those that it passes. */
	passThrough(run: () => void): void;
	/** True if there is a place in that direction. */
	hasPlace(direction: Direction): boolean;
	/**
	 * Makes the next place in a direction the current one. Back from a screen that is no place, such as a form
	 * or a run, that is the last place visited. Screens passed on the way are not recorded until `arrive`.
	 */
	turnTo(direction: Direction): Place | undefined;
	arrive(): void;
	/** True if this is still the place being opened. */
	isHeadedFor(place: Place): boolean;
	/** Drops the current place, which does not exist. */
	forget(): void;
	/** Stores the current place, or the last one if the screen is none, for `--last` of the next run. */
	storeLast(): void;
	/** Reads where the previous run with this service and context was left; undefined if nothing is stored. */
	readLast(): LastPlace | undefined;
};

/** Maximum number of places kept in each direction. */
const maxPlaces = 100;

/** Returns the key of stored pins; the simulated service has its own. */
const getPinScope = (state: StateWith<'connection'>): string | undefined =>
	state.connection.data?.simulated ? 'simulated' : getRecentsScope(state);

/**
 * Returns the key of stored recent places: service and account. Undefined for the simulated service, which
 * stores none.
 */
function getRecentsScope({connection: {data: connection}}: StateWith<'connection'>): string | undefined {
	if (!connection || connection.simulated || connection.problem) return undefined;
	return JSON.stringify([connection.address.value, connection.accountId ?? '']);
}

/**
 * Returns the key of the place where a run is left: service and context, since the account is not known when
 * the next run starts.
 */
function getLastScope({connection: {data: connection}}: StateWith<'connection'>): string | undefined {
	if (!connection || connection.problem) return undefined;
	if (connection.simulated) return 'simulated';
	return JSON.stringify([connection.address.value, connection.context?.name ?? '', connection.target]);
}

export const createPlacesSlice: Slice<PlacesSlice> = (set, get, {session: {env}}) => {
	const places: Record<Direction, Place[]> = {back: [], forward: []};
	let currentPlace: Place | undefined;
	/** True while screens are passed on the way to `currentPlace`. */
	let isTravelling = false;
	/** True while screens are passed within one action. */
	let isPassing = false;
	/** The screen last in front that may have a form open. */
	let formScreen: Screen | undefined;
	let scope: string | undefined;
	let pinScope: string | undefined;
	let isFailureReported = false;

	/** Loads stored recents once the account is known. */
	function loadRecents(): void {
		const newPinScope = getPinScope(get());
		if (newPinScope !== pinScope) {
			pinScope = newPinScope;
			set({pins: newPinScope === undefined ? [] : readPins(env, newPinScope)});
		}
		const newScope = getRecentsScope(get());
		if (newScope === scope) return;
		scope = newScope;
		set({recents: newScope === undefined ? [] : readRecents(env, newScope)});
	}

	function saveRecents(recents: readonly Recent[]): void {
		set({recents});
		if (scope === undefined) return;
		try {
			storeRecents(env, scope, recents);
		} catch (error) {
			// Reported once: no input is lost.
			if (!isFailureReported) get().messages.fail(toFailure(error));
			isFailureReported = true;
		}
	}

	function rememberRecent(place: Place): void {
		const recent = toRecent(place);
		if (recent) saveRecents(withRecent(get().places.recents, recent));
	}

	/** Says that an unsent form is kept once its screen was left for another place, in whatever way. */
	function announceKeptForm(): void {
		const state = get();
		const {screens} = state.navigation;
		const screen = getCurrentScreen(state);
		if (formScreen !== undefined && formScreen !== screen && getCurrentPlace(state)) {
			const form = screens[formScreen].getOpenForm?.(state);
			formScreen = undefined;
			if (form !== undefined)
				state.messages.say(
					`Kept, not sent: ${toDrawable(form)} (${nameKey('edits.unsaved', 'U')} continues)`,
				);
		}
		if (screens[screen].getOpenForm) formScreen = screen;
	}

	/** True if the screen is no place: the last place visited is then the previous one. */
	const isPastPlace = () => !isTravelling && currentPlace !== undefined && !getCurrentPlace(get());

	return {
		recents: [],
		lastZone: undefined,
		forgetRecents: () => saveRecents([]),
		pins: [],
		changePins(update) {
			const pins = update(pinScope === undefined ? get().places.pins : readPins(env, pinScope));
			try {
				if (pinScope !== undefined) storePins(env, pinScope, pins);
			} catch (error) {
				get().messages.fail(toFailure(error));
				return false;
			}
			set({pins});
			return true;
		},
		remember() {
			if (isPassing) return;
			if (!isTravelling) announceKeptForm();
			loadRecents();
			const newPlace = getCurrentPlace(get());
			if (!newPlace) return;
			if ('zone' in newPlace && newPlace.zone !== get().places.lastZone) set({lastZone: newPlace.zone});
			const isSame = currentPlace !== undefined && getPlaceId(newPlace) === getPlaceId(currentPlace);
			if (isTravelling && !isSame) return;
			const leftPlace = isSame ? undefined : currentPlace;
			const isFirst = !isSame && !isTravelling;
			if (currentPlace && !isSame) {
				if (!isRedirected(get(), currentPlace))
					places.back = [...places.back, currentPlace].slice(-maxPlaces);
				places.forward = [];
			}
			// While travelling, the filter and cursor of `newPlace` are not restored yet.
			if (!isTravelling) currentPlace = newPlace;
			if (leftPlace?.screen === 'keys' && leftPlace.filter !== '') rememberRecent(leftPlace);
			if (isFirst) rememberRecent(newPlace);
		},
		passThrough(run) {
			const wasPassing = isPassing;
			isPassing = true;
			try {
				run();
			} finally {
				isPassing = wasPassing;
			}
			get().places.remember();
		},
		hasPlace: direction => places[direction].length > 0 || (direction === 'back' && isPastPlace()),
		turnTo(direction) {
			if (direction === 'back' && isPastPlace()) {
				isTravelling = true;
				return currentPlace;
			}
			const place = places[direction].pop();
			if (!place) return undefined;
			if (currentPlace) places[direction === 'back' ? 'forward' : 'back'].push(currentPlace);
			currentPlace = place;
			isTravelling = true;
			return place;
		},
		arrive() {
			isTravelling = false;
			get().places.remember();
		},
		isHeadedFor: place => currentPlace === place,
		forget() {
			currentPlace = undefined;
		},
		storeLast() {
			const lastScope = getLastScope(get());
			const place = getCurrentPlace(get()) ?? currentPlace;
			if (lastScope === undefined || !place) return;
			try {
				storeLastPlace(env, lastScope, toLastPlace(place));
			} catch {
				// Nothing depends on it, and the screens have ended.
			}
		},
		readLast() {
			const lastScope = getLastScope(get());
			return lastScope === undefined ? undefined : readLastPlace(env, lastScope);
		},
	};
};
