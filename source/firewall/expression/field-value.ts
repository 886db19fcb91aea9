import type {Address} from './grammar/addresses.ts';
import type {Unknown} from './unknown.ts';

/** The value of a field in a request; undefined if it has none. */
export type FieldValue =
	| string
	| number
	| boolean
	| Address
	| readonly FieldValue[]
	| ValuesByName
	| Unknown
	| undefined;

/** Values that are looked up by name, such as headers. `rest`: the ones that are not recorded, if any. */
type ValuesByName = {readonly byName: ReadonlyMap<string, FieldValue>; readonly rest?: Unknown};

export const isListValue = (value: unknown): value is readonly FieldValue[] => Array.isArray(value);

export const isMapValue = (value: unknown): value is ValuesByName =>
	typeof value === 'object' && value !== null && 'byName' in value;

export const isAddress = (value: unknown): value is Address =>
	typeof value === 'object' && value !== null && 'version' in value;

export const isEqualValue = (one: FieldValue, other: FieldValue): boolean =>
	isAddress(one) && isAddress(other)
		? one.version === other.version && one.value === other.value
		: one === other;
