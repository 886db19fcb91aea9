import type {AnalyticsProblem} from '../../analytics/problem.ts';
import type {EventMatches} from '../../events/event-matches.ts';
import {
	describeUndecided,
	formatMatchedEvents,
	listTopMatches,
	matchedEventsNote,
} from '../../events/match-words.ts';
import {capitalize} from '../../text/one-line.ts';
import {type EventsRequest, toEventsHeadingJson, toMissingEventsJson} from './events-text.ts';

/** The security events of a zone that an expression matches. */
export type ZoneMatches = EventMatches &
	Pick<EventsRequest, 'zone'> & {
		/** True if the beginning of the requested time is not covered. */
		readonly isClipped: boolean;
		readonly problems: readonly AnalyticsProblem[];
	};

/** Converts matches to the JSON of `--json`. */
export const toMatchesJson = ({
	zone,
	since,
	until,
	isClipped,
	problems,
	hasMore,
	total,
	matched,
	undecided,
	unknownFields,
	unknownOperations,
	top,
}: ZoneMatches) => ({
	...toEventsHeadingJson({zone, filter: {since, until}}, since, {isClipped}),
	more: hasMore,
	total,
	matched,
	undecided,
	unknown: {fields: unknownFields, operations: unknownOperations},
	top,
	missing: toMissingEventsJson(problems),
});

/** Formats matches in lines. */
export const formatMatchLines = (matches: EventMatches): string =>
	[
		formatMatchedEvents(matches),
		describeUndecided(matches),
		...listTopMatches(matches).map(({list, text}) => `${capitalize(list)}: ${text}`),
		matchedEventsNote,
	]
		.filter(line => line !== undefined)
		.join('\n');
