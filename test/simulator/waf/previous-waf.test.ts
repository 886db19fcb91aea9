import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../../source/text/json.ts';
import {getListedObjects, unknownId} from '../firewall/firewall.ts';
import {createSampleZone, getResultObject, wafPackageIds} from '../migration/migrating.ts';

const base = '/firewall/waf/packages';
const rulesPath = `${base}/${wafPackageIds.platform}/rules`;

/** Reads all pages of a list. */
async function listAll(
	call: ReturnType<typeof createSampleZone>['call'],
	path: string,
): Promise<readonly JsonObject[]> {
	const objects: JsonObject[] = [];
	for (let page = 1; ; page++) {
		const pageObjects = getListedObjects(await call('GET', `${path}?per_page=100&page=${page}`));
		objects.push(...pageObjects);
		if (pageObjects.length < 100) return objects;
	}
}

describe('packages', () => {
	test('are three, and only the one with scores has settings', async () => {
		const {call} = createSampleZone('enterprise');
		const response = await call('GET', base);
		expect(response.result).toMatchObject([
			{id: wafPackageIds.platform, detection_mode: 'traditional', status: 'active'},
			{id: wafPackageIds.owasp, detection_mode: 'anomaly', sensitivity: 'medium', action_mode: 'simulate'},
			{id: wafPackageIds.requested, detection_mode: 'traditional', status: 'active'},
		]);
		expect(getListedObjects(response)[0]).not.toHaveProperty('sensitivity');
		expect(response.info).toEqual({page: 1, per_page: 50, count: 3, total_count: 3});
	});

	test('have dozens of groups and hundreds of rules', async () => {
		const {call} = createSampleZone('plain');
		const counts = await Promise.all(
			Object.values(wafPackageIds).map(async id => ({
				groups: (await listAll(call, `${base}/${id}/groups`)).length,
				rules: (await listAll(call, `${base}/${id}/rules`)).length,
			})),
		);
		expect(counts).toEqual([
			{groups: 10, rules: 278},
			{groups: 20, rules: 249},
			{groups: 3, rules: 28},
		]);
	});

	test('never share the ID of a group or a rule', async () => {
		const {call} = createSampleZone('plain');
		for (const what of ['groups', 'rules']) {
			const lists = await Promise.all(
				Object.values(wafPackageIds).map(id => listAll(call, `${base}/${id}/${what}`)),
			);
			const ids = lists.flat().map(({id}) => id);
			expect(new Set(ids).size).toBe(ids.length);
		}
	});

	test('are changed by PATCH if they have scores', async () => {
		const {call} = createSampleZone('pro');
		const path = `${base}/${wafPackageIds.owasp}`;
		const response = await call('PATCH', path, {sensitivity: 'off'});
		expect(response.result).toMatchObject({sensitivity: 'off', action_mode: 'block'});
		expect((await call('GET', path)).result).toEqual(response.result);
	});

	test.each([
		['an unknown word', wafPackageIds.owasp, {sensitivity: 'extreme'}],
		['an unknown setting', wafPackageIds.owasp, {colour: 'red'}],
		['any setting of another package', wafPackageIds.platform, {sensitivity: 'high'}],
	])('reject %s with 400', async (_, id, body) => {
		expect((await createSampleZone('pro').call('PATCH', `${base}/${id}`, body)).status).toBe(400);
	});

	test('give 404 if they do not exist', async () => {
		expect((await createSampleZone('pro').call('GET', `${base}/${unknownId}`)).status).toBe(404);
	});
});

describe('groups', () => {
	test('are listed by mode, in the requested order', async () => {
		const {call} = createSampleZone('enterprise');
		const path = `${base}/${wafPackageIds.platform}/groups`;
		expect(getListedObjects(await call('GET', `${path}?mode=off`)).map(({name}) => name)).toEqual([
			'Platform Flash',
			'Platform WHMCS',
		]);
		const counts = getListedObjects(await call('GET', `${path}?order=rules_count&direction=desc`)).map(
			({rules_count: count}) => Number(count),
		);
		expect(counts).toEqual(counts.toSorted((one, other) => other - one));
	});

	test('report how many of their rules were changed', async () => {
		const {call} = createSampleZone('enterprise');
		const groups = getListedObjects(
			await call('GET', `${base}/${wafPackageIds.platform}/groups?name=platform wordpress`),
		);
		expect(groups).toMatchObject([{rules_count: 61, modified_rules_count: 3, allowed_modes: ['on', 'off']}]);
	});

	test('are turned off by PATCH', async () => {
		const {call} = createSampleZone('pro');
		const [group] = getListedObjects(await call('GET', `${base}/${wafPackageIds.owasp}/groups?mode=on`));
		const path = `${base}/${wafPackageIds.owasp}/groups/${group?.id}`;
		expect(getResultObject(await call('PATCH', path, {mode: 'off'})).mode).toBe('off');
		expect(getResultObject(await call('GET', path)).mode).toBe('off');
		expect((await call('PATCH', path, {mode: 'maybe'})).status).toBe(400);
	});
});

