// `npm run test:binary`: the one-file program in a root of its own, with only the libraries that it names, no Node, no shell,
// no HOME, nothing to write to but /tmp. It ends at the first thing that does not work.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {binaryFile} from '../../source/release/binary-file.ts';
import {createSimulator, startListener} from '../../source/simulator/simulator.ts';
import {startProxiedService} from './proxy.ts';
import {Root, type RunResult} from './root.ts';
import {changeAValue, migrateZone} from './screens.ts';

const {version} = JSON.parse(readFileSync('package.json', 'utf8')) as {version: string};
if (process.platform !== 'linux') skipRun('roots of their own are made with unshare and chroot, on Linux');

using root = new Root(binaryFile);
const [tool, ...words] = root.command(['--version']);
const trial = spawnSync(tool, words, {encoding: 'utf8'});
if (trial.error || /^(unshare|sh|mount|env|chroot):/m.test(trial.stderr)) {
	root[Symbol.dispose]();
	skipRun(`no root of its own can be made here: ${trial.error?.message ?? trial.stderr.trim()}`);
}

const simulator = createSimulator({migrationSeconds: 0, rateLimit: false});
await using service = await startListener(simulator, {port: 0});
const env = {CLOUDFLARE_API_BASE_URL: service.url, CLOUDFLARE_API_TOKEN: 'simulated'};
/** The simulated service inside of the program, with a world that is kept in /tmp. */
const simulatedEnv = {LEDGE_STATE_DIR: '/tmp/state', LEDGE_SIMULATE_MIGRATION_SECONDS: '0'};
const terminalEnv = {TERM: 'xterm-256color', LANG: 'C.UTF-8', LEDGE_TIME_SCALE: '0.1'};
const localOptions = ['--local', '--persist-to', '/tmp/local', '--namespace-id', 'N'];
let passedCount = 0;

/** One thing that has to work. `work` returns what is worth printing of it. */
async function check(what: string, work: () => Promise<string | undefined>): Promise<void> {
	const started = performance.now();
	try {
		const found = await work();
		passedCount++;
		const seconds = ((performance.now() - started) / 1000).toFixed(1);
		process.stdout.write(`ok      ${what}${found ? `: ${found}` : ''} (${seconds} s)\n`);
	} catch (error) {
		process.stdout.write(`FAILED  ${what}\n${error instanceof Error ? error.message : String(error)}\n`);
		root[Symbol.dispose]();
		process.exit(1);
	}
}

function skipRun(why: string): never {
	process.stdout.write(`left out: ${why}.\n`);
	process.exit(0);
}

/** Runs a command in the root, which has to succeed, and returns what it printed. */
async function ledge(
	words: readonly string[],
	variables?: Readonly<Record<string, string>>,
): Promise<string> {
	const result = await root.run(words, variables);
	assert.equal(result.code, 0, `ledge ${words.join(' ')}: ${formatResult(result)}`);
	assert.doesNotMatch(result.stderr, /EVIL|\(node:\d+\)/);
	return result.stdout;
}

const formatResult = ({code, stdout, stderr}: RunResult): string =>
	`code ${code}\n${stdout.slice(0, 2000)}\n${stderr}`;

await check('the root holds the program and its libraries', async () => {
	const files = root.files().filter(file => !file.startsWith('/dev/'));
	for (const file of files) assert.match(file, /^\/ledge$|\.so(\.\d+)*$/);
	return `${files.length} file`;
});

await check('version and help', async () => {
	assert.equal((await ledge(['--version'])).trim(), version);
	assert.match(await ledge(['--help']), /key-value data/);
	return version;
});

await check('nothing but /tmp can be written to', async () => {
	const words = ['kv', 'export', '--simulate', '--namespace-id', 'f406ca271a253d6e7fe341d7a1faa59c'];
	const result = await root.run([...words, '--output', '/out.ndjson'], simulatedEnv);
	assert.notEqual(result.code, 0, formatResult(result));
	assert.match(result.stderr, /EROFS|read-only/i);
	return result.stderr.split('\n', 1)[0];
});

await check('kv key put and get of local data', async () => {
	await ledge(['kv', 'key', 'put', 'greeting', 'hello', ...localOptions]);
	const value = await ledge(['kv', 'key', 'get', 'greeting', ...localOptions]);
	assert.equal(value, 'hello');
	return value;
});

