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
import {envelope, never, refused} from '../../service/scripted-transport.ts';
import {answering, entryPointPath, zone} from '../support/answers.ts';

const page = (status: number) =>
	new Response('<html>Attention Required!</html>', {status, headers: {'content-type': 'text/html'}});

const execute = {action: 'execute', expression: 'true', action_parameters: {id: 'efb7'}};

describe('the compatibility check', () => {
	const asked = (answer: object | null | (() => Response), plan: ZonePlan | undefined = 'business') =>
		readMigrationCheck(answering({'GET /waf_migration/check': answer}).client, {...zone, plan}, never);

	test('asks about the second phase', async () => {
		const at = answering({'GET /waf_migration/check': {compatible: true, migration_state: 'start'}});
		expect(await readMigrationCheck(at.client, zone, never)).toMatchObject({
			compatible: true,
			state: 'start',
		});
		expect(at.asked()).toEqual(['GET /waf_migration/check?phase_two=1']);
	});

	test('gives no state for a zone that is not compatible', async () => {
		expect(await asked({compatible: false})).toMatchObject({compatible: false, state: undefined});
	});

	test.each([
		['403', () => refused(403, [{message: 'not on your plan'}])],
		['no result', () => envelope(null)],
	])('finds a zone of the Free plan (%s) not eligible, and says why', async (_name, answer) => {
		await expect(asked(answer, 'free')).rejects.toMatchObject({
			code: 'not_eligible',
			next: expect.stringContaining('Free plan'),
		});
	});

	test.each([
		['a page of the edge', () => page(403), 'blocked'],
		['a page that is not found', () => page(404), 'blocked'],
		['403 without errors', () => refused(403, []), 'refused_by_service'],
		['403 without a code', () => refused(403, [{message: 'no'}]), 'refused_by_service'],
		['404 without errors', () => refused(404, []), 'refused_by_service'],
		['no result', () => envelope(null), 'answer_malformed'],
		['a page with 200', () => page(200), 'answer_malformed'],
	])('says nothing about the plan of a zone if it is answered by %s', async (_name, answer, code) => {
		for (const plan of ['business', undefined] as const)
			await expect(asked(answer, plan)).rejects.toMatchObject({code});
		if (code === 'blocked') await expect(asked(answer, 'free')).rejects.toMatchObject({code});
	});

	test('does not mistake a token without the permission for the Free plan', async () => {
		const refusal = () => refused(403, [{code: 10000, message: 'Authentication error'}]);
		await expect(asked(refusal)).rejects.toMatchObject({code: 'credential_refused'});
	});

	test.each(['yes', 1, null, undefined])('does not take "compatible": %s for yes', async compatible => {
		await expect(asked({compatible})).rejects.toMatchObject({code: 'answer_malformed'});
	});

	test('that the service has retired is reported as retired', async () => {
		await expect(asked(() => refused(410, null))).rejects.toMatchObject({
			code: 'gone',
			message: 'The service has retired the migration check.',
			next: expect.stringContaining('Rulesets API'),
		});
	});
});

