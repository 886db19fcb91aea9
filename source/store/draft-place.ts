import {shownPath} from '../config/discovery.ts';
import type {JobTarget} from '../config/job-record.ts';
import {localDataRoot} from '../session/namespaces.ts';
import type {Session} from '../session/session.ts';
import type {Connection} from './connection-slice.ts';

/** Whether a draft was begun where this session acts; of an account that nobody has named the service must be asked. */
export function belongsHere(
	{place, account}: JobTarget,
	session: Session,
	connection: Connection | undefined,
): boolean {
	if (session.simulated || place === 'simulated') return session.simulated && place === 'simulated';
	if (place.startsWith('local:')) return place === `local:${localDataRoot(session)}`;
	const address = connection?.address.value ?? '';
	if (!URL.canParse(address) || new URL(address).origin !== place) return false;
	return connection?.accountId === undefined || connection.accountId === account;
}

/** Where a draft was begun, as a person knows it. */
export function placeInWords({place, account}: JobTarget, cwd: string): string {
	if (place === 'simulated') return 'the simulated service';
	if (place.startsWith('local:')) return `local data in ${shownPath(place.slice('local:'.length), cwd)}`;
	return account === undefined ? place : `account ${account} at ${place}`;
}