writeFileSync(join(root.tmp, 'evil.cjs'), "process.stderr.write('EVIL');\n");
writeFileSync(
	join(root.tmp, 'service.env'),
	`NODE_OPTIONS=--require /tmp/evil.cjs\n${Object.entries(env)
		.map(([name, value]) => `${name}=${value}\n`)
		.join('')}`,
);

await check('commands with --env-file reach a service outside, and Node reads nothing of it', async () => {
	const before = simulator.calls.list().length;
	assert.match(await ledge(['kv', 'namespace', 'list', '--env-file', '/tmp/service.env']), /"CONFIG"/);
	assert.match(await ledge(['zones', '--env-file=/tmp/service.env']), /acme\.example/);
	const calls = simulator.calls.list().length - before;
	assert.ok(calls >= 2);
	const missing = await root.run(['config', '--env-file', '/missing.env']);
	assert.equal(missing.code, 2, formatResult(missing));
	assert.match(missing.stderr, /^error: The file \/missing\.env with environment variables cannot be read/);
	return `${calls} calls`;
});

await check('NODE_OPTIONS and options of Node are not read', async () => {
	await ledge(['--version'], {NODE_OPTIONS: '--require /tmp/evil.cjs'});
	for (const word of ['--require=/tmp/evil.cjs', '--inspect', '--eval=0', '--node-options=--inspect']) {
		const result = await root.run(['config', word]);
		assert.equal(result.code, 2, formatResult(result));
		assert.match(result.stderr, /^error: Unknown option/);
	}
	return undefined;
});

await check('--base-url, and a write to the service outside', async () => {
	const serviceOptions = ['--namespace-id', 'f406ca271a253d6e7fe341d7a1faa59c', '--base-url', service.url];
	const variables = {CLOUDFLARE_API_TOKEN: 'simulated'};
	await ledge(['kv', 'key', 'put', 'of-the-binary', 'value', ...serviceOptions], variables);
	assert.equal(await ledge(['kv', 'key', 'get', 'of-the-binary', ...serviceOptions], variables), 'value');
	await ledge(['kv', 'key', 'delete', 'of-the-binary', ...serviceOptions], variables);
	return undefined;
});

await check('the simulated service inside, kept between two commands', async () => {
	const words = ['--simulate', '--namespace', 'CONFIG'];
	await ledge(['kv', 'key', 'put', 'kept', 'yes', ...words], simulatedEnv);
	assert.equal(await ledge(['kv', 'key', 'get', 'kept', ...words], simulatedEnv), 'yes');
	assert.match(await ledge(['firewall', 'explain', 'not ssl']), /ssl/);
	return undefined;
});

await check('the simulated service on a port', async () => {
	const child = root.start(['simulate', '--port', '0', '--memory']);
	try {
		const url = await new Promise<string>((found, fail) => {
			child.stdout.once('data', piece => found(String(piece).trim().split('\n', 1)[0] ?? ''));
			child.once('close', code => fail(new Error(`It ended with ${code}.`)));
		});
		const variables = {CLOUDFLARE_API_TOKEN: 'simulated', CLOUDFLARE_API_BASE_URL: url};
		assert.match(await ledge(['kv', 'namespace', 'list'], variables), /"CONFIG"/);
		return url;
	} finally {
		child.kill('SIGTERM');
	}
});

await check('$EDITOR', async () => {
	const editor = join(root.tmp, 'truncate');
	const tool = ['/usr/bin/truncate', '/bin/truncate'].find(existsSync);
	if (!tool) return 'left out: truncate, which takes the place of an editor, is not installed';
	copyFileSync(tool, editor);
	await ledge(['kv', 'key', 'put', 'edited', 'hello and more', ...localOptions]);
	await ledge(['kv', 'key', 'edit', 'edited', ...localOptions, '--yes'], {EDITOR: '/tmp/truncate --size=5'});
	assert.equal(await ledge(['kv', 'key', 'get', 'edited', ...localOptions]), 'hello');
	return 'truncate --size=5';
});

await check('completion', async () => {
	for (const shell of ['bash', 'zsh', 'fish'])
		assert.match(await ledge(['completion', shell]), /ledge __complete/);
	const line = 'ledge kv key g';
	const offered = await ledge(['__complete', 'bash', '9', ' \t\n"\'><=;|&(:', line]);
	assert.match(offered, /^get ?$/m);
	return `${line} -> ${offered.trim().split('\n').at(-1)}`;
});

