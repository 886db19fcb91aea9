import {afterAll, describe, expect, test} from 'vitest';
import {createSimulator} from '../../../source/simulator/simulator.ts';
import {buildRawResponse, damages, startFaultyLine} from '../../support/faulty-line.ts';
import {createVirtualClock, ledge} from '../../support/run.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';
import {listInState, runDoctor} from './run-doctor.ts';

const areaNames = [
	'kv',
	'kvMetrics',
	'lists',
	'filters',
	'firewallRules',
	'customRules',
	'rateLimits',
	'managedRules',
	'migration',
	'previousRules',
	'events',
];

describe('doctor on a service that works', () => {
	test('reports that everything works, and sends one read per area', async () => {
		const {env, simulator} = await serveSimulator();
		const {code, stdout, stderr, report} = await runDoctor({env});
		expect(code, stdout).toBe(0);
		expect(stderr).toBe('');
		expect(report.ok).toBe(true);
		expect(listInState(report.checks, 'ok')).toEqual([
			...['program', 'terminal', 'state', 'configuration', 'context', 'baseUrl', 'proxy'],
			...['credential', 'token', 'accounts', 'zones', 'clock'],
			...areaNames,
		]);
		const calls = simulator.calls.list();
		expect(calls.length).toBe(3 + areaNames.length);
		for (const {method, path} of calls) expect(method).toBe(path.endsWith('/graphql') ? 'POST' : 'GET');
	});

	test('finds no difference in the answers about any zone', async () => {
		const {env} = await serveSimulator();
		const {stdout} = await ledge(['zones', '--json'], {env});
		const zones = JSON.parse(stdout) as {id: string; name: string}[];
		expect(zones.length).toBeGreaterThan(5);
		for (const {id, name} of zones) {
			const {report} = await runDoctor({env}, '--zone-id', id);
			expect(
				report.checks.flatMap(({differences}) => differences),
				name,
			).toEqual([]);
			expect(listInState(report.checks, 'failed'), name).toEqual([]);
		}
	});

	test('prints lines of at most 80 columns, without names of zones and namespaces', async () => {
		const {env} = await serveSimulator({faults: 'status=403 code=10000 path=filters'});
		const {stdout} = await ledge(['doctor', '--zone', 'acme.example'], {env});
		expect(stdout.split('\n').filter(line => [...line].length > 80)).toEqual([]);
		expect(stdout).toContain('→ Add the permission Zone → Firewall Services → Read');
		expect(stdout).toMatch(/^ok {7}key-value store {2}read works \(Account → Workers KV Storage → Read\)$/m);
		expect(stdout).not.toMatch(/acme|\bCONFIG\b|SESSIONS|d0e032749968114a/);
	});

	test('checks the named zone, and says if there is none of that name', async () => {
		const {env} = await serveSimulator();
		const named = await runDoctor({env}, '--zone', 'done.acme.example');
		expect(named.getCheck('filters')).toMatchObject({state: 'note', http: 410});
		expect(named.getCheck('previousRules')).toMatchObject({state: 'note', http: 410});
		expect(named.code).toBe(0);
		const missing = await runDoctor({env}, '--zone', 'nowhere.example');
		expect(missing.getCheck('zones')).toMatchObject({
			state: 'failed',
			finding: '13 zones reachable, but not the named one',
		});
		expect(missing.getCheck('filters')).toMatchObject({
			state: 'skipped',
			finding: 'not checked: no zone selected',
		});
		expect(missing.code).toBe(1);
	});

	test('says by how much the clocks differ', async () => {
		const {env} = await serveSimulator();
		const check = async (offset: number) =>
			(await runDoctor({env, clock: createVirtualClock(Date.now() + offset)})).getCheck('clock');
		expect(await check(0)).toMatchObject({state: 'ok'});
		expect(await check(-3_600_000)).toMatchObject({state: 'note'});
		expect((await check(3_600_000)).finding).toMatch(/^3(599|600|601) s ahead of the service's$/);
	});

	test('asks for an account if there are several', async () => {
		const {env} = await serveSimulator({accounts: 2});
		const {code, getCheck} = await runDoctor({env});
		expect(getCheck('accounts').finding).toBe('2 accounts reachable, none chosen');
		expect(getCheck('kv')).toMatchObject({state: 'skipped', finding: 'not checked: no account selected'});
		expect(code).toBe(0);
	});
});

describe('a token with limited permissions', () => {
	const grants = [
		'account:read',
		'zone:read',
		'kv:read',
		'firewall:read',
		'waf:read',
		'lists:read',
		'account-analytics:read',
		'zone-analytics:read',
	] as const;

	test.each([
		['kv:read', ['kv'], 'Account → Workers KV Storage → Read'],
		['firewall:read', ['filters', 'firewallRules', 'previousRules'], 'Zone → Firewall Services → Read'],
		['waf:read', ['customRules', 'rateLimits', 'managedRules', 'migration'], 'Zone → WAF → Read'],
		['lists:read', ['lists'], 'Account → Account Filter Lists → Read'],
		['account-analytics:read', ['kvMetrics'], 'Account → Account Analytics → Read'],
		['zone-analytics:read', ['events'], 'Zone → Analytics → Read'],
		['zone:read', ['zones'], 'Zone → Zone → Read'],
	] as const)('without %s fails %j, and names what is missing', async (missing, failed, permission) => {
		const {env} = await serveSimulator({
			tokens: [{value: 'limited', grants: grants.filter(grant => grant !== missing)}],
		});
		const {code, report, getCheck} = await runDoctor({env: {...env, CLOUDFLARE_API_TOKEN: 'limited'}});
		expect(code).toBe(1);
		expect(listInState(report.checks, 'failed')).toEqual(failed);
		for (const name of failed) expect(getCheck(name).next).toContain(permission);
	});

	test.each(['disabled', 'expired'] as const)('that is %s is reported', async status => {
		const {env} = await serveSimulator({tokens: [{value: 'old', status}]});
		const {code, getCheck} = await runDoctor({env: {...env, CLOUDFLARE_API_TOKEN: 'old'}});
		expect(code).toBe(1);
		expect(getCheck('token')).toMatchObject({state: 'failed', finding: status});
	});

	test('of an account, which the service verifies elsewhere, is a note', async () => {
		const {env} = await serveSimulator({faults: 'status=401 code=1000 path=/verify'});
		const {code, getCheck} = await runDoctor({env});
		expect(code).toBe(0);
		expect(getCheck('token').state).toBe('note');
	});
});

describe('a service that fails', () => {
	const simulator = createSimulator({rateLimit: false});
	const listening = startFaultyLine(simulator);
	afterAll(async () => {
		await (await listening)[Symbol.asyncDispose]();
		simulator.close();
	});

	const faults = [
		...[400, 401, 403, 404, 405, 409, 410, 429, 500, 502, 503, 504].map(
			status => `status=${status} message=SECRET`,
		),
		...['html=200', 'html=403', 'html=503', 'empty-errors', 'lost-answer', 'reset=10', 'hang'],
		'redirect=https://secret.invalid/SECRET',
		'status=429 retry-after=300 message=SECRET',
	];

	test.each(faults)('in every answer (%s) is reported in one line per check', async fault => {
		const {env} = await serveSimulator({faults: fault});
		const {code, stdout, report} = await runDoctor({env: {...env, LEDGE_TIME_SCALE: '0.001'}});
		expect(code).toBe(1);
		expect(stdout).not.toMatch(/secret/i);
		for (const {finding} of report.checks) expect(finding).toMatch(/^[^\n]{3,120}$/);
	});

	test.each(areaNames)('only in %s leaves the other checks alone', async name => {
		const path = {
			kv: '/kv/namespaces',
			kvMetrics: '/graphql times=1',
			lists: '/rules/lists',
			filters: '/filters',
			firewallRules: '/firewall/rules',
			customRules: '/http_request_firewall_custom/',
			rateLimits: '/http_ratelimit/',
			managedRules: '/http_request_firewall_managed/',
			migration: '/waf_migration/',
			previousRules: '/waf/packages',
			events: '/graphql after=1',
		}[name];
		const {env} = await serveSimulator({faults: `status=500 path=${path}`});
		const {code, report} = await runDoctor({env});
		expect(code).toBe(1);
		expect(listInState(report.checks, 'failed')).toEqual([name]);
	});

	test('in the way of the old API, or with a notice of its end, is a note', async () => {
		const {env} = await serveSimulator({faults: 'status=504 path=/firewall/rules; status=410 path=/filters'});
		const {code, getCheck} = await runDoctor({env});
		expect(code).toBe(0);
		expect(getCheck('firewallRules')).toMatchObject({state: 'note', http: 504});
		expect(getCheck('filters')).toMatchObject({
			state: 'note',
			http: 410,
			next: 'Use custom rules instead: ledge rules.',
		});
	});

	test.each(Object.keys(damages))('with %s is survived', async name => {
		const line = await listening;
		const reply = damages[name];
		if (!reply) throw new Error(name);
		line.setFault({matches: () => true, when: 'before the effect', reply});
		const {code, report} = await runDoctor({env: {...line.env, LEDGE_TIME_SCALE: '0.001'}});
		expect(code).toBe(1);
		expect(report.checks.map(check => check.name)).toEqual(expect.arrayContaining(areaNames));
		for (const {method, path} of line.arrived())
			expect(method, path).toBe(/graphql$/.test(path) ? 'POST' : 'GET');
	});

	test('with fields of other types reports their paths and types, never their values', async () => {
		const line = await listening;
		const result = [
			{id: 7, title: 'SECRET', supports_url_encoding: 'SECRET', extra: 'SECRET'},
			{id: 'SECRET', title: 'SECRET', jurisdiction: ['SECRET'], extra: 'SECRET', more: 1},
			{id: 'SECRET'},
		];
		line.setFault({
			matches: ({path}) => path.includes('/kv/namespaces'),
			when: 'before the effect',
			reply: {
				bytes: buildRawResponse(200, JSON.stringify({success: true, result}), {
					'content-type': 'application/json',
				}),
			},
		});
		const {code, stdout, getCheck} = await runDoctor({env: line.env});
		expect(code).toBe(1);
		expect(stdout).not.toContain('SECRET');
		const {state, finding, differences, unknownFields} = getCheck('kv');
		expect({state, finding, unknownFields}).toEqual({
			state: 'failed',
			finding: 'the answer lacks what ledge needs',
			unknownFields: 2,
		});
		expect(differences).toEqual([
			{path: 'result[].id', expected: 'string', received: 'number', isRequired: true},
			{path: 'result[].supports_url_encoding', expected: 'boolean', received: 'string', isRequired: false},
			{path: 'result[].jurisdiction', expected: 'string', received: 'list', isRequired: false},
			{path: 'result[].title', expected: 'any', received: 'missing', isRequired: true},
		]);
		const text = await ledge(['doctor'], {env: line.env});
		expect(text.stdout).toContain('result[].title: missing\n');
		expect(text.stdout).not.toContain('SECRET');
	});

	test('with notices of retirement reports their codes', async () => {
		const line = await listening;
		line.setFault({
			matches: ({path}) => path.includes('/filters'),
			when: 'before the effect',
			reply: {
				bytes: buildRawResponse(
					200,
					JSON.stringify({success: true, result: [], messages: [{code: 10_035, message: 'SECRET'}]}),
					{'content-type': 'application/json'},
				),
			},
		});
		const {code, stdout, getCheck} = await runDoctor({env: line.env});
		expect(code).toBe(0);
		expect(getCheck('filters')).toMatchObject({state: 'note', codes: [10_035]});
		expect(stdout).not.toContain('SECRET');
	});
});
