import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import type {Client} from '../service/client.ts';
import {resolveBaseUrl} from '../settings/base-url.ts';
import {formatPath} from '../settings/discovery.ts';
import {processMark} from '../state/holder.ts';
import type {JournalHeader} from '../state/job-record.ts';
import type {Session} from './session.ts';

/** Returns where a session acts: the origin of the service, or `simulated`. Used as a key of stored state. */
export const getSessionPlace = (
	{simulated}: Pick<Session, 'simulated'>,
	{baseUrl}: Pick<Client, 'baseUrl'>,
): string => (simulated ? 'simulated' : new URL(baseUrl).origin);

/**
 * Returns the simulated world of `--state` as an absolute path; undefined for the default world. A world in
 * memory belongs to its process.
 */
export function getSimulatedWorld({
	cwd,
	options: {state},
}: Pick<Session, 'cwd'> & {readonly options: Pick<Session['options'], 'state'>}): string | undefined {
	if (state === undefined) return undefined;
	return state === inMemory ? `${inMemory}${processMark}` : resolve(cwd, state);
}

/** Value of `--state` for a world in memory. */
const inMemory = ':memory:';

export const isWorldInMemory = (world: string): boolean => world.startsWith(inMemory);

/** True if a simulated world's file exists. A world in memory cannot be reopened. */
export const doesWorldExist = (world: string): boolean => !isWorldInMemory(world) && existsSync(world);

/** Formats a simulated world for a sentence; its file relative to `cwd` if shorter. */
export function formatWorld(world: string | undefined, cwd?: string): string {
	if (world === undefined) return 'the default simulated world';
	return isWorldInMemory(world)
		? 'a simulated world in memory'
		: `the simulated world in ${cwd === undefined ? world : formatPath(world, cwd)}`;
}

/** Formats a job's title, with its simulated world unless it is the default. */
export const formatTitleWithSimulatedWorld = (
	{title, target: {world}}: Pick<JournalHeader<unknown>, 'title' | 'target'>,
	cwd?: string,
): string => (world === undefined ? title : `${title}, in ${formatWorld(world, cwd)}`);

/**
 * Like `getSessionPlace`, but with its own place for each simulated world: zones have the same ids in all of
 * them.
 */
export function getPlaceWithWorld(
	session: Pick<Session, 'simulated' | 'cwd'> & {readonly options: Pick<Session['options'], 'state'>},
	client: Pick<Client, 'baseUrl'>,
): string {
	const place = getSessionPlace(session, client);
	const world = session.simulated ? getSimulatedWorld(session) : undefined;
	if (world === undefined) return place;
	return `${place}-${createHash('sha256').update(world).digest('hex').slice(0, 12)}`;
}

/** Returns the place of a session's migrations from its settings alone. Fails with `usage`. */
export function getMigrationPlace(
	session: Pick<Session, 'simulated' | 'cwd' | 'variables' | 'options' | 'contexts'>,
): string {
	const {options, variables, simulated, contexts} = session;
	return getPlaceWithWorld(session, {
		baseUrl: simulated ? '' : resolveBaseUrl({options, variables, context: contexts.active}).value,
	});
}
