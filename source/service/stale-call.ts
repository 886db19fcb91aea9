import {Failure} from '../failure.ts';
import type {Call} from './call.ts';

/** Fails if the data that a call depends on is too old, or if the clock was changed. */
export function refuseStale({method, path, freshFor}: Call, now: number): void {
	if (!freshFor) return;
	const {since, milliseconds, readingMs = 0} = freshFor;
	const age = now - since;
	if (age >= 0 && age <= milliseconds) return;
	const formatSeconds = (time: number) => `${Math.round(time / 1000)} s`;
	throw new Failure(
		'changed_meanwhile',
		`${method} ${path} was not sent: the data it is based on is too old.`,
		{
			why:
				readingMs > milliseconds
					? `Loading the data took ${formatSeconds(readingMs)}, but it is only valid for ${formatSeconds(milliseconds)}: the connection to the service is too slow.`
					: `It had to be sent within ${formatSeconds(milliseconds)} of the check${readingMs < 1000 ? '' : ` (loading the data took ${formatSeconds(readingMs)})`}, but could not be: the quota of the service was used up, or this machine was suspended.`,
			next: 'Nothing was sent. Try again: everything is checked again.',
		},
	);
}
