import type {JsonObject, JsonValue} from '../../text/json.ts';
import {isJsonObject} from '../../text/json.ts';
import {done, refuse} from '../http/answer.ts';
import {pageOf} from '../http/pages.ts';
import type {Ask, Route} from '../http/route.ts';
import {account} from './identities.ts';
import {notGranted} from './routes.ts';

/** Zones, to read. */
export const zoneRoutes: readonly Route[] = [
	{method: 'GET', path: '/zones', grant: 'zone:read', answer: listZones},
	{method: 'GET', path: '/zones/:zone', grant: 'zone:read', answer: ask => done(zoneOf(ask))},
];

/** The zone that the path names; a missing zone is refused like a foreign one. */
export const zoneOf = ({world, parameters}: Ask): JsonObject =>
	world.resources.get('zone', account.id, parameters.zone ?? '') ?? refuse(403, notGranted);

/** What can be asked for, and where it is in a zone. */
const filters: Readonly<Record<string, (zone: JsonObject) => JsonValue | undefined>> = {
	name: zone => zone.name,
	status: zone => zone.status,
	'account.id': zone => part(zone.account, 'id'),
	'account.name': zone => part(zone.account, 'name'),
	'plan.id': zone => part(zone.plan, 'id'),
};

function listZones(ask: Ask) {
	const {query, world} = ask;
	const wanted = Object.entries(filters).flatMap(([name, of]) => {
		const text = query.get(name);
		return text === null ? [] : [(zone: JsonObject) => same(of(zone), text)];
	});
	const any = oneOf(query, 'match', ['all', 'any']) === 'any' && wanted.length > 0;
	const zones = world.resources
		.list('zone', account.id)
		.filter(zone => (any ? wanted.some(fits => fits(zone)) : wanted.every(fits => fits(zone))));
	const by = oneOf(query, 'order', Object.keys(filters));
	const down = oneOf(query, 'direction', ['asc', 'desc']) === 'desc' ? -1 : 1;
	const rank = by === undefined ? undefined : filters[by];
	if (rank) zones.sort((one, other) => down * order(String(rank(one)), String(rank(other))));
	return pageOf(ask, zones, {least: 5, most: 50, usual: 20});
}

const order = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

function oneOf(query: URLSearchParams, name: string, allowed: readonly string[]): string | undefined {
	const given = query.get(name);
	if (given === null) return undefined;
	if (!allowed.includes(given)) refuse(400, {message: `${name} must be one of ${allowed.join(', ')}`});
	return given;
}

const part = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
	isJsonObject(value) ? value[name] : undefined;

const same = (value: JsonValue | undefined, text: string): boolean =>
	String(value).toLowerCase() === text.toLowerCase();
