import {Failure, type NamedCommand} from '../failure.ts';
import {advice, ledge} from '../text/advice.ts';

/**
 * An id as a segment of a path. Ids are never taken as they are: one that would lead to another path fails with `usage`
 * before anything is sent. `what` names what it is the id of, and `list` the command that lists those.
 */
export function pathSegment(id: string, what: string, list?: NamedCommand): string {
	if (id !== '' && id !== '.' && id !== '..') return encodeURIComponent(id.toWellFormed());
	throw new Failure('usage', `"${id}" cannot be the id of ${what}.`, {
		next: list && advice`See \`${list}\` for the ids there are.`,
	});
}

/** The beginning of the path of a zone. */
export const zonePath = (zone: string): string => `/zones/${pathSegment(zone, 'a zone', ledge('zones'))}`;
