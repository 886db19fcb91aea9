import {randomBytes} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import {accountsOf} from './accounts/identities.ts';
import {KvUsage} from './analytics/kv-usage.ts';
import {connectionCut, delay, delivered, late, replacement, reworded, type Wait} from './faults/effects.ts';
import type {Fault} from './faults/faults.ts';
import {FaultPlan} from './faults/plan.ts';
import {retireFirewall, zoneCalled} from './firewall/retired-firewall.ts';
import type {Answer} from './http/answer.ts';
import type {SimulatedToken} from './http/authentication.ts';
import {CallLog} from './http/calls.ts';
import {EditLimit} from './http/edit-limit.ts';
import {SimulatorError} from './http/error.ts';
import {Incoming} from './http/incoming.ts';
import {RateLimit, type RateRule} from './http/rate-limit.ts';
import {WriteClock} from './kv/write-pace.ts';
import {type Answered, createService} from './service.ts';
import {removeWorldFile} from './world/database.ts';
import type {Seed} from './world/seed.ts';
import {World, type WorldOptions} from './world/world.ts';

export type SimulatorOptions = {
	/** The SQLite file that the world is kept in, made if it is not there; in memory when left out. */
	readonly state?: string;
	/** Throws away a file that is damaged or from another version, instead of refusing it. */
	readonly replaceUnusable?: boolean;
	/** Milliseconds since the epoch. */
	readonly now?: () => number;
	/** What faults wait with. */
	readonly wait?: Wait;
	/** The accepted tokens: texts that may do everything, or tokens with less. `simulated` unless given. */
	readonly tokens?: readonly (string | SimulatedToken)[];
	readonly faults?: readonly Fault[];
	/** Whether a new world has sample namespaces, filters and firewall rules; it has unless this is false. */
	readonly samples?: boolean;
	/** 1,200 requests in 300 seconds unless given; `false`: no limit, no headers about it, and any number of edits of a ruleset. */
	readonly rateLimit?: RateRule | false;
	/** How long the migration of a zone takes, 3 unless given; it goes by the clock of the simulator. */
	readonly migrationSeconds?: number;
	/** The world is this one zone and nothing else, in memory: for a rehearsal. */
	readonly seed?: Seed;
	/** How many accounts the tokens see, 1 unless given. Each has namespaces of its own; the zones are in the first one. */
	readonly accounts?: number;
	/** How many keys the namespace `generated` of the first account has; none of them is stored. Not there unless given, or in the world already. */
	readonly generatedKeys?: number | undefined;
	/** Whether a key can be written once a second only (429, code 10022); not unless this is true. */
	readonly oneWriteASecond?: boolean;
};

/** The simulated service. */
export interface Simulator extends Disposable {
	/**
	 * Answers a request as the service would, whatever its origin; the path begins with `/client/v4`. Rejects only
	 * as `fetch` does: when the signal of the request is aborted, or a fault cuts the connection.
	 */
	fetch(request: Request): Promise<Response>;
	/** What goes wrong from now on. */
	readonly faults: FaultPlan;
	/** What was asked, the last 1,000 calls. */
	readonly calls: CallLog;
	/**
	 * Makes filters and firewall rules of these zones, by name or id, answer 410: the world keeps that. A zone that does
	 * not exist, or a name of several, is the failure `usage`, and nothing changes.
	 */
	retireFirewalls(zones: readonly string[]): void;
	/** The world as it was when new, without the firewalls of these zones; nothing called and no quota used yet. Faults stay. */
	reset(retiredFirewalls?: readonly string[]): void;
	close(): void;
}

/**
 * A simulated service with a world of its own, or with the one in the file `state`, which other processes may use
 * at the same time. A file that is not a world, or from another version, is the failure `world_unusable`.
 */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
	const {state, now = Date.now, wait = realWait, tokens = ['simulated'], samples = true} = options;
	const {seed, migrationSeconds = 3, generatedKeys} = options;
	const {rateLimit = {requests: 1200, seconds: 300}, replaceUnusable = false} = options;
	const world = openWorld(
		{now, samples, generatedKeys, ...(seed && {seed}), ...(state !== undefined && !seed && {file: state})},
		replaceUnusable,
	);
	const accounts = accountsOf(seed ? 1 : (options.accounts ?? 1));
	const further = accounts.slice(1).map(({id}) => {
		const file = state === undefined ? {} : {file: `${state}.${id}`};
		return openWorld({now, samples: false, ...file}, replaceUnusable);
	});
	const worlds: [World, ...World[]] = [world, ...further];
	const limit = rateLimit === false ? undefined : new RateLimit(rateLimit);
	const queries = rateLimit === false ? undefined : new RateLimit(queryQuota);
	const usage = new KvUsage();
	const edits = new EditLimit(rateLimit !== false);
	const clock = options.oneWriteASecond ? new WriteClock() : undefined;
	const faults = new FaultPlan(options.faults);
	const calls = new CallLog();
	const serve = createService({
		worlds,
		accounts,
		now,
		tokens: tokens.map(token => (typeof token === 'string' ? {value: token} : token)),
		limit,
		queries,
		usage,
		clock,
		edits,
		migrationMilliseconds: migrationSeconds * 1000,
	});

	/** The whole way of a request: delayed, answered or replaced, done but lost, reworded, cut. */
	async function respond(incoming: Incoming): Promise<Response> {
		const {request, strikes} = incoming;
		const {answer, route} = await answered(incoming);
		request.signal.throwIfAborted();
		if (strikes.with('lostAnswer').length > 0) throw connectionCut();
		return delivered(signed(late(reworded(answer, route, strikes), strikes)), strikes, wait, request);
	}

	async function answered(incoming: Incoming): Promise<Answered> {
		const {request, strikes} = incoming;
		edits.arrive(incoming);
		try {
			await delay(strikes, wait, request.signal);
			request.signal.throwIfAborted();
			const instead = replacement(strikes);
			return instead ? {answer: instead} : await serve(incoming);
		} finally {
			edits.leave(incoming);
		}
	}

	const close = () => {
		for (const one of worlds) {
			try {
				usage.flush(one);
			} catch {
				// Another process keeps the file busy. What was asked has been answered, and only its count is lost.
			}
			one.close();
		}
	};

	return {
		faults,
		calls,
		async fetch(request) {
			const incoming = new Incoming(request, faults);
			let status: number | 'lost' = 'lost';
			try {
				const response = await respond(incoming);
				status = response.status;
				return response;
			} finally {
				calls.add({...incoming.described(), status});
			}
		},
		retireFirewalls(zones) {
			world.transaction(() => {
				for (const zone of zones) retireFirewall(world, zoneCalled(world, zone));
			});
		},
		reset(retiredFirewalls = []) {
			const retired = retiredFirewalls.map(zone => zoneCalled(world, zone));
			for (const one of worlds) one.reset();
			for (const zone of retired) retireFirewall(world, zone);
			calls.clear();
			limit?.clear();
			queries?.clear();
			usage.clear();
			clock?.clear();
			edits.clear();
		},
		close,
		[Symbol.dispose]: close,
	};
}

/** Queries for numbers and events that a user has in five minutes, apart from all other requests. */
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

/** The answer with the number that support asks for. */
const signed = (answer: Answer): Answer => ({
	...answer,
	headers: {...answer.headers, 'cf-ray': `${randomBytes(8).toString('hex')}-SIM`},
});

const realWait: Wait = async (milliseconds, signal) => {
	try {
		await sleep(milliseconds, undefined, {signal});
	} catch (error) {
		throw signal.aborted ? signal.reason : error;
	}
};
