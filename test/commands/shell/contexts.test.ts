import {existsSync, mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, test} from 'vitest';
import {buildSimulatedAccounts} from '../../../source/simulator/simulator.ts';
import {createScratchFolder, createVirtualClock, ledge} from '../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../support/serve-simulator.ts';

const [firstAccountId, secondAccountId] = buildSimulatedAccounts(2).map(({id}) => id) as [string, string];

const contextsPath = '.config/ledge/contexts.toml';

/** Creates a user whose home is the working folder; returns functions that run commands. */
function createUser(env: Readonly<Record<string, string>> = {}) {
	const cwd = createScratchFolder();
	const run = (...words: readonly string[]) => ledge(words, {cwd, env, clock: createVirtualClock()});
	return {
		cwd,
		run,
		json: async (...words: readonly string[]) => {
			const {code, stdout, stderr} = await run(...words, '--json');
			expect(code, stderr).toBe(0);
			return JSON.parse(stdout);
		},
		readContexts: () => readFileSync(join(cwd, contextsPath), 'utf8'),
	};
}

const addProdWords = [
	'context',
	'add',
	'prod',
	'--account-id',
	firstAccountId,
	'--profile',
	'work',
	'--zone',
	'acme.example',
];

describe('ledge context', () => {
	test('saves contexts in a file that only its owner can read', async () => {
		const {cwd, run, json, readContexts} = createUser();
		expect(await run('context', 'list')).toMatchObject({code: 0, stdout: 'No contexts defined.\n'});
		expect(existsSync(join(cwd, contextsPath))).toBe(false);
		expect(await run(...addProdWords, '--production', '--color', 'red')).toMatchObject({code: 0});
		expect(await run('context', 'add', 'staging', '--token-variable', 'STAGING_TOKEN')).toMatchObject({
			code: 0,
		});
		expect(statSync(join(cwd, contextsPath)).mode & 0o777).toBe(0o600);
		expect(readContexts()).toContain('[contexts.prod]\naccount_id = ');
		expect(await json('context', 'list')).toMatchObject([
			{
				name: 'prod',
				accountId: firstAccountId,
				profile: 'work',
				zone: 'acme.example',
				production: true,
				inUse: false,
			},
			{name: 'staging', tokenVariable: 'STAGING_TOKEN', production: false, inUse: false},
		]);
	});

	test('--dry-run describes the context and writes nothing', async () => {
		const {cwd, run, json, readContexts} = createUser();
		expect(await run(...addProdWords, '--production', '--dry-run')).toMatchObject({
			code: 0,
			stderr: expect.stringMatching(/^Would define the context "prod" in .* Nothing was written\.\n$/),
		});
		expect(existsSync(join(cwd, contextsPath))).toBe(false);
		await run(...addProdWords, '--production');
		const before = readContexts();
		for (const [words, expectedText] of [
			[['use', 'prod'], 'Would use prod.'],
			[['use', '--none'], 'Would use no context.'],
			[['remove', 'prod'], 'Would remove the context "prod".'],
		] as const)
			expect(await run('context', ...words, '--dry-run')).toMatchObject({
				code: 0,
				stderr: `${expectedText} Nothing was written.\n`,
			});
		expect(await json('context', 'remove', 'prod', '--dry-run')).toEqual({
			name: 'prod',
			removed: true,
			dryRun: true,
		});
		expect(readContexts()).toBe(before);
		expect(await run('context', 'add', 'a b', '--dry-run')).toMatchObject({code: 2});
	});

	test('can correct a wrong name in use, which stops commands that need a context', async () => {
		const {cwd, run, readContexts} = createUser();
		await run(...addProdWords);
		writeFileSync(join(cwd, contextsPath), `context_in_use = "prd"\n${readContexts()}`, {mode: 0o600});
		expect(await run('config')).toMatchObject({
			code: 2,
			stderr: expect.stringContaining('"context_in_use" must be one of the contexts'),
		});
		expect(await run('context', 'list')).toMatchObject({code: 0, stdout: expect.stringContaining('prod')});
		expect(await run('context', 'use', 'prod')).toMatchObject({code: 0});
		expect(readContexts()).toContain('context_in_use = "prod"');
		expect(await run('config')).toMatchObject({code: 0});
	});

	test('suggests a removal command without the options of the new context', async () => {
		const {run} = createUser();
		await run(...addProdWords);
		expect(await run(...addProdWords)).toMatchObject({
			code: expect.any(Number),
			stderr: expect.stringContaining('(`ledge context remove prod`)'),
		});
	});

	test('selects a context, shows it, and deselects it', async () => {
		const {run, json} = createUser();
		await run(...addProdWords);
		expect(await run('context', 'use', 'prod')).toMatchObject({code: 0, stderr: 'In use: prod.\n'});
		expect(await json('context', 'show')).toMatchObject({name: 'prod', inUse: true});
		const {settings} = await json('config');
		expect(settings.context).toMatchObject({value: 'prod', from: expect.stringContaining('in use, ')});
		expect(settings.account).toEqual({value: firstAccountId, from: 'context prod (in use)'});
		expect(settings.zone).toEqual({value: 'acme.example', from: 'context prod (in use)'});
		expect(await run('context', 'use', '--none')).toMatchObject({code: 0});
		expect((await json('config')).settings.context).toEqual({value: null, from: 'none in use'});
		expect(await run('context', 'show')).toMatchObject({code: 2});
	});

	test('removes a context, and asks first if it is production', async () => {
		const {run, json} = createUser();
		await run(...addProdWords, '--production');
		await run('context', 'use', 'prod');
		expect(await run('context', 'remove', 'prod')).toMatchObject({code: 2});
		expect(await run('context', 'remove', 'prod', '--yes')).toMatchObject({code: 0});
		expect(await json('context', 'list')).toEqual([]);
		expect((await json('config')).settings.context.value).toBeNull();
	});

	test.each([
		['the name is taken', addProdWords, 'The context "prod" already exists.'],
		['it cannot be a name', ['context', 'add', 'a/b'], 'a context name consists of'],
		[
			'two ways to sign in',
			['context', 'add', 'x', '--profile', 'a', '--token-variable', 'B'],
			'both say how to sign in',
		],
		['an unknown name', ['context', 'use', 'prd'], 'Did you mean "prod"?'],
		['no name', ['context', 'use'], 'No context was specified.'],
		['a name and --none', ['context', 'use', 'prod', '--none'], "can't be combined"],
	])('refuses and changes nothing: %s', async (_, words, expectedText) => {
		const {run, readContexts} = createUser();
		await run(...addProdWords);
		const before = readContexts();
		const {code, stderr} = await run(...words);
		expect(code).toBeGreaterThan(0);
		expect(stderr).toContain(expectedText);
		expect(readContexts()).toBe(before);
	});

	test('refuses a secret without repeating it', async () => {
		const {cwd, run} = createUser();
		const secret = 'v8fK2pQ7xT1mB9cR4wL6zN3hJ5gD0sA8yE2uV7iO';
		const {code, stderr} = await run('context', 'add', 'x', '--credential-command', `echo ${secret}`);
		expect(code).toBe(2);
		expect(stderr).toContain('looks like a secret');
		expect(stderr).not.toContain(secret);
		expect(existsSync(join(cwd, contextsPath))).toBe(false);
	});

	test('does not override a bound folder or the account of the configuration', async () => {
		const {cwd, run} = createUser();
		await run(...addProdWords);
		writeFileSync(join(cwd, 'wrangler.toml'), `account_id = "${secondAccountId}"\n`);
		const conflict = {
			code: 2,
			stderr: expect.stringMatching(
				new RegExp(`wrangler.toml:1.*${secondAccountId}[\\s\\S]*${firstAccountId}`),
			),
		};
		expect(await run('context', 'use', 'prod')).toMatchObject(conflict);
		writeFileSync(
			join(cwd, contextsPath),
			`context_in_use = "prod"\n[contexts.prod]\naccount_id = "${firstAccountId}"\n`,
		);
		const {code, stderr} = await run('kv', 'namespace', 'list');
		expect(code).toBe(4);
		writeFileSync(join(cwd, 'wrangler.toml'), 'name = "w"\n');
		mkdirSync(join(cwd, '.config/.wrangler/profiles'), {recursive: true});
		writeFileSync(
			join(cwd, '.config/.wrangler/profiles/directory-bindings.json'),
			JSON.stringify({[cwd]: 'client'}),
		);
		writeFileSync(join(cwd, contextsPath), '[contexts.prod]\nprofile = "work"\n');
		const bound = await run('context', 'use', 'prod');
		expect(bound.code).toBe(2);
		expect(bound.stderr).toContain('bound to the profile "client"');
		expect(stderr).toContain('No credential was given.');
	});

	test('works even if LEDGE_CONTEXT names a missing context', async () => {
		const {run} = createUser({LEDGE_CONTEXT: 'prod'});
		expect(await run('kv', 'namespace', 'list')).toMatchObject({
			code: 2,
			stderr: expect.stringContaining('"prod"'),
		});
		expect(await run(...addProdWords)).toMatchObject({code: 0});
		expect(await run('context', 'list')).toMatchObject({code: 0});
	});
});

