import {scriptedClient} from '../service/scripted-transport.ts';

export const zone = '023e105f4ecef8ad9ca31a8372d0c353';

/** What the queries of one call ask for. */
export type Asked = {
	readonly query: string;
	/** When it is asked, in milliseconds since the epoch. */
	readonly now: number;
};

/** Data, errors, both, or whatever else a service may answer. */
export type Answered = {readonly data?: unknown; readonly errors?: unknown} | Response | Error;

/** A client whose queries these functions answer; without a schema where `schema` is left out. */
export function queriedClient({
	schema = () => ({data: null, errors: [{message: 'introspection is disabled'}]}),
	settings = {},
	answer,
}: {
	readonly schema?: (query: string) => Answered;
	/** Limits of the plan, for both datasets. */
	readonly settings?: Readonly<Record<string, unknown>>;
	readonly answer: (asked: Asked) => Answered;
}) {
	const queries: string[] = [];
	const {client, clock, sent} = scriptedClient([
		request => {
			const {query} = JSON.parse(String(request.body)) as {query: string};
			const answered = /__schema|__type/.test(query)
				? schema(query)
				: query.includes('settings')
					? limitsAnswer(settings)
					: ask(query);
			if (answered instanceof Error) throw answered;
			return answered instanceof Response ? answered : Response.json({data: null, errors: null, ...answered});
		},
	]);
	function ask(query: string): Answered {
		queries.push(query);
		return answer({query, now: clock.now()});
	}
	return {client, clock, sent, queries};
}

const limitsAnswer = (settings: object): Answered => ({
	data: {
		viewer: {
			zones: [{settings: {firewallEventsAdaptive: settings, firewallEventsAdaptiveGroups: settings}}],
		},
	},
});

/** The answer to a query of one zone. */
export const inZone = (parts: Readonly<Record<string, unknown>>): Answered => ({
	data: {viewer: {zones: [parts]}},
});

/** The time and the size that a query of single events asks for. */
export function timeIn(query: string): {readonly from: number; readonly to: number; readonly limit: number} {
	const [, from = ''] = /datetime_geq: "([^"]+)"/.exec(query) ?? [];
	const [, to = ''] = /datetime_leq: "([^"]+)"/.exec(query) ?? [];
	const [, limit = ''] = /limit: (\d+)/.exec(query) ?? [];
	return {from: Date.parse(from), to: Date.parse(to), limit: Number(limit)};
}

const typed = (names: readonly string[]) => names.map(name => ({name, type: {name: 'String', ofType: null}}));

/** A schema in which rows have these fields and groups these dimensions. */
export const schemaOf =
	(fields: readonly string[], dimensions: readonly string[]) =>
	(query: string): Answered => {
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
			Events: typed(fields),
			Groups: [...typed(['count', 'avg']), {name: 'dimensions', type: {name: 'Dimensions'}}],
			Dimensions: typed(dimensions),
		};
		const parts = [...query.matchAll(/(t\d+): __type\(name: "(\w+)"\)/g)];
		return {
			data: Object.fromEntries(
				parts.map(([, alias, name = '']) => [alias, types[name] ? {fields: types[name]} : null]),
			),
		};
	};
