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

describe('filters as the service answers them', () => {
	test('are listed a hundred a page, whatever is null', async () => {
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
	])('a deletion may be answered with %s', async (_name, answer) => {
		const {client, sent} = answering(answer);
		await deleteFilter(client, {id: 'z'}, 'f1', never);
		expect(sent).toHaveLength(1);
	});

	test('a filter without an expression is no filter', async () => {
		const {client} = answering(envelope({id: 'f1'}));
		await expect(readFilterById(client, 'z', 'f1', never)).rejects.toMatchObject({code: 'answer_malformed'});
	});

	test('an id goes into the path as it is, or not at all', async () => {
		const {client, sent} = answering(envelope(filter));
		await readFilterById(client, 'z/../y', 'f?1', never);
		expect(sent[0]?.url).toContain('/zones/z%2F..%2Fy/filters/f%3F1');
		await expect(readFilterById(client, 'z', '..', never)).rejects.toMatchObject({code: 'usage'});
		expect(sent).toHaveLength(1);
	});
});

describe('the filter of an expression', () => {
	test('is the one with exactly that, not one that holds it or differs in case', async () => {
		const at = await openZone();
		await at.filter('http.host eq "A.example"');
		await at.filter('http.host eq "a.example" and ip.src eq 192.0.2.1');
		const wanted = await at.filter('http.host eq "a.example"');
		const found = await findFilterByExpression(at.client, at.zone.id, wanted.expression, never);
		expect(found).toEqual(wanted);
		expect(await findFilterByExpression(at.client, at.zone.id, 'http.host eq "b"', never)).toBeUndefined();
	});

	test('that is too long for an address is looked for in the whole list', async () => {
		const at = await openZone();
		const wanted = await at.filter(`http.host eq "${'ü'.repeat(500)}"`);
		expect(await findFilterByExpression(at.client, at.zone.id, wanted.expression, never)).toEqual(wanted);
		expect(at.reads()).toEqual([`/zones/${at.zone.id}/filters?page=1&per_page=100`]);
	});
});

describe('changing a filter', () => {
	test('sends the whole filter to its own address', async () => {
		const at = await openZone();
		const there = await at.filter(filter.expression);
		const wanted = {...there, expression: 'ip.src eq 192.0.2.2', description: 'why', paused: true};
		expect(await updateFilter(at.client, at.zone, wanted, there, never)).toEqual(wanted);
		expect(at.writes()).toEqual([
			{method: 'PUT', path: `/zones/${at.zone.id}/filters/${there.id}`, body: wanted},
		]);
		expect((await at.truth()).filters).toEqual([wanted]);
	});

	test('whose answer is lost is told as it is', async () => {
		const at = await openZone();
		const there = await at.filter(filter.expression);
		const wanted = {...there, expression: 'ip.src eq 192.0.2.2'};
		at.faults('method=PUT lost-answer');
		expect(await updateFilter(at.client, at.zone, wanted, there, never)).toEqual(wanted);
		expect(at.writes()).toHaveLength(1);
	});

	test('that took no effect is told as it is', async () => {
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

	test('whose state cannot be read is said to be unknown', async () => {
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

describe("the service's judgement of an expression", () => {
	const message = "Filter parsing error:\n`ip.src==34`\n          ^^ couldn't parse address in network\n";

	test('is asked of no zone, and is no write', async () => {
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
	])('that it is wrong comes with its message, without a code, with status %i', async status => {
		const {client} = answering(refused(status, [{message}]));
		expect(await validateExpression(client, 'ip.src==34', never)).toEqual({valid: false, message});
	});

	test.each([
		['a refused credential', refused(403, [{code: 10_000, message: 'Authentication error'}])],
		['what the plan lacks', refused(403, [{message: 'not entitled'}])],
		['a failure', refused(500, [{message: 'oops'}])],
		['a refusal without a reason', refused(400, [])],
	])('%s is none', async (_name, answer) => {
		const {client} = answering(answer);
		await expect(validateExpression(client, 'true', never)).rejects.toThrow();
	});
});
