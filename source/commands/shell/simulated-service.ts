import {join, resolve} from 'node:path';
import {setImmediate as turn} from 'node:timers/promises';
import {Failure, toFailure} from '../../failure.ts';
import type {HostClock} from '../../host.ts';
import type {Snapshot} from '../../migration/zone/snapshot.ts';
import type {StartSimulated} from '../../session/parts.ts';
import {
	createSimulator,
	parseFaults,
	type Simulator,
	type SimulatorOptions,
} from '../../simulator/simulator.ts';
import {openStateDirectory} from '../../state/directory.ts';

/**
 * Starts the simulated service for `--simulate`: in this process, with a world that persists between runs.
 */
export const startSimulatedService: StartSimulated = async simulatorHost => {
	try {
		const simulator = openSimulator(simulatorHost, {
			faults: parseFaults(simulatorHost.env.LEDGE_SIMULATE_FAULTS ?? ''),
		});
		return {fetch: withTurns(request => simulator.fetch(request)), [Symbol.dispose]: () => simulator.close()};
	} catch (error) {
		throw toFailure(error);
	}
};

/** Milliseconds of responses without a turn of the event loop, so that a screen can show that it waits. */
const maxTurnMs = 500;

/**
 * Lets timers and keys have their turn between responses, as a network does: responses of this process alone
 * would keep them waiting until the last one.
 */
export function withTurns(
	fetch: Simulator['fetch'],
	clock: () => number = () => performance.now(),
): Simulator['fetch'] {
	/** When the first response since the last turn began. */
	let turnStart: number | undefined;
	return async request => {
		if (turnStart !== undefined && clock() - turnStart >= maxTurnMs) await turn();
		if (turnStart === undefined) {
			turnStart = clock();
			setImmediate(() => {
				turnStart = undefined;
			});
		}
		return fetch(request);
	};
}

/**
 * Creates a simulator in memory that holds one zone from a snapshot, without a rate limit: for rehearsals.
 */
export const createZoneSimulator = (seed: Snapshot, now: () => number): Simulator =>
	createSimulator({seed, now, rateLimit: false});

type SimulatorHost = {
	readonly env: NodeJS.ProcessEnv;
	readonly cwd: string;
	readonly clock: HostClock;
	/** The file of `--state`; default: one world per user, in the state directory. */
	readonly file?: string | undefined;
	/**
	 * Called if the state directory cannot be used, so that the world stays in memory. If undefined, that is a
	 * failure.
	 */
	readonly warn?: (sentence: string) => void;
};

export function openSimulator(
	{env, cwd, clock, file, warn}: SimulatorHost,
	simulatorOptions: SimulatorOptions,
): Simulator {
	const {now, client} = clock;
	const options = {
		...parseMigrationSeconds(env),
		now,
		...(client && {wait: client.wait}),
		...simulatorOptions,
	};
	if (file === ':memory:') return createSimulator(options);
	if (file !== undefined) return createSimulator({...options, state: resolve(cwd, file)});
	try {
		return createSimulator({...options, state: join(openStateDirectory(env), 'simulated.sqlite')});
	} catch (error) {
		const failure = toFailure(error);
		// A missing HOME, or a read-only one, must not break a read.
		if (!warn || failure.code !== 'file_failed') throw failure;
		warn(`The simulated world is not saved. ${failure.message} ${failure.details.why ?? ''}`.trimEnd());
		return createSimulator(options);
	}
}

/** Parses `LEDGE_SIMULATE_MIGRATION_SECONDS`, the duration of a migration. */
function parseMigrationSeconds({LEDGE_SIMULATE_MIGRATION_SECONDS: seconds}: NodeJS.ProcessEnv) {
	if (!seconds) return {};
	if (/^\d{1,6}(\.\d{1,3})?$/.test(seconds)) return {migrationSeconds: Number(seconds)};
	throw new Failure('usage', `LEDGE_SIMULATE_MIGRATION_SECONDS is "${seconds}".`, {
		why: 'It must be a number of seconds, such as 5 or 0.5.',
		next: 'Fix it, or unset it: a migration then takes 3 seconds.',
	});
}
