import {readSecurityEvents, type SecurityEvent, type SingleEvents} from '../analytics/events.ts';
import type {ReadResult} from '../analytics/problem.ts';
import {createRequestMatcher, type RecordedFields} from '../firewall/expression/expressions.ts';
import type {Client} from '../service/client.ts';

/** Maximum number of events that are read, the latest first: one query. */
const maxMatchedEvents = 1000;
/** Maximum number of values in each list of the most frequent ones. */
const maxTopValues = 10;

/** How many of the latest security events of a zone an expression matches. */
export type EventMatches = {
	/** First moment covered, in milliseconds; later than requested if the plan keeps less or more events exist. */
	readonly since: number;
	readonly until: number;
	/** True if there are earlier events in the requested time, which were not read. */
	readonly hasMore: boolean;
	readonly total: number;
	readonly matched: number;
	/** Events for which the result is unknown. */
	readonly undecided: number;
	/** Fields that decide these results, but that events do not include. */
	readonly unknownFields: readonly string[];
	/** Lists, functions and patterns that decide these results, but that ledge does not evaluate. */
	readonly unknownOperations: readonly string[];
	/** The most frequent values of the matched events. */
	readonly top: Readonly<Record<MatchList, readonly MatchedValue[]>>;
};

export const matchLists = ['paths', 'countries', 'addresses'] as const;
export type MatchList = (typeof matchLists)[number];

type MatchedValue = {readonly value: string; readonly count: number};

/** Reads the latest events of a zone, and evaluates an expression for each. */
export async function readEventMatches(
	client: Client,
	zoneId: string,
	expression: string,
	span: Pick<EventMatches, 'since' | 'until'>,
	signal: AbortSignal,
): Promise<ReadResult<EventMatches>> {
	const {value, problems} = await readSecurityEvents(client, zoneId, span, maxMatchedEvents, signal);
	return {value: value && {...countMatches(expression, value), until: span.until}, problems};
}

function countMatches(
	expression: string,
	{events, fields, since, hasMore}: SingleEvents,
): Omit<EventMatches, 'until'> {
	const matchRequest = createRequestMatcher(expression);
	const matchedEvents: SecurityEvent[] = [];
	const unknownFields = new Set<string>();
	const unknownOperations = new Set<string>();
	let undecided = 0;
	for (const event of events) {
		const result = matchRequest(toRecordedFields(event, fields));
		if (result === true) matchedEvents.push(event);
		if (typeof result === 'boolean') continue;
		undecided++;
		for (const name of result.fields) unknownFields.add(name);
		for (const name of result.operations) unknownOperations.add(name);
	}
	return {
		since,
		hasMore,
		total: events.length,
		matched: matchedEvents.length,
		undecided,
		unknownFields: [...unknownFields],
		unknownOperations: [...unknownOperations],
		top: {
			paths: countValues(matchedEvents.map(({path}) => path)),
			countries: countValues(matchedEvents.map(({country}) => country)),
			addresses: countValues(matchedEvents.map(({address}) => address)),
		},
	};
}

/** Returns the fields of expressions that an event determines; the others are undefined. */
function toRecordedFields(event: SecurityEvent, fields: SingleEvents['fields']): RecordedFields {
	const {at, address, country, method, host, path, scheme} = event;
	const agent = fields.has('userAgent') ? (event.agent ?? '') : undefined;
	const query = fields.has('clientRequestQuery') ? (event.query ?? '').replace(/^\?/, '') : undefined;
	const network = Number(event.network) || undefined;
	const uri =
		path === undefined || query === undefined ? undefined : query === '' ? path : `${path}?${query}`;
	return {
		'http.request.timestamp.sec': fields.has('datetime') ? Math.floor(at / 1000) : undefined,
		'http.request.method': method,
		'http.request.version': event.protocol,
		'http.host': host,
		'http.request.uri.path': path,
		'http.request.uri.query': query,
		'http.request.uri': uri,
		'http.request.full_uri':
			scheme === undefined || host === undefined || uri === undefined
				? undefined
				: `${scheme}://${host}${uri}`,
		'http.user_agent': agent,
		'http.request.headers': {
			...(host !== undefined && {host: [host]}),
			...(agent && {'user-agent': [agent]}),
		},
		'ip.src': address,
		'ip.src.country': country,
		'ip.geoip.country': country,
		'ip.src.asnum': network,
		'ip.geoip.asnum': network,
		ssl: scheme === undefined ? undefined : scheme === 'https',
	};
}

/** Counts equal values, the most frequent first. */
function countValues(values: readonly (string | undefined)[]): readonly MatchedValue[] {
	const counts = new Map<string, number>();
	for (const value of values) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
	return [...counts]
		.map(([value, count]) => ({value, count}))
		.toSorted((one, other) => other.count - one.count)
		.slice(0, maxTopValues);
}
