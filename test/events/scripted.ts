import {createScriptedClient} from '../service/scripted-transport.ts';

export const scriptedZoneId = '023e105f4ecef8ad9ca31a8372d0c353';

/** A query for events that the client sends. */
export type ScriptedQuery = {
	readonly query: string;
	/** When it is sent, in milliseconds since the epoch. */
	readonly now: number;
};

/** Data, errors or both; a whole response; or an error, if no response arrives. */
export type ScriptedResponse = {readonly data?: unknown; readonly errors?: unknown} | Response | Error;

/** Creates a client whose queries these functions answer. Without `schema`, introspection fails. */
export function createQueryClient({
	schema = () => ({data: null, errors: [{message: 'introspection is disabled'}]}),
	settings = {},
	answer,
}: {
	readonly schema?: (query: string) => ScriptedResponse;
	/** Limits of the plan, for both datasets. */
	readonly settings?: Readonly<Record<string, unknown>>;
	readonly answer: (query: ScriptedQuery) => ScriptedResponse;
}) {
	const queries: string[] = [];
	const {client, clock, sent} = createScriptedClient([
		request => {
			const {query} = JSON.parse(String(request.body)) as {query: string};
			const response = /__schema|__type/.test(query)
				? schema(query)
				: query.includes('settings')
					? buildLimitsData(settings)
					: answerQuery(query);
			if (response instanceof Error) throw response;
			return response instanceof Response ? response : Response.json({data: null, errors: null, ...response});
		},
	]);
	function answerQuery(query: string): ScriptedResponse {
		queries.push(query);
		return answer({query, now: clock.now()});
	}
	return {client, clock, sent, queries};
}

const buildLimitsData = (settings: object): ScriptedResponse => ({
	data: {
		viewer: {
			zones: [{settings: {firewallEventsAdaptive: settings, firewallEventsAdaptiveGroups: settings}}],
		},
	},
});

/** The response to a query of one zone. */
export const buildZoneData = (parts: Readonly<Record<string, unknown>>): ScriptedResponse => ({
	data: {viewer: {zones: [parts]}},
});

/** Parses the time range and the limit of a query for single events. */
export function parseEventQueryRange(query: string): {
	readonly from: number;
	readonly to: number;
	readonly limit: number;
} {
	const [, from = ''] = /datetime_geq: "([^"]+)"/.exec(query) ?? [];
	const [, to = ''] = /datetime_leq: "([^"]+)"/.exec(query) ?? [];
	const [, limit = ''] = /limit: (\d+)/.exec(query) ?? [];
	return {from: Date.parse(from), to: Date.parse(to), limit: Number(limit)};
}

const buildFields = (names: readonly string[]) =>
	names.map(name => ({name, type: {name: 'String', ofType: null}}));

/** A schema in which rows have these fields and groups these dimensions. */
export const createScriptedSchema =
	(fields: readonly string[], dimensions: readonly string[]) =>
	(query: string): ScriptedResponse => {
		if (query.includes('__schema'))
			return {data: {__schema: {queryType: {fields: [{name: 'viewer', type: {name: 'viewer'}}]}}}};
		const types: Readonly<Record<string, readonly object[]>> = {
			viewer: [
				{name: 'zones', type: {ofType: {name: 'zone'}}},
				{name: 'accounts', type: {ofType: {name: 'account'}}},
			],
			zone: [
				{name: 'firewallEventsAdaptive', type: {name: 'Events'}},
				{name: 'firewallEventsAdaptiveGroups', type: {name: 'Groups'}},
			],
			account: [],
			Events: buildFields(fields),
			Groups: [...buildFields(['count', 'avg']), {name: 'dimensions', type: {name: 'Dimensions'}}],
			Dimensions: buildFields(dimensions),
		};
		const requestedTypes = [...query.matchAll(/(t\d+): __type\(name: "(\w+)"\)/g)];
		return {
			data: Object.fromEntries(
				requestedTypes.map(([, alias, name = '']) => [alias, types[name] ? {fields: types[name]} : null]),
			),
		};
	};
