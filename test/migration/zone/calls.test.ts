import {setImmediate as nextTurn} from 'node:timers/promises';
import {describe, expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import {
	describeServiceResponses,
	resolveMigrationStage,
} from '../../../source/migration/machine/resolve-stage.ts';
import {
	readMigrationCheck,
	readMigrationStatus,
	readObservation,
	readProposedConfiguration,
	readStage,
} from '../../../source/migration/zone/calls.ts';
import type {ZonePlan} from '../../../source/service/plan.ts';
import {buildEnvelope, buildErrorResponse, neverAbortedSignal} from '../../service/scripted-transport.ts';
import {createZoneClient, entryPointPath, zone} from '../support/answers.ts';

const createPage = (status: number) =>
	new Response('<html>Attention Required!</html>', {status, headers: {'content-type': 'text/html'}});

const executeRule = {action: 'execute', expression: 'true', action_parameters: {id: 'efb7'}};

describe('the compatibility check', () => {
	const readCheck = (response: object | null | (() => Response), plan: ZonePlan | undefined = 'business') =>
		readMigrationCheck(
			createZoneClient({'GET /waf_migration/check': response}).client,
			{...zone, plan},
			neverAbortedSignal,
		);

	test('asks about the second phase', async () => {
		const service = createZoneClient({
			'GET /waf_migration/check': {compatible: true, migration_state: 'start'},
		});
		expect(await readMigrationCheck(service.client, zone, neverAbortedSignal)).toMatchObject({
			compatible: true,
			state: 'start',
		});
		expect(service.listRequests()).toEqual(['GET /waf_migration/check?phase_two=1']);
	});

	test('gives no state for a zone that is not compatible', async () => {
		expect(await readCheck({compatible: false})).toMatchObject({compatible: false, state: undefined});
	});

	test.each([
		['403', () => buildErrorResponse(403, [{message: 'not on your plan'}])],
		['no result', () => buildEnvelope(null)],
	])('finds a zone of the Free plan (%s) not eligible, and says why', async (_name, response) => {
		await expect(readCheck(response, 'free')).rejects.toMatchObject({
			code: 'not_eligible',
			next: expect.stringContaining('Free plan'),
		});
	});

	test.each([
		['a page of the edge', () => createPage(403), 'blocked'],
		['a page that is not found', () => createPage(404), 'blocked'],
		['403 without errors', () => buildErrorResponse(403, []), 'refused_by_service'],
		['403 without a code', () => buildErrorResponse(403, [{message: 'no'}]), 'refused_by_service'],
		['404 without errors', () => buildErrorResponse(404, []), 'refused_by_service'],
		['no result', () => buildEnvelope(null), 'answer_malformed'],
		['a page with 200', () => createPage(200), 'answer_malformed'],
	])('does not blame the plan of a zone if the response is %s', async (_name, response, code) => {
		for (const plan of ['business', undefined] as const)
			await expect(readCheck(response, plan)).rejects.toMatchObject({code});
		if (code === 'blocked') await expect(readCheck(response, 'free')).rejects.toMatchObject({code});
	});

	test('does not mistake a token without the permission for the Free plan', async () => {
		const refusal = () => buildErrorResponse(403, [{code: 10000, message: 'Authentication error'}]);
		await expect(readCheck(refusal)).rejects.toMatchObject({code: 'credential_refused'});
	});

	test.each(['yes', 1, null, undefined])('does not take "compatible": %s for yes', async compatible => {
		await expect(readCheck({compatible})).rejects.toMatchObject({code: 'answer_malformed'});
	});

	test('that the service has retired is reported as retired', async () => {
		await expect(readCheck(() => buildErrorResponse(410, null))).rejects.toMatchObject({
			code: 'gone',
			message: 'The service has retired the migration check.',
			next: expect.stringContaining('Rulesets API'),
		});
	});
});

describe('the stage', () => {
	const compatible = {compatible: true, state: undefined};
	const incompatible = {compatible: false, state: undefined};
	const createStatus = (state: string | undefined, newWaf?: string, oldWaf?: string) => ({
		state,
		newWaf,
		oldWaf,
		created: undefined,
		source: undefined,
	});

	test.each([
		['start', 'previous'],
		['default', 'previous'],
		['validation', 'validation'],
		['pending', 'pending'],
		['complete', 'complete'],
		['rollback', 'unknown'],
		['COMPLETE', 'unknown'],
		['', 'unknown'],
	])('for migration_state "%s" is %s', (state, stage) => {
		expect(resolveMigrationStage(compatible, createStatus(state))).toBe(stage);
	});

	test('follows the status rather than the check', () => {
		expect(resolveMigrationStage({compatible: true, state: 'start'}, createStatus('validation'))).toBe(
			'validation',
		);
	});

	test('follows the check if there is no status', () => {
		expect(resolveMigrationStage({compatible: true, state: 'start'}, undefined)).toBe('previous');
	});

	test('is "previous" for a zone that is not eligible and has no state', () => {
		expect(resolveMigrationStage(incompatible, undefined)).toBe('previous');
	});

	test('is unknown for an eligible zone without any state', () => {
		expect(resolveMigrationStage(compatible, undefined)).toBe('unknown');
	});

	test('is unknown if the responses contradict each other', () => {
		expect(resolveMigrationStage(incompatible, createStatus(undefined, 'enabled', 'disabled'))).toBe(
			'unknown',
		);
	});

	test.each([
		['start', 'enabled', 'disabled'],
		['default', 'enabled', 'disabled'],
		['default', 'enabled', 'enabled'],
		['complete', 'disabled', 'enabled'],
	])('for "%s" with the new version %s and the previous one %s is unknown', (state, newWaf, oldWaf) => {
		expect(resolveMigrationStage(compatible, createStatus(state, newWaf, oldWaf))).toBe('unknown');
	});

	test.each([
		['start', 'validation'],
		['start', 'pending'],
		['start', 'complete'],
		['start', 'paused'],
		['default', 'complete'],
		['validation', 'complete'],
		['complete', 'paused'],
	])('is unknown if the status says "%s", and the check already says "%s"', (state, checkState) => {
		expect(resolveMigrationStage({compatible: true, state: checkState}, createStatus(state))).toBe('unknown');
	});

	test.each([7, true, {}, ['start']])('is unknown if its name is %j', async state => {
		for (const path of ['check', 'status']) {
			const service = createZoneClient({
				'GET /waf_migration/check': {compatible: true, migration_state: 'start'},
				'GET /waf_migration/status': {migration_state: 'start'},
				[`GET /waf_migration/${path}`]: {compatible: true, migration_state: state},
			});
			expect(await readStage(service.client, zone, neverAbortedSignal)).toBe('unknown');
		}
	});

	test('is reported with both responses if unknown', () => {
		expect(
			describeServiceResponses(
				{compatible: true, state: 'complete'},
				createStatus('start', 'enabled', 'disabled'),
			),
		).toBe(
			'The check reports: compatible, state "complete". The status reports: state "start", new version "enabled", previous version "disabled".',
		);
		expect(describeServiceResponses(incompatible, undefined)).toBe(
			'The check reports: not compatible. The status reports: nothing.',
		);
	});
});

describe('the status', () => {
	test('keeps an unknown word as it is', async () => {
		const {client} = createZoneClient({
			'GET /waf_migration/status': {migration_state: 'paused', old_waf_status: 'half'},
		});
		expect(await readMigrationStatus(client, zone.id, neverAbortedSignal)).toMatchObject({
			state: 'paused',
			oldWaf: 'half',
			newWaf: undefined,
		});
	});

	test('is absent if the service does not report it', async () => {
		const {client} = createZoneClient({
			'GET /waf_migration/status': () => buildErrorResponse(404, [{message: 'no status'}]),
		});
		expect(await readMigrationStatus(client, zone.id, neverAbortedSignal)).toBeUndefined();
	});

	test('of a zone that does not exist is a failure, not a missing status', async () => {
		await expect(
			readMigrationStatus(createZoneClient({}).client, zone.id, neverAbortedSignal),
		).rejects.toMatchObject({
			code: 'not_found',
		});
	});
});

test.each([
	'9007199254740993',
	'1e400',
])('a proposal with the number %s cannot be sent unchanged', async number => {
	const text = `{"success": true, "result": {"name": "default", "rules": [{"score_threshold": ${number}}]}}`;
	const {client} = createZoneClient({'GET /waf_migration/config': () => new Response(text)});
	await expect(readProposedConfiguration(client, zone.id, neverAbortedSignal)).rejects.toMatchObject({
		code: 'answer_malformed',
		message: expect.stringContaining(number),
	});
});

test('unknown fields of the proposal are kept', async () => {
	const rule = {...executeRule, id: '', version: '', ref: '', categories: ['new'], ratelimit: {period: 10}};
	const {client} = createZoneClient({
		'GET /waf_migration/config': {name: 'default', rules: [rule], note: 'x'},
	});
	const {configuration, raw} = await readProposedConfiguration(client, zone.id, neverAbortedSignal);
	expect(configuration.rules).toEqual([rule]);
	expect(raw).toEqual({name: 'default', rules: [rule], note: 'x'});
});

test('a malformed proposal is an error of the service', async () => {
	const {client} = createZoneClient({'GET /waf_migration/config': {rules: [{expression: 'true'}]}});
	await expect(readProposedConfiguration(client, zone.id, neverAbortedSignal)).rejects.toMatchObject({
		code: 'answer_malformed',
	});
});

describe('an observation', () => {
	const responses = {
		'GET /waf_migration/check': {compatible: true, migration_state: 'start'},
		'GET /waf_migration/status': {
			migration_state: 'start',
			new_waf_status: 'disabled',
			old_waf_status: 'enabled',
		},
		[`GET ${entryPointPath}`]: {
			id: 'e',
			name: 'default',
			version: '4',
			rules: [{...executeRule, id: 'r', version: '1'}],
		},
	};

	test('combines check, status and entry point', async () => {
		expect(await readObservation(createZoneClient(responses).client, zone, neverAbortedSignal)).toMatchObject(
			{
				stage: 'previous',
				check: {compatible: true, state: 'start'},
				status: {newWaf: 'disabled'},
				entryPoint: {
					id: 'e',
					version: '4',
					rules: 1,
					fingerprint: computeFingerprint({rules: [executeRule]}),
				},
			},
		);
	});

	test('needs no check after the end', async () => {
		const {client} = createZoneClient({
			...responses,
			'GET /waf_migration/check': () => buildErrorResponse(410, null),
			'GET /waf_migration/status': {migration_state: 'complete'},
		});
		expect(await readObservation(client, zone, neverAbortedSignal)).toMatchObject({
			stage: 'complete',
			check: {compatible: false},
		});
	});

	test('fails before the end if the check is refused', async () => {
		const {client} = createZoneClient({
			...responses,
			'GET /waf_migration/check': () => buildErrorResponse(403, []),
		});
		await expect(readObservation(client, zone, neverAbortedSignal)).rejects.toMatchObject({
			code: 'refused_by_service',
		});
	});

	test('reports the refusal of the check if status and entry point are refused, too', async () => {
		const refusal = () => buildErrorResponse(403, [{message: 'not on your plan'}]);
		const {client} = createZoneClient({
			'GET /waf_migration/check': async () => {
				await new Promise(done => setImmediate(done));
				return refusal();
			},
			'GET /waf_migration/status': refusal,
			[`GET ${entryPointPath}`]: refusal,
		});
		const free = {...zone, plan: 'free'} as const;
		await expect(readObservation(client, free, neverAbortedSignal)).rejects.toMatchObject({
			code: 'not_eligible',
		});
	});

	test.each([
		['status', 'GET /waf_migration/status'],
		['entry point', `GET ${entryPointPath}`],
	])('fails if the %s is refused but the check is not', async (_what, call) => {
		const {client} = createZoneClient({
			...responses,
			[call]: () => buildErrorResponse(403, [{message: 'no'}]),
		});
		await expect(readObservation(client, zone, neverAbortedSignal)).rejects.toMatchObject({
			code: 'refused_by_service',
		});
	});

	test('is as old as its first response', async () => {
		const service = createZoneClient({
			...responses,
			'GET /waf_migration/status': async () => {
				await nextTurn();
				service.clock.advance(11_000);
				return buildEnvelope({migration_state: 'start'});
			},
		});
		const startedAt = service.clock.now();
		expect((await readObservation(service.client, zone, neverAbortedSignal)).at).toBe(startedAt);
		expect(service.clock.now()).toBe(startedAt + 11_000);
	});

	test('reports the first failure, not the calls that were stopped because of it', async () => {
		const {client} = createZoneClient({
			...responses,
			'GET /waf_migration/status': () => buildErrorResponse(401, [{code: 10000, message: 'no'}]),
		});
		await expect(readObservation(client, zone, neverAbortedSignal)).rejects.toMatchObject({
			code: 'credential_refused',
		});
	});
});
