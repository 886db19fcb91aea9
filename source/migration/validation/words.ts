import {formatInteger, formatQuantity} from '../../text/figures.ts';
import type {ExceptionCandidate} from './candidates.ts';
import type {EventCounts, VersionComparison} from './comparison.ts';
import type {Rise} from './rise.ts';
import type {ManagedRulesVersion} from './versions.ts';

/** Names of the versions, for use within a sentence. */
export const versionNames: Readonly<Record<ManagedRulesVersion, string>> = {
	new: 'new managed rules',
	previous: 'previous managed rules',
};

/**
 * Formats counts of events, such as "stopped 1,204 requests, logged 17". Estimates are marked with "about".
 */
export function formatVersionCounts({stopped, logged, skipped}: EventCounts, isSampled: boolean): string {
	const qualifier = isSampled ? 'about ' : '';
	return [
		`stopped ${qualifier}${formatQuantity(stopped, 'request')}`,
		`logged ${qualifier}${formatInteger(logged)}`,
		...(skipped > 0 ? [`skipped ${qualifier}${formatInteger(skipped)} by exceptions`] : []),
	].join(', ');
}

/** Formats a count for a table. An estimate is marked with "about". */
export const formatEventCount = (count: number, isSampled: boolean): string =>
	`${isSampled && count > 0 ? 'about ' : ''}${formatInteger(count)}`;

/** Shown if there are no events, possibly because it is too early. */
export const noEventsNote = 'No managed rule acted in this period. Figures lag by a few minutes.';

/** Formats the number of candidates, or says that they could not be read. */
export const formatCandidateCount = ({
	method,
	candidates,
}: Pick<VersionComparison, 'method' | 'candidates'>): string =>
	method === undefined ? 'candidates could not be read' : formatQuantity(candidates.length, 'candidate');

/** Describes how the versions were compared, and what the comparison cannot show. */
export function describeComparisonMethod({
	method,
	earlierSpan,
}: Pick<VersionComparison, 'method' | 'earlierSpan'>): readonly string[] {
	if (method === undefined) return ['Rules and paths could not be read: the versions are not compared.'];
	return [
		earlierSpan
			? 'The new rules run first: what they stop never reaches the previous ones. What the previous ones would have stopped is estimated by path, from what they stopped before validation.'
			: 'The new rules run first: what they stop never reaches the previous ones. What the previous ones would have stopped is estimated by path. Events from before validation could not be read (the plan may not keep them that long), so the estimate uses what they have stopped since.',
		method === 'requests'
			? 'What the previous rules stopped is compared request by request.'
			: 'What the previous rules stopped is compared by path too: single requests could not be compared (too many, sampled or unreadable events).',
	];
}

export function listCandidateFacts(candidate: ExceptionCandidate, isSampled: boolean): readonly string[] {
	const {
		stopped,
		addresses,
		attributedRequests = 0,
		sharedAddresses,
		countries,
		maxPerAddress,
		stoppedByOtherVersion,
		stoppedBefore,
	} = candidate;
	const unreadRequests = stopped - attributedRequests;
	const qualifier = isSampled ? 'about ' : '';
	return [
		`${qualifier}${formatQuantity(stopped, 'request')} stopped`,
		addresses === undefined
			? 'addresses could not be read, so this may be a single attacker'
			: unreadRequests > 0
				? `from at least ${formatQuantity(addresses, 'address', 'addresses')}; the addresses of ${qualifier}${formatQuantity(unreadRequests, 'request')} could not be read`
				: `from ${formatQuantity(addresses, 'address', 'addresses')}`,
		countries === undefined
			? 'countries could not be read'
			: `in ${formatQuantity(countries, 'country', 'countries')}`,
		...(maxPerAddress === undefined ? [] : [`at most ${formatInteger(maxPerAddress)} from one address`]),
		...(sharedAddresses === undefined
			? []
			: [
					sharedAddresses === 0
						? 'no other new rule stopped any of these addresses'
						: `other new rules also stopped ${formatInteger(sharedAddresses)} of these addresses`,
				]),
		`the previous rules stopped ${stoppedByOtherVersion === 0 ? 'none' : formatInteger(stoppedByOtherVersion)} at this path in the same period`,
		stoppedBefore === undefined
			? 'what they stopped there before validation could not be read'
			: `${stoppedBefore === 0 ? 'none' : formatInteger(stoppedBefore)} there before validation`,
	];
}

/** Describes a rise, with both numbers and both time spans. */
export function describeRise({stopped, expectedMax, currentSpan, validationSpan, isSampled}: Rise): string {
	const qualifier = isSampled ? 'about ' : '';
	const minutes = Math.round((currentSpan.until - currentSpan.since) / 60_000);
	return `The new managed rules stopped ${qualifier}${formatQuantity(stopped, 'request')} in ${formatQuantity(minutes, 'minute')} (${formatTimeSpan(currentSpan.since, currentSpan.until)}); validation showed at most ${formatInteger(expectedMax)} in the same length of time (${formatTimeSpan(validationSpan.since, validationSpan.until)}).`;
}

/** Formats a time span, such as `2026-11-23 14:05 to 15:05 UTC`. */
export function formatTimeSpan(since: number, until: number): string {
	const [from, to] = [formatMinute(since), formatMinute(until)];
	return `${from} to ${from.slice(0, 10) === to.slice(0, 10) ? to.slice(11) : to} UTC`;
}

const formatMinute = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');
