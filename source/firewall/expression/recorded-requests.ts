import {analyse} from './analyse.ts';
import {type ExactRequest, evaluateRequest} from './evaluate.ts';
import type {FieldValue} from './field-value.ts';
import {parseIpAddress} from './grammar/addresses.ts';
import {parseAllowingConstants} from './traffic-share.ts';
import {Unknown} from './unknown.ts';
import {findField} from './vocabulary/fields.ts';

type RecordedValue = string | number | boolean;

/**
 * Recorded field values by field name; addresses as text. Of a map, such as headers, only some values may be
 * recorded. Undefined means not recorded.
 */
export type RecordedFields = Readonly<
	Record<string, RecordedValue | {readonly [name: string]: readonly RecordedValue[]} | undefined>
>;

/**
 * Creates a function that returns whether an expression matches a recorded request; if what is not recorded
 * decides that, it returns what is unknown. An expression that cannot be parsed matches none.
 */
export function createRequestMatcher(expression: string): (request: RecordedFields) => boolean | Unknown {
	const tree = analyse(expression, {allowUnknown: true}).tree ?? parseAllowingConstants(expression);
	if (!tree) return () => false;
	return request => {
		const exactRequest: ExactRequest = {field: name => readRecordedField(name, request), isExact: true};
		return evaluateRequest(tree, exactRequest);
	};
}

function readRecordedField(name: string, request: RecordedFields): FieldValue {
	const value = Object.hasOwn(request, name) ? request[name] : undefined;
	if (value === undefined) return new Unknown([name]);
	if (typeof value === 'object') return {byName: new Map(Object.entries(value)), rest: new Unknown([name])};
	if (typeof value !== 'string' || findField(name)?.type?.kind !== 'IP') return value;
	const address = parseIpAddress(value);
	return address.ok ? address : new Unknown([name]);
}
