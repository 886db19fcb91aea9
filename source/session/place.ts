import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import type {Client} from '../service/client.ts';
import {baseUrl} from '../settings/base-url.ts';
import {shownPath} from '../settings/discovery.ts';
import {processMark} from '../state/holder.ts';
import type {JournalHeader} from '../state/job-record.ts';
import type {Session} from './session.ts';

/** Where a session acts: the origin of the service, or `simulated`; what is kept of it is kept under that. */
export const placeOf = (
	{simulated}: Pick<Session, 'simulated'>,
	{baseUrl}: Pick<Client, 'baseUrl'>,
): string => (simulated ? 'simulated' : new URL(baseUrl).origin);

/**
 * The simulated world that `--state` names, as a whole path; undefined for the default world. A world in memory ends
 * with its process, so no other process has the same one.
 */
export function simulatedWorld({
	cwd,
	options: {state},
}: Pick<Session, 'cwd'> & {readonly options: Pick<Session['options'], 'state'>}): string | undefined {
	if (state === undefined) return undefined;
	return state === inMemory ? `${inMemory}${processMark}` : resolve(cwd, state);
}

/** The value of `--state` for a world in memory. */
const inMemory = ':memory:';

export const isWorldInMemory = (world: string): boolean => world.startsWith(inMemory);

/** True if a simulated world can be opened again: its file exists. One in memory is only where it was opened. */
export const worldExists = (world: string): boolean => !isWorldInMemory(world) && existsSync(world);

/** A simulated world in a sentence; its file relative to `cwd` where that is shorter. */
export function worldInWords(world: string | undefined, cwd?: string): string {
	if (world === undefined) return 'the default simulated world';
	return isWorldInMemory(world)
		? 'a simulated world in memory'
		: `the simulated world in ${cwd === undefined ? world : shownPath(world, cwd)}`;
}

/** The title of a job, with its simulated world where that is not the default one. */
export const titleWithWorld = (
	{title, target: {world}}: Pick<JournalHeader<unknown>, 'title' | 'target'>,
	cwd?: string,
): string => (world === undefined ? title : `${title}, in ${worldInWords(world, cwd)}`);

/** The same as `placeOf` for migrations, whose zones have the same ids in every simulated world: each world is a place. */
export function worldPlaceOf(
	session: Pick<Session, 'simulated' | 'cwd'> & {readonly options: Pick<Session['options'], 'state'>},
	client: Pick<Client, 'baseUrl'>,
): string {
	const place = placeOf(session, client);
	const world = session.simulated ? simulatedWorld(session) : undefined;
	if (world === undefined) return place;
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
