/** A value of an argument: texts, numbers, lists, and objects of them. */
export type Argument =
	| string
	| number
	| boolean
	| readonly Argument[]
	| {readonly [name: string]: Argument | undefined};

/**
 * A value as it is written in a query. Queries hold their values themselves, because a variable would need the name of
 * its type, which differs between deployments.
 */
export function literal(value: Argument): string {
	if (typeof value === 'string') return text(value);
	if (typeof value !== 'object') return String(value);
	if (isList(value)) return `[${value.map(literal).join(', ')}]`;
	const parts = Object.entries(value).flatMap(([name, part]) =>
		part === undefined ? [] : [`${name}: ${literal(part)}`],
	);
	return `{${parts.join(', ')}}`;
}

const isList = (value: Argument): value is readonly Argument[] => Array.isArray(value);

/** Escapes of JSON are those of queries; halves of surrogate pairs are not valid in either. */
const text = (value: string): string => JSON.stringify(value.toWellFormed());
