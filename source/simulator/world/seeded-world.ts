import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {simulatedAccount} from '../accounts/identities.ts';
import {setDeviations} from '../waf/previous-waf.ts';
import {setSeed} from '../waf/seeded.ts';
import {getStoredOverrides} from '../waf/stored-overrides.ts';
import {getStoredPageRules} from '../waf/stored-page-rules.ts';
import {type ServiceStage, setStageRecord} from '../waf/stored-stage.ts';
import type {Resources} from './resources.ts';
import type {Seed} from './seed.ts';
import {buildSampleZone} from './zones.ts';

/** Writes the zone of a seed into an empty world, with the same ids. */
export function addSeed(resources: Resources, seed: Seed, now: number): void {
	const {id, name, plan = 'enterprise'} = seed.zone;
	resources.set('zone', simulatedAccount.id, id, buildSampleZone(id, name, plan));
	setSeed(resources, id, {
		packages: seed.packages,
		proposed: seed.proposed,
		...(seed.managed && {managed: seed.managed}),
		incompatible: seed.check?.compatible === false && seed.overrides.length === 0,
	});
	const waf = seed.waf?.value === 'off' ? 'off' : 'on';
	setDeviations(resources, id, {
		waf,
		...(typeof seed.waf?.modified_on === 'string' && {switched: seed.waf.modified_on}),
	});
	for (const override of seed.overrides) getStoredOverrides({resources}, id).put(override);
	for (const rule of seed.pageRules) getStoredPageRules({resources}, id).put(rule);
	for (const filter of seed.filters) resources.set('filter', id, String(filter.id), filter);
	for (const rule of seed.firewallRules) addFirewallRule(resources, id, rule);
	if (seed.entryPoint) addRuleset(resources, id, seed.entryPoint);
	addStage(resources, id, getSeedStage(seed), now);
}

/** Writes the entry point of a phase, with one version. */
export function addRuleset(resources: Resources, zoneId: string, ruleset: JsonObject): void {
	resources.set('ruleset', zoneId, String(ruleset.id), ruleset);
	resources.set('ruleset-version', `${zoneId}/${ruleset.id}`, String(ruleset.version), ruleset);
}

const hour = 3_600_000;
/** How long ago a completed migration ended: earlier than analytics can query. */
const completedAgoMs = 40 * 24 * hour;

/** Writes the stage of a zone's migration; a pending one takes an hour. */
export function addStage(resources: Resources, zoneId: string, stage: ServiceStage, now: number): void {
	switch (stage) {
		case 'start':
			return;
		case 'validation':
			setStageRecord(resources, zoneId, {state: stage, since: now, before: 'start'});
			return;
		case 'pending':
			setStageRecord(resources, zoneId, {state: stage, since: now, until: now + hour, before: 'start'});
			return;
		case 'complete':
			setStageRecord(resources, zoneId, {
				state: 'pending',
				since: now - completedAgoMs - hour,
				until: now - completedAgoMs,
				before: 'start',
			});
			return;
		default:
			stage satisfies never;
	}
}

/** Writes a rule, and its filter unless that exists already or is deleted. */
function addFirewallRule(resources: Resources, zoneId: string, {filter, ...rule}: JsonObject): void {
	if (!isJsonObject(filter)) return;
	const id = String(filter.id);
	if (filter.deleted !== true && !resources.get('filter', zoneId, id))
		resources.set('filter', zoneId, id, filter);
	resources.set('firewall-rule', zoneId, String(rule.id), {
		paused: false,
		priority: null,
		...rule,
		filter: id,
	});
}

function getSeedStage({status, check}: Seed): ServiceStage {
	const state = status?.migration_state ?? check?.migration_state;
	return state === 'validation' || state === 'pending' || state === 'complete' ? state : 'start';
}
