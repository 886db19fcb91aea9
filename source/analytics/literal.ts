/** Value of a query argument. */
export type QueryArgument =
	| string
	| number
	| boolean
	| readonly QueryArgument[]
	| {readonly [name: string]: QueryArgument | undefined};

/**
 * Formats a value for a query. Queries contain values literally: variables would need type names, which
 * differ between deployments.
 */
export function formatLiteral(value: QueryArgument): string {
	if (typeof value === 'string') return formatText(value);
	if (typeof value !== 'object') return String(value);
	if (isList(value)) return `[${value.map(formatLiteral).join(', ')}]`;
	const parts = Object.entries(value).flatMap(([name, part]) =>
		part === undefined ? [] : [`${name}: ${formatLiteral(part)}`],
	);
	return `{${parts.join(', ')}}`;
}

const isList = (value: QueryArgument): value is readonly QueryArgument[] => Array.isArray(value);

/** JSON escapes are valid in queries; lone surrogates are invalid in both. */
const formatText = (value: string): string => JSON.stringify(value.toWellFormed());
