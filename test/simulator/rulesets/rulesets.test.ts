import {describe, expect, test} from 'vitest';
import type {JsonObject, JsonValue} from '../../../source/text/json.ts';
import {codes, request} from '../asking.ts';
import {unknownId, zones} from '../firewall/firewall.ts';
import {block, complaint, customEntryPoint, customPhaseOf, rulesetIn} from './custom-phase.ts';

const anId = expect.stringMatching(/^[0-9a-f]{32}$/);
const phase = 'http_request_firewall_custom';
const atStart = '2030-03-17T17:46:40.000000Z';

describe('the entry point of a phase', () => {
	test.each([
		phase,
		'http_request_firewall_managed',
		'http_ratelimit',
		'http_request_sbfm',
	])('of %s gives 404 and 10003 before it exists', async name => {
		const {rulesets} = customPhaseOf();
		const seen = await rulesets('GET', `/phases/${name}/entrypoint`);
		expect([seen.status, seen.errors]).toEqual([
			404,
			[{code: 10003, message: `could not find entrypoint ruleset in the "${name}" phase`}],
		]);
	});

	test('of an unknown phase gives 404', async () => {
		const {rulesets} = customPhaseOf();
		const seen = await rulesets('GET', '/phases/http_nonsense/entrypoint');
		expect([seen.status, codes(seen)]).toEqual([404, [10003]]);
	});

	test('is created by PUT, with everything the service adds', async () => {
		const {rulesets} = customPhaseOf();
		const seen = await rulesets('PUT', customEntryPoint, {
			rules: [
				block('ssl'),
				{
					action: 'skip',
					action_parameters: {ruleset: 'current'},
					expression: 'not ssl',
					enabled: false,
					description: 'd',
					ref: 'r',
				},
			],
		});
		expect(seen.status).toBe(200);
		expect(seen.result).toEqual({
			id: anId,
			name: 'default',
			description: '',
			kind: 'zone',
			phase,
			source: 'firewall_custom',
			version: '1',
			last_updated: atStart,
			rules: [
				{
					id: anId,
					version: '1',
					ref: anId,
					action: 'block',
					expression: 'ssl',
					description: '',
					enabled: true,
					last_updated: atStart,
				},
				{
					id: anId,
					version: '1',
					ref: 'r',
					action: 'skip',
					action_parameters: {ruleset: 'current'},
					expression: 'not ssl',
					description: 'd',
					enabled: false,
					logging: {enabled: true},
					last_updated: atStart,
				},
			],
		});
		const [rule] = rulesetIn(seen).rules;
		expect(rule?.ref).toBe(rule?.id);
		expect((await rulesets('GET', customEntryPoint)).result).toEqual(seen.result);
	});

	test('is changed by PUT, which replaces all rules but keeps those with an ID', async () => {
		const {rulesets, begin} = customPhaseOf();
		const {rules} = await begin('ssl', 'not ssl');
		const [kept = '', gone = ''] = rules;
		const seen = rulesetIn(
			await rulesets('PUT', customEntryPoint, {
				rules: [block('http.host eq "a"'), {...block('ssl'), id: kept}],
			}),
		);
		expect(seen.version).toBe('2');
		expect(seen.rules).toMatchObject([
			{expression: 'http.host eq "a"', version: '1'},
			{id: kept, expression: 'ssl', version: '1'},
		]);
		expect(seen.rules.map(({id}) => id)).not.toContain(gone);
	});

	test('gives a changed rule a new version', async () => {
		const {rulesets, begin} = customPhaseOf();
		const {rules} = await begin('ssl');
		const seen = await rulesets('PUT', customEntryPoint, {
			rules: [{...block('not ssl'), id: rules[0] ?? ''}],
		});
		expect(rulesetIn(seen).rules).toMatchObject([{id: rules[0], version: '2', expression: 'not ssl'}]);
	});

	test('can be sent back as the service returned it', async () => {
		const {rulesets, begin} = customPhaseOf();
		await begin('ssl', 'not ssl');
		const before = rulesetIn(await rulesets('GET', customEntryPoint));
		const after = rulesetIn(await rulesets('PUT', customEntryPoint, before));
		expect(after).toEqual({...before, version: '2'});
	});

	test('treats empty IDs, versions and refs as missing', async () => {
		const {rulesets} = customPhaseOf();
		const seen = await rulesets('PUT', customEntryPoint, {
			rules: [block('ssl', {id: '', version: '', ref: ''})],
		});
		expect(rulesetIn(seen).rules).toMatchObject([{id: anId, ref: anId, version: '1'}]);
	});

	test('keeps its rules if the body has none', async () => {
		const {rulesets, begin, current} = customPhaseOf();
		await begin('ssl');
		const seen = await rulesets('PUT', customEntryPoint, {description: 'Said later'});
		expect(rulesetIn(seen)).toMatchObject({description: 'Said later', version: '2'});
		expect((await current()).expressions).toEqual(['ssl']);
	});

	test.each([
		['name', 'other'],
		['kind', 'root'],
		['phase', 'http_ratelimit'],
	])('gives 400 for another %s', async (name, value) => {
		const {rulesets, begin} = customPhaseOf();
		await begin('ssl');
		const seen = await rulesets('PUT', customEntryPoint, {[name]: value, rules: []});
		expect(complaint(seen)).toEqual([400, 20217, `/${name}`]);
	});
});

