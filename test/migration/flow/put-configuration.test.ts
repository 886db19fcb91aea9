import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {putConfiguration} from '../../../source/migration/flow/put-configuration.ts';
import type {Client} from '../../../source/service/client.ts';
import {envelope, never, refused} from '../../service/scripted-transport.ts';
import {answering, entryPointPath, zone} from '../support/answers.ts';

const execute = {action: 'execute', expression: 'true', action_parameters: {id: 'efb7'}};

describe('putting a configuration', () => {
	const put = `PUT ${entryPointPath}`;
	const configuration = {
		name: 'default',
		rules: [{...execute, id: 'r', version: '2', ref: 'r', enabled: true}],
	};

	const rested = ({clock}: Client) => ({configuration, oldestReadingAt: clock.now()});

	test.each([
		'validation',
		'pending',
	] as const)('%s is sent once, without ids, versions and refs', async mode => {
		const at = answering({[put]: {id: 'e', name: 'default', version: '5', rules: [execute]}});
		expect(await putConfiguration(at.client, zone.id, mode, rested(at.client), never)).toMatchObject({
			version: '5',
		});
		expect(at.asked()).toEqual([`${put}?waf_migration=${mode}&phase_two=1`]);
		const [rule] = JSON.parse(String(at.sent[0]?.body)).rules;
		expect(Object.keys(rule)).not.toEqual(
			expect.arrayContaining([expect.stringMatching(/^(id|version|ref)$/)]),
		);
		expect(rule).toMatchObject(execute);
	});

	test.each([500, 429, 504])('is never repeated automatically after %s', async code => {
		const at = answering({[put]: () => refused(code, [])});
		await expect(putConfiguration(at.client, zone.id, 'pending', rested(at.client), never)).rejects.toThrow();
		expect(at.sent).toHaveLength(1);
	});

	test('an answer that says only "success" is a success', async () => {
		const {client} = answering({[put]: () => envelope(null)});
		expect(await putConfiguration(client, zone.id, 'pending', rested(client), never)).toBeUndefined();
	});

	test('a dry run shows the PUT and sends nothing', async () => {
		const shown: string[] = [];
		const at = answering({}, {dryRun: true, events: {planned: ({method}) => void shown.push(method)}});
		await putConfiguration(at.client, zone.id, 'pending', rested(at.client), never);
		expect(shown).toEqual(['PUT']);
		expect(at.sent).toEqual([]);
	});
});

test('putting a configuration is only possible through the guarded sending code', () => {
	const root = new URL('../../../source/', import.meta.url).pathname;
	const naming = readdirSync(root, {recursive: true, encoding: 'utf8'}).filter(
		name => /\.tsx?$/.test(name) && readFileSync(join(root, name), 'utf8').includes('put-configuration.ts'),
	);
	expect(naming).toEqual([join('migration', 'flow', 'sending.ts')]);
});
