import {type Clock, clockAt} from '../service/clock.ts';
import type {JobTarget} from '../state/job-record.ts';
import type {Session} from './session.ts';

/** The clock that work on a store waits by: that of the session where it has one, else the one for what is at its place. */
export const storeClock = ({clock, env}: Session, {place}: JobTarget): Clock =>
	clock.client ?? clockAt(place, env);
