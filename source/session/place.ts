import {createHash} from 'node:crypto';
import {resolve} from 'node:path';
import type {Client} from '../service/client.ts';
import {baseUrl} from '../settings/base-url.ts';
import {processMark} from '../state/holder.ts';
import type {Session} from './session.ts';

/** Where a session acts: the origin of the service, or `simulated`; what is kept of it is kept under that. */
export const placeOf = (
	{simulated}: Pick<Session, 'simulated'>,
	{baseUrl}: Pick<Client, 'baseUrl'>,
): string => (simulated ? 'simulated' : new URL(baseUrl).origin);

/**
 * The same for migrations, whose zones have the same ids in every simulated world: a world that `--state` names is a place
 * of its own, and one in memory is gone with its process.
 */
export function worldPlaceOf(
	session: Pick<Session, 'simulated' | 'cwd'> & {readonly options: Pick<Session['options'], 'state'>},
	client: Pick<Client, 'baseUrl'>,
): string {
	const place = placeOf(session, client);
	const {state} = session.options;
	if (!session.simulated || state === undefined) return place;
	const world = state === ':memory:' ? processMark : resolve(session.cwd, state);
	return `${place}-${createHash('sha256').update(world).digest('hex').slice(0, 12)}`;
}

/** The place of the migrations that a session would work on, found out from its settings alone. Fails with `usage`. */
export function placeOfMigrations(
	session: Pick<Session, 'simulated' | 'cwd' | 'variables' | 'options' | 'contexts'>,
): string {
	const {options, variables, simulated, contexts} = session;
	return worldPlaceOf(session, {
		baseUrl: simulated ? '' : baseUrl({options, variables, context: contexts.inForce}).value,
	});
}
