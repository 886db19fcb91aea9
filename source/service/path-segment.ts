import {Failure, type NamedCommand} from '../failure.ts';
import {advice, ledge} from '../text/advice.ts';

/**
 * Encodes an id as a path segment. Fails with `usage`, before anything is sent, for an id that would change
 * the path. `what` names the kind of id, and `list` the command that lists them.
 */
export function pathSegment(id: string, what: string, list?: NamedCommand): string {
	if (id !== '' && id !== '.' && id !== '..') return encodeURIComponent(id.toWellFormed());
	throw new Failure('usage', `"${id}" cannot be the id of ${what}.`, {
		next: list && advice`See \`${list}\` for the ids there are.`,
	});
}

/** Returns the path of a zone. */
export const zonePath = (zone: string): string => `/zones/${pathSegment(zone, 'a zone', ledge('zones'))}`;
