import {cutEnd} from '../text/cut.ts';
import {formatInteger} from '../text/figures.ts';
import {formatOneLine} from '../text/one-line.ts';
import {type EventMatches, type MatchList, matchLists} from './event-matches.ts';

/** What the events are, in a sentence. */
export const matchedEventsNote = 'Events are a sample of requests that a rule acted on, not of all traffic.';

/** Maximum columns of a value, and number of names in a list. */
const maxValueColumns = 40;
const maxNames = 3;

/** `Matches 37 of the last 412 security events (24 h, sampled).` */
export function formatMatchedEvents(matches: EventMatches): string {
	const {total, since, until, hasMore} = matches;
	const span = formatEventSpan(until - since);
	if (total === 0) return `No security events in the last ${span}.`;
	const moreNote = hasMore ? '; more exist' : '';
	return `${formatMatchCount(matches)} the last ${formatInteger(total)} security events (${span}, sampled${moreNote}).`;
}

/** `Matches 37 of`; `Unknown for` if no event is decided. */
const formatMatchCount = ({total, matched, undecided}: EventMatches): string =>
	undecided === total ? 'Unknown for' : `Matches ${formatInteger(matched)} of`;

/** `12 can't be decided: events do not include http.cookie.` Undefined if all are decided. */
export function describeUndecided({
	undecided,
	unknownFields,
	unknownOperations,
}: EventMatches): string | undefined {
	if (undecided === 0) return undefined;
	const reasons = [
		...(unknownFields.length > 0 ? [`events do not include ${formatNames(unknownFields)}`] : []),
		...(unknownOperations.length > 0 ? [`ledge does not evaluate ${formatNames(unknownOperations)}`] : []),
	];
	return `${formatInteger(undecided)} can't be decided: ${reasons.join('; ')}.`;
}

/** Formats the `maxValues` most frequent values of the matched events, by list: `/wp-login.php (30), /x (7)`. */
export const listTopMatches = (
	{top}: Pick<EventMatches, 'top'>,
	maxValues = 3,
): readonly {readonly list: MatchList; readonly text: string}[] =>
	matchLists.flatMap(list =>
		top[list].length === 0
			? []
			: {
					list,
					text: top[list]
						.slice(0, maxValues)
						.map(({value, count}) => `${formatName(value)} (${formatInteger(count)})`)
						.join(', '),
				},
	);

/** Formats matches in short lines, the most important first: `Matches 37 of 412 events (24 h).` */
export function listShortMatches(matches: EventMatches): readonly string[] {
	const {total, undecided, unknownFields, unknownOperations, since, until} = matches;
	if (total === 0) return [formatMatchedEvents(matches)];
	const reasons = [...unknownFields, ...unknownOperations].map(formatName).join(', ');
	const topValues = listTopMatches(matches, 1).map(({text}) => text);
	return [
		`${formatMatchCount(matches)} ${formatInteger(total)} events (${formatEventSpan(until - since)}).`,
		...(undecided > 0 ? [`${formatInteger(undecided)} undecided: ${reasons}.`] : []),
		...(topValues.length > 0 ? [`Most: ${topValues.join(', ')}.`] : []),
	];
}

function formatNames(names: readonly string[]): string {
	const moreCount = names.length - maxNames;
	return [...names.slice(0, maxNames).map(formatName), ...(moreCount > 0 ? [`${moreCount} more`] : [])].join(
		', ',
	);
}

const formatName = (name: string): string => cutEnd(formatOneLine(name, maxValueColumns), maxValueColumns);

/** Formats milliseconds: `35 min`, `24 h`, `7 d`. */
function formatEventSpan(milliseconds: number): string {
	const minutes = Math.round(milliseconds / 60_000);
	if (minutes < 60) return `${minutes} min`;
	const hours = Math.round(minutes / 60);
	return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}