describe('rulesets', () => {
	const draft = {name: 'Custom rules', kind: 'zone', phase};

	test('are created by POST', async () => {
		const {rulesets} = customPhaseOf();
		const seen = await rulesets('POST', '', {...draft, description: 'd', rules: [block('ssl')]});
		expect(seen.result).toMatchObject({
			...draft,
			description: 'd',
			version: '1',
			rules: [{expression: 'ssl'}],
		});
	});

	test('cannot be a second entry point, which gives 400 and 20217', async () => {
		const {rulesets} = customPhaseOf();
		await rulesets('POST', '', draft);
		const seen = await rulesets('POST', '', draft);
		expect([seen.status, seen.errors]).toEqual([
			400,
			[
				{
					code: 20217,
					message: `'zone' is not a valid value for kind because exceeded maximum number of zone rulesets for phase ${phase}`,
					source: {pointer: '/kind'},
				},
			],
		]);
	});

	test.each<[string, JsonObject, string]>([
		['no name', {name: ''}, '/name'],
		['another kind', {kind: 'root'}, '/kind'],
		['no phase', {phase: ''}, '/phase'],
		['rules that are no array', {rules: {}}, '/rules'],
	])('are rejected with 400 for %s', async (_, wrong, pointer) => {
		const {rulesets} = customPhaseOf();
		expect(complaint(await rulesets('POST', '', {...draft, ...wrong}))).toEqual([400, 20217, pointer]);
	});

	test('are listed without rules, and the list ends with an empty cursor', async () => {
		const {rulesets, begin} = customPhaseOf();
		const {id} = await begin('ssl');
		const seen = await rulesets('GET');
		const own = (seen.result as readonly JsonObject[]).filter(({kind}) => kind === 'zone');
		expect(own).toEqual([
			{
				id,
				name: 'default',
				description: '',
				kind: 'zone',
				phase,
				source: 'firewall_custom',
				version: '1',
				last_updated: atStart,
			},
		]);
		expect(seen.info).toEqual({count: 4, cursor: ''});
	});

	test('are the same for GET and PUT by ID as by entry point', async () => {
		const {rulesets, begin, current} = customPhaseOf();
		const {id} = await begin('ssl');
		expect((await rulesets('GET', `/${id}`)).result).toEqual(
			(await rulesets('GET', customEntryPoint)).result,
		);
		expect(rulesetIn(await rulesets('PUT', `/${id}`, {rules: [block('not ssl')]})).version).toBe('2');
		expect(await current()).toEqual({expressions: ['not ssl'], version: '2'});
	});

	test('are deleted with their versions by DELETE, with 204 and no body', async () => {
		const {simulator, rulesets, begin} = customPhaseOf();
		const {id} = await begin('ssl');
		const path = `/zones/${zones.enterprise}/rulesets/${id}`;
		const response = await simulator.fetch(request(path, {method: 'DELETE'}));
		expect([response.status, await response.text()]).toEqual([204, '']);
		expect((await rulesets('GET', customEntryPoint)).status).toBe(404);
		expect((await rulesets('GET', `/${id}/versions/1`)).status).toBe(404);
		expect((await begin('ssl')).id).not.toBe(id);
	});

	test.each(['GET', 'PUT', 'DELETE'])('give 404 for %s if they do not exist', async method => {
		const {rulesets} = customPhaseOf();
		const seen = await rulesets(method, `/${unknownId}`, method === 'PUT' ? {rules: []} : undefined);
		expect([seen.status, codes(seen)]).toEqual([404, [10003]]);
	});
});

