import type {Client} from '../service/client.ts';
import type {Session} from './session.ts';

/** Where a session acts: the origin of the service, or `simulated`; what is kept of it is kept under that (decision 37). */
export const placeOf = (
	{simulated}: Pick<Session, 'simulated'>,
	{baseUrl}: Pick<Client, 'baseUrl'>,
): string => (simulated ? 'simulated' : new URL(baseUrl).origin);
