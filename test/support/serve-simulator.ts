import {
	createSimulator,
	type LoggedCall,
	parseFaults,
	type Simulator,
	type SimulatorOptions,
	startListener,
} from '../../source/simulator/simulator.ts';
import {atFileEnd} from './file-end.ts';
import type {RunningService} from './service.ts';

export type ServedSimulator = RunningService &
	AsyncDisposable & {
		readonly simulator: Simulator;
		/** The writes that arrived so far. */
		writes(): readonly LoggedCall[];
	};

/**
 * Serves a simulated service on loopback from this process, with a world of its own in memory: a service to commands
 * that run in this process, and to processes. Ended by `stop`, by `await using`, and when the file's tests are done. Its migrations take no time unless
 * `migrationSeconds` is given, and it counts no calls unless `rateLimit` is.
 */
export async function serveSimulator(
	options: Omit<SimulatorOptions, 'faults'> & {readonly faults?: string} = {},
): Promise<ServedSimulator> {
	const {faults = '', ...rest} = options;
	const simulator = createSimulator({
		migrationSeconds: 0,
		rateLimit: false,
		...rest,
		faults: parseFaults(faults),
	});
	const server = await startListener(simulator, {port: 0});
	let stopping: Promise<void> | undefined;
	const stop = () => {
		stopping ??= server.close().then(() => simulator.close());
		return stopping;
	};
	atFileEnd(stop);
	return {
		url: server.url,
		env: {CLOUDFLARE_API_BASE_URL: server.url, CLOUDFLARE_API_TOKEN: 'simulated'},
		simulator,
		setFaults: async text => simulator.faults.replace(text),
		calls: async () => simulator.calls.list(),
		// A query is a POST that writes nothing.
		writes: () =>
			simulator.calls.list().filter(({method, path}) => method !== 'GET' && !path.endsWith('/graphql')),
		stop,
		[Symbol.asyncDispose]: stop,
	};
}
