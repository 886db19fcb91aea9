import {describe, expect, test} from 'vitest';
import {readAllPages} from '../../../source/migration/zone/all-pages.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {buildEnvelope, neverAbortedSignal} from '../../service/scripted-transport.ts';
import {createZoneClient, zone} from '../support/answers.ts';

const createPageRules = (count: number) => Array.from({length: count}, (_, index) => ({id: `p${index}`}));

const readPageRules = (count: number, info: object, unpaged?: true) =>
	readAllPages(
		createZoneClient({'GET /pagerules': () => buildEnvelope(createPageRules(count), info)}).client,
		{path: `/zones/${zone.id}/pagerules`, itemName: 'a page rule', ...(unpaged && {unpaged})},
		neverAbortedSignal,
	);

describe('a listing without documented pages', () => {
	test.each([0, 99, 100, 101, 200])('is complete with %i objects, repeated for each page', async count => {
		expect(await readPageRules(count, {result_info: undefined}, true)).toHaveLength(count);
	});

	test('is refused if a response mentions pages', async () => {
		const failure = await failureOf(readPageRules(100, {result_info: {page: 1}}, true));
		expect(failure).toMatchObject({code: 'answer_malformed'});
	});

	test('is refused unless it is known to be unpaged', async () => {
		expect(await failureOf(readPageRules(100, {result_info: undefined}))).toMatchObject({
			code: 'answer_malformed',
		});
	});
});
