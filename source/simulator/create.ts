import {randomBytes} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import {buildSimulatedAccounts} from './accounts/identities.ts';
import {KvUsage} from './analytics/kv-usage.ts';
import {ActiveFaults} from './faults/active-faults.ts';
import {
	applyFormatFaults,
	buildReplacementAnswer,
	createConnectionCut,
	createWebResponse,
	delayAnswer,
	type WaitFunction,
	withLateStatus,
} from './faults/effects.ts';
import type {Fault} from './faults/faults.ts';
import {
	type RetirementState,
	resolveZoneId,
	retirementStates,
	setRetirementState,
} from './firewall/retirement.ts';
import type {ServiceAnswer} from './http/answer.ts';
import type {SimulatedToken} from './http/authentication.ts';
import {CallLog} from './http/calls.ts';
import {EditLimit} from './http/edit-limit.ts';
import {SimulatorError} from './http/error.ts';
import {IncomingRequest} from './http/incoming.ts';
import {RateLimit, type RateRule} from './http/rate-limit.ts';
import {WriteClock} from './kv/write-pace.ts';
import {createService, type RoutedAnswer} from './service.ts';
import {removeWorldFile} from './world/database.ts';
import type {Seed} from './world/seed.ts';
import {World, type WorldOptions} from './world/world.ts';

export type SimulatorOptions = {
	/** The SQLite file of the world, created if missing; undefined: in memory. */
	readonly state?: string;
	/** Replaces a file that is damaged or from another version, instead of refusing it. */
	readonly replaceUnusable?: boolean;
	/** Returns the time in milliseconds since the epoch. */
	readonly now?: () => number;
	/** Waits for the delays of faults; by default in real time. */
	readonly wait?: WaitFunction;
	/** The accepted tokens: a string has all permissions. The default is `simulated`. */
	readonly tokens?: readonly (string | SimulatedToken)[];
	readonly faults?: readonly Fault[];
	/** Fills a new world with sample namespaces, filters and firewall rules; default true. */
	readonly samples?: boolean;
	/**
	 * Default: 1,200 requests in 300 seconds. `false`: no limit, no headers about it, and unlimited
	 * concurrent edits of a ruleset.
	 */
	readonly rateLimit?: RateRule | false;
	/** How long the migration of a zone takes by the simulator's clock; default 3. */
	readonly migrationSeconds?: number;
	/** Fills the world with this one zone only, in memory: for a rehearsal. */
	readonly seed?: Seed;
	/**
	 * Number of accounts that the tokens see, default 1. Each has its own namespaces; the first one has the
	 * zones.
	 */
	readonly accounts?: number;
	/**
	 * Number of keys in the namespace `generated` of the first account, none of them stored. Undefined: no
	 * such namespace, unless the world has it already.
	 */
	readonly generatedKeys?: number | undefined;
	/** Allows one write a second to a key, otherwise 429 with code 10022; default false. */
	readonly oneWriteASecond?: boolean;
};

/** Zones, by name or id, whose filters and firewall rules are in a state. */
type ZonesByRetirement = {readonly [State in RetirementState]?: readonly string[] | undefined};

/** The simulated service. */
export interface Simulator extends Disposable {
	/**
	 * Answers a request to any origin as the service does; the path begins with `/client/v4`. Rejects only as
	 * `fetch` does: if the request's signal is aborted, or a fault cuts the connection.
	 */
	fetch(request: Request): Promise<Response>;
	/** The active faults. */
	readonly faults: ActiveFaults;
	/** The last 1,000 calls. */
	readonly calls: CallLog;
	/**
	 * Sets the state of the firewalls of zones, given by name or id. The world stores this. Fails with `usage`,
	 * without a change, if a zone does not exist or its name is ambiguous.
	 */
	setFirewallStates(zones: ZonesByRetirement): void;
	/**
	 * Resets the world to its initial content, and clears calls and quotas; faults stay. Then sets the states of
	 * these firewalls.
	 */
	reset(zones?: ZonesByRetirement): void;
	close(): void;
}

