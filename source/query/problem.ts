import {attempt} from '../text/attempt.ts';
import {isQueryFunction, parseQuery, type QueryToken, splitQuery} from './libraries/jmespath.ts';

/** What is wrong with a query, and where: a column, from 1. */
type QueryProblem = {readonly column: number; readonly what: string};

/** Maximum length of a query: finding a mistake parses each part of it. */
export const maxJmespathLength = 2_000;

/** Returns the first mistake of a query; undefined if it is valid. */
export function findQueryProblem(text: string): QueryProblem | undefined {
	if (text.trim() === '') return {column: 1, what: 'the query is empty'};
	if (text.length > maxJmespathLength)
		return {column: maxJmespathLength + 1, what: `a query has at most ${maxJmespathLength} characters`};
	const tokens = attempt(() => splitQuery(text));
	if (!tokens) return findBadCharacter(text);
	return findBadToken(text, tokens) ?? findSyntaxProblem(text, tokens);
}

export const formatQueryProblem = ({column, what}: QueryProblem): string => `Column ${column}: ${what}.`;

/** Finds the character after the longest beginning that has words. */
function findBadCharacter(text: string): QueryProblem {
	let end = text.length - 1;
	while (end > 0 && !attempt(() => splitQuery(text.slice(0, end)))) end--;
	const character = String.fromCodePoint(text.codePointAt(end) ?? 0);
	return {
		column: end + 1,
		what: /["`]/.test(character)
			? `no valid text follows ${character}; it may not be closed`
			: `unexpected character ${character}`,
	};
}

/** Finds what the library accepts, and a person does not mean. */
function findBadToken(text: string, tokens: readonly QueryToken[]): QueryProblem | undefined {
	const hasLet = tokens.some(({type, value}) => type === 'UnquotedIdentifier' && value === 'let');
	for (const [index, {type, value, start}] of tokens.entries()) {
		const column = start + 1;
		if (type === 'Assign' && !hasLet) return {column, what: 'compare with ==, not ='};
		if (text[start] === "'" && !/^'(?:[^'\\]|\\.)*'/s.test(text.slice(start)))
			return {column, what: "the text is not closed with '"};
		const isCall = type === 'UnquotedIdentifier' && tokens[index + 1]?.type === 'Lparen';
		if (isCall && !isQueryFunction(String(value)))
			return {column, what: `no function is named ${String(value)}`};
	}
	return undefined;
}

/** Finds the word at which the shortest invalid beginning ends. */
function findSyntaxProblem(text: string, tokens: readonly QueryToken[]): QueryProblem | undefined {
	if (getSyntaxError(text) === undefined) return undefined;
	for (const [index, {start}] of tokens.entries()) {
		const end = tokens[index + 1]?.start ?? text.length;
		if (getSyntaxError(text.slice(0, end)) === 'unexpected')
			return {column: start + 1, what: `unexpected ${text.slice(start, end).trim()}`};
	}
	return {column: text.trimEnd().length + 1, what: 'the query ends too early'};
}

function getSyntaxError(text: string): 'unfinished' | 'unexpected' | undefined {
	try {
		parseQuery(text);
		return undefined;
	} catch (error) {
		return error instanceof Error && error.message.includes('EOF') ? 'unfinished' : 'unexpected';
	}
}
