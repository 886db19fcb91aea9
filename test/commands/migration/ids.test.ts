import {readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	computeFingerprint,
	type ManagedConfiguration,
} from '../../../source/migration/configuration/configuration.ts';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {getReviewBasis} from '../../../source/migration/flow/reviewing.ts';
import {listZoneFolders} from '../../../source/migration/journal/folder.ts';
import {savePlanned} from '../../../source/migration/journal/planned.ts';
import {createScratchFolder, ledge, type RunOptions} from '../../support/run.ts';

const unknownRuleId = 'f'.repeat(32);
const {owasp} = managedRulesets;

/** Writes the proposal of a simulated zone to c.json, with an exception for this rule of OWASP. */
async function writeConfiguration(cwd: string, id: string): Promise<ManagedConfiguration> {
	const {stdout} = await run(cwd, ['config']);
	const proposed: ManagedConfiguration = JSON.parse(stdout);
	const exception = {
		action: 'skip',
		action_parameters: {rules: {[owasp.id]: [id]}},
		expression: 'http.host eq "acme-shop.example"',
		description: 'search',
		enabled: true,
	};
	const configuration = {...proposed, rules: [exception, ...proposed.rules]};
	writeFileSync(join(cwd, 'c.json'), JSON.stringify(configuration));
	return configuration;
}

const run = (cwd: string, words: readonly string[], more: RunOptions = {}) =>
	ledge(['migration', ...words, '--zone', 'acme-shop.example', '--simulate'], {
		...more,
		cwd,
		env: {LEDGE_STATE_DIR: join(cwd, 'state'), LEDGE_TIME_SCALE: '0.01'},
	});

test('an exception for a rule unknown to OWASP is refused by plan, rehearsal and deploy', async () => {
	const cwd = createScratchFolder();
	const configuration = await writeConfiguration(cwd, unknownRuleId);
	const planned = await run(cwd, ['plan', 'c.json']);
	expect(planned.code, planned.stderr).toBe(1);
	expect(planned.stdout).toContain(
		`OWASP Core Ruleset has no rule ${unknownRuleId}: the service rejects it.`,
	);
	const rehearsed = await run(cwd, ['rehearse', 'c.json']);
	expect(rehearsed.code).not.toBe(0);
	expect(rehearsed.stdout + rehearsed.stderr).toContain(unknownRuleId);
	// Nothing is sent to the simulated copy either.
	expect(rehearsed.stderr).not.toContain('Backing up');
	expect(rehearsed.stderr).toContain('nothing was sent to the zone');
	const words = ['--fingerprint', computeFingerprint(configuration), '--confirm', 'acme-shop.example'];
	for (const confirming of [words, words.slice(0, 2)]) {
		const sent = await run(cwd, ['deploy', 'c.json', ...confirming]);
		expect(sent.code).toBe(2);
		// The unknown rule is reported before the missing plan or confirmation.
		expect(sent.stderr).toContain(`OWASP Core Ruleset has no rule ${unknownRuleId}`);
		expect(sent.stderr).not.toContain('Not confirmed');
	}
});

test('an exception with a field that ledge does not know is planned with a warning, and sent', async () => {
	const cwd = createScratchFolder();
	const {name, rules} = await writeConfiguration(cwd, unknownRuleId);
	const exception = {
		action: 'skip',
		action_parameters: {rulesets: [owasp.id]},
		expression: 'cf.brand_new eq "a"',
		enabled: true,
	};
	const configuration = {name, rules: [exception, ...rules.slice(1)]};
	writeFileSync(join(cwd, 'c.json'), JSON.stringify(configuration));
	const planned = await run(cwd, ['plan', 'c.json']);
	expect(planned.code, planned.stderr).toBe(0);
	expect(planned.stdout).toContain('Unknown field cf.brand_new');
	const words = ['--fingerprint', computeFingerprint(configuration), '--confirm', 'acme-shop.example'];
	const sent = await run(cwd, ['deploy', 'c.json', ...words, '--no-watch']);
	expect(sent.stderr).toContain('unknown identifier');
});

/** Saves a plan with a rule id that its ruleset no longer has. Returns its folder and fingerprint option. */
async function savePlanWithRemovedRule() {
	const cwd = createScratchFolder();
	const planned = await run(cwd, ['plan', '--json']);
	const {stdout} = await run(cwd, ['config']);
	const configuration = await writeConfiguration(cwd, unknownRuleId);
	const review = {
		...getReviewBasis({proposed: JSON.parse(stdout), entryPoint: null}),
		fingerprint: computeFingerprint(configuration),
		rules: configuration.rules.length,
		at: Date.now(),
	};
	const [folder] = listZoneFolders({LEDGE_STATE_DIR: join(cwd, 'state')}, readOriginName(cwd));
	expect(planned.code, planned.stderr).toBe(0);
	savePlanned(folder?.path ?? '', {review, configuration});
	return {cwd, words: ['--fingerprint', computeFingerprint(configuration)]};
}

const readOriginName = (cwd: string): string => readdirSync(join(cwd, 'state', 'migrations'))[0] ?? '';

test.each([
	['without a confirmation', []],
	['in a dry run', ['--dry-run']],
	['confirmed', ['--confirm', 'acme-shop.example']],
] as const)('%s, a rule id removed since the plan is refused', async (_how, more) => {
	const {cwd, words} = await savePlanWithRemovedRule();
	const ended = await run(cwd, ['deploy', ...words, ...more]);
	expect(ended.code).toBe(2);
	expect(ended.stderr).toContain('The configuration has errors and cannot be sent.');
	expect(ended.stderr).toContain(`OWASP Core Ruleset has no rule ${unknownRuleId}`);
});

test('on a terminal, a removed rule id is refused before asking for the zone name', async () => {
	const {cwd, words} = await savePlanWithRemovedRule();
	const ended = await run(cwd, ['deploy', ...words], {tty: true, input: 'acme-shop.example\n'});
	expect(ended.code).toBe(2);
	expect(ended.stderr).toContain(`OWASP Core Ruleset has no rule ${unknownRuleId}`);
	expect(ended.stderr).not.toContain('Type the');
	expect(ended.stderr).not.toContain('cannot be undone');
});

test('on a terminal a valid configuration is sent after confirmation', async () => {
	const cwd = createScratchFolder();
	await run(cwd, ['plan']);
	const {stdout} = await run(cwd, ['config']);
	const words = ['--fingerprint', computeFingerprint(JSON.parse(stdout)), '--no-watch'];
	const unconfirmed = await run(cwd, ['deploy', ...words]);
	expect(unconfirmed.stderr).toContain('Not confirmed, so nothing was sent.');
	const sent = await run(cwd, ['deploy', ...words], {tty: true, input: 'acme-shop.example\n'});
	expect(sent.stderr).toContain("Type the zone's name");
	expect(sent.code, sent.stderr).toBe(0);
});

test('an exception for a known rule is rehearsed as planned and accepted', async () => {
	const cwd = createScratchFolder();
	const knownRuleId = '6179ae15870a4bb7b2d480d4843b323c';
	const configuration = await writeConfiguration(cwd, knownRuleId);
	const planned = await run(cwd, ['plan', 'c.json']);
	expect(planned.code, planned.stdout).toBe(0);
	const rehearsed = await run(cwd, ['rehearse', 'c.json']);
	expect(rehearsed.code, rehearsed.stderr).toBe(0);
	const words = ['--fingerprint', computeFingerprint(configuration), '--confirm', 'acme-shop.example'];
	const sent = await run(cwd, ['deploy', 'c.json', ...words]);
	expect(sent.code, sent.stderr).toBe(0);
});
