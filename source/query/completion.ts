import {isJsonObject, type JsonValue} from '../text/json.ts';
import {findQueryProblem, maxJmespathLength} from './problem.ts';
import {askDocument, type QueryDocument} from './query.ts';

/** Milliseconds that finding fields may block the keyboard. */
const completionTimeoutMs = 500;

/** Elements of an array whose fields are offered. */
const maxSampledElements = 100;
const maxOfferedFields = 200;

/** The query before the field being typed at its end, and the fields that this may become. */
type FieldCompletion = {readonly before: string; readonly fields: readonly string[]};

/** Lists the fields of a document that can follow at the end of a query; none if it is too long. */
export function completeField({value}: QueryDocument, query: string): FieldCompletion {
	if (query.length > maxJmespathLength) return {before: query, fields: []};
	const [, before = '', quote = '', typed = ''] = /^(.*?)("?)([A-Za-z_]\w*|)$/s.exec(query) ?? [];
	const candidates = listFields(findParents(value, before));
	const fields = candidates
		.filter(name => name.startsWith(typed))
		.map(name => (quote !== '' || !/^[A-Za-z_]\w*$/.test(name) ? JSON.stringify(name) : name));
	return {before, fields};
}

/** Returns the values whose fields can follow. Inside a filter, these are the elements it filters. */
function findParents(document: JsonValue, before: string): readonly JsonValue[] {
	const filter = /^(.*)\[\?([^\]]*)$/s.exec(before);
	if (filter) {
		const [, outer = '', inner = ''] = filter;
		const elements = findParents(document, `${outer}[*].`);
		const path = /(?:@|[\w"]+)(?:\.[\w"]+|\[\d*\])*\.$/.exec(inner)?.[0];
		return path === undefined ? elements : elements.flatMap(element => findParents(element, path));
	}
	const pipe = /^(.*[^|])\|([^|]*)$/s.exec(before);
	if (pipe)
		return findPipedValues(document, pipe[1] ?? '').flatMap(value => findParents(value, pipe[2] ?? ''));
	// What precedes the path: a function, a condition, or another member.
	const path = before.replace(/^.*[({,:&=<>!|]\s*/s, '').trimStart();
	const start = path === '' ? '@' : path.endsWith('.') ? path.slice(0, -1) : '';
	const isProjection = /\*|\[(?:\?|\]|-?\d*:)/.test(start);
	return findPipedValues(document, start).flatMap(value =>
		isProjection && Array.isArray(value) ? sampleElements(value) : [value],
	);
}

/** Evaluates the beginning of a query; empty if it is unfinished. */
function findPipedValues(document: JsonValue, query: string): readonly JsonValue[] {
	if (findQueryProblem(query)) return [];
	try {
		return [
			askDocument({value: document, inexactNumber: undefined}, query, completionTimeoutMs, value => value),
		];
	} catch {
		// A function that does not take this value, or a query that takes too long.
		return [];
	}
}

const sampleElements = (elements: readonly JsonValue[]): readonly JsonValue[] =>
	elements.slice(0, maxSampledElements);

const listFields = (parents: readonly JsonValue[]): readonly string[] =>
	[...new Set(parents.flatMap(parent => (isJsonObject(parent) ? Object.keys(parent) : [])))].slice(
		0,
		maxOfferedFields,
	);
