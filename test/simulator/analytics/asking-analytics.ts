import {createSimulator, type Simulator, type SimulatorOptions} from '../../../source/simulator/simulator.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {json, request} from '../asking.ts';

/** The answer to a GraphQL query. */
export type QueryAnswer = {
	readonly status: number;
	readonly data: JsonObject | null;
	readonly errors:
		| readonly {
				readonly message: string;
				readonly path: readonly string[] | null;
				readonly extensions: {readonly timestamp: string; readonly code?: string};
		  }[]
		| null;
};

/** Sends a GraphQL query; the default token may do everything. */
export async function query(
	simulator: Simulator,
	text: string,
	{variables = {}, token = 'simulated'}: {variables?: JsonObject; token?: string} = {},
): Promise<QueryAnswer> {
	const init = json('POST', {query: text, variables});
	const headers = {...(init.headers as Record<string, string>), authorization: `Bearer ${token}`};
	const response = await simulator.fetch(request('/graphql', {...init, headers}));
	return {status: response.status, ...((await response.json()) as Omit<QueryAnswer, 'status'>)};
}

/** The rows of the first dataset of the first account or zone of an answer. */
export function getFirstRows({data, errors}: QueryAnswer): readonly JsonObject[] {
	if (!data) throw new Error(errors?.map(({message}) => message).join('\n') ?? 'no data');
	const scopes = Object.values(data.viewer as JsonObject)[0] as readonly JsonObject[];
	return Object.values(scopes[0] ?? {})[0] as readonly JsonObject[];
}

export const hour = 3_600_000;

/** The middle of a working day. */
export const noon = Date.parse('2027-03-10T12:00:00Z');

/** A simulator with samples and a clock that a test moves. */
export function createSampleSimulator(options: SimulatorOptions = {}) {
	const clock = {now: noon};
	const simulator = createSimulator({now: () => clock.now, ...options});
	return {clock, simulator};
}

/** A time in the format of queries. */
export const toTimestamp = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Queries the groups of a zone's events in a period, by these dimensions. */
export async function queryEventGroups(
	simulator: Simulator,
	zone: string,
	[from, to]: readonly [from: number, to: number],
	dimensions: string,
	filter = '',
): Promise<readonly JsonObject[]> {
	return getFirstRows(
		await query(
			simulator,
			`{ viewer { zones(filter: {zoneTag: "${zone}"}) { firewallEventsAdaptiveGroups(
				filter: {datetime_geq: "${toTimestamp(from)}", datetime_lt: "${toTimestamp(to)}" ${filter}}
				limit: 10000 orderBy: [count_DESC]
			) { count ${dimensions === '' ? '' : `dimensions { ${dimensions} }`} } } } }`,
		),
	);
}
