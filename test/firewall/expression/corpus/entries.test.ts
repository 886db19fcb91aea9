import {describe, expect, test} from 'vitest';
import {analyse, type ExpressionProblem} from '../../../../source/firewall/expression/expressions.ts';
import {computed} from './computed.ts';
import {differences} from './differences.ts';
import type {Entry, Group} from './entry.ts';
import {functions} from './functions.ts';
import {grammar} from './grammar.ts';
import {meanings} from './meanings.ts';
import {mistakes} from './mistakes.ts';
import {places} from './places.ts';

const sections: Readonly<Record<string, readonly Group[]>> = {
	grammar,
	computed,
	functions,
	places,
	mistakes,
	meanings,
	differences,
};

/** Removes the marks of an expression. `positions` has "line:column text" for each mark, in characters. */
function parseMarks(marked: string): {text: string; positions: string[]} {
	const text = marked.replaceAll(/[«»]/g, '');
	const starts = [...marked.matchAll(/«([^»]*)»/g)];
	return {
		text,
		positions: starts.map(({index, 1: markedText = ''}) => {
			const before = marked.slice(0, index).replaceAll(/[«»]/g, '').split('\n');
			return `${before.length}:${[...(before.at(-1) ?? '')].length + 1} ${markedText}`;
		}),
	};
}

const formatPosition = (text: string, {line, column, span}: ExpressionProblem): string =>
	`${line}:${column} ${text.slice(span.start, span.end)}`;

function checkEntry({phase, plan, letsThrough}: Group, [wantedVerdict, marked]: Entry) {
	const {text, positions: expectedPositions} = parseMarks(marked);
	const {errors, warnings, hints} = analyse(text, {phase, plan, letsThrough});
	const [verdict, problems] =
		errors.length > 0
			? (['error', errors] as const)
			: warnings.length > 0
				? (['warning', warnings] as const)
				: wantedVerdict === 'hint' && hints.length > 0
					? (['hint', hints] as const)
					: (['valid', []] as const);
	const {correction} = problems[0] ?? {};
	return {
		verdict,
		wanted: expectedPositions,
		positions: problems.map(problem => formatPosition(text, problem)),
		correctedText:
			correction && text.slice(0, correction.span.start) + correction.text + text.slice(correction.span.end),
	};
}

describe.each(Object.entries(sections))('facts about the language: %s', (_name, groups) => {
	test.each(
		groups.map(group => [`${group.fact} (${group.source}: ${group.page})`, group] as const),
	)('%s', (_fact, group) => {
		const actual: unknown[] = [];
		const expected: unknown[] = [];
		for (const entry of group.entries) {
			const [verdict, marked, correctedText] = entry;
			const result = checkEntry(group, entry);
			const more = correctedText === undefined ? {} : {becomes: result.correctedText};
			actual.push({marked, verdict: result.verdict, places: result.positions, ...more});
			expected.push({
				marked,
				verdict,
				places: result.wanted,
				...(correctedText === undefined ? {} : {becomes: correctedText}),
			});
		}
		expect(actual).toEqual(expected);
	});
});

test('the corpus has at least 400 entries, without duplicates, and only valid ones have no mark', () => {
	const all = Object.values(sections).flatMap(groups =>
		groups.flatMap(({phase, plan, letsThrough, entries}) =>
			entries.map(([verdict, marked]) => ({
				verdict,
				marked,
				key: [parseMarks(marked).text, phase, plan, letsThrough].join(' | '),
			})),
		),
	);
	expect(all.length).toBeGreaterThanOrEqual(400);
	const keys = all.map(({key}) => key);
	expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
	for (const {verdict, marked} of all) expect(marked.includes('«')).toBe(verdict !== 'valid');
});
