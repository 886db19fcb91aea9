import {describe, expect, test} from 'vitest';
import {analyse, type ExpressionProblem} from '../../../../source/firewall/expression/expressions.ts';
import {computed} from './computed.ts';
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
};

/** The expression without its marks, and the place of each mark: "line:column of the text" in characters. */
function unmarked(marked: string): {text: string; places: string[]} {
	const text = marked.replaceAll(/[«»]/g, '');
	const starts = [...marked.matchAll(/«([^»]*)»/g)];
	return {
		text,
		places: starts.map(({index, 1: on = ''}) => {
			const before = marked.slice(0, index).replaceAll(/[«»]/g, '').split('\n');
			return `${before.length}:${[...(before.at(-1) ?? '')].length + 1} ${on}`;
		}),
	};
}

const placeOf = (text: string, {line, column, span}: ExpressionProblem): string =>
	`${line}:${column} ${text.slice(span.start, span.end)}`;

function judged({phase, plan, letsThrough}: Group, [, marked]: Entry) {
	const {text, places: wanted} = unmarked(marked);
	const {errors, warnings} = analyse(text, {phase, plan, letsThrough});
	const [verdict, problems] =
		errors.length > 0
			? (['error', errors] as const)
			: warnings.length > 0
				? (['warning', warnings] as const)
				: (['valid', []] as const);
	const {correction} = problems[0] ?? {};
	return {
		verdict,
		wanted,
		places: problems.map(problem => placeOf(text, problem)),
		becomes:
			correction && text.slice(0, correction.span.start) + correction.text + text.slice(correction.span.end),
	};
}

describe.each(Object.entries(sections))('facts about the language: %s', (_name, groups) => {
	test.each(
		groups.map(group => [`${group.fact} (${group.source}: ${group.page})`, group] as const),
	)('%s', (_fact, group) => {
		const is: unknown[] = [];
		const should: unknown[] = [];
		for (const entry of group.entries) {
			const [verdict, marked, becomes] = entry;
			const found = judged(group, entry);
			const more = becomes === undefined ? {} : {becomes: found.becomes};
			is.push({marked, verdict: found.verdict, places: found.places, ...more});
			should.push({
				marked,
				verdict,
				places: found.wanted,
				...(becomes === undefined ? {} : {becomes}),
			});
		}
		expect(is).toEqual(should);
	});
});

test('the corpus has four hundred entries, each with a place and no duplicates', () => {
	const all = Object.values(sections).flatMap(groups =>
		groups.flatMap(({phase, plan, letsThrough, entries}) =>
			entries.map(([verdict, marked]) => ({
				verdict,
				marked,
				key: [unmarked(marked).text, phase, plan, letsThrough].join(' | '),
			})),
		),
	);
	expect(all.length).toBeGreaterThanOrEqual(400);
	const keys = all.map(({key}) => key);
	expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
	for (const {verdict, marked} of all) expect(marked.includes('«')).toBe(verdict !== 'valid');
});