await check('the manual and the licences', async () => {
	assert.match(await ledge(['man']), /^LEDGE\(1\)/);
	assert.match(await ledge(['man', 'kv']), /ledge kv key put/);
	assert.match(await ledge(['man', 'migration', '--roff']), /^\.TH "LEDGE\\-MIGRATION" 1/);
	const licences = await ledge(['licenses']);
	for (const name of [
		/^ledge \d/m,
		/^react \d/m,
		/^yoga-layout \d/m,
		/^undici \d/m,
		/^Node\.js v\d/m,
		/OpenSSL/,
	])
		assert.match(licences, name);
	return `${licences.split('\n').length} lines`;
});

await check('a proxy, and an authority of its own', async () => {
	if (spawnSync('openssl', ['version']).error) return 'left out: openssl is not installed';
	await using proxied = await startProxiedService(service.url, root.tmp);
	const words = ['kv', 'namespace', 'list', '--base-url', proxied.url];
	const variables = {
		CLOUDFLARE_API_TOKEN: 'simulated',
		HTTPS_PROXY: proxied.proxy,
		NODE_EXTRA_CA_CERTS: '/tmp/authority.pem',
	};
	assert.match(await ledge(words, variables), /"CONFIG"/);
	assert.ok(proxied.requests() > 0);
	assert.deepEqual([...new Set(proxied.tunnels)], ['api.service.test:443']);
	const {NODE_EXTRA_CA_CERTS: _authority, ...withoutAuthority} = variables;
	assert.notEqual((await root.run(words, withoutAuthority)).code, 0);
	return `${proxied.requests()} requests through ${proxied.tunnels[0]}`;
});

await check('compiled code is kept where there is a cache, and nothing else is unpacked', async () => {
	const before = readdirSync(root.tmp);
	const cacheEnv = {XDG_CACHE_HOME: '/tmp/cache'};
	await ledge(['kv', 'key', 'get', 'greeting', ...localOptions], cacheEnv);
	const folder = join(root.tmp, 'cache', 'ledge');
	// Node makes a folder for its version, with a file for each bundle.
	const files = readdirSync(folder, {recursive: true, withFileTypes: true}).filter(entry => entry.isFile());
	const readInodes = () => files.map(({parentPath, name}) => statSync(join(parentPath, name)).ino);
	const inodesBefore = readInodes();
	assert.equal(inodesBefore.length, 1);
	await ledge(['kv', 'key', 'get', 'greeting', ...localOptions], cacheEnv);
	assert.deepEqual(readInodes(), inodesBefore);
	assert.deepEqual(
		readdirSync(root.tmp).filter(name => !before.includes(name)),
		['cache'],
	);
	return `${files.length} file`;
});

await check('screens in a terminal: namespaces, keys, a value changed', async () => {
	const variables = {...env, ...terminalEnv, LEDGE_STATE_DIR: '/tmp/screens'};
	await changeAValue(root.command([], variables));
	const words = ['kv', 'key', 'get', 'limits/api', '--namespace', 'CONFIG'];
	const value = await ledge(words, env);
	assert.match(value, /"member": ?777/);
	return value.replaceAll(/\s+/g, ' ').slice(0, 60);
});

await check('a migration by commands, to its end', async () => {
	const zone = 'acme.example';
	const migration = (...words: string[]) =>
		ledge(['migration', ...words, '--zone', zone, '--simulate'], simulatedEnv);
	await migration('check');
	writeFileSync(join(root.tmp, 'c.json'), await migration('config'));
	const {fingerprint} = JSON.parse(await migration('plan', '/tmp/c.json', '--json')) as {fingerprint: string};
	await migration('rehearse', '/tmp/c.json');
	await migration('deploy', '/tmp/c.json', '--fingerprint', fingerprint, '--confirm', zone);
	const status = await migration('status');
	assert.match(status, /new version only/);
	await migration('report');
	return status.split('\n', 1)[0];
});

await check('a migration in the screens, to its end', async () => {
	const zone = 'acme.example';
	await migrateZone(
		root.command(['--zone', zone], {...env, ...terminalEnv, LEDGE_STATE_DIR: '/tmp/screens'}),
		zone,
	);
	const status = await ledge(['migration', 'status', '--zone', zone], {
		...env,
		LEDGE_STATE_DIR: '/tmp/screens',
	});
	assert.match(status, /new version only/);
	return status.split('\n', 1)[0];
});

const bytes = statSync(binaryFile).size;
process.stdout.write(`${passedCount} things work; ${binaryFile} has ${(bytes / 1e6).toFixed(1)} MB.\n`);
