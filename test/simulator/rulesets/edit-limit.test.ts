import {describe, expect, test} from 'vitest';
import type {JsonValue} from '../../../source/text/json.ts';
import {ask, createClockedSimulator, getErrorCodes, json, type Observation, request} from '../asking.ts';
import {zones} from '../firewall/firewall.ts';
import {buildBlockRule, customEntryPoint, getRuleset} from './custom-phase.ts';

/** Creates a zone whose held writes wait until the test releases them. */
function createEditedZone() {
	const heldWrites: (() => void)[] = [];
	const {simulator, clock} = createClockedSimulator({
		wait: (_, signal) =>
			new Promise((resolve, reject) => {
				heldWrites.push(resolve);
				signal.addEventListener('abort', () => reject(signal.reason));
			}),
	});
	const zone = `/zones/${zones.enterprise}/rulesets`;
	const call = (method: string, path: string, body?: JsonValue, base = zone): Promise<Observation> =>
		ask(simulator, `${base}${path}`, body === undefined ? {method} : json(method, body));
	const put = (expression = 'ssl', path = customEntryPoint) =>
		call('PUT', path, {rules: [buildBlockRule(expression)]});
	return {
		simulator,
		clock,
		call,
		put,
		/** Makes the next `count` writes wait. */
		holdWrites: (count: number) => simulator.faults.replace(`latency=1 method=PUT times=${count}`),
		releaseWrite: () => heldWrites.shift()?.(),
		readEntryPoint: async () => {
			const {rules, version} = getRuleset(await call('GET', customEntryPoint));
			return [version, rules.map(({expression}) => expression)];
		},
	};
}

const getRetryAfter = ({headers}: Observation) => headers.get('retry-after');

describe('while a ruleset is being edited', () => {
	test('another edit is rejected with 429 naming the ruleset, without effect', async () => {
		const {put, holdWrites, releaseWrite, readEntryPoint} = createEditedZone();
		const {id} = getRuleset(await put());
		holdWrites(1);
		const first = put('http.host eq "first"');
		const second = await put('http.host eq "second"');
		expect([second.status, getErrorCodes(second), getRetryAfter(second)]).toEqual([429, [971], '1']);
		expect(second.errors[0]?.message).toBe(
			`Please wait and consider throttling your request speed: another edit of the ruleset ${id} is under way`,
		);
		expect(await readEntryPoint()).toEqual(['1', ['ssl']]);
		releaseWrite();
		expect((await first).status).toBe(200);
		expect(await readEntryPoint()).toEqual(['2', ['http.host eq "first"']]);
		expect((await put('http.host eq "second"')).status).toBe(200);
	});

	test.each<[string, string, (id: string, rule: string) => string]>([
		['POST', 'a rule', id => `/${id}/rules`],
		['PATCH', 'a rule', (id, rule) => `/${id}/rules/${rule}`],
		['DELETE', 'a rule', (id, rule) => `/${id}/rules/${rule}`],
		['PUT', 'the ruleset by its id', id => `/${id}`],
		['DELETE', 'the ruleset', id => `/${id}`],
	])('%s of %s is rejected too', async (method, _, path) => {
		const {put, call, holdWrites, releaseWrite, readEntryPoint} = createEditedZone();
		const {id, rules} = getRuleset(await put());
		holdWrites(1);
		const first = put('not ssl');
		const body = method === 'DELETE' ? undefined : method === 'PUT' ? {rules: []} : buildBlockRule('ssl');
		const second = await call(method, path(id, String(rules[0]?.id)), body);
		expect(second.status).toBe(429);
		releaseWrite();
		expect((await first).status).toBe(200);
		expect(await readEntryPoint()).toEqual(['2', ['not ssl']]);
	});

	test('a second edit is rejected even if the ruleset does not exist yet', async () => {
		const {put, holdWrites, releaseWrite, readEntryPoint} = createEditedZone();
		holdWrites(1);
		const first = put();
		const second = await put('not ssl');
		expect(second.errors[0]?.message).toContain('the entry point of the phase http_request_firewall_custom');
		releaseWrite();
		expect((await first).status).toBe(200);
		expect(await readEntryPoint()).toEqual(['1', ['ssl']]);
	});

	test('a rejected edit does not block the next one', async () => {
		const {put, holdWrites, releaseWrite} = createEditedZone();
		holdWrites(3);
		const first = put();
		const second = put();
		releaseWrite();
		expect((await first).status).toBe(200);
		const third = put();
		releaseWrite();
		expect((await second).status).toBe(429);
		releaseWrite();
		expect((await third).status).toBe(200);
	});

	test('an aborted edit does not block the next one either', async () => {
		const {simulator, put, holdWrites} = createEditedZone();
		holdWrites(1);
		const controller = new AbortController();
		const path = `/zones/${zones.enterprise}/rulesets${customEntryPoint}`;
		const init = {...json('PUT', {rules: []}), signal: controller.signal};
		const abortedEdit = simulator.fetch(request(path, init));
		controller.abort();
		await expect(abortedEdit).rejects.toThrow();
		expect((await put()).status).toBe(200);
	});

	test('reads, dry runs, other phases and other zones are not rejected', async () => {
		const {put, call, holdWrites, releaseWrite} = createEditedZone();
		await put();
		holdWrites(1);
		const first = put();
		const managedEntryPoint = '/phases/http_request_firewall_managed/entrypoint';
		for (const response of [
			await call('GET', customEntryPoint),
			await call('PUT', `${customEntryPoint}?dry_run=true`, {rules: []}),
			await call('PUT', managedEntryPoint, {rules: []}),
			await call('PUT', customEntryPoint, {rules: []}, `/zones/${zones.pro}/rulesets`),
		])
			expect(response.status).toBe(200);
		releaseWrite();
		expect((await first).status).toBe(200);
	});
});

