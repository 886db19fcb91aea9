import {filterObjects, type JsonObject} from '../../text/json.ts';
import {enforcementKinds, type FormerObject} from '../world/resources.ts';
import type {World} from '../world/world.ts';
import type {TimeRange} from './filters.ts';

type EnforcementKind = (typeof enforcementKinds)[number];

/** Everything that decides what happens to a request, at one time. */
type ActiveRules = Readonly<Record<EnforcementKind, readonly JsonObject[]>>;

/** A time range in which each rule decides the same about a request at any time, and these rules. */
export type RulePeriod = TimeRange & {
	readonly rules: ActiveRules;
	/** How many times that its rules depend on have passed. */
	readonly passedTimeCount: number;
};

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
	const periods: Omit<RulePeriod, 'passedTimeCount'>[] = [];
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
	return periods.flatMap(splitAtTimes);
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

/** Splits a period at the times that its rules depend on, because passing them changes no stored object. */
function splitAtTimes({from, to, rules}: Omit<RulePeriod, 'passedTimeCount'>): readonly RulePeriod[] {
	const times = listTimes(rules);
	const passedTimeCount = times.filter(time => time <= from).length;
	const starts = [from, ...times.filter(time => time > from && time < to)];
	return starts.map((start, index) => ({
		from: start,
		to: starts[index + 1] ?? to,
		rules,
		passedTimeCount: passedTimeCount + index,
	}));
}

/**
 * Lists the times in milliseconds at which rules decide differently, in order: where the migration completes, and
 * around the seconds that expressions compare with.
 */
function listTimes(rules: ActiveRules): readonly number[] {
	const until = Number(rules['waf-migration'][0]?.until);
	const expressions = [
		...rules.filter,
		...rules.ruleset.flatMap(ruleset => filterObjects(ruleset.rules)),
	].map(({expression}) => String(expression));
	const seconds = expressions
		.filter(expression => expression.includes('http.request.timestamp.sec'))
		.flatMap(expression => expression.match(/\b\d{10}\b/g) ?? [])
		.map(Number);
	const times = [until, ...seconds.flatMap(second => [second * 1000, (second + 1) * 1000])];
	return [...new Set(times)].filter(Number.isFinite).sort((left, right) => left - right);
}
