import {createSimulator, type Simulator, type SimulatorOptions} from '../../source/simulator/simulator.ts';
import type {JsonValue} from '../../source/text/json.ts';

export const accountId = '910896fde4470afb4fab0b3c5e3aaff8';
export const namespacesPath = `/accounts/${accountId}/storage/kv/namespaces`;

/** A response with its parsed envelope. */
export type Observation = {
	readonly status: number;
	readonly headers: Headers;
	readonly success: boolean;
	readonly result: JsonValue;
	readonly errors: readonly {
		readonly code?: number;
		readonly message: string;
		readonly error_chain?: unknown;
		readonly meta?: JsonValue;
		readonly source?: JsonValue;
	}[];
	readonly messages: readonly {readonly message: string; readonly meta?: JsonValue}[] | null;
	readonly info: Readonly<Record<string, JsonValue>>;
};

/** A request to a path of the API, with the token that is always accepted unless it has a credential. */
export function request(path: string, init: RequestInit = {}): Request {
	const headers = new Headers(init.headers);
	if (!headers.has('authorization') && !headers.has('x-auth-key'))
		headers.set('authorization', 'Bearer simulated');
	return new Request(`http://simulated.invalid/client/v4${path}`, {...init, headers});
}

/** Sends a request, and reads the envelope of the response. */
export async function ask(simulator: Simulator, path: string, init: RequestInit = {}): Promise<Observation> {
	const response = await simulator.fetch(request(path, init));
	const body = (await response.json()) as Pick<Observation, 'success' | 'result' | 'errors' | 'messages'> & {
		result_info?: Observation['info'];
	};
	return {status: response.status, headers: response.headers, info: body.result_info ?? {}, ...body};
}

/** A simulator without samples, whose clock stands still until a test changes `clock.now`. */
export function createClockedSimulator(options: SimulatorOptions = {}) {
	const clock = {now: 1_900_000_000_000};
	const simulator = createSimulator({samples: false, now: () => clock.now, ...options});
	return {clock, simulator, getUnixSeconds: () => Math.floor(clock.now / 1000)};
}

/** Creates a namespace, and returns its path. */
export async function makeNamespace(simulator: Simulator, title = 'test'): Promise<string> {
	const {result} = await ask(simulator, namespacesPath, json('POST', {title}));
	return `${namespacesPath}/${(result as {id: string}).id}`;
}

export const json = (method: string, body: unknown): RequestInit => ({
	method,
	body: JSON.stringify(body),
	headers: {'content-type': 'application/json'},
});

export const getErrorCodes = ({errors}: Observation): (number | undefined)[] => errors.map(({code}) => code);
