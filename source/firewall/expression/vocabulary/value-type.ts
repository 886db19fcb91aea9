/** The type of a value in an expression. */
export type ValueType =
	| {readonly kind: 'String' | 'Bytes' | 'Integer' | 'Boolean' | 'IP'}
	| {readonly kind: 'Array' | 'Map'; readonly of: ValueType};

/** Formats a type as the service names it: `Map<Array<String>>`. */
export const formatType = (type: ValueType): string =>
	'of' in type ? `${type.kind}<${formatType(type.of)}>` : type.kind;

export const isSameType = (one: ValueType, other: ValueType): boolean =>
	one === other || formatType(one) === formatType(other);

export const stringType: ValueType = {kind: 'String'};
export const bytesType: ValueType = {kind: 'Bytes'};
export const integerType: ValueType = {kind: 'Integer'};
export const booleanType: ValueType = {kind: 'Boolean'};
export const ipType: ValueType = {kind: 'IP'};
export const toArrayType = (type: ValueType): ValueType => ({kind: 'Array', of: type});
export const toMapType = (type: ValueType): ValueType => ({kind: 'Map', of: type});
/** Strings by name, each name with all its values: headers and query parameters. */
export const headerMapType: ValueType = toMapType(toArrayType(stringType));

const parsedTypes = new Map<string, ValueType>();

/** Parses a name made by `formatType`. Throws a `RangeError` for an unknown one. */
export function parseType(name: string): ValueType {
	const cached = parsedTypes.get(name);
	if (cached) return cached;
	const [, kind, of] = /^(Array|Map)<(.+)>$/.exec(name) ?? [];
	const type =
		kind && of
			? {kind: kind as 'Array' | 'Map', of: parseType(of)}
			: plainTypes.find(one => one.kind === name);
	if (!type) throw new RangeError(`Unknown type ${name}.`);
	parsedTypes.set(name, type);
	return type;
}

const plainTypes: readonly ValueType[] = [stringType, bytesType, integerType, booleanType, ipType];

/** Returns the type inside all arrays and maps of a type; a plain type itself. */
export const getInnermostType = (type: ValueType): ValueType =>
	'of' in type ? getInnermostType(type.of) : type;
