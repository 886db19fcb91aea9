import type {Slice} from '../../store/slice.ts';
import {leadsElsewhere, type Place, placeId, placeOf} from './place.ts';

export type Direction = 'back' | 'forward';

/** The places of this session, in the order in which they were visited. */
export type PlacesSlice = {
	/** Takes note of the place in front, after every change of the state. */
	placeSeen(): void;
	/** Whether there is a place in that direction. */
	hasPlace(direction: Direction): boolean;
	/**
	 * The next place in that direction, which becomes the one in front. What is shown on the way to it until `arrived`
	 * is not noted.
	 */
	turnTo(direction: Direction): Place | undefined;
	arrived(): void;
	/** Whether this is still the place that is gone to. */
	isHeadedFor(place: Place): boolean;
	/** The place in front does not exist: it is left out from now on. */
	placeGone(): void;
};

/** Places that are kept in each direction. */
const mostPlaces = 100;

export const createPlacesSlice: Slice<PlacesSlice> = (_set, get) => {
	const places: Record<Direction, Place[]> = {back: [], forward: []};
	let here: Place | undefined;
	/** The screens that are passed on the way to `here`. */
	let isOnTheWay = false;

	return {
		placeSeen() {
			const now = placeOf(get());
			if (!now) return;
			const isSame = here !== undefined && placeId(now) === placeId(here);
			if (isOnTheWay && !isSame) return;
			if (here && !isSame) {
				if (!leadsElsewhere(get(), here)) places.back = [...places.back, here].slice(-mostPlaces);
				places.forward = [];
			}
			// On the way its filter and cursor are not restored yet.
			if (!isOnTheWay) here = now;
		},
		hasPlace: direction => places[direction].length > 0,
		turnTo(direction) {
			const place = places[direction].pop();
			if (!place) return undefined;
			if (here) places[direction === 'back' ? 'forward' : 'back'].push(here);
			here = place;
			isOnTheWay = true;
			return place;
		},
		arrived() {
			isOnTheWay = false;
			get().placeSeen();
		},
		isHeadedFor: place => here === place,
		placeGone() {
			here = undefined;
		},
	};
};
