import {readFileSync, writeFileSync} from 'node:fs';
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
import {runInTerminal} from '../../terminal/pseudo-terminal.ts';

const proposedFingerprint = computeFingerprint(proposedConfiguration);
const parseError = ({stderr}: EndedRun) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;
const readStatus = async (zone: MigratingZone) => JSON.parse((await zone.run(['status', '--json'])).stdout);
/** The words of a printed command without `ledge migration` and the zone, which `zone.run` adds. */
const toRunWords = (command: string): readonly string[] => {
	const words = command.split(' ').slice(2);
	return words.slice(0, words.indexOf('--zone-id'));
};
/** Confirms a PUT that is not sent. */
const requestUnsentPut = async (zone: MigratingZone, word: 'validate' | 'deploy') => {
	await zone.run(['plan', 'c.json']);
	zone.setFaults('status=403 path=/waf/packages');
	const ended = await zone.run([
		word,
		'c.json',
		'--fingerprint',
		proposedFingerprint,
		'--confirm',
		zone.name,
	]);
	zone.setFaults('');
	expect(ended.code).not.toBe(0);
};

describe('the status names the next step', () => {
	test.each(['validate', 'deploy'] as const)('for the chosen path: %s', async word => {
		const zone = await createMigratingZone({plan: 'enterprise'});
		await requestUnsentPut(zone, word);
		const {state, next} = await readStatus(zone);
		expect(state).toBe('reviewed');
		expect(toRunWords(next[0])).toEqual([word, '--fingerprint', proposedFingerprint, '--confirm', zone.name]);
		const ended = await zone.run(toRunWords(next[0]));
		expect(ended.code, ended.stderr).toBe(0);
	});

	test('in validation only after the points to check first', async () => {
		const zone = await createMigratingZone({plan: 'enterprise'});
		await zone.send('validate');
		const {stdout} = await zone.run(['status']);
		expect(stdout.indexOf('Ready to update?')).toBeGreaterThan(0);
		expect(stdout.indexOf('Ready to update?')).toBeLessThan(stdout.indexOf('ledge migration deploy'));
		expect((await readStatus(zone)).nextMeans[0]).toContain('activity log');
	});
});

describe('a zone put into validation by someone else', () => {
	test('leads from status, resume and deploy to a plan of the active configuration, and to the end', async () => {
		const zone = await createMigratingZone({plan: 'enterprise'});
		await requestUnsentPut(zone, 'deploy');
		await zone.putElsewhere('validation', editedConfiguration);
		expect((await readStatus(zone)).state).toBe('moved on');
		const takenOver = await zone.run(['resume', '--take-over', '--json']);
		expect(parseError(takenOver).code).toBe('unreviewed');
		const [byResume = []] = parseCommands(parseError(takenOver).next);
		const [byDeploy = []] = parseCommands(parseError(await zone.run(['deploy', '--json'])).next);
		const {next} = await readStatus(zone);
		expect([byResume[1], byDeploy[1], toRunWords(next[0])[0]]).toEqual(['plan', 'plan', 'plan']);
		const planned = await zone.run(toRunWords(next[0]));
		expect(planned.code, planned.stderr).toBe(0);
		const commands = planned.stdout.match(/ledge migration .*/g) ?? [];
		expect(commands.map(command => toRunWords(command)[0])).toEqual(['rehearse', 'deploy', 'export', 'plan']);
		for (const command of commands.slice(0, 2)) {
			const ended = await zone.run(toRunWords(command ?? ''));
			expect(ended.code, ended.stderr).toBe(0);
		}
		expect(await zone.readFinalState()).toEqual({
			stage: 'complete',
			fingerprint: computeFingerprint(editedConfiguration),
		});
	});

	test('has a plan without edits or findings', async () => {
		const zone = await createMigratingZone({plan: 'enterprise'});
		await zone.putElsewhere('validation', editedConfiguration);
		const {edits, findings, fingerprint: of} = JSON.parse((await zone.run(['plan', '--json'])).stdout);
		expect({edits, findings, of}).toEqual({
			edits: [],
			findings: [],
			of: computeFingerprint(editedConfiguration),
		});
	});

	test('is reported with the active configuration after it is finished', async () => {
		const zone = await createMigratingZone();
		await zone.run(['backup']);
		await requestUnsentPut(zone, 'deploy');
		await zone.putElsewhere('pending', editedConfiguration);
		const takenOver = await zone.run(['resume', '--take-over', '--json']);
		expect(takenOver.code, takenOver.stderr).toBe(0);
		const report = readFileSync(JSON.parse(takenOver.stdout).report, 'utf8');
		expect(report).toContain('Before and after the migration');
		expect(report).not.toContain('Unknown: the active rules could not be read.');
	});
});

