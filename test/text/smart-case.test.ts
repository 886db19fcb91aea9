import {expect, test} from 'vitest';
import {createSmartCaseWordFilter} from '../../source/text/smart-case.ts';

test('a row matches if each word is in one of its texts; a capital makes all of them match exactly', () => {
	const texts = ['GET', undefined, '/zones/a', 'failed'];
	expect(
		['', ' ', 'get', 'fail get', 'zones  failed', 'GET zones'].map(one =>
			createSmartCaseWordFilter(one)(texts),
		),
	).toEqual(Array.from({length: 6}, () => true));
	expect(
		['post', 'get post', 'Get zones', 'GET Failed'].map(one => createSmartCaseWordFilter(one)(texts)),
	).toEqual(Array.from({length: 4}, () => false));
});
