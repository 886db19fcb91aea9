import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {findByteOccurrences, findTextOccurrences, type Occurrences} from '../../source/text/occurrences.ts';
import {createSmartCaseFilter, isCaseSensitive} from '../../source/text/smart-case.ts';

function all(occurrences: Occurrences): number[] {
	const places: number[] = [];
	for (let place = occurrences.next(0); place !== undefined; place = occurrences.next(place + 1))
		places.push(place);
	return places;
}

function allBackwards(occurrences: Occurrences): number[] {
	const places: number[] = [];
	let place = occurrences.previous(Number.POSITIVE_INFINITY);
	for (; place !== undefined; place = occurrences.previous(place)) places.unshift(place);
	return places;
}

describe('smart case', () => {
	test('depends on capitals, even beyond ASCII', () => {
		expect(['session', 'Session', 'ä', 'Ä', '12:'].map(isCaseSensitive)).toEqual([
			false,
			true,
			false,
			true,
			false,
		]);
	});

	test('matches either case without a capital, and only the same case with one', () => {
		expect(['Session', 'SESSION', 'session'].filter(createSmartCaseFilter('session'))).toHaveLength(3);
		expect(['Session', 'SESSION', 'session'].filter(createSmartCaseFilter('Session'))).toEqual(['Session']);
	});
});

const someText = fc.stringMatching(/^[aAbBéÉİ\n]{0,40}$/);
const someQuery = fc.stringMatching(/^[aAbBé]{1,3}$/);

test('a search finds every place in a text that matches the query', () => {
	fc.assert(
		fc.property(someText, someQuery, (text, query) => {
			const places = Array.from(text.replaceAll('\u0130', 'I'), (_, at) => at).filter(at =>
				createSmartCaseFilter(query)(text.slice(at, at + query.length)),
			);
			expect(all(findTextOccurrences(text, query))).toEqual(places);
			expect(allBackwards(findTextOccurrences(text, query))).toEqual(places);
		}),
	);
});

test('a search in bytes finds the same places in ASCII text', () => {
	fc.assert(
		fc.property(fc.stringMatching(/^[aAbB\n]{0,40}$/), fc.stringMatching(/^[aAbB]{1,3}$/), (text, query) => {
			const inBytes = findByteOccurrences(Buffer.from(text), query);
			expect(all(inBytes)).toEqual(all(findTextOccurrences(text, query)));
			expect(allBackwards(inBytes)).toEqual(all(inBytes));
		}),
	);
});

test('bytes of other letters are not mistaken for those of a letter', () => {
	// In Latin-1 the first bytes of both are one letter in two cases.
	expect(all(findByteOccurrences(Buffer.from('\u3900'), 'ä'))).toEqual([]);
	expect(all(findByteOccurrences(Buffer.from('Aä'), 'aä'))).toEqual([0]);
});

test('an empty query finds nothing', () => {
	expect(findTextOccurrences('text', '').next(0)).toBeUndefined();
	expect(findByteOccurrences(Buffer.from('text'), '').previous(4)).toBeUndefined();
});
