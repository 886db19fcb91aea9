import {existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createScratchFolder, ledge} from '../../support/run.ts';

const zone = {name: 'acme.example', id: 'd0e032749968114a09730950255c7c0f'};

/** Runs a command on the simulated world, in which reading `path` is answered with 403. */
async function runForbidden(path: string, words: readonly string[]) {
	const state = createScratchFolder();
	const ended = await ledge(['migration', ...words, '--simulate'], {
		env: {LEDGE_SIMULATE_FAULTS: `method=GET status=403 code=10000 path=${path}`, LEDGE_STATE_DIR: state},
	});
	return {...ended, state, text: ended.stdout + ended.stderr};
}

const parts = {
	overrides: {path: 'waf/overrides', what: 'URI-based overrides', file: 'overrides.json'},
	'firewall rules': {path: '/firewall/rules', what: 'firewall rules', file: 'firewall-rules.json'},
	'page rules': {path: '/pagerules', what: 'page rules', file: 'page-rules.json'},
	'previous rules': {path: 'waf/packages', what: 'previous managed rules', file: 'packages.json'},
} as const;

describe.each(Object.entries(parts))('%s that the credential may not read', (_name, {path, what, file}) => {
	test('are "not allowed to read" in the plan, with their outcome', async () => {
		const {text, code} = await runForbidden(path, ['plan', '--zone', zone.name]);
		expect(code, text).toBe(0);
		// Overrides by URI have no row: they are never migrated.
		if (path !== 'waf/overrides')
			expect(text).toMatch(new RegExp(`^! +the ${what} +not allowed to read +unknown`, 'm'));
		expect(text).toContain(`Not allowed to read the ${what}`);
	});

	test('are not counted as a difference from the proposal', async () => {
		const {text} = await runForbidden(path, ['plan', '--zone', zone.name]);
		expect(text).not.toContain('The proposal differs');
		expect(text.includes('was not compared with the documented mapping')).toBe(path !== 'waf/overrides');
	});

	test('are left out of the backup instead of saved as an empty list', async () => {
		const {text, code, state} = await runForbidden(path, ['backup', '--zone', zone.name]);
		expect(code, text).toBe(1);
		const folder = join(state, 'migrations', 'simulated', zone.id);
		const [backup = ''] = readdirSync(folder).filter(name => name.startsWith('backup-'));
		expect(existsSync(join(folder, backup, 'settings.json'))).toBe(true);
		expect(existsSync(join(folder, backup, file))).toBe(false);
		expect(existsSync(join(folder, backup, 'unread.json'))).toBe(true);
	});
});

describe.each([
	['overrides', parts.overrides, 'URI overrides: not allowed to read'],
	['firewall rules', parts['firewall rules'], 'firewall rules: not allowed to read'],
] as const)('%s without read permission', (name, {path, what}, about) => {
	test('are never counted by the check', async () => {
		const {text, stdout} = await runForbidden(path, ['check', '--zone', zone.name]);
		expect(text).toContain(`Not allowed to read the ${what}`);
		expect(stdout).not.toMatch(/\b0 /);
		const json = JSON.parse((await runForbidden(path, ['check', '--zone', zone.name, '--json'])).stdout);
		const key = name === 'overrides' ? 'overrides' : 'firewallRules';
		expect(json.counts[key]).toBeNull();
		expect(json.unread[key]).toBe('not allowed to read');
	});

	test('are listed in the table of all zones, for each zone that may have them', async () => {
		const {stdout} = await runForbidden(path, ['check', '--all-zones']);
		const row = stdout.split('\n').find(line => line.startsWith(`${zone.name} `));
		expect(row).toContain(about);
		expect(stdout.split('\n').find(line => line.startsWith('acme-blog.example'))).not.toContain(about);
	});
});