describe('rules', () => {
	test('are of three kinds, each with its own modes', async () => {
		const {call} = createSampleZone('plain');
		const traditional = await listAll(call, rulesPath);
		const scoring = await listAll(call, `${base}/${wafPackageIds.owasp}/rules`);
		expect(traditional[0]).toMatchObject({
			mode: 'default',
			default_mode: 'block',
			allowed_modes: ['default', 'disable', 'simulate', 'block', 'challenge'],
			package_id: wafPackageIds.platform,
			group: {name: 'Platform Drupal'},
		});
		expect(traditional.filter(({default_mode: mode}) => mode === undefined)).toMatchObject([
			{mode: 'on', allowed_modes: ['on', 'off']},
			{mode: 'on', allowed_modes: ['on', 'off']},
			{mode: 'on', allowed_modes: ['on', 'off']},
		]);
		expect(new Set(scoring.map(({mode}) => mode))).toEqual(new Set(['on']));
	});

	test.each([
		['DIS', 'disable'],
		['CHL', 'challenge'],
		['BLK', 'block'],
		['SIM', 'simulate'],
	])('with mode=%s are those that %s, by default or by their setting', async (mode, expectedMode) => {
		const rules = getListedObjects(
			await createSampleZone('enterprise').call('GET', `${rulesPath}?mode=${mode}&per_page=100`),
		);
		expect(rules.length).toBeGreaterThan(1);
		for (const rule of rules)
			expect(rule.mode === 'default' ? rule.default_mode : rule.mode).toBe(expectedMode);
	});

	test('are listed by group and by part of the description', async () => {
		const {call} = createSampleZone('plain');
		const [group] = getListedObjects(
			await call('GET', `${base}/${wafPackageIds.platform}/groups?name=Platform Plone`),
		);
		expect(getListedObjects(await call('GET', `${rulesPath}?group_id=${group?.id}`))).toHaveLength(6);
		const found = getListedObjects(await call('GET', `${rulesPath}?description=xml-rpc&per_page=100`));
		expect(found.length).toBeGreaterThan(5);
		for (const {description} of found) expect(description).toContain('XML-RPC');
	});

	test('can only be set by PATCH to a mode they support', async () => {
		const {call} = createSampleZone('plain');
		const [rule] = getListedObjects(await call('GET', rulesPath));
		const path = `${rulesPath}/${rule?.id}`;
		expect(getResultObject(await call('PATCH', path, {mode: 'challenge'})).mode).toBe('challenge');
		expect((await call('PATCH', path, {mode: 'on'})).status).toBe(400);
		expect(getResultObject(await call('GET', path)).mode).toBe('challenge');
	});

	test.each([
		'per_page=101',
		'order=colour',
		'direction=up',
		'match=some',
	])('reject %s with 400', async query => {
		expect((await createSampleZone('plain').call('GET', `${rulesPath}?${query}`)).status).toBe(400);
	});

	test('have an empty page past the end', async () => {
		expect((await createSampleZone('plain').call('GET', `${rulesPath}?page=99`)).result).toEqual([]);
	});
});

describe('overrides', () => {
	const path = '/firewall/waf/overrides';
	const overrideBody = {urls: ['a.example/*'], rules: {[unknownId]: 'block'}};

	test('are created, read, changed and deleted', async () => {
		const {call} = createSampleZone('enterprise');
		const override = getResultObject(await call('POST', path, {...overrideBody, description: 'd'}));
		expect(override).toEqual({
			id: override.id,
			...overrideBody,
			paused: false,
			priority: 0,
			description: 'd',
		});
		expect((await call('GET', `${path}/${override.id}`)).result).toEqual(override);
		const changed = await call('PUT', `${path}/${override.id}`, {...overrideBody, paused: true});
		expect(getResultObject(changed)).toMatchObject({id: override.id, paused: true, description: ''});
		expect((await call('GET', path)).result).toEqual([changed.result]);
		expect((await call('DELETE', `${path}/${override.id}`)).result).toEqual({id: override.id});
		expect((await call('GET', `${path}/${override.id}`)).status).toBe(404);
	});

	test.each<[string, JsonObject]>([
		['no addresses', {rules: {[unknownId]: 'block'}}],
		['neither groups nor rules', {urls: ['a/*']}],
		['an unknown action', {...overrideBody, rules: {[unknownId]: 'log'}}],
		['a rewrite of an unknown action', {...overrideBody, rewrite_action: {log: 'block'}}],
		['a priority beyond the limit', {...overrideBody, priority: 1_000_000_001}],
		['paused that is neither true nor false', {...overrideBody, paused: 'yes'}],
	])('reject %s with 400', async (_, body) => {
		expect((await createSampleZone('enterprise').call('POST', path, body)).status).toBe(400);
	});

	test('give 403 below Enterprise', async () => {
		for (const which of ['pro', 'business', 'free'] as const)
			expect((await createSampleZone(which).call('GET', path)).status).toBe(403);
	});
});

