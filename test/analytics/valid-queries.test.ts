import fc from 'fast-check';
import {buildSchema, parse, parseValue, validate, valueFromASTUntyped} from 'graphql';
import {describe, expect, test} from 'vitest';
import {getAnalytics} from '../../source/analytics/analytics.ts';
import {readEventGroups} from '../../source/analytics/event-groups.ts';
import type {Dimension, EventFilter} from '../../source/analytics/event-query.ts';
import {readSecurityEvents} from '../../source/analytics/events.ts';
import {formatLiteral} from '../../source/analytics/literal.ts';
import {formatSchema, listAvailableDatasets} from '../../source/simulator/simulator.ts';
import {createScriptedClient, neverAbortedSignal} from '../service/scripted-transport.ts';

const schema = buildSchema(formatSchema(listAvailableDatasets({datasets: [], dimensions: []})));

/** Creates a client that gets no data; collects what is invalid under the schema in the queries it sends. */
function createCheckedClient() {
	const queryErrors: string[] = [];
	let queryCount = 0;
	const {client} = createScriptedClient([
		({body}) => {
			queryCount++;
			const {query} = JSON.parse(String(body)) as {query: string};
			queryErrors.push(...validate(schema, parse(query)).map(({message}) => `${message} in ${query}`));
			return Response.json({data: null, errors: [{message: 'nothing here'}]});
		},
	]);
	return {client, mistakes: queryErrors, getQueryCount: () => queryCount};
}

const hostileText = fc.string({
	unit: fc.oneof(fc.constantFrom('"', '\\', '\n', '\u2028', '\ud800', '#', '}', '$'), fc.string()),
});
const now = Date.UTC(2026, 10, 23, 12);

describe('queries are valid under the schema', () => {
	test('for groups and single events, with any filter', async () => {
		const parts = [
			'rules',
			'rulesets',
			'actions',
			'sources',
			'paths',
			'countries',
			'addresses',
			'hosts',
		] as const;
		const dimensions: Dimension[] = [
			'action',
			'source',
			'ruleId',
			'clientRequestPath',
			'datetimeHour',
			'userAgent',
		];
		await fc.assert(
			fc.asyncProperty(
				fc.subarray([...parts]),
				fc.subarray(dimensions, {minLength: 1}),
				fc.array(hostileText, {minLength: 1, maxLength: 3}),
				async (filterNames, by, texts) => {
					const {client, mistakes: queryErrors, getQueryCount} = createCheckedClient();
					const filter: EventFilter = {
						since: now - 3_600_000,
						until: now,
						...Object.fromEntries(filterNames.map(part => [part, texts])),
					};
					await readEventGroups(
						client,
						'zone',
						filter,
						{one: {by}, other: {by: ['action'], limit: 5}},
						neverAbortedSignal,
					);
					await readSecurityEvents(client, 'zone', filter, 10, neverAbortedSignal);
					expect(queryErrors).toEqual([]);
					expect(getQueryCount()).toBeGreaterThanOrEqual(2);
				},
			),
			{numRuns: 50},
		);
	});

	test('for the schema and the limits', async () => {
		const {client, mistakes: queryErrors} = createCheckedClient();
		const {datasets} = getAnalytics(client);
		await datasets.fields('firewallEventsAdaptive', neverAbortedSignal);
		await datasets.limits('firewallEventsAdaptive', 'zone', neverAbortedSignal);
		await datasets.limits('kvStorageAdaptiveGroups', 'account', neverAbortedSignal);
		expect(queryErrors).toEqual([]);
	});
});

test('a formatted argument is parsed back unchanged', () => {
	const argument = fc.letrec(tie => ({
		value: fc.oneof(
			{maxDepth: 3},
			hostileText,
			fc.integer({min: -1_000_000, max: 1_000_000}),
			fc.boolean(),
			fc.array(tie('value'), {maxLength: 3}),
			fc.dictionary(fc.constantFrom('a', 'datetime_geq', 'x1'), tie('value')),
		),
	})).value;
	fc.assert(
		fc.property(argument, value => {
			const parsed: unknown = valueFromASTUntyped(
				parseValue(formatLiteral(value as Parameters<typeof formatLiteral>[0])),
			);
			// Halves of surrogate pairs cannot be sent.
			const expected: unknown = JSON.parse(JSON.stringify(value), (_name, part: unknown) =>
				typeof part === 'string' ? part.toWellFormed() : part,
			);
			expect(JSON.parse(JSON.stringify(parsed))).toEqual(expected);
		}),
	);
});
