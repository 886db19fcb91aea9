import {compile, isRegistered, search, tokenize} from '@jmespath-community/jmespath';
import type {JsonValue} from '../../text/json.ts';

/** A word of a query; `start` is its offset. */
export type QueryToken = {readonly type: string; readonly value: unknown; readonly start: number};

/** Splits a query into words. Throws on characters that no query has. */
export const splitQuery = (text: string): readonly QueryToken[] => tokenize(text);

/** Parses a query. Throws if it is invalid; the message names the end of the query as "EOF". */
export const parseQuery = (text: string): unknown => compile(text);

export const isQueryFunction = (name: string): boolean => isRegistered(name);

/** Evaluates a valid query. Throws if a function gets an argument of the wrong type. */
export const evaluateQuery = (document: JsonValue, text: string): JsonValue | undefined =>
	search(document as Parameters<typeof search>[0], text) as JsonValue | undefined;
