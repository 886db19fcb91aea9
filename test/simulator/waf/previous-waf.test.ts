import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../../source/text/json.ts';
import {listed, unknownId} from '../firewall/firewall.ts';
import {objectIn, packages, zoneOf} from '../migration/migrating.ts';

const base = '/firewall/waf/packages';
const rulesPath = `${base}/${packages.platform}/rules`;

/** All pages of a list. */
async function all(call: ReturnType<typeof zoneOf>['call'], path: string): Promise<readonly JsonObject[]> {
	const found: JsonObject[] = [];
	for (let page = 1; ; page++) {
		const more = listed(await call('GET', `${path}?per_page=100&page=${page}`));
		found.push(...more);
		if (more.length < 100) return found;
	}
}

describe('packages', () => {
	test('are three, and only the one with scores has settings', async () => {
		const {call} = zoneOf('enterprise');
		const seen = await call('GET', base);
		expect(seen.result).toMatchObject([
			{id: packages.platform, detection_mode: 'traditional', status: 'active'},
			{id: packages.owasp, detection_mode: 'anomaly', sensitivity: 'medium', action_mode: 'simulate'},
			{id: packages.requested, detection_mode: 'traditional', status: 'active'},
		]);
		expect(listed(seen)[0]).not.toHaveProperty('sensitivity');
		expect(seen.info).toEqual({page: 1, per_page: 50, count: 3, total_count: 3});
	});

	test('have dozens of groups and hundreds of rules', async () => {
		const {call} = zoneOf('plain');
		const counts = await Promise.all(
			Object.values(packages).map(async id => ({
				groups: (await all(call, `${base}/${id}/groups`)).length,
				rules: (await all(call, `${base}/${id}/rules`)).length,
			})),
		);
		expect(counts).toEqual([
			{groups: 10, rules: 278},
			{groups: 20, rules: 249},
			{groups: 3, rules: 28},
		]);
	});

	test('never share the ID of a group or a rule', async () => {
		const {call} = zoneOf('plain');
		for (const what of ['groups', 'rules']) {
			const lists = await Promise.all(Object.values(packages).map(id => all(call, `${base}/${id}/${what}`)));
			const ids = lists.flat().map(({id}) => id);
			expect(new Set(ids).size).toBe(ids.length);
		}
	});

	test('are changed by PATCH if they have scores', async () => {
		const {call} = zoneOf('pro');
		const path = `${base}/${packages.owasp}`;
		const seen = await call('PATCH', path, {sensitivity: 'off'});
		expect(seen.result).toMatchObject({sensitivity: 'off', action_mode: 'block'});
		expect((await call('GET', path)).result).toEqual(seen.result);
	});

	test.each([
		['a word that there is not', packages.owasp, {sensitivity: 'extreme'}],
		['a setting that there is not', packages.owasp, {colour: 'red'}],
		['any setting of another package', packages.platform, {sensitivity: 'high'}],
	])('reject %s with 400', async (_, id, body) => {
		expect((await zoneOf('pro').call('PATCH', `${base}/${id}`, body)).status).toBe(400);
	});

	test('give 404 if they do not exist', async () => {
		expect((await zoneOf('pro').call('GET', `${base}/${unknownId}`)).status).toBe(404);
	});
});

describe('groups', () => {
	test('are listed by mode, in the requested order', async () => {
		const {call} = zoneOf('enterprise');
		const path = `${base}/${packages.platform}/groups`;
		expect(listed(await call('GET', `${path}?mode=off`)).map(({name}) => name)).toEqual([
			'Platform Flash',
			'Platform WHMCS',
		]);
		const counts = listed(await call('GET', `${path}?order=rules_count&direction=desc`)).map(
			({rules_count: count}) => Number(count),
		);
		expect(counts).toEqual(counts.toSorted((one, other) => other - one));
	});

	test('report how many of their rules were changed', async () => {
		const {call} = zoneOf('enterprise');
		const groups = listed(await call('GET', `${base}/${packages.platform}/groups?name=platform wordpress`));
		expect(groups).toMatchObject([{rules_count: 61, modified_rules_count: 3, allowed_modes: ['on', 'off']}]);
	});

	test('are turned off by PATCH', async () => {
		const {call} = zoneOf('pro');
		const [group] = listed(await call('GET', `${base}/${packages.owasp}/groups?mode=on`));
		const path = `${base}/${packages.owasp}/groups/${group?.id}`;
		expect(objectIn(await call('PATCH', path, {mode: 'off'})).mode).toBe('off');
		expect(objectIn(await call('GET', path)).mode).toBe('off');
		expect((await call('PATCH', path, {mode: 'maybe'})).status).toBe(400);
	});
});

