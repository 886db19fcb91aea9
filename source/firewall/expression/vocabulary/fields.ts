import type {Domain, Field} from './entries.ts';
import table from './fields.json' with {type: 'json'};
import {parseType} from './value-type.ts';

/** A row of fields.json. Its names are those of `Field`, which a test checks. */
export type FieldRow = Omit<Field, 'type'> & {readonly type?: string};
/** The table of fields, and the date of the documentation it was made from. */
export type FieldTable = {readonly date: string; readonly fields: readonly FieldRow[]};

const {date, fields: rows} = table as FieldTable;

/** The date of the lists of fields and functions: anything the service added later is unknown here. */
export const vocabularyDate = date;

/** Every field of the language, the most common first. */
export const fields: readonly Field[] = rows.map(row => ({
	...row,
	type: row.type === undefined ? undefined : parseType(row.type),
}));

const byName: ReadonlyMap<string, Field> = new Map(fields.map(field => [field.name, field]));

export const findField = (name: string): Field | undefined => byName.get(name);

/**
 * Returns what is documented about the values of a field; for a deprecated field, about those of its
 * replacement.
 */
export const getFieldDomain = ({domain, replacement}: Field): Domain | undefined =>
	domain ?? (replacement === undefined ? undefined : findField(replacement)?.domain);

export const commonFieldNames: ReadonlySet<string> = new Set([
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

/** Fields that most rules use: the rule builder offers them first. */
export const commonFields: readonly Field[] = fields.filter(({name}) => commonFieldNames.has(name));
