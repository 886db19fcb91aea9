import {analyse} from './analyse.ts';
import {matchesRequest} from './evaluate.ts';
import {parseIpAddress} from './grammar/addresses.ts';
import type {FieldValue} from './sample-requests.ts';
import {parseAllowingConstants} from './traffic-share.ts';
import {findField} from './vocabulary/fields.ts';

/** Recorded field values by field name; addresses as text. */
type RecordedFields = Readonly<Record<string, string | number | boolean>>;

/**
 * Creates a predicate that is true for recorded requests that an expression matches. An expression that
 * cannot be parsed, or uses a field that was not recorded, matches none.
 */
export function createRequestMatcher(expression: string): (request: RecordedFields) => boolean {
	const {tree: parsedTree, fields} = analyse(expression);
	const tree = parsedTree ?? parseAllowingConstants(expression);
	if (!tree) return () => false;
	return request =>
		fields.every(field => field in request) &&
		matchesRequest(tree, {index: 1, version: 4, field: name => readRecordedField(name, request)});
}

function readRecordedField(name: string, request: RecordedFields): FieldValue {
	const value = request[name];
	if (typeof value !== 'string' || findField(name)?.type?.kind !== 'IP') return value;
	const address = parseIpAddress(value);
	return address.ok ? address : undefined;
}
