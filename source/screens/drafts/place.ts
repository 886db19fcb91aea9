import {basename} from 'node:path';
import {localDataRoot} from '../../session/namespaces.ts';
import {simulatedWorld, worldInWords} from '../../session/place.ts';
import type {Session} from '../../session/session.ts';
import {accountInContexts} from '../../settings/contexts/in-force.ts';
import {shownPath} from '../../settings/discovery.ts';
import {isLocalPlace, type JobTarget, localFolder, localPlace} from '../../state/job-record.ts';
import {cutMiddle} from '../../text/cut.ts';
import type {OpenedZone} from '../firewall/state.ts';
import type {Connection} from '../shell/connection-slice.ts';

/**
 * True if a draft was begun where this session acts. If the account is unknown, only the service can tell:
 * true.
 */
export function belongsHere(
	{place, world, account}: JobTarget,
	session: Session,
	connection: Connection | undefined,
): boolean {
	if (session.simulated || place === 'simulated')
		return session.simulated && place === 'simulated' && world === simulatedWorld(session);
	if (isLocalPlace(place)) return place === localPlace(localDataRoot(session));
	if (place === '' || originOf(connection) !== place) return false;
	// Not every credential may read the account of a zone.
	return connection?.accountId === undefined || account === undefined || connection.accountId === account;
}

/** Builds the target that names a form's zone in a draft. */
export const zoneTarget = (
	{id, accountId}: Pick<OpenedZone, 'id' | 'accountId'>,
	session: Session,
	connection: Connection | undefined,
): JobTarget => ({
	place: session.simulated ? 'simulated' : originOf(connection),
	...worldOf(session),
	...(accountId !== undefined && {account: accountId}),
	zone: id,
});

function worldOf(session: Session): Pick<JobTarget, 'world'> {
	const world = session.simulated ? simulatedWorld(session) : undefined;
	return world === undefined ? {} : {world};
}

function originOf(connection: Connection | undefined): string {
	const address = connection?.address.value ?? '';
	return URL.canParse(address) ? new URL(address).origin : address;
}

/** Formats where a draft was begun. */
export function placeInWords({place, world, account}: JobTarget, cwd: string): string {
	if (place === 'simulated') return world === undefined ? 'the simulated service' : worldInWords(world, cwd);
	const folder = localFolder(place);
	if (folder !== undefined) return `local data in ${shownPath(folder, cwd)}`;
	return account === undefined ? place : `account ${account} at ${place}`;
}

/** Formats where a draft was begun: the context of its account if there is one, else the place. */
export function placeOrContext(target: JobTarget, {contexts, cwd}: Session): string {
	const {account} = target;
	const name = account === undefined ? account : accountInContexts(account, contexts);
	return name === account ? placeInWords(target, cwd) : `context ${name}`;
}

/** Formats where a draft was begun in a word or two, for a list. */
export function placeInShort(target: JobTarget, {contexts}: Pick<Session, 'contexts'>): string {
	const {place, world, account} = target;
	if (place === 'simulated') return world === undefined ? 'simulated' : `simulated in ${basename(world)}`;
	if (isLocalPlace(place)) return 'local';
	if (account === undefined) return place;
	const name = accountInContexts(account, contexts);
	return name === account ? `account ${cutMiddle(account, 11)}` : name;
}
