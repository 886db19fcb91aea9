import type {JsonObject} from '../../text/json.ts';
import {enforcementKinds, type FormerObject} from '../world/resources.ts';
import type {World} from '../world/world.ts';
import type {TimeRange} from './filters.ts';

type EnforcementKind = (typeof enforcementKinds)[number];

/** Everything that decides what happens to a request, at one time. */
type ActiveRules = Readonly<Record<EnforcementKind, readonly JsonObject[]>>;

/** A time range without a change of the rules, and these rules. */
export type RulePeriod = TimeRange & {readonly rules: ActiveRules};

type RuleMaps = Record<EnforcementKind, Map<string, JsonObject>>;

/**
 * Splits a range into periods, oldest first, with the rules active in each. Former rules come from the
 * world's record of changes.
 */
export function listRulePeriods(world: World, zoneId: string, {from, to}: TimeRange): readonly RulePeriod[] {
	const ruleMaps = Object.fromEntries(
		enforcementKinds.map(kind => [
			kind,
			new Map(world.resources.list(kind, zoneId).map(object => [getObjectId(kind, object), object])),
		]),
	) as RuleMaps;
	const periods: RulePeriod[] = [];
	let end = to;
	let rules = snapshotRules(ruleMaps);
	for (const formerObject of world.resources.listFormerObjects(zoneId, from)) {
		if (formerObject.until <= from) break;
		if (formerObject.until < end) {
			periods.unshift({from: formerObject.until, to: end, rules});
			end = formerObject.until;
		}
		undoChange(ruleMaps, formerObject);
		rules = snapshotRules(ruleMaps);
	}
	periods.unshift({from, to: end, rules});
	return periods.flatMap(splitAtMigration);
}

/**
 * The settings of the previous managed rules and the stage of the migration are one object each, without an
 * id.
 */
const getObjectId = (kind: EnforcementKind, object: JsonObject): string =>
	kind === 'previous-waf' ? 'settings' : kind === 'waf-migration' ? 'state' : String(object.id);

function undoChange(ruleMaps: RuleMaps, {kind, id, body}: FormerObject): void {
	const kindObjects = ruleMaps[kind as EnforcementKind];
	if (body === null) kindObjects.delete(id);
	else kindObjects.set(id, body);
}

const snapshotRules = (ruleMaps: RuleMaps): ActiveRules =>
	Object.fromEntries(
		enforcementKinds.map(kind => [kind, [...ruleMaps[kind].values()]]),
	) as unknown as ActiveRules;

/** Splits a period where a migration completes, because its completion changes no stored object. */
function splitAtMigration(period: RulePeriod): readonly RulePeriod[] {
	const until = Number(period.rules['waf-migration'][0]?.until);
	if (!(until > period.from && until < period.to)) return [period];
	return [
		{...period, to: until},
		{...period, from: until},
	];
}
