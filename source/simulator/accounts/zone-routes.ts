import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import {done, refuse} from '../http/answer.ts';
import {pageOf} from '../http/pages.ts';
import type {Ask, Route} from '../http/route.ts';
import {selected} from '../http/selection.ts';
import {account} from './identities.ts';
import {findPlan, type Plan} from './plan.ts';
import {notGranted} from './routes.ts';

/** Read-only routes for zones. */
export const zoneRoutes: readonly Route[] = [
	{method: 'GET', path: '/zones', grant: 'zone:read', answer: listZones},
	{method: 'GET', path: '/zones/:zone', grant: 'zone:read', answer: ask => done(zoneOf(ask))},
];

/** Returns the zone in the path; refuses a missing zone like someone else's. */
const zoneOf = ({world, parameters}: Ask): JsonObject =>
	world.resources.get('zone', account.id, parameters.zone ?? '') ?? refuse(403, notGranted);

/** Returns the id and the plan of the zone in the path. */
export function zoneNamed(ask: Ask): {readonly id: string; readonly plan: Plan} {
	const {id, plan} = zoneOf(ask);
	const legacy = part(plan, 'legacy_id');
	return {id: String(id), plan: findPlan(typeof legacy === 'string' ? legacy : undefined) ?? 'free'};
}

/** The query parameters that filter zones, and the value of each in a zone. */
const places: Readonly<Record<string, (zone: JsonObject) => JsonValue | undefined>> = {
	name: zone => zone.name,
	status: zone => zone.status,
	'account.id': zone => part(zone.account, 'id'),
	'account.name': zone => part(zone.account, 'name'),
	'plan.id': zone => part(zone.plan, 'id'),
};

function listZones(ask: Ask) {
	const fits = Object.entries(places).map(
		([name, of]) => [name, (zone: JsonObject, text: string) => same(of(zone), text)] as const,
	);
	const rank = (zone: JsonObject, by: string) => String(places[by]?.(zone));
	const zones = ask.world.resources.list('zone', account.id);
	const found = selected(ask.query, zones, Object.fromEntries(fits), Object.keys(places), rank);
	return pageOf(ask, found, {least: 5, most: 50, usual: 20});
}

const part = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
	isJsonObject(value) ? value[name] : undefined;

const same = (value: JsonValue | undefined, text: string): boolean =>
	String(value).toLowerCase() === text.toLowerCase();
