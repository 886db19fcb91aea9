import {describe, expect, test} from 'vitest';
import {deleteFilter, updateFilter} from '../../../source/firewall/rules/changes.ts';
import type {Filter} from '../../../source/firewall/rules/filter.ts';
import {
	findFilterByExpression,
	listFilters,
	readFilterById,
	validateExpression,
} from '../../../source/firewall/rules/filters.ts';
import {
	buildEnvelope,
	buildErrorResponse,
	createScriptedClient,
	neverAbortedSignal,
	type ScriptedReply,
} from '../../service/scripted-transport.ts';
import {openZone} from '../support/zone.ts';

const filter: Filter = {id: 'f1', expression: 'ip.src eq 192.0.2.1', paused: false};

const createAnsweringClient = (...script: ScriptedReply[]) => createScriptedClient(script);

describe('filters in responses of the service', () => {
	test('are listed a hundred per page, even if values are null', async () => {
		const {client, sent} = createAnsweringClient(
			buildEnvelope([{...filter, description: null}], {messages: null, errors: null}),
		);
		expect(await Array.fromAsync(listFilters(client, 'z', neverAbortedSignal))).toEqual([filter]);
		expect(sent[0]?.url).toBe('https://service.test/client/v4/zones/z/filters?page=1&per_page=100');
	});

	test.each([
		['a list of one', buildEnvelope([{id: 'f1'}])],
		['an object', buildEnvelope({id: 'f1'})],
		['nothing', buildEnvelope(null)],
	])('are deleted with any of these responses: %s', async (_name, response) => {
		const {client, sent} = createAnsweringClient(response);
		await deleteFilter(client, {id: 'z'}, 'f1', neverAbortedSignal);
		expect(sent).toHaveLength(1);
	});

	test('are malformed without an expression', async () => {
		const {client} = createAnsweringClient(buildEnvelope({id: 'f1'}));
		await expect(readFilterById(client, 'z', 'f1', neverAbortedSignal)).rejects.toMatchObject({
			code: 'answer_malformed',
		});
	});

	test('have an id that is escaped in the path, or refused', async () => {
		const {client, sent} = createAnsweringClient(buildEnvelope(filter));
		await readFilterById(client, 'z/../y', 'f?1', neverAbortedSignal);
		expect(sent[0]?.url).toContain('/zones/z%2F..%2Fy/filters/f%3F1');
		await expect(readFilterById(client, 'z', '..', neverAbortedSignal)).rejects.toMatchObject({
			code: 'usage',
		});
		expect(sent).toHaveLength(1);
	});
});

describe('the filter with an expression', () => {
	test('is the one with exactly that expression, not one that contains it or differs in case', async () => {
		const testZone = await openZone();
		await testZone.createFilter('http.host eq "A.example"');
		await testZone.createFilter('http.host eq "a.example" and ip.src eq 192.0.2.1');
		const matchingFilter = await testZone.createFilter('http.host eq "a.example"');
		const found = await findFilterByExpression(
			testZone.client,
			testZone.zone.id,
			matchingFilter.expression,
			neverAbortedSignal,
		);
		expect(found).toEqual(matchingFilter);
		expect(
			await findFilterByExpression(testZone.client, testZone.zone.id, 'http.host eq "b"', neverAbortedSignal),
		).toBeUndefined();
	});

	test('is searched in the whole list if the expression is too long for a URL', async () => {
		const testZone = await openZone();
		const matchingFilter = await testZone.createFilter(`http.host eq "${'ü'.repeat(500)}"`);
		expect(
			await findFilterByExpression(
				testZone.client,
				testZone.zone.id,
				matchingFilter.expression,
				neverAbortedSignal,
			),
		).toEqual(matchingFilter);
		expect(testZone.listReads()).toEqual([`/zones/${testZone.zone.id}/filters?page=1&per_page=100`]);
	});
});

