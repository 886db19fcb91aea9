/** The types of values in an expression. */
export type ValueType =
	| {readonly kind: 'String' | 'Bytes' | 'Integer' | 'Boolean' | 'IP'}
	| {readonly kind: 'Array' | 'Map'; readonly of: ValueType};

/** A type as the service names it: `Map<Array<String>>`. */
export const typeName = (type: ValueType): string =>
	'of' in type ? `${type.kind}<${typeName(type.of)}>` : type.kind;

export const sameType = (one: ValueType, other: ValueType): boolean => typeName(one) === typeName(other);

export const string: ValueType = {kind: 'String'};
export const bytes: ValueType = {kind: 'Bytes'};
export const integer: ValueType = {kind: 'Integer'};
export const boolean: ValueType = {kind: 'Boolean'};
export const ip: ValueType = {kind: 'IP'};
export const arrayOf = (type: ValueType): ValueType => ({kind: 'Array', of: type});
export const mapOf = (type: ValueType): ValueType => ({kind: 'Map', of: type});
/** Strings by name, each as often as it was sent: what headers and query parameters are. */
export const stringsByName: ValueType = mapOf(arrayOf(string));
