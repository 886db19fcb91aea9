import {readFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import {
	createMigratingZone,
	editedConfiguration,
	isPrivate,
	proposedConfiguration,
} from '../../support/migration.ts';
import {runInTerminal} from '../../terminal/pseudo-terminal.ts';

const completeState = {stage: 'complete', fingerprint: computeFingerprint(proposedConfiguration)};

test.each(['pro', 'business', 'enterprise'] as const)('a %s zone migrates in one step', async plan => {
	const zone = await createMigratingZone({plan});
	const ended = await zone.send('deploy', {words: ['--json']});
	expect(ended.code, ended.stderr).toBe(0);
	expect(await zone.readFinalState()).toEqual(completeState);
	expect(zone.writes()).toEqual(['PUT pending']);
	const result = JSON.parse(ended.stdout);
	expect(result).toMatchObject({state: 'complete', verification: {sameAsReviewed: true}});
	expect(readFileSync(result.report, 'utf8')).toContain('shop.example');
	expect((await zone.run(['report'])).stdout).toBe(readFileSync(join(zone.folder(), 'report.md'), 'utf8'));
	expect(zone.files().filter(path => !isPrivate(path))).toEqual([]);
	const again = await zone.send('deploy', {words: ['--json']});
	expect(again).toMatchObject({code: 5, stdout: ''});
	expect(JSON.parse(again.stderr).error.code).toBe('already_migrated');
});

test('an Enterprise zone goes through validation, with the same fingerprint in both modes', async () => {
	const zone = await createMigratingZone({plan: 'enterprise'});
	const validated = await zone.send('validate', {words: ['--json']});
	expect(validated.code, validated.stderr).toBe(0);
	const {state, next} = JSON.parse(validated.stdout);
	expect(state).toBe('validating');
	expect(await zone.readFinalState()).toEqual({...completeState, stage: 'validation'});
	// Runs the command in `next`.
	const words = next.split(' ').slice(2);
	const ended = await zone.run(words.slice(0, words.indexOf('--zone-id')));
	expect(ended.code, ended.stderr).toBe(0);
	expect(await zone.readFinalState()).toEqual(completeState);
	expect(zone.writes()).toEqual(['PUT validation', 'PUT pending']);
});

test('an edited configuration is validated again before it becomes the only version', async () => {
	const zone = await createMigratingZone({plan: 'enterprise'});
	await zone.send('validate');
	expect((await zone.run(['plan', 'edited.json'])).code).toBe(0);
	const editedArguments = [
		'edited.json',
		'--fingerprint',
		computeFingerprint(editedConfiguration),
		'--confirm',
		zone.name,
	];
	expect((await zone.run(['validate', ...editedArguments])).code).toBe(0);
	expect((await zone.run(['deploy', '--confirm', zone.name])).code).toBe(0);
	expect(await zone.readFinalState()).toEqual({
		...completeState,
		fingerprint: computeFingerprint(editedConfiguration),
	});
});

test('the printed proposal can be planned from standard input, and its plan leads to the end', async () => {
	const zone = await createMigratingZone();
	const config = await zone.run(['config']);
	expect(config).toMatchObject({code: 0, stderr: ''});
	const plan = await zone.run(['plan', '-', '--json'], {input: config.stdout});
	expect(plan).toMatchObject({code: 0, stderr: ''});
	expect(JSON.parse(plan.stdout)).toMatchObject({fingerprint: completeState.fingerprint, edits: []});
	const text = await zone.run(['plan', 'c.json']);
	const line = text.stdout.split('\n').find(one => one.includes('migration deploy')) ?? '';
	const words = line.trim().split(' ').slice(2);
	expect((await zone.run(words.slice(0, words.indexOf('--zone-id')))).code).toBe(0);
	expect(await zone.readFinalState()).toEqual(completeState);
});

test.each([
	'direct',
	'validation',
])('a rehearsal takes the %s path and writes nothing to the zone', async path => {
	const zone = await createMigratingZone({plan: 'enterprise'});
	const ended = await zone.run(['rehearse', 'edited.json', '--path', path, '--json']);
	expect(ended.code, ended.stderr).toBe(0);
	expect(JSON.parse(ended.stdout)).toMatchObject({ended: 'complete', sameAsPlanned: true});
	expect(zone.writes()).toEqual([]);
	expect(zone.files()).toEqual([]);
});

test.each([
	'deploy',
	'validate',
] as const)('a dry run of %s shows the request and writes nothing', async word => {
	const zone = await createMigratingZone({plan: 'enterprise'});
	const ended = await zone.send(word, {words: ['--dry-run', '--json']});
	expect(ended.code, ended.stderr).toBe(0);
	const [request] = JSON.parse(ended.stdout);
	expect(request.method).toBe('PUT');
	expect(computeFingerprint(JSON.parse(request.body.content))).toBe(completeState.fingerprint);
	expect(request.body.content).not.toMatch(/"(ref|version)"/);
	expect(zone.writes()).toEqual([]);
	// Only the plan that was shown before is stored.
	expect(zone.files().map(path => basename(path))).toEqual([`planned-${completeState.fingerprint}.json`]);
});

test('--no-watch ends at once; resume watches, verifies and reports', async () => {
	const zone = await createMigratingZone({migrationSeconds: 1});
	const ended = await zone.send('deploy', {words: ['--no-watch', '--json']});
	expect(JSON.parse(ended.stdout)).toMatchObject({state: 'finishing'});
	expect((await zone.run(['status', '--watch'])).stdout).toContain('new version only');
	expect(JSON.parse((await zone.run(['resume', '--json'])).stdout)).toMatchObject({state: 'complete'});
	expect(zone.writes()).toEqual(['PUT pending']);
});

test('on a terminal the zone name is typed, and the watch uses one line', async () => {
	const zone = await createMigratingZone({migrationSeconds: 1});
	const words = [
		'migration',
		'deploy',
		'c.json',
		'--fingerprint',
		completeState.fingerprint,
		'--zone-id',
		zone.id,
	];
	const env = {
		CLOUDFLARE_API_BASE_URL: zone.url,
		CLOUDFLARE_API_TOKEN: 'simulated',
		LEDGE_STATE_DIR: zone.state,
		LEDGE_TIME_SCALE: '0.01',
	};
	expect((await zone.run(['plan', 'c.json'])).code).toBe(0);
	const wrong = await runInTerminal(words, {
		cwd: zone.cwd,
		env,
		answers: [{when: 'continue:', type: 'shop\r'}],
	});
	expect(wrong.code).toBe(2);
	expect(zone.writes()).toEqual([]);
	const right = await runInTerminal(words, {
		cwd: zone.cwd,
		env,
		answers: [{when: 'continue:', type: 'shop.example\r'}],
	});
	expect(right.code, right.output).toBe(0);
	expect(await zone.readFinalState()).toEqual(completeState);
	const watched = right.output.slice(right.output.indexOf('Sending'), right.output.indexOf('is complete'));
	expect(Buffer.byteLength(watched)).toBeLessThan(600);
});
