import {analyse} from './analyse.ts';
import {holds} from './evaluate.ts';
import {readAddress} from './grammar/addresses.ts';
import {withoutConstants} from './reach.ts';
import type {Value} from './sample-requests.ts';
import {fieldNamed} from './vocabulary/fields.ts';

/** Recorded field values by field name; addresses as text. */
type Recorded = Readonly<Record<string, string | number | boolean>>;

/**
 * Creates a predicate that is true for recorded requests that an expression matches. An expression that
 * cannot be parsed, or uses a field that was not recorded, matches none.
 */
export function matcherOf(expression: string): (request: Recorded) => boolean {
	const {tree: read, fields} = analyse(expression);
	const tree = read ?? withoutConstants(expression);
	if (!tree) return () => false;
	return request =>
		fields.every(field => field in request) &&
		holds(tree, {number: 1, version: 4, field: name => fieldOf(name, request)});
}

function fieldOf(name: string, request: Recorded): Value {
	const value = request[name];
	if (typeof value !== 'string' || fieldNamed(name)?.type?.kind !== 'IP') return value;
	const address = readAddress(value);
	return address.ok ? address : undefined;
}
