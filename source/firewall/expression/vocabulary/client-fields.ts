import type {Field} from './entries.ts';
import {business, field, inTransforms} from './field.ts';
import {boolean, integer, ip, string} from './value-type.ts';

/** Who asks: the address of the client, and the place and network it belongs to. */
export const clientFields: readonly Field[] = [
	field('ip.src', ip, 'address of the client'),
	field('ip.src.country', string, 'country of the client, two letters (ISO 3166)'),
	field('ip.src.continent', string, 'continent of the client, two letters'),
	field('ip.src.asnum', integer, 'number of the network (AS) of the client'),
	field('ip.src.city', string, 'city of the client'),
	field('ip.src.region', string, 'region of the client, by name'),
	field('ip.src.region_code', string, 'region of the client, by code'),
	field('ip.src.postal_code', string, 'postal code of the client'),
	field('ip.src.metro_code', string, 'metro code of the client (United States)'),
	field('ip.src.lat', string, 'latitude of the client'),
	field('ip.src.lon', string, 'longitude of the client'),
	field('ip.src.timezone.name', string, 'time zone of the client, as Europe/Berlin', inTransforms),
	field('ip.src.subdivision_1_iso_code', string, 'first subdivision of the country (ISO 3166-2)', business),
	field('ip.src.subdivision_2_iso_code', string, 'second subdivision of the country (ISO 3166-2)', business),
	field('ip.src.is_in_european_union', boolean, 'whether the country of the client is in the EU', business),
	formerly('asnum', integer),
	formerly('continent', string),
	formerly('country', string),
	formerly('subdivision_1_iso_code', string),
	formerly('subdivision_2_iso_code', string),
	formerly('is_in_european_union', boolean),
];

function formerly(name: string, type: Field['type']): Field {
	const replacement = `ip.src.${name}`;
	return field(`ip.geoip.${name}`, type, `former name of ${replacement}`, {replacement});
}