describe('changing a filter', () => {
	test('sends the whole filter to its own URL', async () => {
		const testZone = await openZone();
		const existingFilter = await testZone.createFilter(filter.expression);
		const changedFilter = {
			...existingFilter,
			expression: 'ip.src eq 192.0.2.2',
			description: 'why',
			paused: true,
		};
		expect(
			await updateFilter(testZone.client, testZone.zone, changedFilter, existingFilter, neverAbortedSignal),
		).toEqual(changedFilter);
		expect(testZone.listWrites()).toEqual([
			{method: 'PUT', path: `/zones/${testZone.zone.id}/filters/${existingFilter.id}`, body: changedFilter},
		]);
		expect((await testZone.readState()).filters).toEqual([changedFilter]);
	});

	test('succeeds after a lost answer if it took effect', async () => {
		const testZone = await openZone();
		const existingFilter = await testZone.createFilter(filter.expression);
		const changedFilter = {...existingFilter, expression: 'ip.src eq 192.0.2.2'};
		testZone.setFaults('method=PUT lost-answer');
		expect(
			await updateFilter(testZone.client, testZone.zone, changedFilter, existingFilter, neverAbortedSignal),
		).toEqual(changedFilter);
		expect(testZone.listWrites()).toHaveLength(1);
	});

	test('reports a failure if it took no effect', async () => {
		const testZone = await openZone();
		const existingFilter = await testZone.createFilter(filter.expression);
		testZone.setFaults('method=PUT status=500');
		const changed = updateFilter(
			testZone.client,
			testZone.zone,
			{...existingFilter, expression: 'ip.src eq 192.0.2.2'},
			existingFilter,
			neverAbortedSignal,
		);
		await expect(changed).rejects.toMatchObject({
			details: {outcomeUnknown: false, left: expect.stringContaining(existingFilter.expression)},
		});
	});

	test('reports an unknown outcome if the state cannot be read', async () => {
		const testZone = await openZone();
		const existingFilter = await testZone.createFilter(filter.expression);
		testZone.setFaults('method=PUT status=500; method=GET status=403');
		const changed = updateFilter(
			testZone.client,
			testZone.zone,
			{...existingFilter, expression: 'ip.src eq 192.0.2.2'},
			existingFilter,
			neverAbortedSignal,
		);
		await expect(changed).rejects.toMatchObject({
			details: {
				outcomeUnknown: true,
				next: expect.stringContaining(`ledge firewall filter get ${existingFilter.id}`),
			},
		});
	});
});

describe('the validation of an expression by the service', () => {
	const message = "Filter parsing error:\n`ip.src==34`\n          ^^ couldn't parse address in network\n";

	test('is requested without a zone, and is not a write', async () => {
		const {client, sent} = createAnsweringClient(buildEnvelope(null, {messages: null}));
		expect(await validateExpression(client, 'ip.src eq 192.0.2.1', neverAbortedSignal)).toEqual({
			valid: true,
		});
		expect(sent[0]).toMatchObject({
			method: 'POST',
			url: 'https://service.test/client/v4/filters/validate-expr',
			body: '{"expression":"ip.src eq 192.0.2.1"}',
		});
	});

	test.each([
		200, 400,
	])('gives the message for an invalid expression, without a code, with status %i', async status => {
		const {client} = createAnsweringClient(buildErrorResponse(status, [{message}]));
		expect(await validateExpression(client, 'ip.src==34', neverAbortedSignal)).toEqual({
			valid: false,
			message,
		});
	});

	test.each([
		['a refused credential', buildErrorResponse(403, [{code: 10_000, message: 'Authentication error'}])],
		['what the plan lacks', buildErrorResponse(403, [{message: 'not entitled'}])],
		['a failure', buildErrorResponse(500, [{message: 'oops'}])],
		['a refusal without a reason', buildErrorResponse(400, [])],
	])('is not concluded from %s', async (_name, response) => {
		const {client} = createAnsweringClient(response);
		await expect(validateExpression(client, 'true', neverAbortedSignal)).rejects.toThrow();
	});
});
