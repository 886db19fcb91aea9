/** The type of a value in an expression. */
export type ValueType =
	| {readonly kind: 'String' | 'Bytes' | 'Integer' | 'Boolean' | 'IP'}
	| {readonly kind: 'Array' | 'Map'; readonly of: ValueType};

/** Formats a type as the service names it: `Map<Array<String>>`. */
export const typeName = (type: ValueType): string =>
	'of' in type ? `${type.kind}<${typeName(type.of)}>` : type.kind;

export const sameType = (one: ValueType, other: ValueType): boolean =>
	one === other || typeName(one) === typeName(other);

export const string: ValueType = {kind: 'String'};
export const bytes: ValueType = {kind: 'Bytes'};
export const integer: ValueType = {kind: 'Integer'};
export const boolean: ValueType = {kind: 'Boolean'};
export const ip: ValueType = {kind: 'IP'};
export const arrayOf = (type: ValueType): ValueType => ({kind: 'Array', of: type});
export const mapOf = (type: ValueType): ValueType => ({kind: 'Map', of: type});
/** Strings by name, each name with all its values: headers and query parameters. */
export const stringsByName: ValueType = mapOf(arrayOf(string));

const types = new Map<string, ValueType>();

/** Parses a name made by `formatType`. Throws a `RangeError` for an unknown one. */
export function typeOf(name: string): ValueType {
	const known = types.get(name);
	if (known) return known;
	const [, kind, of] = /^(Array|Map)<(.+)>$/.exec(name) ?? [];
	const type =
		kind && of ? {kind: kind as 'Array' | 'Map', of: typeOf(of)} : plainTypes.find(one => one.kind === name);
	if (!type) throw new RangeError(`There is no type ${name}.`);
	types.set(name, type);
	return type;
}

const plainTypes: readonly ValueType[] = [string, bytes, integer, boolean, ip];

/** Returns the element type of a list or map, at any depth; a plain type itself. */
export const innermost = (type: ValueType): ValueType => ('of' in type ? innermost(type.of) : type);