describe('a context', () => {
	let service: ServedSimulator;
	beforeAll(async () => {
		service = await serveSimulator({accounts: 2});
	});

	/** Creates a user with a context for each of the two accounts. */
	async function createUserWithTwoContexts(env: Readonly<Record<string, string>> = {}, {url} = service) {
		const user = createUser({ONE: 'simulated', ...env});
		for (const [name, id] of [
			['one', firstAccountId],
			['two', secondAccountId],
		] as const)
			await user.run(
				'context',
				'add',
				name,
				'--account-id',
				id,
				'--token-variable',
				'ONE',
				'--base-url',
				url,
			);
		return user;
	}

	test('selects its account by option, by variable or when in use', async () => {
		const {run, json} = await createUserWithTwoContexts();
		await run('kv', 'namespace', 'create', 'OF-TWO', '--no-prefix', '--context', 'two');
		const titles = async (...words: readonly string[]) =>
			((await json('kv', 'namespace', 'list', ...words)) as {title: string}[]).map(({title}) => title);
		expect(await titles('--context', 'two')).toContain('OF-TWO');
		expect(await titles('--context', 'one')).not.toContain('OF-TWO');
		await run('context', 'use', 'two');
		expect(await titles()).toContain('OF-TWO');
		expect(await titles('--context', 'one')).not.toContain('OF-TWO');
	});

	test('is refused with a conflicting variable, naming both', async () => {
		const {run} = await createUserWithTwoContexts({CLOUDFLARE_ACCOUNT_ID: secondAccountId});
		const {code, stderr} = await run('kv', 'namespace', 'list', '--context', 'one');
		expect(code).toBe(2);
		expect(stderr).toContain(
			`CLOUDFLARE_ACCOUNT_ID sets the account ${secondAccountId}; the context sets ${firstAccountId}.`,
		);
		expect(await run('kv', 'namespace', 'list', '--context', 'two')).toMatchObject({code: 0});
		expect(
			await run('kv', 'namespace', 'list', '--context', 'one', '--account-id', firstAccountId),
		).toMatchObject({
			code: 0,
		});
	});

	test('works for the stores of a copy and a comparison', async () => {
		const {run, cwd} = await createUserWithTwoContexts();
		for (const name of ['one', 'two'])
			await run('kv', 'namespace', 'create', 'SHARED', '--no-prefix', '--context', name);
		writeFileSync(join(cwd, 'in.json'), '[{"key":"a","value":"1"},{"key":"b","value":"2"}]');
		expect(await run('kv', 'copy', 'file:in.json', 'remote:one/SHARED')).toMatchObject({code: 0});
		expect(await run('kv', 'diff', 'remote:one/SHARED', 'remote:two/SHARED', '--exit-code')).toMatchObject({
			code: 1,
		});
		for (const command of ['copy', 'diff']) {
			const unknown = await run(
				'kv',
				command,
				'remote:one/SHARED',
				'remote:three/SHARED',
				'--context',
				'two',
			);
			expect(unknown.stderr).toContain('No context is called "three": the contexts are ');
			expect(unknown.stderr).toContain('No namespace has the title "three/SHARED" either.');
		}
		expect(await run('kv', 'copy', 'remote:one/SHARED', 'remote:two/SHARED')).toMatchObject({code: 0});
		expect(await run('kv', 'diff', 'remote:one/SHARED', 'remote:two/SHARED', '--exit-code')).toMatchObject({
			code: 0,
			stderr: 'Identical: 2 keys.\n',
		});
	});

	test('keeps a copy in its own account when resumed under another', async () => {
		await using faulty = await serveSimulator({accounts: 2});
		const {run, cwd} = await createUserWithTwoContexts({}, faulty);
		for (const name of ['one', 'two'])
			await run('kv', 'namespace', 'create', 'SHARED', '--no-prefix', '--context', name);
		writeFileSync(join(cwd, 'in.json'), '[{"key":"a","value":"1"}]');
		await faulty.setFaults('status=503 path=/bulk');
		const interrupted = await run('kv', 'copy', 'file:in.json', 'remote:two/SHARED');
		const [, id = ''] = /jobs resume (\w+)/.exec(interrupted.stderr) ?? [];
		await faulty.setFaults('');
		await run('context', 'use', 'one');
		expect(await run('jobs', 'resume', id)).toMatchObject({
			code: 0,
			stderr: expect.stringMatching(/Copied 1 key .* › SHARED\.\n/),
		});
		expect(await run('kv', 'diff', 'file:in.json', 'remote:two/SHARED', '--exit-code')).toMatchObject({
			code: 0,
		});
		expect(await run('kv', 'diff', 'file:in.json', 'remote:one/SHARED', '--exit-code')).toMatchObject({
			code: 1,
		});
	});
});

