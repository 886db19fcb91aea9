import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {managedRulesets, thresholdRuleId} from '../../../source/migration/configuration/mapping.ts';
import {errorOf} from '../../support/firewall.ts';
import {ledge} from '../../support/run.ts';
import {
	changeDuringWrite,
	type ManagedTestZone,
	migratedOwaspRuleId,
	migratedPlatformRuleId,
	openManagedZone,
	type ShownConfiguration,
	zone,
	zoneConfirmation,
} from './support.ts';

const {owasp} = managedRulesets;

describe('managed apply', () => {
	/** Writes the active configuration to managed.json, with this threshold. */
	async function writeConfiguration({json, cwd}: ManagedTestZone, points: number): Promise<void> {
		const shown = JSON.stringify(await json(['show']));
		writeFileSync(
			join(cwd, 'managed.json'),
			shown.replaceAll('"score_threshold":40', `"score_threshold":${points}`),
		);
	}

	test('shows the differences, sends them with fingerprint and name, and sends nothing the second time', async () => {
		const managedZone = await openManagedZone();
		const {run, takeWrites} = managedZone;
		await writeConfiguration(managedZone, 25);
		const shown = await run(['apply', 'managed.json']);
		expect(shown.code).toBe(2);
		expect(shown.stderr).toContain('25 or higher');
		expect(takeWrites()).toEqual([]);
		const [, fingerprint = ''] =
			/--fingerprint ([0-9a-f]{16}) --if-version 1 --confirm done\.acme\.example/.exec(shown.stderr) ?? [];
		const words = ['apply', 'managed.json', '--fingerprint', fingerprint];
		expect((await run([...words, '--yes'])).code).toBe(2);
		expect((await run([...words, '--confirm', 'acme.example'])).code).toBe(2);
		expect((await run([...words.slice(0, -1), '0000000000000000', ...zoneConfirmation])).code).toBe(2);
		expect(takeWrites()).toEqual([]);
		const done = await run([...words, ...zoneConfirmation]);
		expect(done.code, done.stderr).toBe(0);
		expect(takeWrites()).toMatchObject([
			{method: 'PATCH', path: expect.stringContaining(migratedOwaspRuleId)},
		]);
		const again = await run([...words, ...zoneConfirmation]);
		expect(again.code).toBe(0);
		expect(again.stderr).toContain('No difference');
		expect(takeWrites()).toEqual([]);
	});

	test('needs the fingerprint of the version shown, unless nothing differs', async () => {
		const managedZone = await openManagedZone();
		const {run, takeWrites} = managedZone;
		await writeConfiguration(managedZone, 25);
		const shown = await run(['apply', 'managed.json']);
		const [, fingerprint = ''] = /--fingerprint ([0-9a-f]{16})/.exec(shown.stderr) ?? [];
		await run(['edit', '--paranoia', '3']);
		takeWrites();
		const words = ['apply', 'managed.json', '--fingerprint', fingerprint, ...zoneConfirmation];
		const ended = await run([...words, '--if-version', '1', '--json']);
		expect(ended.code).toBe(1);
		expect(errorOf(ended).code).toBe('changed_meanwhile');
		expect(takeWrites()).toEqual([]);
		expect((await run([...words, '--if-version', '2'])).code).toBe(0);
		expect(takeWrites()).toHaveLength(1);
		expect((await run([...words, '--if-version', '2'])).code).toBe(0);
		expect(takeWrites()).toEqual([]);
	});

	test('accepts a configuration without ids, as printed by the migration, and keeps the ids', async () => {
		const {run, takeWrites, json, cwd, service} = await openManagedZone();
		const {stdout} = await ledge(['migration', 'export', '--zone', zone], {env: service.env, cwd});
		const {rules} = JSON.parse(stdout) as {rules: object[]};
		expect(JSON.stringify(rules)).not.toContain(migratedOwaspRuleId);
		const added = {action: 'skip', action_parameters: {rulesets: [owasp.id]}, expression: 'ssl'};
		writeFileSync(join(cwd, 'c.json'), JSON.stringify({name: 'default', rules: [added, ...rules]}));
		const shown = await run(['apply', 'c.json']);
		const [, fingerprint = ''] = /--fingerprint ([0-9a-f]{16})/.exec(shown.stderr) ?? [];
		const {code, stderr} = await run([
			'apply',
			'c.json',
			'--fingerprint',
			fingerprint,
			...zoneConfirmation,
			'--json',
		]);
		expect(code, stderr).toBe(0);
		expect(takeWrites()).toMatchObject([{method: 'POST', body: {action: 'skip', position: {index: 1}}}]);
		const now = await json<ShownConfiguration>(['show']);
		expect(now.rules.slice(1).map(({id}) => id)).toEqual([migratedPlatformRuleId, migratedOwaspRuleId]);
		expect(now.fingerprint).toBe(fingerprint);
	});

	test('changes nothing for the active configuration, confirmed or not', async () => {
		const managedZone = await openManagedZone();
		await writeConfiguration(managedZone, 40);
		expect((await managedZone.run(['apply', 'managed.json'])).code).toBe(0);
		expect(managedZone.takeWrites()).toEqual([]);
	});

	test.each([
		['not JSON', '{'],
		['not a configuration', '[]'],
		[
			'one id twice',
			JSON.stringify({
				rules: [{id: migratedOwaspRuleId}, {id: migratedOwaspRuleId}].map(one => ({
					...one,
					action: 'execute',
					expression: 'true',
				})),
			}),
		],
	])('sends nothing for a file that is %s', async (_what, text) => {
		const {run, takeWrites, cwd} = await openManagedZone();
		writeFileSync(join(cwd, 'managed.json'), text);
		const ended = await run(['apply', 'managed.json', '--json']);
		expect(ended.code).toBe(2);
		expect(errorOf(ended).code).toBe('input_malformed');
		expect(ended.stderr).not.toContain('migration config');
		expect(takeWrites()).toEqual([]);
	});

	test('refuses an id that is not in its ruleset', async () => {
		const {run, takeWrites, json, cwd} = await openManagedZone();
		const text = JSON.stringify(await json(['show'])).replaceAll(thresholdRuleId, 'f'.repeat(32));
		writeFileSync(join(cwd, 'managed.json'), text);
		const shown = await run(['apply', 'managed.json', '--dry-run']);
		expect(shown.code).toBe(2);
		expect(shown.stderr).toContain('OWASP Core Ruleset has no rule fff');
		expect(takeWrites()).toEqual([]);
	});

	test('reports a configuration changed by someone else during the write', async () => {
		const managedZone = await openManagedZone();
		const {run, service} = managedZone;
		await writeConfiguration(managedZone, 25);
		const shown = await run(['apply', 'managed.json']);
		const [, fingerprint = ''] = /--fingerprint ([0-9a-f]{16})/.exec(shown.stderr) ?? [];
		await changeDuringWrite(service, 'PATCH', {expression: 'ssl'});
		const ended = await run([
			'apply',
			'managed.json',
			'--fingerprint',
			fingerprint,
			...zoneConfirmation,
			'--json',
		]);
		expect(ended.code).toBe(1);
		expect(errorOf(ended).code).toBe('not_as_reviewed');
	});
});