describe('rules', () => {
	test('are of three kinds, each with its own modes', async () => {
		const {call} = zoneOf('plain');
		const traditional = await all(call, rulesPath);
		const scoring = await all(call, `${base}/${packages.owasp}/rules`);
		expect(traditional[0]).toMatchObject({
			mode: 'default',
			default_mode: 'block',
			allowed_modes: ['default', 'disable', 'simulate', 'block', 'challenge'],
			package_id: packages.platform,
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
	])('with mode=%s are those that %s, by default or by their setting', async (mode, does) => {
		const rules = listed(await zoneOf('enterprise').call('GET', `${rulesPath}?mode=${mode}&per_page=100`));
		expect(rules.length).toBeGreaterThan(1);
		for (const rule of rules) expect(rule.mode === 'default' ? rule.default_mode : rule.mode).toBe(does);
	});

	test('are listed by group and by part of the description', async () => {
		const {call} = zoneOf('plain');
		const [group] = listed(await call('GET', `${base}/${packages.platform}/groups?name=Platform Plone`));
		expect(listed(await call('GET', `${rulesPath}?group_id=${group?.id}`))).toHaveLength(6);
		const found = listed(await call('GET', `${rulesPath}?description=xml-rpc&per_page=100`));
		expect(found.length).toBeGreaterThan(5);
		for (const {description} of found) expect(description).toContain('XML-RPC');
	});

	test('can only be set by PATCH to a mode they support', async () => {
		const {call} = zoneOf('plain');
		const [rule] = listed(await call('GET', rulesPath));
		const path = `${rulesPath}/${rule?.id}`;
		expect(objectIn(await call('PATCH', path, {mode: 'challenge'})).mode).toBe('challenge');
		expect((await call('PATCH', path, {mode: 'on'})).status).toBe(400);
		expect(objectIn(await call('GET', path)).mode).toBe('challenge');
	});

	test.each([
		'per_page=101',
		'order=colour',
		'direction=up',
		'match=some',
	])('reject %s with 400', async query => {
		expect((await zoneOf('plain').call('GET', `${rulesPath}?${query}`)).status).toBe(400);
	});

	test('have an empty page past the end', async () => {
		expect((await zoneOf('plain').call('GET', `${rulesPath}?page=99`)).result).toEqual([]);
	});
});

describe('overrides', () => {
	const path = '/firewall/waf/overrides';
	const draft = {urls: ['a.example/*'], rules: {[unknownId]: 'block'}};

	test('are created, read, changed and deleted', async () => {
		const {call} = zoneOf('enterprise');
		const made = objectIn(await call('POST', path, {...draft, description: 'd'}));
		expect(made).toEqual({id: made.id, ...draft, paused: false, priority: 0, description: 'd'});
		expect((await call('GET', `${path}/${made.id}`)).result).toEqual(made);
		const changed = await call('PUT', `${path}/${made.id}`, {...draft, paused: true});
		expect(objectIn(changed)).toMatchObject({id: made.id, paused: true, description: ''});
		expect((await call('GET', path)).result).toEqual([changed.result]);
		expect((await call('DELETE', `${path}/${made.id}`)).result).toEqual({id: made.id});
		expect((await call('GET', `${path}/${made.id}`)).status).toBe(404);
	});

	test.each<[string, JsonObject]>([
		['no addresses', {rules: {[unknownId]: 'block'}}],
		['neither groups nor rules', {urls: ['a/*']}],
		['an action that there is not', {...draft, rules: {[unknownId]: 'log'}}],
		['rewriting what is no action', {...draft, rewrite_action: {log: 'block'}}],
		['a priority beyond the limit', {...draft, priority: 1_000_000_001}],
		['paused that is neither', {...draft, paused: 'yes'}],
	])('reject %s with 400', async (_, body) => {
		expect((await zoneOf('enterprise').call('POST', path, body)).status).toBe(400);
	});

	test('give 403 below Enterprise', async () => {
		for (const which of ['pro', 'business', 'free'] as const)
			expect((await zoneOf(which).call('GET', path)).status).toBe(403);
	});
});

describe('the WAF switch', () => {
	test('is changed by PATCH', async () => {
		const {call} = zoneOf('pro');
		expect((await call('GET', '/settings/waf')).result).toEqual({
			id: 'waf',
			value: 'on',
			editable: true,
			modified_on: null,
		});
		const seen = await call('PATCH', '/settings/waf', {value: 'off'});
		expect(seen.result).toMatchObject({value: 'off', modified_on: '2030-03-17T17:46:40.000Z'});
		expect((await call('PATCH', '/settings/waf', {value: 'maybe'})).status).toBe(400);
		expect((await call('GET', '/settings/waf')).result).toEqual(seen.result);
	});

	test('is off and cannot be changed on the Free plan', async () => {
		const {call} = zoneOf('free');
		expect((await call('GET', '/settings/waf')).result).toMatchObject({value: 'off', editable: false});
		expect((await call('PATCH', '/settings/waf', {value: 'on'})).status).toBe(403);
	});
});

test('page rules are listed all at once, created and deleted', async () => {
	const {call} = zoneOf('enterprise');
	const before = listed(await call('GET', '/pagerules'));
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
	const {id: _, ...draft} = first ?? {};
	const made = objectIn(await call('POST', '/pagerules', draft));
	expect(made).toEqual({...first, id: made.id});
	expect(listed(await call('GET', '/pagerules?status=disabled'))).toHaveLength(1);
});

describe('after the migration', () => {
	test.each([
		['GET', base],
		['GET', `${base}/${packages.owasp}`],
		['PATCH', `${base}/${packages.owasp}`],
		['GET', rulesPath],
		['GET', '/settings/waf'],
		['PATCH', '/settings/waf'],
	])('%s %s gives 410 and names the Rulesets API', async (method, path) => {
		const {call} = zoneOf('complete');
		const seen = await call(method, path, method === 'PATCH' ? {value: 'on'} : undefined);
		expect(seen.status).toBe(410);
		expect(seen.errors[0]?.message).toContain('Rulesets API');
	});

	test('overrides of an Enterprise zone give 410', async () => {
		const {migrate, call, clock} = zoneOf('enterprise');
		await migrate('pending');
		expect((await call('GET', '/firewall/waf/overrides')).status).toBe(200);
		clock.now += 3000;
		expect((await call('GET', '/firewall/waf/overrides')).status).toBe(410);
	});

	test('filters, firewall rules and page rules keep working', async () => {
		const {migrate, call, clock} = zoneOf('enterprise');
		await migrate('pending');
		clock.now += 3000;
		for (const path of ['/filters', '/firewall/rules', '/pagerules'])
			expect((await call('GET', path)).status).toBe(200);
	});

	test('filters and firewall rules give 410 in a zone that has retired them', async () => {
		const {call} = zoneOf('complete');
		for (const path of ['/filters', '/firewall/rules']) expect((await call('GET', path)).status).toBe(410);
		expect((await call('GET', '/pagerules')).status).toBe(200);
	});
});

test('managed rules give 403 below Pro', async () => {
	const {call} = zoneOf('free');
	expect((await call('GET', base)).errors[0]?.message).toContain('Pro plan');
});