/**
 * Creates a simulated service with a new world, or the one in the file `state`, which other processes may use
 * at the same time. Fails with `world_unusable` if the file is not a world, or is from another version.
 */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
	const {state, now = Date.now, wait = waitInRealTime, tokens = ['simulated'], samples = true} = options;
	const {seed, migrationSeconds = 3, generatedKeys} = options;
	const {rateLimit = {requests: 1200, seconds: 300}, replaceUnusable = false} = options;
	const world = openWorld(
		{now, samples, generatedKeys, ...(seed && {seed}), ...(state !== undefined && !seed && {file: state})},
		replaceUnusable,
	);
	const accounts = buildSimulatedAccounts(seed ? 1 : (options.accounts ?? 1));
	const otherWorlds = accounts.slice(1).map(({id}) => {
		const file = state === undefined ? {} : {file: `${state}.${id}`};
		return openWorld({now, samples: false, ...file}, replaceUnusable);
	});
	const worlds: [World, ...World[]] = [world, ...otherWorlds];
	const requestLimit = rateLimit === false ? undefined : new RateLimit(rateLimit);
	const queryLimit = rateLimit === false ? undefined : new RateLimit(queryQuota);
	const usage = new KvUsage();
	const editLimiter = new EditLimit(rateLimit !== false);
	const writeClock = options.oneWriteASecond ? new WriteClock() : undefined;
	const faults = new ActiveFaults(options.faults);
	const calls = new CallLog();
	const serve = createService({
		worlds,
		accounts,
		now,
		tokens: tokens.map(token => (typeof token === 'string' ? {value: token} : token)),
		requestLimit,
		queryLimit,
		usage,
		writeClock,
		editLimiter,
		migrationMilliseconds: migrationSeconds * 1000,
	});

	/** Answers a request with all faults applied: delays, replacement, loss, other formats, cuts. */
	async function respond(incoming: IncomingRequest): Promise<Response> {
		const {request, requestFaults} = incoming;
		const {answer, route} = await answerIncoming(incoming);
		request.signal.throwIfAborted();
		if (requestFaults.take('lostAnswer').length > 0) throw createConnectionCut();
		return createWebResponse(
			withRayId(withLateStatus(applyFormatFaults(answer, route, requestFaults), requestFaults)),
			requestFaults,
			wait,
			request,
		);
	}

	async function answerIncoming(incoming: IncomingRequest): Promise<RoutedAnswer> {
		const {request, requestFaults} = incoming;
		editLimiter.register(incoming);
		try {
			await delayAnswer(requestFaults, wait, request.signal);
			request.signal.throwIfAborted();
			const replacementAnswer = buildReplacementAnswer(requestFaults);
			return replacementAnswer ? {answer: replacementAnswer} : await serve(incoming);
		} finally {
			editLimiter.unregister(incoming);
		}
	}

	const close = () => {
		for (const openedWorld of worlds) {
			try {
				usage.flush(openedWorld);
			} catch {
				// Another process keeps the file busy. The calls are answered; only their counts are lost.
			}
			openedWorld.close();
		}
	};

	const listRetirementStates = (zones: ZonesByRetirement) =>
		retirementStates.flatMap(state =>
			(zones[state] ?? []).map(zone => ({zoneId: resolveZoneId(world, zone), state})),
		);

	return {
		faults,
		calls,
		async fetch(request) {
			const incoming = new IncomingRequest(request, faults);
			let status: number | 'lost' = 'lost';
			try {
				const response = await respond(incoming);
				status = response.status;
				return response;
			} finally {
				calls.add({...incoming.buildLogEntry(), status});
			}
		},
		setFirewallStates(zones) {
			world.runTransaction(() => {
				for (const {zoneId, state} of listRetirementStates(zones)) setRetirementState(world, zoneId, state);
			});
		},
		reset(zones = {}) {
			const newStates = listRetirementStates(zones);
			for (const openedWorld of worlds) openedWorld.reset();
			for (const {zoneId, state} of newStates) setRetirementState(world, zoneId, state);
			calls.clear();
			requestLimit?.clear();
			queryLimit?.clear();
			usage.clear();
			writeClock?.clear();
			editLimiter.clear();
		},
		close,
		[Symbol.dispose]: close,
	};
}

/** The limit of a user's analytics queries, which do not count toward the limit of requests. */
const queryQuota: RateRule = {requests: 300, seconds: 300};

function openWorld(options: WorldOptions, replaceUnusable: boolean): World {
	try {
		return new World(options);
	} catch (error) {
		if (!replaceUnusable || options.file === undefined || !isUnusable(error)) throw error;
		removeWorldFile(options.file);
		return new World(options);
	}
}

const isUnusable = (error: unknown): boolean =>
	error instanceof SimulatorError && error.code === 'world_unusable';

/** Adds a request id, as the service does to every answer: support asks for it. */
const withRayId = (answer: ServiceAnswer): ServiceAnswer => ({
	...answer,
	headers: {...answer.headers, 'cf-ray': `${randomBytes(8).toString('hex')}-SIM`},
});

const waitInRealTime: WaitFunction = async (milliseconds, signal) => {
	try {
		await sleep(milliseconds, undefined, {signal});
	} catch (error) {
		throw signal.aborted ? signal.reason : error;
	}
};
