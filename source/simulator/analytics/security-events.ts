import {createHash} from 'node:crypto';
import {type Plan, planHas} from '../accounts/plan.ts';
import {isFirewallRetired} from '../firewall/retired-firewall.ts';
import {managedCatalogue} from '../rulesets/managed-catalogue.ts';
import type {World} from '../world/world.ts';
import {seedOf} from './chance.ts';
import type {Range} from './filters.ts';
import {type JudgedZone, judgeOf} from './judgement.ts';
import type {Hit} from './managed-judgement.ts';
import {type RecordedRequest, Traffic, type TrafficZone} from './recorded-requests.ts';
import {type Period, periodsOf} from './rules-in-force.ts';
import type {Sample} from './samples.ts';

/** The events of each request under one set of rules, by the number of the request. */
type Verdicts = Map<number, readonly Omit<Sample, 'at' | 'weight'>[]>;

/** Maximum number of sets of rules with cached verdicts, over all zones. */
const mostRemembered = 120;

/** The security events of all zones of a world. */
export class SecurityEvents {
	readonly #world: World;
	readonly #traffic = new Map<string, Traffic>();
	readonly #verdicts = new Map<string, Verdicts>();

	constructor(world: World) {
		this.#world = world;
	}

	/**
	 * Returns the events of a zone in a range, oldest first. One of `interval` requests is judged, with that
	 * weight.
	 */
	of(zone: TrafficZone & {readonly plan: Plan}, range: Range, interval: number): readonly Sample[] {
		const traffic = this.#traffic.get(zone.id) ?? new Traffic(zone);
		this.#traffic.set(zone.id, traffic);
		const judged: JudgedZone = {
			hasManagedRules: planHas(zone.plan, 'pro'),
			isFirewallRetired: isFirewallRetired(this.#world, zone.id),
			managed: managedCatalogue(this.#world, zone.id),
		};
		const found: Sample[] = [];
		for (const period of periodsOf(this.#world, zone.id, range)) {
			const judge = judgeOf(period, judged);
			const verdicts = this.#remembered(zone.id, period, judged);
			let place = 0;
			traffic.each(period.from, period.to, (at, request, number) => {
				place++;
				if (interval > 1 && seedOf(at, place) % interval !== 0) return;
				let verdict = verdicts.get(number);
				if (!verdict) {
					verdict = judge(request).map(hit => eventOf(request, hit));
					verdicts.set(number, verdict);
				}
				if (verdict.length === 0) return;
				const rayName = rayOf(zone.id, at, number);
				for (const event of verdict) found.push({...event, at, weight: interval, rayName} as Sample);
			});
		}
		return found.sort((one, other) => one.at - other.at);
	}

	#remembered(zone: string, period: Period, judged: JudgedZone): Verdicts {
		const migrated = Number(period.rules['waf-migration'][0]?.until) <= period.from;
		const name = createHash('sha256')
			.update(JSON.stringify([zone, judged.isFirewallRetired, migrated, period.rules]))
			.digest('base64');
		const verdicts = this.#verdicts.get(name) ?? new Map();
		// Moves the set to the end: the least recently used one is first.
		this.#verdicts.delete(name);
		this.#verdicts.set(name, verdicts);
		const [oldest] = this.#verdicts.keys();
		if (this.#verdicts.size > mostRemembered && oldest !== undefined) this.#verdicts.delete(oldest);
		return verdicts;
	}
}

const rayOf = (zone: string, at: number, number: number): string =>
	[seedOf('ray', zone, at), seedOf('ray', number, at)]
		.map(part => part.toString(16).padStart(8, '0'))
		.join('');

const eventOf = ({method, host, path, query, client, agent, fields}: RecordedRequest, hit: Hit) => ({
	...hit,
	clientASNDescription: client.network,
	clientAsn: String(client.asn),
	clientCountryName: client.country,
	clientIP: client.ip,
	clientRequestHTTPHost: host,
	clientRequestHTTPMethodName: method,
	clientRequestHTTPProtocol: String(fields['http.request.version']),
	clientRequestPath: path,
	clientRequestQuery: query === '' ? '' : `?${query}`,
	clientRequestScheme: fields.ssl ? 'https' : 'http',
	userAgent: agent,
});