describe('more than 20 edits of a ruleset in 10 seconds', () => {
	test('are rejected until the first one is 10 seconds old, without effect', async () => {
		const {put, clock, readEntryPoint} = createEditedZone();
		for (let edit = 0; edit < 20; edit++) {
			expect((await put()).status).toBe(200);
			clock.now += 100;
		}
		const refused = await put('not ssl');
		expect([refused.status, getErrorCodes(refused), getRetryAfter(refused)]).toEqual([429, [971], '8']);
		expect(refused.errors[0]?.message).toMatch(
			/there were 20 edits of the ruleset [\da-f]{32} in 10 seconds$/,
		);
		expect(await readEntryPoint()).toEqual(['20', ['ssl']]);
		clock.now += 7999;
		expect((await put('not ssl')).status).toBe(429);
		clock.now += 1;
		expect((await put('not ssl')).status).toBe(200);
		expect(await readEntryPoint()).toEqual(['21', ['not ssl']]);
	});

	test('are accepted at one edit per second', async () => {
		const {put, clock} = createEditedZone();
		for (let edit = 0; edit < 60; edit++) {
			expect((await put()).status).toBe(200);
			clock.now += 1000;
		}
	});

	test('are counted per ruleset, without dry runs', async () => {
		const {put, call} = createEditedZone();
		for (let edit = 0; edit < 30; edit++) {
			const dryRun = await call('PUT', `${customEntryPoint}?dry_run=true`, {rules: []});
			expect(dryRun.status).toBe(200);
		}
		for (let edit = 0; edit < 20; edit++) await put();
		expect((await put()).status).toBe(429);
		const managedEntryPoint = '/phases/http_request_firewall_managed/entrypoint';
		expect((await call('PUT', managedEntryPoint, {rules: []})).status).toBe(200);
		expect((await call('PUT', customEntryPoint, {rules: []}, `/zones/${zones.pro}/rulesets`)).status).toBe(
			200,
		);
	});

	test('are forgotten by a reset', async () => {
		const {simulator, put} = createEditedZone();
		for (let edit = 0; edit < 21; edit++) await put();
		simulator.reset();
		expect((await put()).status).toBe(200);
	});
});
