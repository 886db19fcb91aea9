import {describe, expect, test} from 'vitest';
import type {JsonValue} from '../../../source/text/json.ts';
import {ask, codes, json, type Observation, request, withClock} from '../asking.ts';
import {zones} from '../firewall/firewall.ts';
import {block, customEntryPoint, rulesetIn} from './custom-phase.ts';

/** A zone of a service that counts edits, and answers a write when a test lets it go on. */
function crowded() {
	const waiting: (() => void)[] = [];
	const {simulator, clock} = withClock({
		wait: (_, signal) =>
			new Promise((resolve, reject) => {
				waiting.push(resolve);
				signal.addEventListener('abort', () => reject(signal.reason));
			}),
	});
	const zone = `/zones/${zones.enterprise}/rulesets`;
	const call = (method: string, path: string, body?: JsonValue, base = zone): Promise<Observation> =>
		ask(simulator, `${base}${path}`, body === undefined ? {method} : json(method, body));
	const put = (expression = 'ssl', path = customEntryPoint) =>
		call('PUT', path, {rules: [block(expression)]});
	return {
		simulator,
		clock,
		call,
		put,
		/** The next `count` writes wait. */
		hold: (count: number) => simulator.faults.replace(`latency=1 method=PUT times=${count}`),
		release: () => waiting.shift()?.(),
		current: async () => {
			const {rules, version} = rulesetIn(await call('GET', customEntryPoint));
			return [version, rules.map(({expression}) => expression)];
		},
	};
}

const retryAfter = ({headers}: Observation) => headers.get('retry-after');

describe('while a ruleset is being edited', () => {
	test('another edit is rejected with 429 naming the ruleset, without effect', async () => {
		const {put, hold, release, current} = crowded();
		const {id} = rulesetIn(await put());
		hold(1);
		const first = put('http.host eq "first"');
		const second = await put('http.host eq "second"');
		expect([second.status, codes(second), retryAfter(second)]).toEqual([429, [971], '1']);
		expect(second.errors[0]?.message).toBe(
			`Please wait and consider throttling your request speed: another edit of the ruleset ${id} is under way`,
		);
		expect(await current()).toEqual(['1', ['ssl']]);
		release();
		expect((await first).status).toBe(200);
		expect(await current()).toEqual(['2', ['http.host eq "first"']]);
		expect((await put('http.host eq "second"')).status).toBe(200);
	});

	test.each<[string, string, (id: string, rule: string) => string]>([
		['POST', 'a rule', id => `/${id}/rules`],
		['PATCH', 'a rule', (id, rule) => `/${id}/rules/${rule}`],
		['DELETE', 'a rule', (id, rule) => `/${id}/rules/${rule}`],
		['PUT', 'the ruleset by its id', id => `/${id}`],
		['DELETE', 'the ruleset', id => `/${id}`],
	])('%s of %s is rejected too', async (method, _, path) => {
		const {put, call, hold, release, current} = crowded();
		const {id, rules} = rulesetIn(await put());
		hold(1);
		const first = put('not ssl');
		const body = method === 'DELETE' ? undefined : method === 'PUT' ? {rules: []} : block('ssl');
		const second = await call(method, path(id, String(rules[0]?.id)), body);
		expect(second.status).toBe(429);
		release();
		expect((await first).status).toBe(200);
		expect(await current()).toEqual(['2', ['not ssl']]);
	});

	test('a second edit is rejected even if the ruleset does not exist yet', async () => {
		const {put, hold, release, current} = crowded();
		hold(1);
		const first = put();
		const second = await put('not ssl');
		expect(second.errors[0]?.message).toContain('the entry point of the phase http_request_firewall_custom');
		release();
		expect((await first).status).toBe(200);
		expect(await current()).toEqual(['1', ['ssl']]);
	});

	test('a rejected edit does not block the next one', async () => {
		const {put, hold, release} = crowded();
		hold(3);
		const first = put();
		const second = put();
		release();
		expect((await first).status).toBe(200);
		const third = put();
		release();
		expect((await second).status).toBe(429);
		release();
		expect((await third).status).toBe(200);
	});

	test('an aborted edit does not block the next one either', async () => {
		const {simulator, put, hold} = crowded();
		hold(1);
		const controller = new AbortController();
		const path = `/zones/${zones.enterprise}/rulesets${customEntryPoint}`;
		const init = {...json('PUT', {rules: []}), signal: controller.signal};
		const ended = simulator.fetch(request(path, init));
		controller.abort();
		await expect(ended).rejects.toThrow();
		expect((await put()).status).toBe(200);
	});

	test('reads, dry runs, other phases and other zones are not rejected', async () => {
		const {put, call, hold, release} = crowded();
		await put();
		hold(1);
		const first = put();
		const managed = '/phases/http_request_firewall_managed/entrypoint';
		for (const seen of [
			await call('GET', customEntryPoint),
			await call('PUT', `${customEntryPoint}?dry_run=true`, {rules: []}),
			await call('PUT', managed, {rules: []}),
			await call('PUT', customEntryPoint, {rules: []}, `/zones/${zones.pro}/rulesets`),
		])
			expect(seen.status).toBe(200);
		release();
		expect((await first).status).toBe(200);
	});
});

describe('more than 20 edits of a ruleset in 10 seconds', () => {
	test('are rejected until the first one is 10 seconds old, without effect', async () => {
		const {put, clock, current} = crowded();
		for (let edit = 0; edit < 20; edit++) {
			expect((await put()).status).toBe(200);
			clock.now += 100;
		}
		const refused = await put('not ssl');
		expect([refused.status, codes(refused), retryAfter(refused)]).toEqual([429, [971], '8']);
		expect(refused.errors[0]?.message).toMatch(
			/there were 20 edits of the ruleset [\da-f]{32} in 10 seconds$/,
		);
		expect(await current()).toEqual(['20', ['ssl']]);
		clock.now += 7999;
		expect((await put('not ssl')).status).toBe(429);
		clock.now += 1;
		expect((await put('not ssl')).status).toBe(200);
		expect(await current()).toEqual(['21', ['not ssl']]);
	});

	test('are accepted at one edit per second', async () => {
		const {put, clock} = crowded();
		for (let edit = 0; edit < 60; edit++) {
			expect((await put()).status).toBe(200);
			clock.now += 1000;
		}
	});

	test('are counted per ruleset, without dry runs', async () => {
		const {put, call} = crowded();
		for (let edit = 0; edit < 30; edit++) {
			const dry = await call('PUT', `${customEntryPoint}?dry_run=true`, {rules: []});
			expect(dry.status).toBe(200);
		}
		for (let edit = 0; edit < 20; edit++) await put();
		expect((await put()).status).toBe(429);
		const managed = '/phases/http_request_firewall_managed/entrypoint';
		expect((await call('PUT', managed, {rules: []})).status).toBe(200);
		expect((await call('PUT', customEntryPoint, {rules: []}, `/zones/${zones.pro}/rulesets`)).status).toBe(
			200,
		);
	});

	test('are forgotten by a reset', async () => {
		const {simulator, put} = crowded();
		for (let edit = 0; edit < 21; edit++) await put();
		simulator.reset();
		expect((await put()).status).toBe(200);
	});
});
