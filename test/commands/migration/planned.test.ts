import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import type {EndedRun} from '../../support/ledge.ts';
import {
	createMigratingZone,
	editedConfiguration,
	type MigratingZone,
	parseCommands,
	proposedConfiguration,
} from '../../support/migration.ts';

const proposedFingerprint = computeFingerprint(proposedConfiguration);
const parseError = ({stderr}: EndedRun) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;
/** The words of a printed command without `migration` and the zone, which `zone.run` adds. */
const toRunWords = (words: readonly string[]): readonly string[] =>
	words.slice(1, words.indexOf('--zone-id'));
/** Runs a plan, and returns the commands that it prints, as words for `zone.run`. */
async function runPlan(zone: MigratingZone, ...words: readonly string[]) {
	const {code, stdout, stderr} = await zone.run(['plan', ...words]);
	expect(code, stderr).toBe(0);
	return (stdout.match(/ledge migration .*/g) ?? []).map(line => toRunWords(line.split(' ').slice(1)));
}

describe('a plan without a file', () => {
	test.each([
		proposedFingerprint,
		proposedFingerprint.slice(0, 8),
	])('is sent with only its fingerprint %s', async fingerprint => {
		const zone = await createMigratingZone();
		await runPlan(zone);
		const ended = await zone.run(['deploy', '--fingerprint', fingerprint, '--confirm', zone.name]);
		expect(ended.code, ended.stderr).toBe(0);
		expect(await zone.readFinalState()).toEqual({stage: 'complete', fingerprint: proposedFingerprint});
	});

	test('prints commands that work as printed in any folder', async () => {
		const zone = await createMigratingZone();
		writeFileSync(join(zone.cwd, 'configuration.json'), 'of something else');
		const commands = await runPlan(zone);
		expect(commands.map(([word]) => word)).toEqual(['rehearse', 'deploy', 'config', 'plan']);
		const [rehearse = [], deploy = [], config = [], plan = []] = commands;
		for (const words of [rehearse, config, plan, deploy]) {
			const ended = await zone.run(words);
			expect(ended.code, `${words.join(' ')}: ${ended.stderr}`).toBe(0);
		}
		expect(existsSync(join(zone.cwd, 'configuration-2.json'))).toBe(true);
		expect(await zone.readFinalState()).toEqual({stage: 'complete', fingerprint: proposedFingerprint});
	});

	test('is suggested if the command does not name a configuration', async () => {
		const zone = await createMigratingZone();
		await runPlan(zone);
		const refused = parseError(await zone.run(['deploy', '--confirm', zone.name, '--json']));
		expect(refused.code).toBe('unreviewed');
		const [words = []] = parseCommands(refused.next);
		expect(words).toContain(proposedFingerprint);
		const ended = await zone.run(toRunWords(words));
		expect(ended.code, ended.stderr).toBe(0);
	});
});

test('a plan from standard input is sent with only its fingerprint', async () => {
	const zone = await createMigratingZone();
	const shown = await zone.run(['plan', '-', '--json'], {input: JSON.stringify(editedConfiguration)});
	expect(shown.code, shown.stderr).toBe(0);
	const [deploy = ''] = JSON.parse(shown.stdout).commands;
	const ended = await zone.run(toRunWords(deploy.split(' ').slice(1)));
	expect(ended.code, ended.stderr).toBe(0);
	expect((await zone.readFinalState()).fingerprint).toBe(computeFingerprint(editedConfiguration));
});

test('an unconfirmed command prints a working one, even for a file other than the reviewed one', async () => {
	const zone = await createMigratingZone();
	await runPlan(zone, 'edited.json');
	const words = ['deploy', 'edited.json', '--fingerprint', computeFingerprint(editedConfiguration), '--json'];
	const [next = []] = parseCommands(parseError(await zone.run(words)).next);
	const ended = await zone.run(toRunWords(next));
	expect(ended.code, ended.stderr).toBe(0);
	expect((await zone.readFinalState()).fingerprint).toBe(computeFingerprint(editedConfiguration));
});

test('a rehearsal leads to a plan, and from there to the end', async () => {
	const zone = await createMigratingZone();
	const next = async () => JSON.parse((await zone.run(['rehearse', 'c.json', '--json'])).stdout).next;
	const [plan = ''] = await next();
	expect(plan).toContain('migration plan c.json');
	expect((await zone.run(toRunWords(plan.split(' ').slice(1)))).code).toBe(0);
	const [deploy = ''] = await next();
	const ended = await zone.run(toRunWords(deploy.split(' ').slice(1)));
	expect(ended.code, ended.stderr).toBe(0);
	expect(await zone.readFinalState()).toEqual({stage: 'complete', fingerprint: proposedFingerprint});
});

test('a fingerprint without a shown plan is not sent', async () => {
	const zone = await createMigratingZone();
	await runPlan(zone);
	const refused = await zone.run([
		'deploy',
		'--fingerprint',
		computeFingerprint(editedConfiguration),
		'--confirm',
		zone.name,
	]);
	expect(refused.code).toBe(2);
	expect(zone.writes()).toEqual([]);
});
