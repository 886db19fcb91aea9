import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {findByteOccurrences, findTextOccurrences, type Occurrences} from '../../source/text/occurrences.ts';
import {createSmartCaseFilter, isCaseSensitive} from '../../source/text/smart-case.ts';

function listForwards(occurrences: Occurrences): number[] {
	const offsets: number[] = [];
	for (let offset = occurrences.next(0); offset !== undefined; offset = occurrences.next(offset + 1))
		offsets.push(offset);
	return offsets;
}

function listBackwards(occurrences: Occurrences): number[] {
	const offsets: number[] = [];
	let offset = occurrences.previous(Number.POSITIVE_INFINITY);
	for (; offset !== undefined; offset = occurrences.previous(offset)) offsets.unshift(offset);
	return offsets;
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
			const offsets = Array.from(text.replaceAll('\u0130', 'I'), (_, at) => at).filter(at =>
				createSmartCaseFilter(query)(text.slice(at, at + query.length)),
			);
			expect(listForwards(findTextOccurrences(text, query))).toEqual(offsets);
			expect(listBackwards(findTextOccurrences(text, query))).toEqual(offsets);
		}),
	);
});

test('a search in bytes finds the same places in ASCII text', () => {
	fc.assert(
		fc.property(fc.stringMatching(/^[aAbB\n]{0,40}$/), fc.stringMatching(/^[aAbB]{1,3}$/), (text, query) => {
			const byteOccurrences = findByteOccurrences(Buffer.from(text), query);
			expect(listForwards(byteOccurrences)).toEqual(listForwards(findTextOccurrences(text, query)));
			expect(listBackwards(byteOccurrences)).toEqual(listForwards(byteOccurrences));
		}),
	);
});

test('bytes of another letter are not mistaken for the searched letter', () => {
	// The first UTF-8 bytes, e3 and c3, would be the same letter in two cases if read as Latin-1.
	expect(listForwards(findByteOccurrences(Buffer.from('\u3900'), 'ä'))).toEqual([]);
	expect(listForwards(findByteOccurrences(Buffer.from('Aä'), 'aä'))).toEqual([0]);
});

test('an empty query finds nothing', () => {
	expect(findTextOccurrences('text', '').next(0)).toBeUndefined();
	expect(findByteOccurrences(Buffer.from('text'), '').previous(4)).toBeUndefined();
});
