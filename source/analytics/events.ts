import type {Client} from '../service/client.ts';
import {malformed, optionalText} from '../service/reading.ts';
import {analyticsOf} from './analytics.ts';
import {firstOf, rowsAt} from './datasets.ts';
import {lacking, notHere, notInPlan} from './event-groups.ts';
import {type EventFilter, fieldsOfFilter, filterArgument, windowsOf} from './event-query.ts';
import {literal} from './literal.ts';
import {type Data, problemBehind, type Read} from './problem.ts';

/** One rule's action on one request; undefined if the service does not say. */
export type SecurityEvent = {
	/** Milliseconds since the epoch. */
	readonly at: number;
	readonly action: string;
	/** Product of the rule. */
	readonly source: string;
	readonly rule: string | undefined;
	readonly ruleset: string | undefined;
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
};

/** Fields of an event, most important first. */
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

export type SingleEvents = {
	/** The latest first. */
	readonly events: readonly SecurityEvent[];
	/** First moment covered; later than requested if the plan keeps less or there are more events. */
	readonly since: number;
	/** More events exist in that time. */
	readonly hasMore: boolean;
};

/**
 * Reads the latest events of a zone, at most `maxEvents`. Fields that the service or plan lacks are undefined
 * in all events, and a problem; if the filter needs one, nothing is read.
 */
export async function securityEventsOf(
	client: Client,
	zone: string,
	filter: EventFilter,
	most: number,
	signal: AbortSignal,
): Promise<Read<SingleEvents>> {
	const analytics = analyticsOf(client);
	const dataset = 'firewallEventsAdaptive';
	const has = await analytics.datasets.fields(dataset, signal);
	if (has === 'missing') return {value: undefined, problems: [notHere]};
	const limits = await analytics.datasets.limits(dataset, zone, signal);
	if (limits?.isEnabled === false) return {value: undefined, problems: [notInPlan]};
	const unfiltered = fieldsOfFilter(filter).filter(name => has && !has.fields.has(name));
	if (unfiltered.length > 0) return {value: undefined, problems: [lacking(unfiltered)]};
	const present = fieldNames.filter(name => !has || has.fields.has(name));
	const fields = present.slice(0, limits?.maxNumberOfFields ?? present.length);
	const lacks = fieldNames.filter(name => !fields.includes(name));
	const problems = lacks.length > 0 ? [lacking(lacks)] : [];
	const {windows, since} = windowsOf(filter, limits, analytics.now());
	const limit = Math.min(most, limits?.maxPageSize ?? most);
	const events: SecurityEvent[] = [];
	for (const window of windows) {
		const wanted = limit - events.length;
		const read = await analytics.ask(
			`query { viewer { zones(filter: ${literal({zoneTag: zone})}) { events: firewallEventsAdaptive(filter: ${literal(filterArgument({...filter, ...window}))}, limit: ${wanted}, orderBy: [datetime_DESC]) { ${fields.join(' ')} } } } }`,
			signal,
		);
		problems.push(...read.problems);
		const rows = rowsAt(firstOf(read.value, 'zones'), 'events');
		if (!rows)
			return events.length > 0
				? {value: {events, since: window.until + 1000, hasMore: true}, problems}
				: {value: undefined, problems};
		const found = rows.map(readEvent);
		if (fields.includes('datetime') && found.some(({at}) => at === 0)) {
			problems.push(problemBehind(malformed('time of a security event')));
			return {value: undefined, problems};
		}
		events.push(...found);
		if (rows.length >= wanted)
			return {value: {events, since: events.at(-1)?.at ?? window.since, hasMore: true}, problems};
	}
	return {value: {events, since, hasMore: false}, problems};
}

function readEvent(row: Data): SecurityEvent {
	const value = (name: (typeof fieldNames)[number]): string | undefined => {
		const found = row[name];
		if (found === undefined || found === null || found === '') return undefined;
		return typeof found === 'string' ? found : String(found);
	};
	return {
		at: Date.parse(optionalText(row, 'datetime') ?? '') || 0,
		action: value('action') ?? '',
		source: value('source') ?? '',
		rule: value('ruleId'),
		ruleset: value('rulesetId'),
		description: value('description'),
		ray: value('rayName'),
		address: value('clientIP'),
		country: value('clientCountryName'),
		network: value('clientAsn'),
		method: value('clientRequestHTTPMethodName'),
		host: value('clientRequestHTTPHost'),
		path: value('clientRequestPath'),
		query: value('clientRequestQuery'),
		agent: value('userAgent'),
	};
}
