import type {RehearsalService} from '../../migration/flow/rehearsal.ts';
import {rehearsalPace} from '../../migration/flow/rehearsal-pace.ts';
import {connectSimulated} from '../../service/connect.ts';
import {simulatorOfZone} from './simulated-service.ts';

/** The simulated service of a rehearsal: in this process, in memory, with a clock on which nobody waits (decisions 37, 38). */
export const rehearsalService: RehearsalService = async (snapshot, record) => {
	const pace = rehearsalPace();
	const simulator = simulatorOfZone(snapshot, pace.now);
	return {
		client: connectSimulated(request => simulator.fetch(request), {
			environment: {},
			pace,
			userAgent: `ledge/${LEDGE_VERSION}`,
			events: {record},
		}),
		[Symbol.dispose]: () => simulator.close(),
	};
};
