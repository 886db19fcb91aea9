import {counted, grouped} from '../../text/figures.ts';
import type {Candidate} from './candidates.ts';
import type {Comparison, Counts} from './comparison.ts';
import type {Rise} from './rise.ts';
import type {Version} from './versions.ts';

/** Names of the versions, without a capital. */
export const versionNames: Readonly<Record<Version, string>> = {
	new: 'new managed rules',
	previous: 'previous managed rules',
};

/** Formats counts of events: "stopped 1,204 requests, logged 17"; estimates with "about". */
export function countsInWords({stopped, logged, skipped}: Counts, isSampled: boolean): string {
	const about = isSampled ? 'about ' : '';
	return [
		`stopped ${about}${counted(stopped, 'request')}`,
		`logged ${about}${grouped(logged)}`,
		...(skipped > 0 ? [`skipped ${about}${grouped(skipped)} by exceptions`] : []),
	].join(', ');
}

/** Formats a count in a table; estimates with "about". */
export const countInWords = (count: number, isSampled: boolean): string =>
	`${isSampled && count > 0 ? 'about ' : ''}${grouped(count)}`;

/** Shown without events, which may only be too early. */
export const nothingYet = 'No managed rule did anything in this time. Figures are minutes behind.';

/** Formats the number of candidates, or that they could not be read. */
export const candidatesInWords = ({by, candidates}: Pick<Comparison, 'by' | 'candidates'>): string =>
	by === undefined ? 'candidates could not be read' : counted(candidates.length, 'candidate');

/** Describes how the comparison was made, and what it cannot show. */
export function comparedInWords({by, before}: Pick<Comparison, 'by' | 'before'>): readonly string[] {
	if (by === undefined) return ['Rules and paths could not be read: the versions are not compared.'];
	return [
		before
			? 'The new rules run first: what they stop never reaches the previous ones. What the previous ones would have stopped is estimated by path, from what they stopped before validation.'
			: 'The new rules run first: what they stop never reaches the previous ones. What the previous ones would have stopped is estimated by path. Events from before validation could not be read (the plan may not keep them that long), so the estimate uses what they have stopped since.',
		by === 'requests'
			? 'What the previous rules stopped is compared request by request.'
			: 'What the previous rules stopped is compared by path too: single requests could not be compared (too many, sampled or unreadable events).',
	];
}

export function candidateFacts(candidate: Candidate, isSampled: boolean): readonly string[] {
	const {
		stopped,
		addresses,
		requestsOfAddresses = 0,
		byOthers,
		countries,
		mostOfOne,
		other,
		before,
	} = candidate;
	const unread = stopped - requestsOfAddresses;
	const about = isSampled ? 'about ' : '';
	return [
		`${about}${counted(stopped, 'request')} stopped`,
		addresses === undefined
			? 'addresses could not be read, so this may be a single attacker'
			: unread > 0
				? `from at least ${counted(addresses, 'address', 'addresses')}; the addresses of ${about}${counted(unread, 'request')} could not be read`
				: `from ${counted(addresses, 'address', 'addresses')}`,
		countries === undefined
			? 'countries could not be read'
			: `in ${counted(countries, 'country', 'countries')}`,
		...(mostOfOne === undefined ? [] : [`at most ${grouped(mostOfOne)} from one address`]),
		...(byOthers === undefined
			? []
			: [
					byOthers === 0
						? 'no other new rule stopped any of these addresses'
						: `other new rules stopped ${grouped(byOthers)} of these addresses, too`,
				]),
		`the previous rules stopped ${other === 0 ? 'none' : grouped(other)} at this path meanwhile`,
		before === undefined
			? 'what they stopped there before validation could not be read'
			: `${before === 0 ? 'none' : grouped(before)} there before validation`,
	];
}

/** Describes a rise with both figures and both times. */
export function riseInWords({stopped, expected, now, inValidation, isSampled}: Rise): string {
	const about = isSampled ? 'about ' : '';
	const minutes = Math.round((now.until - now.since) / 60_000);
	return `The new managed rules stopped ${about}${counted(stopped, 'request')} in ${counted(minutes, 'minute')} (${timeSpan(now.since, now.until)}); validation showed at most ${grouped(expected)} in as long (${timeSpan(inValidation.since, inValidation.until)}).`;
}

/** Formats a time span: `2026-11-23 14:05 to 15:05 UTC`. */
export function timeSpan(since: number, until: number): string {
	const [from, to] = [minuteOf(since), minuteOf(until)];
	return `${from} to ${from.slice(0, 10) === to.slice(0, 10) ? to.slice(11) : to} UTC`;
}

const minuteOf = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');
