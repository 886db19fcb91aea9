import {afterAll} from 'vitest';
import {parseFaults} from '../../source/simulator/faults/faults.ts';
import type {Call} from '../../source/simulator/http/calls.ts';
import {listen} from '../../source/simulator/listen.ts';
import {createSimulator, type Simulator, type SimulatorOptions} from '../../source/simulator/simulator.ts';
import type {RunningService} from './service.ts';

export type ServedSimulator = RunningService &
	AsyncDisposable & {
		readonly simulator: Simulator;
		/** The writes that arrived so far. */
		writes(): readonly Call[];
	};

const running = new Set<AsyncDisposable>();

afterAll(async () => {
	for (const service of running) await service[Symbol.asyncDispose]();
});

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
	const server = await listen(simulator, {port: 0});
	const stop = async () => {
		running.delete(service);
		await server.close();
		simulator.close();
	};
	const service: ServedSimulator = {
		url: server.url,
		env: {CLOUDFLARE_API_BASE_URL: server.url, CLOUDFLARE_API_TOKEN: 'simulated'},
		simulator,
		setFaults: async text => simulator.faults.replace(text),
		calls: async () => simulator.calls.all(),
		writes: () => simulator.calls.all().filter(({method}) => method !== 'GET'),
		stop,
		[Symbol.asyncDispose]: stop,
	};
	running.add(service);
	return service;
}
