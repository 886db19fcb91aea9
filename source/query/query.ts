import {Failure} from '../failure.ts';
import {findInexactNumber} from '../text/exact-json.ts';
import {isJsonObject, type JsonValue, parseJsonText} from '../text/json.ts';
import {runStoppable} from '../text/run-stoppable.ts';
import {evaluateQuery} from './libraries/jmespath.ts';
import {findQueryProblem, formatQueryProblem} from './problem.ts';

/** A JSON document that queries are asked of. */
export type QueryDocument = {
	readonly value: JsonValue;
	/** A number that queries round, since it has more digits than they keep. */
	readonly inexactNumber: string | undefined;
};

/** Parses the text of a document; undefined if it is not JSON. */
export function parseQueryDocument(text: string): QueryDocument | undefined {
	try {
		return {value: withoutPrototypes(parseJsonText(text)), inexactNumber: findInexactNumber(text)};
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	}
}

/** Removes the prototypes of all objects, so that queries see no fields but those of the document. */
function withoutPrototypes(document: JsonValue): JsonValue {
	const pending: JsonValue[] = [document];
	for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
		if (Array.isArray(value)) for (const child of value) pending.push(child as JsonValue);
		else if (isJsonObject(value)) {
			for (const child of Object.values(value)) pending.push(child);
			Object.setPrototypeOf(value, null);
		}
	}
	return document;
}

/** Fails with `usage` if a query is invalid, and names the column. */
export function checkQuery(text: string): void {
	const problem = findQueryProblem(text);
	if (problem)
		throw new Failure('usage', `The query is invalid. ${formatQueryProblem(problem)}`, {
			why: `${text}\n${' '.repeat(problem.column - 1)}^`,
			next: 'Queries are written in JMESPath, see https://jmespath.org.',
		});
}

/**
 * Evaluates a valid query, and returns what `convert` makes of its result, which is null if it finds nothing.
 * Fails with `usage` for arguments of the wrong type and results that are too large, and with `timed_out` after
 * `timeoutMs` milliseconds. A result can refer to the same part so often that printing it takes longer than
 * finding it.
 */
export function askDocument<Result>(
	{value}: QueryDocument,
	text: string,
	timeoutMs: number,
	convert: (result: JsonValue) => Result,
): Result {
	try {
		return runStoppable(
			() => convert(evaluateQuery(value, text) ?? null),
			timeoutMs,
			() => {
				throw new Failure('timed_out', 'The query did not finish.', {
					why: `It ran for ${timeoutMs / 1000} s.`,
					next: 'Ask for less: name the fields instead of using * or nested filters.',
				});
			},
		);
	} catch (cause) {
		if (cause instanceof Failure || !(cause instanceof Error) || cause.name === 'AbortError') throw cause;
		throw new Failure(
			'usage',
			`The query can't be evaluated on this value. ${describeEvaluation(cause, text)}`,
			{cause},
		);
	}
}

export const formatQueryResult = (result: JsonValue): string => JSON.stringify(result, undefined, 2);

/** Describes an error of a function, with its column, or a limit of memory. */
function describeEvaluation(cause: Error, text: string): string {
	if (cause instanceof RangeError) return 'It is nested too deeply, or its result is too large.';
	const {message} = cause;
	const name = /(\w+)\(\)/.exec(message)?.[1];
	const index = name === undefined ? -1 : text.indexOf(`${name}(`);
	return `${index === -1 ? '' : `Column ${index + 1}: `}${message}${message.endsWith('.') ? '' : '.'}`;
}

/** True if a query found something: not null, false, or empty, as in JMESPath. */
export const isQueryMatch = (result: JsonValue): boolean =>
	Array.isArray(result) || typeof result === 'string'
		? result.length > 0
		: isJsonObject(result)
			? Object.keys(result).length > 0
			: result !== null && result !== false;
