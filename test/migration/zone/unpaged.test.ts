import {describe, expect, test} from 'vitest';
import {readAllPages} from '../../../source/migration/zone/all-pages.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {envelope, never} from '../../service/scripted-transport.ts';
import {answering, zone} from '../support/answers.ts';

const rules = (count: number) => Array.from({length: count}, (_, index) => ({id: `p${index}`}));

const read = (count: number, info: object, unpaged?: true) =>
	readAllPages(
		answering({'GET /pagerules': () => envelope(rules(count), info)}).client,
		{path: `/zones/${zone.id}/pagerules`, itemName: 'a page rule', ...(unpaged && {unpaged})},
		never,
	);

describe('a listing without documented pages', () => {
	test.each([0, 99, 100, 101, 200])('is complete with %i objects, repeated for each page', async count => {
		expect(await read(count, {result_info: undefined}, true)).toHaveLength(count);
	});

	test('is not believed if an answer mentions pages', async () => {
		const failure = await failureOf(read(100, {result_info: {page: 1}}, true));
		expect(failure).toMatchObject({code: 'answer_malformed'});
	});

	test('cannot be just any listing', async () => {
		expect(await failureOf(read(100, {result_info: undefined}))).toMatchObject({code: 'answer_malformed'});
	});
});
