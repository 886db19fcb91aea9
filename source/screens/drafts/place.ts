import {basename} from 'node:path';
import {getLocalDataRoot} from '../../session/namespaces.ts';
import {formatWorld, getSimulatedWorld} from '../../session/place.ts';
import type {Session} from '../../session/session.ts';
import {getAccountLabel} from '../../settings/contexts/active-context.ts';
import {formatPath} from '../../settings/discovery.ts';
import {getLocalFolder, isLocalPlace, type JobTarget, toLocalPlace} from '../../state/job-record.ts';
import {cutMiddle} from '../../text/cut.ts';
import type {Connection} from '../shell/connection-slice.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';

/**
 * True if a draft belongs to the service or local data of this session. If the account is unknown, the result
 * is true, because only the service could tell.
 */
export function belongsToSession(
	{place, world, account}: JobTarget,
	session: Session,
	connection: Connection | undefined,
): boolean {
	if (session.simulated || place === 'simulated')
		return session.simulated && place === 'simulated' && world === getSimulatedWorld(session);
	if (isLocalPlace(place)) return place === toLocalPlace(getLocalDataRoot(session));
	if (place === '' || getConnectionOrigin(connection) !== place) return false;
	// Not every credential may read the account of a zone.
	return connection?.accountId === undefined || account === undefined || connection.accountId === account;
}

/** Builds the target of a form's draft: service, account and zone. */
export const buildZoneTarget = (
	{id, accountId}: Pick<ZoneWithLabel, 'id' | 'accountId'>,
	session: Session,
	connection: Connection | undefined,
): JobTarget => ({
	place: session.simulated ? 'simulated' : getConnectionOrigin(connection),
	...getWorld(session),
	...(accountId !== undefined && {account: accountId}),
	zone: id,
});

function getWorld(session: Session): Pick<JobTarget, 'world'> {
	const world = session.simulated ? getSimulatedWorld(session) : undefined;
	return world === undefined ? {} : {world};
}

function getConnectionOrigin(connection: Connection | undefined): string {
	const address = connection?.address.value ?? '';
	return URL.canParse(address) ? new URL(address).origin : address;
}

/** Formats where a draft was begun, in full. */
export function formatTargetPlace({place, world, account}: JobTarget, cwd: string): string {
	if (place === 'simulated') return world === undefined ? 'the simulated service' : formatWorld(world, cwd);
	const folder = getLocalFolder(place);
	if (folder !== undefined) return `local data in ${formatPath(folder, cwd)}`;
	return account === undefined ? place : `account ${account} at ${place}`;
}

/** Formats where a draft was begun: the context of its account if there is one, else the place. */
export function formatPlaceOrContext(target: JobTarget, {contexts, cwd}: Session): string {
	const {account} = target;
	const name = account === undefined ? account : getAccountLabel(account, contexts);
	return name === account ? formatTargetPlace(target, cwd) : `context ${name}`;
}

/**
 * Formats where a draft was begun in a word or two, for a list. The `world` of a target is the state file of
 * a simulation.
 */
export function formatShortPlace(target: JobTarget, {contexts}: Pick<Session, 'contexts'>): string {
	const {place, world, account} = target;
	if (place === 'simulated') return world === undefined ? 'simulated' : `simulated in ${basename(world)}`;
	if (isLocalPlace(place)) return 'local';
	if (account === undefined) return place;
	const name = getAccountLabel(account, contexts);
	return name === account ? `account ${cutMiddle(account, 11)}` : name;
}
