import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {putConfiguration} from '../../../source/migration/flow/put-configuration.ts';
import type {Client} from '../../../source/service/client.ts';
import {buildEnvelope, buildErrorResponse, neverAbortedSignal} from '../../service/scripted-transport.ts';
import {createZoneClient, entryPointPath, zone} from '../support/answers.ts';

const executeRule = {action: 'execute', expression: 'true', action_parameters: {id: 'efb7'}};

describe('putting a configuration', () => {
	const putRoute = `PUT ${entryPointPath}`;
	const configuration = {
		name: 'default',
		rules: [{...executeRule, id: 'r', version: '2', ref: 'r', enabled: true}],
	};

	const createFreshPut = ({clock}: Client) => ({configuration, oldestReadingAt: clock.now()});

	test.each([
		'validation',
		'pending',
	] as const)('%s is sent once, without ids, versions and refs', async mode => {
		const service = createZoneClient({
			[putRoute]: {id: 'e', name: 'default', version: '5', rules: [executeRule]},
		});
		expect(
			await putConfiguration(
				service.client,
				zone.id,
				mode,
				createFreshPut(service.client),
				neverAbortedSignal,
			),
		).toMatchObject({
			version: '5',
		});
		expect(service.listRequests()).toEqual([`${putRoute}?waf_migration=${mode}&phase_two=1`]);
		const [rule] = JSON.parse(String(service.sent[0]?.body)).rules;
		expect(Object.keys(rule)).not.toEqual(
			expect.arrayContaining([expect.stringMatching(/^(id|version|ref)$/)]),
		);
		expect(rule).toMatchObject(executeRule);
	});

	test.each([500, 429, 504])('is never repeated automatically after status %s', async code => {
		const service = createZoneClient({[putRoute]: () => buildErrorResponse(code, [])});
		await expect(
			putConfiguration(
				service.client,
				zone.id,
				'pending',
				createFreshPut(service.client),
				neverAbortedSignal,
			),
		).rejects.toThrow();
		expect(service.sent).toHaveLength(1);
	});

	test('a response without a result is a success', async () => {
		const {client} = createZoneClient({[putRoute]: () => buildEnvelope(null)});
		expect(
			await putConfiguration(client, zone.id, 'pending', createFreshPut(client), neverAbortedSignal),
		).toBeUndefined();
	});

	test('a dry run shows the PUT and sends nothing', async () => {
		const plannedMethods: string[] = [];
		const service = createZoneClient(
			{},
			{dryRun: true, events: {planned: ({method}) => void plannedMethods.push(method)}},
		);
		await putConfiguration(
			service.client,
			zone.id,
			'pending',
			createFreshPut(service.client),
			neverAbortedSignal,
		);
		expect(plannedMethods).toEqual(['PUT']);
		expect(service.sent).toEqual([]);
	});
});

test('putting a configuration is only possible through the guarded sending code', () => {
	const root = new URL('../../../source/', import.meta.url).pathname;
	const importingFiles = readdirSync(root, {recursive: true, encoding: 'utf8'}).filter(
		name => /\.tsx?$/.test(name) && readFileSync(join(root, name), 'utf8').includes('put-configuration.ts'),
	);
	expect(importingFiles).toEqual([join('migration', 'flow', 'sending.ts')]);
});