describe('versions', () => {
	async function changed() {
		const calls = customPhaseOf();
		const {id, rules} = await calls.begin('ssl');
		await calls.rulesets('PUT', customEntryPoint, {rules: [block('not ssl')]});
		await calls.rulesets('PUT', customEntryPoint, {rules: []});
		return {...calls, id, rules};
	}

	test.each(['entry point', 'ruleset'])('of the %s are listed without rules', async of => {
		const {rulesets, id} = await changed();
		const seen = await rulesets('GET', `${of === 'ruleset' ? `/${id}` : customEntryPoint}/versions`);
		const found = seen.result as readonly JsonObject[];
		expect(found.map(({version}) => version)).toEqual(['1', '2', '3']);
		for (const version of found) expect(version).not.toHaveProperty('rules');
	});

	test('are shown one by one with their rules', async () => {
		const {rulesets, id} = await changed();
		for (const path of [`/${id}/versions/1`, `${customEntryPoint}/versions/1`])
			expect(rulesetIn(await rulesets('GET', path))).toMatchObject({
				version: '1',
				rules: [{expression: 'ssl'}],
			});
	});

	test('of a missing entry point are an empty list', async () => {
		const {rulesets} = customPhaseOf();
		const seen = await rulesets('GET', `${customEntryPoint}/versions`);
		expect([seen.status, seen.result]).toEqual([200, []]);
	});

	test('give 404 if they do not exist', async () => {
		const {rulesets, id} = await changed();
		for (const method of ['GET', 'DELETE'])
			expect((await rulesets(method, `/${id}/versions/9`)).status).toBe(404);
	});

	test('can be deleted unless they are active', async () => {
		const {simulator, rulesets, id} = await changed();
		const path = `/zones/${zones.enterprise}/rulesets/${id}/versions/1`;
		expect((await simulator.fetch(request(path, {method: 'DELETE'}))).status).toBe(204);
		expect((await rulesets('GET', `/${id}/versions/1`)).status).toBe(404);
		expect((await rulesets('DELETE', `/${id}/versions/3`)).status).toBe(400);
	});
});

describe('dry_run=true', () => {
	const dry = '?dry_run=true';

	test.each<[string, string, (id: string, rule: string) => string, JsonValue | undefined]>([
		['PUT', 'the entry point', () => customEntryPoint, {rules: []}],
		['PUT', 'a ruleset', id => `/${id}`, {rules: []}],
		['POST', 'a rule', id => `/${id}/rules`, block('not ssl')],
		['PATCH', 'a rule', (id, rule) => `/${id}/rules/${rule}`, block('not ssl')],
		['DELETE', 'a rule', (id, rule) => `/${id}/rules/${rule}`, undefined],
	])('for %s of %s gives null and changes nothing', async (method, _, path, body) => {
		const {rulesets, begin, current} = customPhaseOf();
		const {id, rules} = await begin('ssl');
		const seen = await rulesets(method, `${path(id, rules[0] ?? '')}${dry}`, body);
		expect([seen.status, seen.success, seen.result]).toEqual([200, true, null]);
		expect(await current()).toEqual({expressions: ['ssl'], version: '1'});
	});

	test('for DELETE of a ruleset gives 204 and keeps it', async () => {
		const {simulator, begin, current} = customPhaseOf();
		const {id} = await begin('ssl');
		const path = `/zones/${zones.enterprise}/rulesets/${id}${dry}`;
		expect((await simulator.fetch(request(path, {method: 'DELETE'}))).status).toBe(204);
		expect((await current()).version).toBe('1');
	});

	test('for POST of a ruleset creates none', async () => {
		const {rulesets} = customPhaseOf();
		expect((await rulesets('POST', dry, {name: 'n', kind: 'zone', phase})).result).toBeNull();
		expect((await rulesets('GET', customEntryPoint)).status).toBe(404);
	});

	test('reports errors', async () => {
		const {rulesets} = customPhaseOf();
		const seen = await rulesets('PUT', `${customEntryPoint}${dry}`, {
			rules: [block('ssl', {action: 'blok'})],
		});
		expect(complaint(seen)).toEqual([400, 20217, '/rules/0/action']);
	});

	test.each([
		'false',
		'1',
		'',
		'TRUE',
	])('is the only valid value: dry_run=%s gives 400 and changes nothing', async value => {
		const {rulesets} = customPhaseOf();
		const seen = await rulesets('PUT', `${customEntryPoint}?dry_run=${value}`, {rules: []});
		expect(seen.status).toBe(400);
		expect((await rulesets('GET', customEntryPoint)).status).toBe(404);
	});
});
