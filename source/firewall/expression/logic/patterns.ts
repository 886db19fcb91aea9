import type {ComparisonOperator} from '../grammar/tree.ts';
import {isAscii, type Shape, type Shapes} from './shapes.ts';

const noShapes: Shapes = {shapes: [], isExact: false};

/** Finds the shapes of values that satisfy a comparison with a text. */
export function findShapes(operator: ComparisonOperator, text: string): Shapes {
	switch (operator) {
		case 'contains':
			return {shapes: [{position: 'part', text, folded: false}], isExact: true};
		case 'wildcard':
			return (isAscii(text) && findWildcardShapes(text.toLowerCase(), true)) || noShapes;
		case 'strict wildcard':
			return findWildcardShapes(text, false) ?? noShapes;
		case 'matches':
			return findPatternShapes(text);
		default:
			return noShapes;
	}
}

/** Finds the shapes of a pattern in which `*` is any text. */
function findWildcardShapes(pattern: string, folded: boolean): Shapes | undefined {
	if (pattern.includes('\\')) return undefined;
	const [beginning = '', ...parts] = pattern.split('*');
	const end = parts.pop();
	if (end === undefined) return {shapes: [{position: 'whole', text: beginning, folded}], isExact: true};
	const shapes = [
		{position: 'beginning', text: beginning, folded} as const,
		...parts.map(text => ({position: 'part', text, folded}) as const),
		{position: 'end', text: end, folded} as const,
	].filter(({text}) => text !== '');
	return {shapes, isExact: shapes.length <= 1, matches: value => matchesParts(shapes, value)};
}

/** True if a value has some shapes one after the other. */
function matchesParts(shapes: readonly Shape[], value: string): boolean | undefined {
	if (shapes.some(({folded}) => folded) && !isAscii(value)) return undefined;
	let index = 0;
	return shapes.every(({text, folded, position}) => {
		const searched = folded ? value.toLowerCase() : value;
		const found = position === 'end' ? searched.length - text.length : searched.indexOf(text, index);
		const isFound = found >= index;
		index = found + text.length;
		return isFound;
	});
}

/** Finds the shape of a regular expression, if that is a plain text with or without anchors. */
function findPatternShapes(pattern: string): Shapes {
	if (pattern === '' || pattern === '.*') return {shapes: [], isExact: true};
	const [, start = '', body = '', end = ''] =
		/^(\^?)((?:[\w/ ,:;=@%~&<>-]|\\[./?+*$^|()[\]{}-])*)(\$?)$/.exec(pattern) ?? [];
	if (start + body + end === '')
		return {shapes: [], isExact: false, matches: value => matchesPattern(pattern, value)};
	const position = start ? (end ? 'whole' : 'beginning') : end ? 'end' : 'part';
	return {shapes: [{position, text: body.replaceAll('\\', ''), folded: false}], isExact: true};
}

/** Longest text, and most repetitions, that a regular expression is evaluated for. */
const limits = {length: 64, repetitions: 2} as const;

/** Regular expressions that mean the same in JavaScript, and repeat no groups. */
const plainPattern =
	/^(?:(?:[\w\s/.,:;=@%~&<>"'-]|\\[./?+*$^|()[\]{}dws-]|\[\^?[\w./]+(?:-[\w./]+)*\])[*+?]?|[|^$]|\((?!\?)|\)(?![*+?]))+$/;

/** True if a value matches a regular expression; undefined if that takes long, or may differ in the service. */
function matchesPattern(pattern: string, value: string): boolean | undefined {
	const body = pattern.replace(/^\(\?i\)/, '');
	const repetitions = body.match(/[*+?]/g)?.length ?? 0;
	if (repetitions > limits.repetitions || value.length > limits.length || value.includes('\n'))
		return undefined;
	if (!isAscii(value) || !plainPattern.test(body)) return undefined;
	return new RegExp(body, body === pattern ? '' : 'i').test(value);
}
