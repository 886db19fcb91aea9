import type {JsonObject, JsonValue} from '../../text/json.ts';
import {isJsonObject} from '../../text/json.ts';
import {refuseRequest} from '../http/answer.ts';

/** True if a rule contains its filter, with an expression and no id, instead of naming a filter. */
export const hasEmbeddedFilter = ({filter}: JsonObject): boolean =>
	isJsonObject(filter) && filter.id === undefined && filter.expression !== undefined;

/** Refuses a body of one rule or several if a rule contains its filter. Only POST allows that. */
export function refuseEmbeddedFilters(body: JsonValue | undefined, method: 'PUT' | 'DELETE'): void {
	const rules: readonly JsonValue[] = Array.isArray(body) ? body : body === undefined ? [] : [body];
	if (!rules.some(rule => isJsonObject(rule) && hasEmbeddedFilter(rule))) return;
	refuseRequest(
		405,
		{
			code: 10405,
			message: `${method} is not allowed with a filter that has an expression and no id.`,
		},
		{allow: 'POST'},
	);
}
