import {bodyFields, tokenFields} from './body-fields.ts';
import {clientFields} from './client-fields.ts';
import {connectionFields} from './connection-fields.ts';
import type {Field} from './entries.ts';
import {requestFields} from './request-fields.ts';
import {responseFields, zoneFields} from './response-fields.ts';
import {botFields, wafFields} from './verdict-fields.ts';

/** Every field of the language, what is asked for most first. */
export const fields: readonly Field[] = [
	...requestFields,
	...clientFields,
	...connectionFields,
	...botFields,
	...wafFields,
	...bodyFields,
	...tokenFields,
	...responseFields,
	...zoneFields,
];

const byName: ReadonlyMap<string, Field> = new Map(fields.map(field => [field.name, field]));

export const fieldNamed = (name: string): Field | undefined => byName.get(name);

const commonNames: ReadonlySet<string> = new Set([
	'http.host',
	'http.request.method',
	'http.request.uri',
	'http.request.uri.path',
	'http.request.uri.query',
	'http.request.full_uri',
	'http.request.uri.path.extension',
	'http.user_agent',
	'http.referer',
	'http.cookie',
	'http.x_forwarded_for',
	'http.request.version',
	'http.request.headers',
	'http.request.uri.args',
	'ip.src',
	'ip.src.country',
	'ip.src.continent',
	'ip.src.asnum',
	'ssl',
	'cf.client.bot',
	'cf.verified_bot_category',
	'cf.edge.server_port',
	'cf.tls_version',
	'cf.tls_client_auth.cert_verified',
	'cf.waf.score',
	'cf.bot_management.score',
]);

/** Those that most rules look at: what the builder offers first. */
export const commonFields: readonly Field[] = fields.filter(({name}) => commonNames.has(name));
