import type {Session} from '../session/session.ts';
import type {LedgeState} from './ledge-store.ts';

/** External dependencies of the store, so that it runs without a screen. */
export type Ports = {
	readonly session: Session;
	/** Milliseconds since the epoch, for dates. The system clock may be set, even back. */
	now(): number;
	/** Milliseconds of a monotonic clock, for ages, waits and throttles; only differences have a meaning. */
	elapsed(): number;
};

/**
 * Creates a part of the state with the actions that change it. `set` merges into the part; `Whole` is the
 * whole part if only a piece of it is created.
 */
export type Slice<Part, Whole = Part> = (
	set: (change: Partial<Whole> | ((part: Whole) => Partial<Whole>)) => void,
	get: () => LedgeState,
	ports: Ports,
) => Part;
