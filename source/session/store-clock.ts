import {type Clock, createPlaceClock} from '../service/clock.ts';
import type {JobTarget} from '../state/job-record.ts';
import type {Session} from './session.ts';

/** Returns the clock for work on a store: the session's, else the one of the store's place. */
export const getStoreClock = ({clock, env}: Session, {place}: JobTarget): Clock =>
	clock.client ?? createPlaceClock(place, env);
