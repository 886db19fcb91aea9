import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import {buildSuccessAnswer, refuseRequest} from '../http/answer.ts';
import {buildPageAnswer} from '../http/pages.ts';
import type {RequestContext, Route} from '../http/route.ts';
import {selectItems} from '../http/selection.ts';
import {simulatedAccount} from './identities.ts';
import {findPlan, type Plan} from './plan.ts';
import {unauthorizedError} from './routes.ts';

/** Read-only routes for zones. */
export const zoneRoutes: readonly Route[] = [
	{method: 'GET', path: '/zones', grant: 'zone:read', answer: listZones},
	{
		method: 'GET',
		path: '/zones/:zone',
		grant: 'zone:read',
		answer: context => buildSuccessAnswer(getZoneResource(context)),
	},
];

/** Returns the zone in the path. Refuses a missing zone just as one of another account. */
const getZoneResource = ({world, parameters}: RequestContext): JsonObject =>
	world.resources.get('zone', simulatedAccount.id, parameters.zone ?? '') ??
	refuseRequest(403, unauthorizedError);

/** Returns the id and the plan of the zone in the path. */
export function getRequestedZone(context: RequestContext): {readonly id: string; readonly plan: Plan} {
	const {id, plan} = getZoneResource(context);
	const legacyId = getMember(plan, 'legacy_id');
	return {id: String(id), plan: findPlan(typeof legacyId === 'string' ? legacyId : undefined) ?? 'free'};
}

/** The query parameters that filter zones, and the value of each in a zone. */
const zoneFields: Readonly<Record<string, (zone: JsonObject) => JsonValue | undefined>> = {
	name: zone => zone.name,
	status: zone => zone.status,
	'account.id': zone => getMember(zone.account, 'id'),
	'account.name': zone => getMember(zone.account, 'name'),
	'plan.id': zone => getMember(zone.plan, 'id'),
};

function listZones(context: RequestContext) {
	const predicates = Object.entries(zoneFields).map(
		([name, getValue]) =>
			[name, (zone: JsonObject, text: string) => equalsIgnoringCase(getValue(zone), text)] as const,
	);
	const getSortKey = (zone: JsonObject, field: string) => String(zoneFields[field]?.(zone));
	const zones = context.world.resources.list('zone', simulatedAccount.id);
	const matchingZones = selectItems(
		context.query,
		zones,
		Object.fromEntries(predicates),
		Object.keys(zoneFields),
		getSortKey,
	);
	return buildPageAnswer(context, matchingZones, {minSize: 5, maxSize: 50, defaultSize: 20});
}

const getMember = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
	isJsonObject(value) ? value[name] : undefined;

const equalsIgnoringCase = (value: JsonValue | undefined, text: string): boolean =>
	String(value).toLowerCase() === text.toLowerCase();
