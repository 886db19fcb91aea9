import {describe, expect, test} from 'vitest';
import {isFailure} from '../../../source/failure.ts';
import {readAllPages} from '../../../source/migration/zone/all-pages.ts';
import {readSnapshot} from '../../../source/migration/zone/read-snapshot.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {envelope, never, type Sent} from '../../service/scripted-transport.ts';
import {answering, paged, zone} from '../support/answers.ts';

type Pages = (request: Sent, query: URLSearchParams) => Response;

const rules = (count: number, from = 0): object[] =>
	Array.from({length: count}, (_, index) => ({id: `rule-${from + index}`}));

const read = (pages: Pages) =>
	readAllPages(
		answering({'GET /filters': pages}).client,
		{path: `/zones/${zone.id}/filters`, itemName: 'a filter'},
		never,
	);

const only =
	(items: readonly object[], info: object = {}): Pages =>
	() =>
		envelope(items, {result_info: info});

/** A service that gives the next of these for each request. */
function inTurn(...answers: readonly {readonly items: readonly object[]; readonly total: number}[]): Pages {
	let asked = 0;
	return () => {
		const {items, total} = answers[Math.min(asked++, answers.length - 1)] ?? {items: [], total: 0};
		return envelope(items, {result_info: {per_page: 100, total_count: total}});
	};
}

describe('a listing that must be complete', () => {
	test.each([
		0, 1, 99, 100, 101, 250,
	])('is complete with %i objects, with and without totals', async count => {
		expect(await read(paged(rules(count)))).toEqual(rules(count));
		expect(await read(paged(rules(count), {total: false}))).toEqual(rules(count));
	});

	test.each([
		['ends early on a short page', only(rules(3), {per_page: 100, total_count: 5})],
		['gives the first page for each', only(rules(100), {per_page: 100, total_count: 250})],
		['gives the first page for each, and says no total', only(rules(100), {per_page: 100})],
		['gives none of what it says there is', only([], {total_count: 1})],

		[
			'moves an object to a page that was read already',
			inTurn({items: rules(100), total: 150}, {items: rules(49, 101), total: 149}),
		],
	])('fails if the service %s', async (_what, pages) => {
		const failure = await failureOf(read(pages));
		expect(isFailure(failure, 'answer_malformed') && failure.next).toContain('Try again');
	});

	test.each([
		['gives short pages and says nothing of them', {}],
		['only names the size of a page', {per_page: 100}],
	])('is complete if the service %s', async (_what, info) => {
		const pages: Pages = (_request, query) => {
			const page = Number(query.get('page'));
			return envelope(page <= 3 ? rules(60, 60 * (page - 1)) : [], {result_info: info});
		};
		expect(await read(pages)).toEqual(rules(180));
	});

	test.each([
		['gives all at once, more than was asked for', only(rules(130), {total_count: 130}), 130],
		['says a total that is too small', only(rules(3), {per_page: 100, total_count: 2}), 3],
	])('is also complete if the service %s', async (_what, pages, count) => {
		expect(await read(pages)).toHaveLength(count);
	});
});

test('a snapshot with part of a listing missing is refused', async () => {
	const {client} = answering({
		'GET /waf_migration/check': {compatible: true, migration_state: 'start'},
		'GET /firewall/rules': only(rules(3), {per_page: 100, total_count: 5}),
	});
	const failure = await failureOf(readSnapshot(client, zone, 'https://service.test', {signal: never}));
	expect(isFailure(failure, 'answer_malformed')).toBe(true);
});
