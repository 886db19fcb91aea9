import {describe, expect, test} from 'vitest';
import {readManagedEntryPoint} from '../../../source/migration/zone/entry-point.ts';
import {buildErrorResponse, neverAbortedSignal} from '../../service/scripted-transport.ts';
import {createZoneClient, entryPointPath, zone} from '../support/answers.ts';

describe('the entry point', () => {
	const read = (answer: object | (() => Response)) =>
		readManagedEntryPoint(
			createZoneClient({[`GET ${entryPointPath}`]: answer}).client,
			zone.id,
			neverAbortedSignal,
		);

	test('is absent if none exists yet', async () => {
		const none = () =>
			buildErrorResponse(404, [{code: 10003, message: 'could not find entrypoint ruleset in the phase'}]);
		expect(await read(none)).toBeUndefined();
	});

	test('on a missing route is a failure', async () => {
		await expect(
			readManagedEntryPoint(createZoneClient({}).client, zone.id, neverAbortedSignal),
		).rejects.toMatchObject({
			code: 'not_found',
		});
	});

	test('without the list of rules has no rules', async () => {
		expect(await read({id: 'e', name: 'default', version: '3'})).toMatchObject({
			version: '3',
			configuration: {rules: []},
		});
	});

	test.each([
		{rules: []},
		{id: 'e', version: 3, rules: []},
		{id: 'e', version: '3', rules: [{action: 'execute'}]},
	])('that is malformed is never guessed at: %o', async answer => {
		await expect(read(answer)).rejects.toMatchObject({code: 'answer_malformed'});
	});
});