describe('the WAF switch', () => {
	test('is changed by PATCH', async () => {
		const {call} = createSampleZone('pro');
		expect((await call('GET', '/settings/waf')).result).toEqual({
			id: 'waf',
			value: 'on',
			editable: true,
			modified_on: null,
		});
		const response = await call('PATCH', '/settings/waf', {value: 'off'});
		expect(response.result).toMatchObject({value: 'off', modified_on: '2030-03-17T17:46:40.000Z'});
		expect((await call('PATCH', '/settings/waf', {value: 'maybe'})).status).toBe(400);
		expect((await call('GET', '/settings/waf')).result).toEqual(response.result);
	});

	test('is off and cannot be changed on the Free plan', async () => {
		const {call} = createSampleZone('free');
		expect((await call('GET', '/settings/waf')).result).toMatchObject({value: 'off', editable: false});
		expect((await call('PATCH', '/settings/waf', {value: 'on'})).status).toBe(403);
	});
});

test('page rules are listed all at once, created and deleted', async () => {
	const {call} = createSampleZone('enterprise');
	const before = getListedObjects(await call('GET', '/pagerules'));
	expect(before.map(({actions}) => (actions as readonly JsonObject[])[0])).toEqual([
		{id: 'disable_security'},
		{id: 'waf', value: 'off'},
		{id: 'waf', value: 'off'},
		{id: 'waf', value: 'on'},
		expect.objectContaining({id: 'forwarding_url'}),
	]);
	const [first] = before;
	expect(first).toMatchObject({
		targets: [{target: 'url', constraint: {operator: 'matches', value: 'acme.example/internal/*'}}],
		status: 'active',
		priority: 1,
	});
	expect((await call('DELETE', `/pagerules/${first?.id}`)).result).toEqual({id: first?.id});
	const {id: _, ...pageRuleBody} = first ?? {};
	const createdPageRule = getResultObject(await call('POST', '/pagerules', pageRuleBody));
	expect(createdPageRule).toEqual({...first, id: createdPageRule.id});
	expect(getListedObjects(await call('GET', '/pagerules?status=disabled'))).toHaveLength(1);
});

describe('after the migration', () => {
	test.each([
		['GET', base],
		['GET', `${base}/${wafPackageIds.owasp}`],
		['PATCH', `${base}/${wafPackageIds.owasp}`],
		['GET', rulesPath],
		['GET', '/settings/waf'],
		['PATCH', '/settings/waf'],
	])('%s %s gives 410 and names the Rulesets API', async (method, path) => {
		const {call} = createSampleZone('complete');
		const response = await call(method, path, method === 'PATCH' ? {value: 'on'} : undefined);
		expect(response.status).toBe(410);
		expect(response.errors[0]?.message).toContain('Rulesets API');
	});

	test('overrides of an Enterprise zone give 410', async () => {
		const {migrate, call, clock} = createSampleZone('enterprise');
		await migrate('pending');
		expect((await call('GET', '/firewall/waf/overrides')).status).toBe(200);
		clock.now += 3000;
		expect((await call('GET', '/firewall/waf/overrides')).status).toBe(410);
	});

	test('filters, firewall rules and page rules keep working', async () => {
		const {migrate, call, clock} = createSampleZone('enterprise');
		await migrate('pending');
		clock.now += 3000;
		for (const path of ['/filters', '/firewall/rules', '/pagerules'])
			expect((await call('GET', path)).status).toBe(200);
	});

	test('filters and firewall rules give 410 in a zone that has retired them', async () => {
		const {call} = createSampleZone('complete');
		for (const path of ['/filters', '/firewall/rules']) expect((await call('GET', path)).status).toBe(410);
		expect((await call('GET', '/pagerules')).status).toBe(200);
	});
});

test('managed rules give 403 below Pro', async () => {
	const {call} = createSampleZone('free');
	expect((await call('GET', base)).errors[0]?.message).toContain('Pro plan');
});
