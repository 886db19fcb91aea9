import type {Field} from './entries.ts';
import {field, inAccountRulesets, inResponses} from './field.ts';
import {arrayOf, integer, string, stringsByName} from './value-type.ts';

/** The answer to the request: rules that run before there is one cannot look at it. */
export const responseFields: readonly Field[] = [
	field('http.response.code', integer, 'status of the answer', inResponses),
	field('http.response.headers', stringsByName, 'headers of the answer by name', inResponses),
	field('http.response.headers.names', arrayOf(string), 'names of the headers of the answer', inResponses),
	field('http.response.headers.values', arrayOf(string), 'values of the headers of the answer', inResponses),
	field('http.response.content_type.media_type', string, 'media type of the answer', inResponses),
	field('raw.http.response.headers', stringsByName, 'headers of the answer, as they were sent', inResponses),
	field('raw.http.response.headers.names', arrayOf(string), 'their names, as they were sent', inResponses),
	field('raw.http.response.headers.values', arrayOf(string), 'their values, as they were sent', inResponses),
	field('cf.response.1xxx_code', integer, 'number of the error of the service, 1000 to 1999', inResponses),
	field('cf.response.error_type', string, 'kind of the error of the service', inResponses),
];

/** Which zone it is: for rulesets of an account that run in many zones. */
export const zoneFields: readonly Field[] = [
	field('cf.zone.name', string, 'name of the zone', inAccountRulesets),
	field('cf.zone.plan', string, 'plan of the zone, as ENT', inAccountRulesets),
];
