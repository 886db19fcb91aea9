import {describe, expect, test} from 'vitest';
import {isFailure} from '../../../source/failure.ts';
import {readAllPages} from '../../../source/migration/zone/all-pages.ts';
import {readSnapshot} from '../../../source/migration/zone/read-snapshot.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {buildEnvelope, neverAbortedSignal, type SentRequest} from '../../service/scripted-transport.ts';
import {createZoneClient, respondInPages, zone} from '../support/answers.ts';

type Pages = (request: SentRequest, query: URLSearchParams) => Response;

const createRules = (count: number, firstNumber = 0): object[] =>
	Array.from({length: count}, (_, index) => ({id: `rule-${firstNumber + index}`}));

const readFilters = (pages: Pages) =>
	readAllPages(
		createZoneClient({'GET /filters': pages}).client,
		{path: `/zones/${zone.id}/filters`, itemName: 'a filter'},
		neverAbortedSignal,
	);

const alwaysRespond =
	(items: readonly object[], info: object = {}): Pages =>
	() =>
		buildEnvelope(items, {result_info: info});

/** Responds with the next of these pages to each request, and with the last one to all later ones. */
function respondInTurn(
	...pageContents: readonly {readonly items: readonly object[]; readonly total: number}[]
): Pages {
	let requestCount = 0;
	return () => {
		const {items, total} = pageContents[Math.min(requestCount++, pageContents.length - 1)] ?? {
			items: [],
			total: 0,
		};
		return buildEnvelope(items, {result_info: {per_page: 100, total_count: total}});
	};
}

describe('a listing that must be complete', () => {
	test.each([
		0, 1, 99, 100, 101, 250,
	])('is complete with %i objects, with and without totals', async count => {
		expect(await readFilters(respondInPages(createRules(count)))).toEqual(createRules(count));
		expect(await readFilters(respondInPages(createRules(count), {total: false}))).toEqual(createRules(count));
	});

	test.each([
		['ends early on a short page', alwaysRespond(createRules(3), {per_page: 100, total_count: 5})],
		[
			'returns the first page for every page',
			alwaysRespond(createRules(100), {per_page: 100, total_count: 250}),
		],
		[
			'returns the first page for every page, without a total',
			alwaysRespond(createRules(100), {per_page: 100}),
		],
		['returns nothing despite a total', alwaysRespond([], {total_count: 1})],

		[
			'moves an object to a page that was read already',
			respondInTurn({items: createRules(100), total: 150}, {items: createRules(49, 101), total: 149}),
		],
	])('fails if the service %s', async (_what, pages) => {
		const failure = await failureOf(readFilters(pages));
		expect(isFailure(failure, 'answer_malformed') && failure.next).toContain('Try again');
	});

	test.each([
		['returns short pages without their size', {}],
		['reports only the page size', {per_page: 100}],
	])('is complete if the service %s', async (_what, info) => {
		const pages: Pages = (_request, query) => {
			const page = Number(query.get('page'));
			return buildEnvelope(page <= 3 ? createRules(60, 60 * (page - 1)) : [], {result_info: info});
		};
		expect(await readFilters(pages)).toEqual(createRules(180));
	});

	test.each([
		[
			'returns everything at once, more than requested',
			alwaysRespond(createRules(130), {total_count: 130}),
			130,
		],
		['reports a total that is too small', alwaysRespond(createRules(3), {per_page: 100, total_count: 2}), 3],
	])('is also complete if the service %s', async (_what, pages, count) => {
		expect(await readFilters(pages)).toHaveLength(count);
	});
});

test('a snapshot with part of a listing missing is refused', async () => {
	const {client} = createZoneClient({
		'GET /waf_migration/check': {compatible: true, migration_state: 'start'},
		'GET /firewall/rules': alwaysRespond(createRules(3), {per_page: 100, total_count: 5}),
	});
	const failure = await failureOf(
		readSnapshot(client, zone, 'https://service.test', {signal: neverAbortedSignal}),
	);
	expect(isFailure(failure, 'answer_malformed')).toBe(true);
});
