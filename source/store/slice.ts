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

/** One part of the store: its state, and the actions that change it. */
export type Slice<Part> = (
	set: (change: Partial<LedgeState> | ((state: LedgeState) => Partial<LedgeState>)) => void,
	get: () => LedgeState,
	ports: Ports,
) => Part;
