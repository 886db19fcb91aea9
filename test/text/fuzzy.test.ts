import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {findFuzzyMatches} from '../../source/text/fuzzy.ts';
import {getRunCount} from '../support/full.ts';
import {anyText, findGraphemeBorders} from './any-text.ts';

const textsOf = (query: string, candidates: string[]): string[] =>
	findFuzzyMatches(query, candidates, text => text).map(match => match.candidate);

const positionsOf = (query: string, text: string): readonly number[] | undefined =>
	findFuzzyMatches(query, [text], candidate => candidate)[0]?.positions;

describe('fuzzy search', () => {
	test('keeps all candidates in order for an empty query', () => {
		const candidates = ['zebra', 'ant', 'Bee', 'ant'];
		expect(textsOf('', candidates)).toEqual(candidates);
		expect(textsOf(' \t', candidates)).toEqual(candidates);
		expect(positionsOf('', 'ant')).toEqual([]);
	});

	test('leaves out texts without the query in order', () => {
		expect(textsOf('cpy', ['copy', 'pyc', 'cp'])).toEqual(['copy']);
		expect(textsOf('aa', ['a', 'aba'])).toEqual(['aba']);
	});

	test('ranks word beginnings and runs first', () => {
		expect(textsOf('dk', ['sidekick', 'delete key', 'undo kill'])[0]).toBe('delete key');
		expect(textsOf('edit', ['expire d in t', 'key edit'])[0]).toBe('key edit');
		expect(textsOf('copy', ['recopy', 'copy', 'copy to'])).toEqual(['copy', 'copy to', 'recopy']);
		expect(positionsOf('bk', 'bulkBackKey')).toEqual([0, 8]);
		expect(positionsOf('key', 'kite every key')).toEqual([11, 12, 13]);
	});

	test('ignores case, accents and spaces of the query', () => {
		expect(positionsOf('EXP', 'xe export')).toEqual([3, 4, 5]);
		expect(positionsOf('cafe', 'Le Cafe\u0301')).toEqual([3, 4, 5, 6]);
		expect(positionsOf('É', 'été')).toEqual([0]);
		expect(positionsOf('del key', 'delete key')).toEqual([0, 1, 2, 7, 8, 9]);
	});

	test('sorts equal matches by length, then in the given order', () => {
		expect(textsOf('a', ['a long one', 'a b', 'a c'])).toEqual(['a b', 'a c', 'a long one']);
	});

	test('returns the candidates themselves', () => {
		const candidates = [{name: 'quit'}, {name: 'reload'}];
		expect(findFuzzyMatches('rel', candidates, ({name}) => name)[0]?.candidate).toBe(candidates[1]);
	});

	test('finds a text by any of its graphemes, matched at grapheme boundaries', () => {
		fc.assert(
			fc.property(anyText, fc.infiniteStream(fc.boolean()), (text, keep) => {
				const graphemes = [...new Intl.Segmenter('en').segment(text)];
				const kept = graphemes.filter(({segment}) => /^[a-z名ж]$/i.test(segment) && keep.next().value);
				const query = kept.map(({segment}) => segment).join('');
				const positions = positionsOf(query, text) ?? [];
				expect(positions).toHaveLength(kept.length);
				const foundText = positions.map(at => text.charAt(at).normalize('NFD').charAt(0)).join('');
				expect(foundText.toLowerCase()).toBe(query.toLowerCase());
				expect(positions).toEqual([...new Set(positions)].sort((left, right) => left - right));
				for (const position of positions) expect(findGraphemeBorders(text).has(position)).toBe(true);
			}),
			{numRuns: getRunCount(1000)},
		);
	});
});
