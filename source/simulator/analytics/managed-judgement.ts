import {isJsonObject, type JsonObject, objects} from '../../text/json.ts';
import type {ManagedRuleset} from '../rulesets/managed-catalogue.ts';
import {thresholdRule} from '../waf/managed-ids.ts';
import type {Trips} from './traffic.ts';

/** What a rule did to a request. */
export type Hit = {
	readonly action: string;
	readonly source: string;
	readonly ruleId: string;
	readonly rulesetId: string;
	readonly description: string;
};

/** What exceptions that held for a request leave out. */
export type Skipped = {readonly rulesets: ReadonlySet<string>; readonly rules: ReadonlySet<string>};

/** How a rule of a managed ruleset is set by the overrides of the rule that executes it. */
type Settings = {readonly enabled: boolean; readonly action: string; readonly threshold: number};

/** Points of a rule that only scores. */
const points = 5;

/** What a managed ruleset does to a request that trips some of its rules, in order; the last hit may end the request. */
export function managedHits(
	ruleset: ManagedRuleset,
	overrides: JsonObject,
	trips: Trips,
	skipped: Skipped,
): Hit[] {
	if (skipped.rulesets.has(ruleset.id)) return [];
	const hits: Hit[] = [];
	let score = 0;
	for (const id of [...(trips.rules ?? []), ...(trips.scores ?? [])]) {
		const rule = ruleset.rules.find(one => one.id === id);
		if (!rule || skipped.rules.has(id)) continue;
		const {enabled, action} = settingsOf(rule, overrides);
		if (!enabled) continue;
		if (action === 'score') score += points;
		else hits.push(hitOf(ruleset, rule, action));
	}
	const total = ruleset.rules.find(one => one.id === thresholdRule);
	if (score === 0 || !total || skipped.rules.has(thresholdRule)) return hits;
	const {enabled, action, threshold} = settingsOf(total, overrides);
	return enabled && score >= threshold ? [...hits, hitOf(ruleset, total, action)] : hits;
}

function hitOf({id: rulesetId}: ManagedRuleset, rule: JsonObject, action: string): Hit {
	const description = String(rule.description ?? '');
	return {action, source: 'firewallManaged', ruleId: String(rule.id), rulesetId, description};
}

/** That of the rule goes before that of a category, of which the last one counts, and that before the ruleset's. */
function settingsOf(rule: JsonObject, overrides: JsonObject): Settings {
	const categories: readonly unknown[] = Array.isArray(rule.categories) ? rule.categories : [];
	const own = objects(overrides.rules).find(({id}) => id === rule.id) ?? {};
	const given = [
		overrides,
		...objects(overrides.categories).filter(({category}) => categories.includes(category)),
		own,
	];
	const usual = String(rule.action);
	// A rule that only scores has no action of its own that could be changed.
	const action =
		usual === 'score' ? undefined : given.findLast(({action: one}) => typeof one === 'string')?.action;
	const enabled = given.findLast(({enabled: one}) => typeof one === 'boolean')?.enabled;
	const threshold = own.score_threshold ?? rule.score_threshold ?? 0;
	return {
		enabled: enabled === undefined ? rule.enabled !== false : enabled === true,
		action: action === undefined ? usual : String(action),
		threshold: Number(threshold),
	};
}

/** What the parameters of an exception leave out; `all` where it leaves out everything behind it. */
export function skippedBy(parameters: JsonObject): Skipped | 'all' {
	if (parameters.ruleset === 'current') return 'all';
	const rulesets = Array.isArray(parameters.rulesets) ? parameters.rulesets.map(String) : [];
	const rules = isJsonObject(parameters.rules) ? Object.values(parameters.rules) : [];
	return {
		rulesets: new Set(rulesets),
		rules: new Set(rules.flatMap(ids => (Array.isArray(ids) ? ids.map(String) : []))),
	};
}
