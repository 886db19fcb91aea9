import {Failure, type NamedCommand} from '../failure.ts';
import {buildAdvice, buildCommand} from '../text/advice.ts';

/**
 * Encodes an id as a path segment. Fails with `usage`, before anything is sent, for an id that would change
 * the path. `ownerLabel` names what has the id ("a zone"), and `listCommand` is the command that lists the
 * ids.
 */
export function encodePathSegment(id: string, ownerLabel: string, listCommand?: NamedCommand): string {
	if (id !== '' && id !== '.' && id !== '..') return encodeURIComponent(id.toWellFormed());
	throw new Failure('usage', `"${id}" cannot be the id of ${ownerLabel}.`, {
		next: listCommand && buildAdvice`See \`${listCommand}\` for the existing ids.`,
	});
}

/** Returns the path of a zone. */
export const getZonePath = (zoneId: string): string =>
	`/zones/${encodePathSegment(zoneId, 'a zone', buildCommand('zones'))}`;
