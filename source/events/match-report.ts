import {formatMissingLine, singleEventsSubject} from '../analytics/problem.ts';
import type {Client} from '../service/client.ts';
import {type EventMatches, readEventMatches} from './event-matches.ts';
import {
	describeUndecided,
	formatMatchedEvents,
	listShortMatches,
	listTopMatches,
	matchedEventsNote,
} from './match-words.ts';

/** Which events an expression matches, or why that is unknown, as sentences. */
type MatchReport = {
	readonly look: 'plain' | 'warning';
	readonly paragraphs: readonly string[];
	/** What to say if the paragraphs do not fit, the most important first. */
	readonly shortLines?: readonly string[];
};

/** Reads the latest events of a zone, and reports which of them an expression matches. */
export async function readMatchReport(
	client: Client,
	zoneId: string,
	expression: string,
	span: Pick<EventMatches, 'since' | 'until'>,
	signal: AbortSignal,
): Promise<MatchReport> {
	const {value, problems} = await readEventMatches(client, zoneId, expression, span, signal);
	return value
		? {look: 'plain', paragraphs: describeMatches(value), shortLines: listShortMatches(value)}
		: {look: 'warning', paragraphs: [formatMissingLine(singleEventsSubject, problems[0])]};
}

function describeMatches(matches: EventMatches): readonly string[] {
	const topTexts = listTopMatches(matches, 1).map(({text}) => text);
	return [
		[formatMatchedEvents(matches), describeUndecided(matches)].filter(Boolean).join(' '),
		...(topTexts.length > 0 ? [`Most frequent: ${topTexts.join(', ')}.`] : []),
		matchedEventsNote,
	];
}
