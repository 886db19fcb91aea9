import type {Session} from '../session/session.ts';
import type {LedgeState} from './ledge-store.ts';

/** What the store needs from outside, so that it can be driven without a screen. */
export type Ports = {
	readonly session: Session;
	/** Milliseconds since the epoch, for what has a date. It may be set, back too. */
	now(): number;
	/** Milliseconds of a clock that nobody can set, for ages, waits and throttles; only differences mean anything. */
	elapsed(): number;
};

/** Makes a part of the state with the actions that change it. `set` merges into the part; `Whole` is the part where a piece of it is made. */
export type Slice<Part, Whole = Part> = (
	set: (change: Partial<Whole> | ((part: Whole) => Partial<Whole>)) => void,
	get: () => LedgeState,
	ports: Ports,
) => Part;
