import {createSimulator, type Simulator, type SimulatorOptions} from '../../source/simulator/simulator.ts';
import type {JsonValue} from '../../source/text/json.ts';

export const accountId = '910896fde4470afb4fab0b3c5e3aaff8';
export const namespacesPath = `/accounts/${accountId}/storage/kv/namespaces`;

/** An answer as these tests look at it. */
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

/** A request below the base, with the token that is always accepted. */
export function request(path: string, init: RequestInit = {}): Request {
	const headers = new Headers(init.headers);
	if (!headers.has('authorization') && !headers.has('x-auth-key'))
		headers.set('authorization', 'Bearer simulated');
	return new Request(`http://simulated.invalid/client/v4${path}`, {...init, headers});
}

/** Asks, and reads the envelope. */
export async function ask(simulator: Simulator, path: string, init: RequestInit = {}): Promise<Observation> {
	const response = await simulator.fetch(request(path, init));
	const body = (await response.json()) as Pick<Observation, 'success' | 'result' | 'errors' | 'messages'> & {
		result_info?: Observation['info'];
	};
	return {status: response.status, headers: response.headers, info: body.result_info ?? {}, ...body};
}

/** A simulator without samples, with a clock that stands still at a round moment unless a test turns it. */
export function withClock(options: SimulatorOptions = {}) {
	const clock = {now: 1_900_000_000_000};
	const simulator = createSimulator({samples: false, now: () => clock.now, ...options});
	return {clock, simulator, seconds: () => Math.floor(clock.now / 1000)};
}

/** A new namespace; its path. */
export async function makeNamespace(simulator: Simulator, title = 'test'): Promise<string> {
	const {result} = await ask(simulator, namespacesPath, json('POST', {title}));
	return `${namespacesPath}/${(result as {id: string}).id}`;
}

export const json = (method: string, body: unknown): RequestInit => ({
	method,
	body: JSON.stringify(body),
	headers: {'content-type': 'application/json'},
});

/** The codes of the errors. */
export const codes = ({errors}: Observation): (number | undefined)[] => errors.map(({code}) => code);