describe('the stage', () => {
	const compatible = {compatible: true, state: undefined};
	const incompatible = {compatible: false, state: undefined};
	const said = (state: string | undefined, newWaf?: string, oldWaf?: string) => ({
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
		expect(resolveMigrationStage(compatible, said(state))).toBe(stage);
	});

	test('follows the status rather than the check', () => {
		expect(resolveMigrationStage({compatible: true, state: 'start'}, said('validation'))).toBe('validation');
	});

	test('follows the check if there is no status', () => {
		expect(resolveMigrationStage({compatible: true, state: 'start'}, undefined)).toBe('previous');
	});

	test('is the beginning for a zone that is not eligible and has no state', () => {
		expect(resolveMigrationStage(incompatible, undefined)).toBe('previous');
	});

	test('is unknown for an eligible zone without any state', () => {
		expect(resolveMigrationStage(compatible, undefined)).toBe('unknown');
	});

	test('is unknown if the answers contradict each other', () => {
		expect(resolveMigrationStage(incompatible, said(undefined, 'enabled', 'disabled'))).toBe('unknown');
	});

	test.each([
		['start', 'enabled', 'disabled'],
		['default', 'enabled', 'disabled'],
		['default', 'enabled', 'enabled'],
		['complete', 'disabled', 'enabled'],
	])('for "%s" with the new version %s and the previous one %s is unknown', (state, now, before) => {
		expect(resolveMigrationStage(compatible, said(state, now, before))).toBe('unknown');
	});

	test.each([
		['start', 'validation'],
		['start', 'pending'],
		['start', 'complete'],
		['start', 'paused'],
		['default', 'complete'],
		['validation', 'complete'],
		['complete', 'paused'],
	])('is unknown if the status says "%s", and the check already says "%s"', (state, checked) => {
		expect(resolveMigrationStage({compatible: true, state: checked}, said(state))).toBe('unknown');
	});

	test.each([7, true, {}, ['start']])('is unknown if its name is %j', async state => {
		for (const path of ['check', 'status']) {
			const at = answering({
				'GET /waf_migration/check': {compatible: true, migration_state: 'start'},
				'GET /waf_migration/status': {migration_state: 'start'},
				[`GET /waf_migration/${path}`]: {compatible: true, migration_state: state},
			});
			expect(await readStage(at.client, zone, never)).toBe('unknown');
		}
	});

	test('is reported with both answers if unknown', () => {
		expect(
			describeServiceResponses({compatible: true, state: 'complete'}, said('start', 'enabled', 'disabled')),
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
		const {client} = answering({
			'GET /waf_migration/status': {migration_state: 'paused', old_waf_status: 'half'},
		});
		expect(await readMigrationStatus(client, zone.id, never)).toMatchObject({
			state: 'paused',
			oldWaf: 'half',
			newWaf: undefined,
		});
	});

	test('is absent if the service does not report it', async () => {
		const {client} = answering({'GET /waf_migration/status': () => refused(404, [{message: 'no status'}])});
		expect(await readMigrationStatus(client, zone.id, never)).toBeUndefined();
	});

	test('of a zone that does not exist is a failure, not a missing status', async () => {
		await expect(readMigrationStatus(answering({}).client, zone.id, never)).rejects.toMatchObject({
			code: 'not_found',
		});
	});
});

test.each([
	'9007199254740993',
	'1e400',
])('a proposal with the number %s cannot be sent unchanged', async number => {
	const text = `{"success": true, "result": {"name": "default", "rules": [{"score_threshold": ${number}}]}}`;
	const {client} = answering({'GET /waf_migration/config': () => new Response(text)});
	await expect(readProposedConfiguration(client, zone.id, never)).rejects.toMatchObject({
		code: 'answer_malformed',
		message: expect.stringContaining(number),
	});
});

test('unknown fields of the proposal are kept', async () => {
	const rule = {...execute, id: '', version: '', ref: '', categories: ['new'], ratelimit: {period: 10}};
	const {client} = answering({'GET /waf_migration/config': {name: 'default', rules: [rule], note: 'x'}});
	const {configuration, raw} = await readProposedConfiguration(client, zone.id, never);
	expect(configuration.rules).toEqual([rule]);
	expect(raw).toEqual({name: 'default', rules: [rule], note: 'x'});
});

test('a malformed proposal is an error of the service', async () => {
	const {client} = answering({'GET /waf_migration/config': {rules: [{expression: 'true'}]}});
	await expect(readProposedConfiguration(client, zone.id, never)).rejects.toMatchObject({
		code: 'answer_malformed',
	});
});

describe('an observation', () => {
	const answers = {
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
			rules: [{...execute, id: 'r', version: '1'}],
		},
	};

	test('combines check, status and entry point', async () => {
		expect(await readObservation(answering(answers).client, zone, never)).toMatchObject({
			stage: 'previous',
			check: {compatible: true, state: 'start'},
			status: {newWaf: 'disabled'},
			entryPoint: {id: 'e', version: '4', rules: 1, fingerprint: computeFingerprint({rules: [execute]})},
		});
	});

	test('needs no check after the end', async () => {
		const {client} = answering({
			...answers,
			'GET /waf_migration/check': () => refused(410, null),
			'GET /waf_migration/status': {migration_state: 'complete'},
		});
		expect(await readObservation(client, zone, never)).toMatchObject({
			stage: 'complete',
			check: {compatible: false},
		});
	});

	test('fails before the end if the check is refused', async () => {
		const {client} = answering({...answers, 'GET /waf_migration/check': () => refused(403, [])});
		await expect(readObservation(client, zone, never)).rejects.toMatchObject({code: 'refused_by_service'});
	});

	test('whose status and entry point are also refused reports the meaning of the check', async () => {
		const refusal = () => refused(403, [{message: 'not on your plan'}]);
		const {client} = answering({
			'GET /waf_migration/check': async () => {
				await new Promise(done => setImmediate(done));
				return refusal();
			},
			'GET /waf_migration/status': refusal,
			[`GET ${entryPointPath}`]: refusal,
		});
		const free = {...zone, plan: 'free'} as const;
		await expect(readObservation(client, free, never)).rejects.toMatchObject({code: 'not_eligible'});
	});

	test.each([
		['status', 'GET /waf_migration/status'],
		['entry point', `GET ${entryPointPath}`],
	])('with a refused %s fails for a zone that has its check', async (_what, call) => {
		const {client} = answering({...answers, [call]: () => refused(403, [{message: 'no'}])});
		await expect(readObservation(client, zone, never)).rejects.toMatchObject({code: 'refused_by_service'});
	});

	test('is as old as the first of its answers', async () => {
		const at = answering({
			...answers,
			'GET /waf_migration/status': async () => {
				await nextTurn();
				at.clock.advance(11_000);
				return envelope({migration_state: 'start'});
			},
		});
		const began = at.clock.now();
		expect((await readObservation(at.client, zone, never)).at).toBe(began);
		expect(at.clock.now()).toBe(began + 11_000);
	});

	test('reports the first failure, not the calls that were stopped because of it', async () => {
		const {client} = answering({
			...answers,
			'GET /waf_migration/status': () => refused(401, [{code: 10000, message: 'no'}]),
		});
		await expect(readObservation(client, zone, never)).rejects.toMatchObject({code: 'credential_refused'});
	});
});