describe('a journal that is', () => {
	test.each([
		['damaged', () => 'no journal at all\n'],
		['of another zone', (kept: string) => kept.replace(/abcdef0123456789/g, 'f'.repeat(16))],
	])('%s: the status shows the state from the service and warns with a way out', async (_what, damage) => {
		const zone = await createMigratingZone({plan: 'enterprise'});
		await zone.send('validate');
		const path = join(zone.folder(), 'journal.ndjson');
		writeFileSync(path, damage(readFileSync(path, 'utf8')));
		const shown = await zone.run(['status']);
		expect(shown.code, shown.stderr).toBe(0);
		expect(shown.stdout).toContain('both versions are on');
		expect(shown.stdout).toContain(proposedFingerprint.slice(0, 4));
		expect(shown.stderr).toMatch(/^warning: .*journal/m);
		expect(shown.stderr).toContain(`Move ${path} aside`);
		const {journal, state, next} = await readStatus(zone);
		expect({journal, state}).toEqual({journal: 'unreadable', state: 'validating unreviewed'});
		expect(toRunWords(next[0])).toEqual(['plan']);
		zone.setFaults('status=500');
		expect((await zone.run(['status'])).code).not.toBe(0);
	});
});

describe('a configuration that protects less than it seems', () => {
	test('is reported before it is sent', async () => {
		const zone = await createMigratingZone();
		const rules = proposedConfiguration.rules.map(rule =>
			JSON.stringify(rule).includes('score_threshold')
				? JSON.parse(JSON.stringify(rule).replace('"score_threshold":40', '"score_threshold":999'))
				: rule,
		);
		writeFileSync(join(zone.cwd, 'high.json'), JSON.stringify({...proposedConfiguration, rules}));
		const planned = await zone.run(['plan', 'high.json']);
		expect(planned.stdout).toContain('acts only at 999 points or more');
		const newFingerprint = computeFingerprint({rules});
		const sent = await zone.run([
			'deploy',
			'high.json',
			'--fingerprint',
			newFingerprint,
			'--confirm',
			zone.name,
		]);
		expect(sent.code, sent.stderr).toBe(0);
		expect(sent.stderr.indexOf('acts only at 999 points or more')).toBeGreaterThan(-1);
		expect(sent.stderr.indexOf('999')).toBeLessThan(sent.stderr.indexOf('Sending'));
	});

	test('asks for the same word as the screens if it deploys nothing', async () => {
		const zone = await createMigratingZone();
		const bare = {
			...proposedConfiguration,
			rules: proposedConfiguration.rules.map(rule => ({...rule, enabled: rule.action === 'skip'})),
		};
		writeFileSync(join(zone.cwd, 'bare.json'), JSON.stringify(bare));
		expect((await zone.run(['plan', 'bare.json'])).code).toBe(0);
		const words = ['deploy', 'bare.json', '--fingerprint', computeFingerprint(bare), '--zone-id', zone.id];
		const ended = await runInTerminal(['migration', ...words], {
			cwd: zone.cwd,
			env: {
				CLOUDFLARE_API_BASE_URL: zone.url,
				CLOUDFLARE_API_TOKEN: 'simulated',
				LEDGE_STATE_DIR: zone.state,
				LEDGE_TIME_SCALE: '0.01',
			},
			answers: [
				{when: 'name to continue:', type: 'shop.example\r'},
				{when: '"unprotected" to continue:', type: 'unprotected\r'},
			],
		});
		expect(ended.output).toContain('"unprotected"');
		expect((await zone.readFinalState()).fingerprint).toBe(computeFingerprint(bare));
	});
});
