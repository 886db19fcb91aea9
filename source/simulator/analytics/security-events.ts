import {createHash} from 'node:crypto';
import {hasRequiredPlan, type Plan} from '../accounts/plan.ts';
import {isFirewall} from '../firewall/retirement.ts';
import {getManagedCatalogue} from '../rulesets/managed-catalogue.ts';
import type {World} from '../world/world.ts';
import type {TimeRange} from './filters.ts';
import type {RuleHit} from './managed-evaluation.ts';
import {computeSeed} from './random.ts';
import {type RecordedRequest, Traffic, type TrafficZone} from './recorded-requests.ts';
import {createRuleEvaluator, type EvaluatedZone} from './rule-evaluation.ts';
import {listRulePeriods, type RulePeriod} from './rule-periods.ts';
import type {Sample} from './samples.ts';

/** The events of each request under one set of rules, by the number of the request. */
type Verdicts = Map<number, readonly Omit<Sample, 'at' | 'weight'>[]>;

/** Maximum number of sets of rules with cached verdicts, over all zones. */
const maxVerdictSets = 120;

/** The security events of all zones of a world. */
export class SecurityEvents {
	readonly #world: World;
	readonly #traffic = new Map<string, Traffic>();
	readonly #verdicts = new Map<string, Verdicts>();

	constructor(world: World) {
		this.#world = world;
	}

	/**
	 * Returns the events of a zone in a range, oldest first. Evaluates one of `sampleInterval` requests, and
	 * gives its events that weight.
	 */
	collect(
		zone: TrafficZone & {readonly plan: Plan},
		range: TimeRange,
		sampleInterval: number,
	): readonly Sample[] {
		const traffic = this.#traffic.get(zone.id) ?? new Traffic(zone);
		this.#traffic.set(zone.id, traffic);
		const evaluatedZone: EvaluatedZone = {
			hasManagedRules: hasRequiredPlan(zone.plan, 'pro'),
			isFirewallRetired: isFirewall('retired', this.#world, zone.id),
			catalogue: getManagedCatalogue(this.#world, zone.id),
		};
		const events: Sample[] = [];
		for (const period of listRulePeriods(this.#world, zone.id, range)) {
			const evaluateRequest = createRuleEvaluator(period, evaluatedZone);
			const verdicts = this.#getVerdicts(zone.id, period, evaluatedZone);
			let ordinal = 0;
			traffic.forEach(period.from, period.to, (time, request, requestNumber) => {
				ordinal++;
				if (sampleInterval > 1 && computeSeed(time, ordinal) % sampleInterval !== 0) return;
				let verdict = verdicts.get(requestNumber);
				if (!verdict) {
					verdict = evaluateRequest(request).map(hit => buildEvent(request, hit));
					verdicts.set(requestNumber, verdict);
				}
				if (verdict.length === 0) return;
				const rayName = computeRayId(zone.id, time, requestNumber);
				for (const event of verdict)
					events.push({...event, at: time, weight: sampleInterval, rayName} as Sample);
			});
		}
		return events.sort((left, right) => left.at - right.at);
	}

	#getVerdicts(zoneId: string, period: RulePeriod, evaluatedZone: EvaluatedZone): Verdicts {
		const cacheKey = createHash('sha256')
			.update(JSON.stringify([zoneId, evaluatedZone.isFirewallRetired, period.passedTimeCount, period.rules]))
			.digest('base64');
		const verdicts = this.#verdicts.get(cacheKey) ?? new Map();
		// Moves the set to the end: the least recently used one is first.
		this.#verdicts.delete(cacheKey);
		this.#verdicts.set(cacheKey, verdicts);
		const [oldest] = this.#verdicts.keys();
		if (this.#verdicts.size > maxVerdictSets && oldest !== undefined) this.#verdicts.delete(oldest);
		return verdicts;
	}
}

const computeRayId = (zoneId: string, time: number, requestNumber: number): string =>
	[computeSeed('ray', zoneId, time), computeSeed('ray', requestNumber, time)]
		.map(part => part.toString(16).padStart(8, '0'))
		.join('');

const buildEvent = ({method, host, path, query, client, agent, fields}: RecordedRequest, hit: RuleHit) => ({
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
