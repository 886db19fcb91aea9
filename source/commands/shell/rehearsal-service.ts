import type {StartRehearsal} from '../../migration/flow/rehearsal.ts';
import {createRehearsalClock} from '../../migration/flow/rehearsal-clock.ts';
import {connectSimulated} from '../../service/connect.ts';
import {createZoneSimulator} from './simulated-service.ts';

/** Starts the simulated service of a rehearsal: in this process, in memory, with a clock that skips waits. */
export const startRehearsalService: StartRehearsal = async snapshot => {
	const clock = createRehearsalClock();
	const simulator = createZoneSimulator(snapshot, clock.now);
	return {
		client: connectSimulated(request => simulator.fetch(request), {
			environment: {},
			clock,
			userAgent: `ledge/${LEDGE_VERSION}`,
		}),
		[Symbol.dispose]: () => simulator.close(),
	};
};
