import {describe, expect, test} from 'vitest';
import {deleteFilter, updateFilter} from '../../../source/firewall/rules/changes.ts';
import type {Filter} from '../../../source/firewall/rules/filter.ts';
import {
	findFilterByExpression,
	listFilters,
	readFilterById,
	validateExpression,
} from '../../../source/firewall/rules/filters.ts';
import {envelope, never, refused, type Scripted, scriptedClient} from '../../service/scripted-transport.ts';
import {openZone} from '../support/zone.ts';

const filter: Filter = {id: 'f1', expression: 'ip.src eq 192.0.2.1', paused: false};

const answering = (...script: Scripted[]) => scriptedClient(script);

describe('filters in answers of the service', () => {
	test('are listed a hundred per page, even if values are null', async () => {
		const {client, sent} = answering(
			envelope([{...filter, description: null}], {messages: null, errors: null}),
		);
		expect(await Array.fromAsync(listFilters(client, 'z', never))).toEqual([filter]);
		expect(sent[0]?.url).toBe('https://service.test/client/v4/zones/z/filters?page=1&per_page=100');
	});

	test.each([
		['a list of one', envelope([{id: 'f1'}])],
		['an object', envelope({id: 'f1'})],
		['nothing', envelope(null)],
	])('are deleted with any of these answers: %s', async (_name, answer) => {
		const {client, sent} = answering(answer);
		await deleteFilter(client, {id: 'z'}, 'f1', never);
		expect(sent).toHaveLength(1);
	});

	test('are malformed without an expression', async () => {
		const {client} = answering(envelope({id: 'f1'}));
		await expect(readFilterById(client, 'z', 'f1', never)).rejects.toMatchObject({code: 'answer_malformed'});
	});

	test('have an id that is escaped in the path, or refused', async () => {
		const {client, sent} = answering(envelope(filter));
		await readFilterById(client, 'z/../y', 'f?1', never);
		expect(sent[0]?.url).toContain('/zones/z%2F..%2Fy/filters/f%3F1');
		await expect(readFilterById(client, 'z', '..', never)).rejects.toMatchObject({code: 'usage'});
		expect(sent).toHaveLength(1);
	});
});

describe('the filter with an expression', () => {
	test('is the one with exactly that expression, not one that contains it or differs in case', async () => {
		const at = await openZone();
		await at.filter('http.host eq "A.example"');
		await at.filter('http.host eq "a.example" and ip.src eq 192.0.2.1');
		const wanted = await at.filter('http.host eq "a.example"');
		const found = await findFilterByExpression(at.client, at.zone.id, wanted.expression, never);
		expect(found).toEqual(wanted);
		expect(await findFilterByExpression(at.client, at.zone.id, 'http.host eq "b"', never)).toBeUndefined();
	});

	test('is searched in the whole list if the expression is too long for a URL', async () => {
		const at = await openZone();
		const wanted = await at.filter(`http.host eq "${'ü'.repeat(500)}"`);
		expect(await findFilterByExpression(at.client, at.zone.id, wanted.expression, never)).toEqual(wanted);
		expect(at.reads()).toEqual([`/zones/${at.zone.id}/filters?page=1&per_page=100`]);
	});
});

describe('changing a filter', () => {
	test('sends the whole filter to its own URL', async () => {
		const at = await openZone();
		const there = await at.filter(filter.expression);
		const wanted = {...there, expression: 'ip.src eq 192.0.2.2', description: 'why', paused: true};
		expect(await updateFilter(at.client, at.zone, wanted, there, never)).toEqual(wanted);
		expect(at.writes()).toEqual([
			{method: 'PUT', path: `/zones/${at.zone.id}/filters/${there.id}`, body: wanted},
		]);
		expect((await at.truth()).filters).toEqual([wanted]);
	});

	test('succeeds after a lost answer if it took effect', async () => {
		const at = await openZone();
		const there = await at.filter(filter.expression);
		const wanted = {...there, expression: 'ip.src eq 192.0.2.2'};
		at.faults('method=PUT lost-answer');
		expect(await updateFilter(at.client, at.zone, wanted, there, never)).toEqual(wanted);
		expect(at.writes()).toHaveLength(1);
	});

	test('reports a failure if it took no effect', async () => {
		const at = await openZone();
		const there = await at.filter(filter.expression);
		at.faults('method=PUT status=500');
		const changed = updateFilter(
			at.client,
			at.zone,
			{...there, expression: 'ip.src eq 192.0.2.2'},
			there,
			never,
		);
		await expect(changed).rejects.toMatchObject({
			details: {outcomeUnknown: false, left: expect.stringContaining(there.expression)},
		});
	});

	test('reports an unknown outcome if the state cannot be read', async () => {
		const at = await openZone();
		const there = await at.filter(filter.expression);
		at.faults('method=PUT status=500; method=GET status=403');
		const changed = updateFilter(
			at.client,
			at.zone,
			{...there, expression: 'ip.src eq 192.0.2.2'},
			there,
			never,
		);
		await expect(changed).rejects.toMatchObject({
			details: {outcomeUnknown: true, next: expect.stringContaining(`ledge firewall filter get ${there.id}`)},
		});
	});
});

describe('the validation of an expression by the service', () => {
	const message = "Filter parsing error:\n`ip.src==34`\n          ^^ couldn't parse address in network\n";

	test('is requested without a zone, and is not a write', async () => {
		const {client, sent} = answering(envelope(null, {messages: null}));
		expect(await validateExpression(client, 'ip.src eq 192.0.2.1', never)).toEqual({valid: true});
		expect(sent[0]).toMatchObject({
			method: 'POST',
			url: 'https://service.test/client/v4/filters/validate-expr',
			body: '{"expression":"ip.src eq 192.0.2.1"}',
		});
	});

	test.each([
		200, 400,
	])('gives the message for an invalid expression, without a code, with status %i', async status => {
		const {client} = answering(refused(status, [{message}]));
		expect(await validateExpression(client, 'ip.src==34', never)).toEqual({valid: false, message});
	});

	test.each([
		['a refused credential', refused(403, [{code: 10_000, message: 'Authentication error'}])],
		['what the plan lacks', refused(403, [{message: 'not entitled'}])],
		['a failure', refused(500, [{message: 'oops'}])],
		['a refusal without a reason', refused(400, [])],
	])('is not read from %s', async (_name, answer) => {
		const {client} = answering(answer);
		await expect(validateExpression(client, 'true', never)).rejects.toThrow();
	});
});
