import type {RehearsalService} from '../../migration/flow/rehearsal.ts';
import {rehearsalClock} from '../../migration/flow/rehearsal-clock.ts';
import {connectSimulated} from '../../service/connect.ts';
import {simulatorOfZone} from './simulated-service.ts';

/** Starts the simulated service of a rehearsal: in this process, in memory, with a clock that skips waits. */
export const rehearsalService: RehearsalService = async snapshot => {
	const clock = rehearsalClock();
	const simulator = simulatorOfZone(snapshot, clock.now);
	return {
		client: connectSimulated(request => simulator.fetch(request), {
			environment: {},
			clock,
			userAgent: `ledge/${LEDGE_VERSION}`,
		}),
		[Symbol.dispose]: () => simulator.close(),
	};
};
