import {describe, expect, test} from 'vitest';
import type {JsonObject, JsonValue} from '../../../source/text/json.ts';
import {getErrorCodes, request} from '../asking.ts';
import {unknownId, zones} from '../firewall/firewall.ts';
import {
	buildBlockRule,
	createCustomPhase,
	customEntryPoint,
	getFirstError,
	getRuleset,
} from './custom-phase.ts';

const anId = expect.stringMatching(/^[0-9a-f]{32}$/);
const phase = 'http_request_firewall_custom';
const startTime = '2030-03-17T17:46:40.000000Z';

describe('the entry point of a phase', () => {
	test.each([
		phase,
		'http_request_firewall_managed',
		'http_ratelimit',
		'http_request_sbfm',
	])('of %s gives 404 and 10003 before it exists', async name => {
		const {rulesets: callRulesets} = createCustomPhase();
		const response = await callRulesets('GET', `/phases/${name}/entrypoint`);
		expect([response.status, response.errors]).toEqual([
			404,
			[{code: 10003, message: `could not find entrypoint ruleset in the "${name}" phase`}],
		]);
	});

	test('of an unknown phase gives 404', async () => {
		const {rulesets: callRulesets} = createCustomPhase();
		const response = await callRulesets('GET', '/phases/http_nonsense/entrypoint');
		expect([response.status, getErrorCodes(response)]).toEqual([404, [10003]]);
	});

	test('is created by PUT, with everything the service adds', async () => {
		const {rulesets: callRulesets} = createCustomPhase();
		const response = await callRulesets('PUT', customEntryPoint, {
			rules: [
				buildBlockRule('ssl'),
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
		expect(response.status).toBe(200);
		expect(response.result).toEqual({
			id: anId,
			name: 'default',
			description: '',
			kind: 'zone',
			phase,
			source: 'firewall_custom',
			version: '1',
			last_updated: startTime,
			rules: [
				{
					id: anId,
					version: '1',
					ref: anId,
					action: 'block',
					expression: 'ssl',
					description: '',
					enabled: true,
					last_updated: startTime,
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
					last_updated: startTime,
				},
			],
		});
		const [rule] = getRuleset(response).rules;
		expect(rule?.ref).toBe(rule?.id);
		expect((await callRulesets('GET', customEntryPoint)).result).toEqual(response.result);
	});

	test('is changed by PUT, which replaces all rules but keeps those with an ID', async () => {
		const {rulesets: callRulesets, createEntryPoint} = createCustomPhase();
		const {rules} = await createEntryPoint('ssl', 'not ssl');
		const [keptId = '', removedId = ''] = rules;
		const ruleset = getRuleset(
			await callRulesets('PUT', customEntryPoint, {
				rules: [buildBlockRule('http.host eq "a"'), {...buildBlockRule('ssl'), id: keptId}],
			}),
		);
		expect(ruleset.version).toBe('2');
		expect(ruleset.rules).toMatchObject([
			{expression: 'http.host eq "a"', version: '1'},
			{id: keptId, expression: 'ssl', version: '1'},
		]);
		expect(ruleset.rules.map(({id}) => id)).not.toContain(removedId);
	});

	test('gives a changed rule a new version', async () => {
		const {rulesets: callRulesets, createEntryPoint} = createCustomPhase();
		const {rules} = await createEntryPoint('ssl');
		const response = await callRulesets('PUT', customEntryPoint, {
			rules: [{...buildBlockRule('not ssl'), id: rules[0] ?? ''}],
		});
		expect(getRuleset(response).rules).toMatchObject([{id: rules[0], version: '2', expression: 'not ssl'}]);
	});

	test('can be sent back as the service returned it', async () => {
		const {rulesets: callRulesets, createEntryPoint} = createCustomPhase();
		await createEntryPoint('ssl', 'not ssl');
		const before = getRuleset(await callRulesets('GET', customEntryPoint));
		const after = getRuleset(await callRulesets('PUT', customEntryPoint, before));
		expect(after).toEqual({...before, version: '2'});
	});

	test('treats empty IDs, versions and refs as missing', async () => {
		const {rulesets: callRulesets} = createCustomPhase();
		const response = await callRulesets('PUT', customEntryPoint, {
			rules: [buildBlockRule('ssl', {id: '', version: '', ref: ''})],
		});
		expect(getRuleset(response).rules).toMatchObject([{id: anId, ref: anId, version: '1'}]);
	});

	test('keeps its rules if the body has none', async () => {
		const {rulesets: callRulesets, createEntryPoint, readEntryPoint} = createCustomPhase();
		await createEntryPoint('ssl');
		const response = await callRulesets('PUT', customEntryPoint, {description: 'Said later'});
		expect(getRuleset(response)).toMatchObject({description: 'Said later', version: '2'});
		expect((await readEntryPoint()).expressions).toEqual(['ssl']);
	});

	test.each([
		['name', 'other'],
		['kind', 'root'],
		['phase', 'http_ratelimit'],
	])('gives 400 for another %s', async (name, value) => {
		const {rulesets: callRulesets, createEntryPoint} = createCustomPhase();
		await createEntryPoint('ssl');
		const response = await callRulesets('PUT', customEntryPoint, {[name]: value, rules: []});
		expect(getFirstError(response)).toEqual([400, 20217, `/${name}`]);
	});
});

describe('rulesets', () => {
	const rulesetBody = {name: 'Custom rules', kind: 'zone', phase};

	test('are created by POST', async () => {
		const {rulesets: callRulesets} = createCustomPhase();
		const response = await callRulesets('POST', '', {
			...rulesetBody,
			description: 'd',
			rules: [buildBlockRule('ssl')],
		});
		expect(response.result).toMatchObject({
			...rulesetBody,
			description: 'd',
			version: '1',
			rules: [{expression: 'ssl'}],
		});
	});

	test('cannot be a second entry point, which gives 400 and 20217', async () => {
		const {rulesets: callRulesets} = createCustomPhase();
		await callRulesets('POST', '', rulesetBody);
		const response = await callRulesets('POST', '', rulesetBody);
		expect([response.status, response.errors]).toEqual([
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
		['rules that are not an array', {rules: {}}, '/rules'],
	])('are rejected with 400 for %s', async (_, wrong, pointer) => {
		const {rulesets: callRulesets} = createCustomPhase();
		expect(getFirstError(await callRulesets('POST', '', {...rulesetBody, ...wrong}))).toEqual([
			400,
			20217,
			pointer,
		]);
	});

	test('are listed without rules, and the list ends with an empty cursor', async () => {
		const {rulesets: callRulesets, createEntryPoint} = createCustomPhase();
		const {id} = await createEntryPoint('ssl');
		const response = await callRulesets('GET');
		const zoneRulesets = (response.result as readonly JsonObject[]).filter(({kind}) => kind === 'zone');
		expect(zoneRulesets).toEqual([
			{
				id,
				name: 'default',
				description: '',
				kind: 'zone',
				phase,
				source: 'firewall_custom',
				version: '1',
				last_updated: startTime,
			},
		]);
		expect(response.info).toEqual({count: 4, cursor: ''});
	});

	test('are the same for GET and PUT by ID as by entry point', async () => {
		const {rulesets: callRulesets, createEntryPoint, readEntryPoint} = createCustomPhase();
		const {id} = await createEntryPoint('ssl');
		expect((await callRulesets('GET', `/${id}`)).result).toEqual(
			(await callRulesets('GET', customEntryPoint)).result,
		);
		expect(
			getRuleset(await callRulesets('PUT', `/${id}`, {rules: [buildBlockRule('not ssl')]})).version,
		).toBe('2');
		expect(await readEntryPoint()).toEqual({expressions: ['not ssl'], version: '2'});
	});

	test('are deleted with their versions by DELETE, with 204 and no body', async () => {
		const {simulator, rulesets: callRulesets, createEntryPoint} = createCustomPhase();
		const {id} = await createEntryPoint('ssl');
		const path = `/zones/${zones.enterprise}/rulesets/${id}`;
		const response = await simulator.fetch(request(path, {method: 'DELETE'}));
		expect([response.status, await response.text()]).toEqual([204, '']);
		expect((await callRulesets('GET', customEntryPoint)).status).toBe(404);
		expect((await callRulesets('GET', `/${id}/versions/1`)).status).toBe(404);
		expect((await createEntryPoint('ssl')).id).not.toBe(id);
	});

	test.each(['GET', 'PUT', 'DELETE'])('give 404 for %s if they do not exist', async method => {
		const {rulesets: callRulesets} = createCustomPhase();
		const response = await callRulesets(method, `/${unknownId}`, method === 'PUT' ? {rules: []} : undefined);
		expect([response.status, getErrorCodes(response)]).toEqual([404, [10003]]);
	});
});

describe('versions', () => {
	async function createThreeVersions() {
		const calls = createCustomPhase();
		const {id, rules} = await calls.createEntryPoint('ssl');
		await calls.rulesets('PUT', customEntryPoint, {rules: [buildBlockRule('not ssl')]});
		await calls.rulesets('PUT', customEntryPoint, {rules: []});
		return {...calls, id, rules};
	}

	test.each(['entry point', 'ruleset'])('of the %s are listed without rules', async resource => {
		const {rulesets: callRulesets, id} = await createThreeVersions();
		const response = await callRulesets(
			'GET',
			`${resource === 'ruleset' ? `/${id}` : customEntryPoint}/versions`,
		);
		const versions = response.result as readonly JsonObject[];
		expect(versions.map(({version}) => version)).toEqual(['1', '2', '3']);
		for (const version of versions) expect(version).not.toHaveProperty('rules');
	});

	test('are shown one by one with their rules', async () => {
		const {rulesets: callRulesets, id} = await createThreeVersions();
		for (const path of [`/${id}/versions/1`, `${customEntryPoint}/versions/1`])
			expect(getRuleset(await callRulesets('GET', path))).toMatchObject({
				version: '1',
				rules: [{expression: 'ssl'}],
			});
	});

	test('of a missing entry point are an empty list', async () => {
		const {rulesets: callRulesets} = createCustomPhase();
		const response = await callRulesets('GET', `${customEntryPoint}/versions`);
		expect([response.status, response.result]).toEqual([200, []]);
	});

	test('give 404 if they do not exist', async () => {
		const {rulesets: callRulesets, id} = await createThreeVersions();
		for (const method of ['GET', 'DELETE'])
			expect((await callRulesets(method, `/${id}/versions/9`)).status).toBe(404);
	});

	test('can be deleted unless they are active', async () => {
		const {simulator, rulesets: callRulesets, id} = await createThreeVersions();
		const path = `/zones/${zones.enterprise}/rulesets/${id}/versions/1`;
		expect((await simulator.fetch(request(path, {method: 'DELETE'}))).status).toBe(204);
		expect((await callRulesets('GET', `/${id}/versions/1`)).status).toBe(404);
		expect((await callRulesets('DELETE', `/${id}/versions/3`)).status).toBe(400);
	});
});

describe('dry_run=true', () => {
	const dryRunQuery = '?dry_run=true';

	test.each<[string, string, (id: string, rule: string) => string, JsonValue | undefined]>([
		['PUT', 'the entry point', () => customEntryPoint, {rules: []}],
		['PUT', 'a ruleset', id => `/${id}`, {rules: []}],
		['POST', 'a rule', id => `/${id}/rules`, buildBlockRule('not ssl')],
		['PATCH', 'a rule', (id, rule) => `/${id}/rules/${rule}`, buildBlockRule('not ssl')],
		['DELETE', 'a rule', (id, rule) => `/${id}/rules/${rule}`, undefined],
	])('for %s of %s gives null and changes nothing', async (method, _, path, body) => {
		const {rulesets: callRulesets, createEntryPoint, readEntryPoint} = createCustomPhase();
		const {id, rules} = await createEntryPoint('ssl');
		const response = await callRulesets(method, `${path(id, rules[0] ?? '')}${dryRunQuery}`, body);
		expect([response.status, response.success, response.result]).toEqual([200, true, null]);
		expect(await readEntryPoint()).toEqual({expressions: ['ssl'], version: '1'});
	});

	test('for DELETE of a ruleset gives 204 and keeps it', async () => {
		const {simulator, createEntryPoint, readEntryPoint} = createCustomPhase();
		const {id} = await createEntryPoint('ssl');
		const path = `/zones/${zones.enterprise}/rulesets/${id}${dryRunQuery}`;
		expect((await simulator.fetch(request(path, {method: 'DELETE'}))).status).toBe(204);
		expect((await readEntryPoint()).version).toBe('1');
	});

	test('for POST of a ruleset creates none', async () => {
		const {rulesets: callRulesets} = createCustomPhase();
		expect((await callRulesets('POST', dryRunQuery, {name: 'n', kind: 'zone', phase})).result).toBeNull();
		expect((await callRulesets('GET', customEntryPoint)).status).toBe(404);
	});

	test('reports errors', async () => {
		const {rulesets: callRulesets} = createCustomPhase();
		const response = await callRulesets('PUT', `${customEntryPoint}${dryRunQuery}`, {
			rules: [buildBlockRule('ssl', {action: 'blok'})],
		});
		expect(getFirstError(response)).toEqual([400, 20217, '/rules/0/action']);
	});

	test('is like no parameter with dry_run=false', async () => {
		const {rulesets: callRulesets} = createCustomPhase();
		const response = await callRulesets('PUT', `${customEntryPoint}?dry_run=false`, {rules: []});
		expect(response.status).toBe(200);
		expect((await callRulesets('GET', customEntryPoint)).status).toBe(200);
	});

	test.each([
		'1',
		'',
		'TRUE',
	])('has no other value than true and false: dry_run=%s gives 400 and changes nothing', async value => {
		const {rulesets: callRulesets} = createCustomPhase();
		const response = await callRulesets('PUT', `${customEntryPoint}?dry_run=${value}`, {rules: []});
		expect(response.status).toBe(400);
		expect((await callRulesets('GET', customEntryPoint)).status).toBe(404);
	});
});