describe('a binding that does not match', () => {
	test('is reported with file, line and account', async () => {
		await using service = await serveSimulator();
		const {cwd, run} = createUser({...service.env, CLOUDFLARE_ACCOUNT_ID: firstAccountId});
		const id = '0123456789abcdef0123456789abcdef';
		writeFileSync(
			join(cwd, 'wrangler.toml'),
			`name = "w"\n\n[[kv_namespaces]]\nbinding = "CONFIG"\nid = "${id}"\n`,
		);
		const {code, stderr} = await run('kv', 'key', 'list', '--binding', 'CONFIG');
		expect(code).toBe(3);
		expect(stderr).toContain(
			`CONFIG (wrangler.toml:3) has id ${id}, which does not exist in account ${firstAccountId}.`,
		);
		const compared = await run('kv', 'diff', 'remote:CONFIG', 'local:CONFIG');
		expect(compared.stderr).toContain(`CONFIG (wrangler.toml:3) has id ${id}`);
	});
});

test('in a project with a TypeScript configuration, the alternative to a binding is named', async () => {
	const {cwd, run} = createUser();
	writeFileSync(join(cwd, 'cloudflare.config.ts'), 'export default {};\n');
	const {code, stderr} = await run('kv', 'key', 'list', '--binding', 'CONFIG');
	expect(code).toBe(2);
	expect(stderr).toContain('cloudflare.config.ts exists, but ledge does not evaluate it');
	expect(stderr).toContain('remote:TITLE');
});
