import {spawnSync} from 'node:child_process';
import {chmodSync, lchownSync, mkdirSync, realpathSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {createStandIn} from '../../credentials/support/stand-in.ts';
import {createScratchFolder, ledge} from '../../support/ledge.ts';
import {createUnconfiguredEnvironment, program} from '../../support/program.ts';

import {serveSimulator} from '../../support/serve-simulator.ts';

/** Users that no system has. */
const [alice, bob] = [54_321, 54_322];
const isRoot = process.getuid?.() === 0;
/** Whether another user can run the built program. */
const othersCanRun =
	isRoot &&
	spawnSync(process.execPath, [program, '--version'], {uid: alice, gid: alice, env: {}}).status === 0;

/** A folder that all can write to, like `/tmp`, for homes, working folders and projects of the users. */
let shared: string;

beforeEach(() => {
	const folder = realpathSync(createScratchFolder());
	chmodSync(folder, 0o755);
	shared = makeFolder(join(folder, 'shared'), 0, 0o1777);
});

function makeFolder(path: string, owner: number, mode = 0o755): string {
	mkdirSync(path, {recursive: true});
	chmodSync(path, mode);
	if (isRoot) lchownSync(path, owner, owner);
	return path;
}

function write(path: string, owner: number, content: string): void {
	writeFileSync(path, content);
	chmodSync(path, 0o644);
	lchownSync(path, owner, owner);
}

/** Runs the built program as a user. */
function run(
	words: readonly string[],
	cwd: string,
	user = process.getuid?.() ?? 0,
	env: Record<string, string> = {},
) {
	const ended = spawnSync(process.execPath, [program, ...words], {
		cwd,
		uid: user,
		gid: user,
		env: {...createUnconfiguredEnvironment(join(shared, `home-${user}`)), ...env},
		encoding: 'utf8',
	});
	return {code: ended.status, stdout: ended.stdout, stderr: ended.stderr};
}

const plantedConfiguration = 'account_id = "0123456789abcdef0123456789abcdef"\n';

describe('a configuration file planted by someone else', () => {
	const createWorkFolder = (owner: number) => makeFolder(join(shared, 'work'), owner);

	test.runIf(isRoot)('stops root instead of falling back to a file further up', async () => {
		const work = createWorkFolder(0);
		write(join(dirname(shared), 'wrangler.toml'), 0, '');
		write(join(shared, 'wrangler.toml'), bob, plantedConfiguration);
		const ended = await run(['config'], work, 0);
		expect(ended).toMatchObject({code: 2, stdout: ''});
		expect(ended.stderr).toContain(
			'The configuration file ../wrangler.toml may have been planted by someone else.',
		);
		expect(ended.stderr).toContain(`${join(shared, 'wrangler.toml')} belongs to user ${bob}`);
		expect(run(['config', '--config', '../wrangler.toml'], work, 0)).toMatchObject({code: 0});
	});

	test.runIf(othersCanRun)('stops every other user, but not its owner', () => {
		const work = createWorkFolder(alice);
		write(join(shared, 'wrangler.toml'), bob, plantedConfiguration);
		makeFolder(join(shared, `home-${alice}`), alice);
		makeFolder(join(shared, `home-${bob}`), bob);
		expect(run(['config'], work, alice).code).toBe(2);
		expect(run(['config'], work, bob).code).toBe(0);
	});

	test.runIf(isRoot)("is not assumed if root works in a user's project", () => {
		const work = createWorkFolder(alice);
		write(join(work, 'wrangler.toml'), alice, plantedConfiguration);
		for (const mode of [0o755, 0o775]) {
			chmodSync(work, mode);
			const ended = run(['config'], work, 0);
			expect(ended).toMatchObject({code: 0, stderr: ''});
			expect(ended.stdout).toContain('wrangler.toml');
		}
		chmodSync(work, 0o777);
		expect(run(['config'], work, 0).code).toBe(2);
	});
});

describe('the wrangler of a project', () => {
	/** Creates a project with a wrangler that prints a token. */
	function createProject(user: number, folder: string) {
		makeFolder(folder, user);
		makeFolder(join(folder, 'node_modules'), user);
		makeFolder(join(folder, 'node_modules/.bin'), user);
		const wrangler = createStandIn(
			join(folder, 'node_modules/.bin/wrangler'),
			`out(JSON.stringify({type: 'oauth', token: 'simulated'}));`,
		);
		if (isRoot) lchownSync(wrangler.program, user, user);
		return wrangler;
	}

	function createHomeWithExpiredLogin(user: number): string {
		const home = makeFolder(join(shared, `home-${user}`), user);
		mkdirSync(join(home, '.config/.wrangler/config'), {recursive: true});
		writeFileSync(
			join(home, '.config/.wrangler/config/default.toml'),
			'oauth_token = "old"\nexpiration_time = "2020-01-01T00:00:00Z"\n',
		);
		return home;
	}

	test.runIf(isRoot)('is run neither by root nor by another user', async () => {
		const wrangler = createProject(bob, join(shared, 'project'));
		for (const user of othersCanRun ? [0, alice] : [0]) {
			createHomeWithExpiredLogin(user);
			const {code, stderr} = run(['whoami'], join(shared, 'project'), user, {PATH: ''});
			expect(code).toBe(4);
			expect(stderr).toContain("this project's wrangler is not safe to run");
			expect(stderr).toContain(
				`${join(shared, 'project')} belongs to user ${bob}, and ledge runs as user ${user}.`,
			);
		}
		expect(wrangler.runs()).toHaveLength(0);
	});

	test('is run for its own user, and named on stderr without a terminal or with --json', async () => {
		const service = await serveSimulator({tokens: ['simulated']});
		const user = process.getuid?.() ?? 0;
		const folder = join(shared, 'project');
		const wrangler = createProject(user, folder);
		const home = createHomeWithExpiredLogin(user);
		const {CLOUDFLARE_API_TOKEN: _, ...address} = service.env;
		const whoami = (...words: string[]) =>
			ledge(['whoami', ...words], {cwd: folder, env: {...address, HOME: home, PATH: ''}});
		const sentence = `Running ${wrangler.program} for the login "default".`;
		expect(await whoami()).toMatchObject({code: 0, stderr: `${sentence}\n`});
		expect(await whoami('--json')).toMatchObject({
			code: 0,
			stderr: `${JSON.stringify({notice: sentence})}\n`,
		});
		expect(wrangler.runs()).toHaveLength(2);
	});

	test.runIf(isRoot)('is run by root for the sudo user', async () => {
		const service = await serveSimulator({tokens: ['simulated']});
		const wrangler = createProject(alice, join(shared, 'project'));
		const home = createHomeWithExpiredLogin(0);
		const {CLOUDFLARE_API_TOKEN: _, ...address} = service.env;
		const env = {...address, HOME: home, PATH: '', SUDO_UID: String(alice)};
		expect(await ledge(['whoami'], {cwd: join(shared, 'project'), env})).toMatchObject({code: 0});
		expect(wrangler.runs()).toHaveLength(1);
	});
});
