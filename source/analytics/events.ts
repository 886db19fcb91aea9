import type {Client} from '../service/client.ts';
import {createMalformedFailure, readOptionalText} from '../service/response-fields.ts';
import {getAnalytics} from './analytics.ts';
import {getDatasetRows, getFirstHolder} from './datasets.ts';
import {
	createMissingFieldsProblem,
	createPlanFieldsProblem,
	missingDatasetProblem,
	notInPlanProblem,
} from './event-groups.ts';
import {buildFilterArgument, type EventFilter, listFilterFields, splitIntoWindows} from './event-query.ts';
import {formatLiteral} from './literal.ts';
import {type Data, type ReadResult, toProblem} from './problem.ts';

/** One rule's action on one request; undefined if the service does not say. */
export type SecurityEvent = {
	/** Milliseconds since the epoch. */
	readonly at: number;
	readonly action: string;
	/** Product of the rule. */
	readonly source: string;
	readonly ruleId: string | undefined;
	readonly rulesetId: string | undefined;
	readonly description: string | undefined;
	/** Id of the request; its events share it. */
	readonly ray: string | undefined;
	readonly address: string | undefined;
	readonly country: string | undefined;
	readonly network: string | undefined;
	readonly method: string | undefined;
	readonly host: string | undefined;
	readonly path: string | undefined;
	readonly query: string | undefined;
	readonly agent: string | undefined;
	/** `http` or `https`. */
	readonly scheme?: string | undefined;
	/** `HTTP/2`. */
	readonly protocol?: string | undefined;
};

/** Fields of an event, most important first: a plan may limit their number. */
const fieldNames = [
	'datetime',
	'action',
	'source',
	'ruleId',
	'rayName',
	'clientRequestPath',
	'clientIP',
	'rulesetId',
	'clientRequestHTTPMethodName',
	'clientRequestHTTPHost',
	'clientRequestQuery',
	'clientCountryName',
	'userAgent',
	'clientAsn',
	'description',
] as const;

/** Fields that are read if the service has them; the others are no problem. */
const optionalFieldNames = ['clientRequestScheme', 'clientRequestHTTPProtocol'] as const;

type EventField = (typeof fieldNames | typeof optionalFieldNames)[number];

export type SingleEvents = {
	/** The latest first. */
	readonly events: readonly SecurityEvent[];
	/** First moment covered; later than requested if the plan keeps less or there are more events. */
	readonly since: number;
	/** True if more events exist in that time. */
	readonly hasMore: boolean;
	/** Fields that the service and plan have, by the service's names; the others are undefined in all events. */
	readonly fields: ReadonlySet<EventField>;
};

/**
 * Reads the latest events of a zone, at most `maxEvents`. Fields that the service or plan lacks are undefined
 * in all events, and a problem; if the filter needs one, nothing is read.
 */
export async function readSecurityEvents(
	client: Client,
	zoneId: string,
	filter: EventFilter,
	maxEvents: number,
	signal: AbortSignal,
): Promise<ReadResult<SingleEvents>> {
	const analytics = getAnalytics(client);
	const dataset = 'firewallEventsAdaptive';
	const schema = await analytics.datasets.fields(dataset, signal);
	if (schema === 'missing') return {value: undefined, problems: [missingDatasetProblem]};
	const limits = await analytics.datasets.limits(dataset, zoneId, signal);
	if (limits?.isEnabled === false) return {value: undefined, problems: [notInPlanProblem]};
	const missingFilterFields = listFilterFields(filter).filter(name => schema && !schema.fields.has(name));
	if (missingFilterFields.length > 0)
		return {value: undefined, problems: [createMissingFieldsProblem(missingFilterFields)]};
	const availableNames = fieldNames.filter(name => !schema || schema.fields.has(name));
	const optionalNames = optionalFieldNames.filter(name => schema?.fields.has(name));
	const fields = new Set<EventField>(
		[...availableNames, ...optionalNames].slice(0, limits?.maxNumberOfFields),
	);
	const missingFields = fieldNames.filter(name => !availableNames.includes(name));
	const problems = [
		...(missingFields.length > 0 ? [createMissingFieldsProblem(missingFields)] : []),
		...(fields.size < availableNames.length
			? [createPlanFieldsProblem(availableNames.slice(fields.size))]
			: []),
	];
	const {windows, since} = splitIntoWindows(filter, limits, analytics.now());
	const limit = Math.min(maxEvents, limits?.maxPageSize ?? maxEvents);
	const events: SecurityEvent[] = [];
	for (const window of windows) {
		const remaining = limit - events.length;
		const read = await analytics.runQuery(
			`query { viewer { zones(filter: ${formatLiteral({zoneTag: zoneId})}) { events: firewallEventsAdaptive(filter: ${formatLiteral(buildFilterArgument({...filter, ...window}))}, limit: ${remaining}, orderBy: [datetime_DESC]) { ${[...fields].join(' ')} } } } }`,
			signal,
		);
		problems.push(...read.problems);
		const rows = getDatasetRows(getFirstHolder(read.value, 'zones'), 'events');
		if (!rows)
			return events.length > 0
				? {value: {events, since: window.until + 1000, hasMore: true, fields}, problems}
				: {value: undefined, problems};
		const pageEvents = rows.map(readEvent);
		if (fields.has('datetime') && pageEvents.some(({at}) => at === 0)) {
			problems.push(toProblem(createMalformedFailure('time of a security event')));
			return {value: undefined, problems};
		}
		events.push(...pageEvents);
		if (rows.length >= remaining)
			return {value: {events, since: events.at(-1)?.at ?? window.since, hasMore: true, fields}, problems};
	}
	return {value: {events, since, hasMore: false, fields}, problems};
}

function readEvent(row: Data): SecurityEvent {
	const readField = (name: EventField): string | undefined => {
		const fieldValue = row[name];
		if (fieldValue === undefined || fieldValue === null || fieldValue === '') return undefined;
		return typeof fieldValue === 'string' ? fieldValue : String(fieldValue);
	};
	return {
		at: Date.parse(readOptionalText(row, 'datetime') ?? '') || 0,
		action: readField('action') ?? '',
		source: readField('source') ?? '',
		ruleId: readField('ruleId'),
		rulesetId: readField('rulesetId'),
		description: readField('description'),
		ray: readField('rayName'),
		address: readField('clientIP'),
		country: readField('clientCountryName'),
		network: readField('clientAsn'),
		method: readField('clientRequestHTTPMethodName'),
		host: readField('clientRequestHTTPHost'),
		path: readField('clientRequestPath'),
		query: readField('clientRequestQuery'),
		agent: readField('userAgent'),
		scheme: readField('clientRequestScheme'),
		protocol: readField('clientRequestHTTPProtocol'),
	};
}
