import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import type {Ended} from '../../support/ledge.ts';
import {commandsIn, edited, type MigratingZone, migratingZone, proposed} from '../../support/migration.ts';

const digits = computeFingerprint(proposed);
const errorIn = ({stderr}: Ended) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;
const wordsOf = (words: readonly string[]): readonly string[] => words.slice(1, words.indexOf('--zone-id'));
/** The commands that a plan prints, each as it is run. */
async function planned(zone: MigratingZone, ...words: readonly string[]) {
	const {code, stdout, stderr} = await zone.run(['plan', ...words]);
	expect(code, stderr).toBe(0);
	return (stdout.match(/ledge migration .*/g) ?? []).map(line => wordsOf(line.split(' ').slice(1)));
}

describe('a plan without a file', () => {
	test.each([digits, digits.slice(0, 8)])('is sent with only its fingerprint %s', async of => {
		const zone = await migratingZone();
		await planned(zone);
		const ended = await zone.run(['deploy', '--fingerprint', of, '--confirm', zone.name]);
		expect(ended.code, ended.stderr).toBe(0);
		expect(await zone.end()).toEqual({stage: 'complete', fingerprint: digits});
	});

	test('prints commands that work as printed in any folder', async () => {
		const zone = await migratingZone();
		writeFileSync(join(zone.cwd, 'configuration.json'), 'of something else');
		const commands = await planned(zone);
		expect(commands.map(([word]) => word)).toEqual(['rehearse', 'deploy', 'config', 'plan']);
		const [rehearse = [], deploy = [], config = [], plan = []] = commands;
		for (const words of [rehearse, config, plan, deploy]) {
			const ended = await zone.run(words);
			expect(ended.code, `${words.join(' ')}: ${ended.stderr}`).toBe(0);
		}
		expect(existsSync(join(zone.cwd, 'configuration-2.json'))).toBe(true);
		expect(await zone.end()).toEqual({stage: 'complete', fingerprint: digits});
	});

	test('is suggested if the command does not name a configuration', async () => {
		const zone = await migratingZone();
		await planned(zone);
		const refused = errorIn(await zone.run(['deploy', '--confirm', zone.name, '--json']));
		expect(refused.code).toBe('unreviewed');
		const [words = []] = commandsIn(refused.next);
		expect(words).toContain(digits);
		const ended = await zone.run(wordsOf(words));
		expect(ended.code, ended.stderr).toBe(0);
	});
});

test('a plan from standard input is sent with only its fingerprint', async () => {
	const zone = await migratingZone();
	const shown = await zone.run(['plan', '-', '--json'], {input: JSON.stringify(edited)});
	expect(shown.code, shown.stderr).toBe(0);
	const [deploy = ''] = JSON.parse(shown.stdout).commands;
	const ended = await zone.run(wordsOf(deploy.split(' ').slice(1)));
	expect(ended.code, ended.stderr).toBe(0);
	expect((await zone.end()).fingerprint).toBe(computeFingerprint(edited));
});

test('an unconfirmed command prints a working one, even for a file other than the reviewed one', async () => {
	const zone = await migratingZone();
	await planned(zone, 'edited.json');
	const words = ['deploy', 'edited.json', '--fingerprint', computeFingerprint(edited), '--json'];
	const [next = []] = commandsIn(errorIn(await zone.run(words)).next);
	const ended = await zone.run(wordsOf(next));
	expect(ended.code, ended.stderr).toBe(0);
	expect((await zone.end()).fingerprint).toBe(computeFingerprint(edited));
});

test('a rehearsal leads to a plan, and from there to the end', async () => {
	const zone = await migratingZone();
	const next = async () => JSON.parse((await zone.run(['rehearse', 'c.json', '--json'])).stdout).next;
	const [plan = ''] = await next();
	expect(plan).toContain('migration plan c.json');
	expect((await zone.run(wordsOf(plan.split(' ').slice(1)))).code).toBe(0);
	const [deploy = ''] = await next();
	const ended = await zone.run(wordsOf(deploy.split(' ').slice(1)));
	expect(ended.code, ended.stderr).toBe(0);
	expect(await zone.end()).toEqual({stage: 'complete', fingerprint: digits});
});

test('a fingerprint without a shown plan is not sent', async () => {
	const zone = await migratingZone();
	await planned(zone);
	const refused = await zone.run([
		'deploy',
		'--fingerprint',
		computeFingerprint(edited),
		'--confirm',
		zone.name,
	]);
	expect(refused.code).toBe(2);
	expect(zone.writes()).toEqual([]);
});
