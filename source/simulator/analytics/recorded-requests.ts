import type {Plan} from '../accounts/plan.ts';
import {computeDailyLoad, computeSeed, createRandom} from './random.ts';
import {
	pathWords,
	type RequestClient,
	type RequestKind,
	requestClients,
	requestKinds,
	type TrippedRules,
} from './traffic.ts';

/** A request as a zone records it. */
export type RecordedRequest = {
	readonly method: string;
	readonly host: string;
	readonly path: string;
	readonly query: string;
	readonly client: RequestClient;
	readonly agent: string;
	readonly trippedRules: TrippedRules;
	/** Values by field name, for expressions. */
	readonly fields: Readonly<Record<string, string | number | boolean>>;
};

/** The properties of a zone that its traffic depends on. */
export type TrafficZone = {
	readonly id: string;
	readonly name: string;
	readonly plan: Plan;
	readonly status: string;
};

/** Requests in the busiest minute of the day, by plan. */
const peakRequests: Readonly<Record<Plan, number>> = {free: 4, pro: 10, business: 14, enterprise: 24};

const minute = 60_000;

/**
 * Called with the time of a request in milliseconds, the request, and a number that identifies its kind and
 * client.
 */
type Visit = (time: number, request: RecordedRequest, requestNumber: number) => void;

/** The requests of a zone, created on demand: one for each kind of request and client. */
export class Traffic {
	readonly #zone: TrafficZone;
	readonly #requests = new Map<number, RecordedRequest>();
	/** Indexes of `requestKinds`, each as many times as its share, for a random pick. */
	readonly #kindIndexes: readonly number[];

	constructor(zone: TrafficZone) {
		this.#zone = zone;
		this.#kindIndexes = requestKinds.flatMap((kind, index) => Array.from({length: kind.share}, () => index));
	}

	/**
	 * Visits the requests between two times in milliseconds, `to` excluded. Visits the same requests each
	 * time; a zone that is not active has none.
	 */
	forEach(from: number, to: number, visit: Visit): void {
		if (this.#zone.status !== 'active') return;
		for (let start = Math.floor(from / minute) * minute; start < to; start += minute)
			for (const [time, requestNumber] of this.#generateMinute(start))
				if (time >= from && time < to) visit(time, this.#getRequest(requestNumber), requestNumber);
	}

	/** Generates the times and numbers of the requests in the minute from `start`, not in order of time. */
	*#generateMinute(start: number): Generator<readonly [at: number, number: number]> {
		const {id, plan} = this.#zone;
		const nextRandom = createRandom(computeSeed('traffic', id, start / minute));
		const load = computeDailyLoad(start);
		const pickTime = () => start + Math.floor(nextRandom() * 60) * 1000;
		const requestCount = Math.floor(peakRequests[plan] * load * (0.7 + 0.6 * nextRandom()) + nextRandom());
		for (let count = 0; count < requestCount; count++) {
			const kindIndex = this.#kindIndexes[Math.floor(nextRandom() * this.#kindIndexes.length)] ?? 0;
			yield [pickTime(), this.#computeRequestNumber(kindIndex, nextRandom())];
		}
		// Some kinds occur in every minute, so that the effect of a change shows soon.
		for (const [kindIndex, kind] of requestKinds.entries())
			if (kind.extraPerMinute !== undefined && plan !== 'free')
				for (let count = 0; count < Math.ceil(kind.extraPerMinute * load * nextRandom()); count++)
					yield [pickTime(), this.#computeRequestNumber(kindIndex, nextRandom())];
		if (this.#isBurst(start))
			for (let count = 0; count < 20; count++) yield [pickTime(), this.#computeRequestNumber(0, 0)];
	}

	/** True during a burst: in some hours, an attacker sends many requests for ten minutes. */
	#isBurst(start: number): boolean {
		const hour = Math.floor(start / (60 * minute));
		const seed = computeSeed('burst', this.#zone.id, hour);
		const burstStart = (seed >>> 8) % 50;
		const minuteOfHour = Math.floor(start / minute) % 60;
		return seed % 5 === 0 && minuteOfHour >= burstStart && minuteOfHour < burstStart + 10;
	}

	/** Returns the number of a kind with the client that `clientFraction` (0 to below 1) picks. */
	#computeRequestNumber(kindIndex: number, clientFraction: number): number {
		const clients = requestClients[requestKinds[kindIndex]?.clientGroup ?? 'visitors'];
		return kindIndex * 100 + Math.floor(clientFraction * clients.length);
	}

	#getRequest(requestNumber: number): RecordedRequest {
		const request = this.#requests.get(requestNumber) ?? this.#buildRequest(requestNumber);
		this.#requests.set(requestNumber, request);
		return request;
	}

	#buildRequest(requestNumber: number): RecordedRequest {
		const kind = requestKinds[Math.floor(requestNumber / 100)] as RequestKind;
		const client = requestClients[kind.clientGroup][requestNumber % 100] as RequestClient;
		const {method = 'GET', query = '', trippedRules = {}} = kind;
		const host = kind.subdomain === undefined ? this.#zone.name : `${kind.subdomain}.${this.#zone.name}`;
		const seed = computeSeed(requestNumber, kind.path);
		const path = kind.path.replace('*', pathWords[seed % pathWords.length] ?? '');
		const agent = kind.agent ?? client.agent;
		const uri = query === '' ? path : `${path}?${query}`;
		const scheme = kind.isUnencrypted ? 'http' : 'https';
		const fields = {
			'http.request.method': method,
			'http.host': host,
			'http.request.uri.path': path,
			'http.request.uri.query': query,
			'http.request.uri': uri,
			'http.request.full_uri': `${scheme}://${host}${uri}`,
			'http.request.version': 'HTTP/2',
			'http.user_agent': agent,
			'http.referer': kind.referer === undefined ? '' : `https://${host}${kind.referer}`,
			'http.cookie': '',
			'ip.src': client.ip,
			'ip.src.country': client.country,
			'ip.geoip.country': client.country,
			'ip.src.asnum': client.asn,
			'ip.geoip.asnum': client.asn,
			ssl: !kind.isUnencrypted,
			'cf.client.bot': kind.clientGroup === 'crawlers',
			'cf.threat_score': kind.clientGroup === 'attackers' ? 40 : 0,
		};
		return {method, host, path, query, client, agent, trippedRules, fields};
	}
}
