import {chmodSync, realpathSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {inspect} from 'node:util';
import {describe, expect, test} from 'vitest';
import {parseCredentialCommand} from '../../source/credentials/credential-command.ts';
import type {SourceOptions} from '../../source/credentials/source.ts';
import {failureOf, folderWith} from '../settings/support/files.ts';
import {createActiveContext, createSettingSources} from '../settings/support/sources.ts';
import {createTestCredentialSource} from './support/credential.ts';
import {buildPrintScript, createStandIn} from './support/stand-in.ts';

const secret = 'never-to-be-shown-0123456789';

/** A credential command that runs this body, its source of credentials, and what it wrote on standard error. */
function createCommand(body: string, options: Partial<SourceOptions> = {}) {
	const folder = realpathSync(folderWith({}));
	const helper = createStandIn(join(folder, 'helper'), body);
	let errors = '';
	const open = () =>
		createTestCredentialSource(
			createSettingSources({env: {LEDGE_CREDENTIAL_COMMAND: `${helper.program} one two`}}),
			{},
			{
				env: {KEPT: '1'},
				startFolder: folder,
				onStderr: text => {
					errors += text;
				},
				...options,
			},
		);
	return {folder, helper, open, errors: () => errors};
}

describe('the output of a credential command', () => {
	test.each([
		['a token in one line', `out('t0ken\\r\\n')`, {kind: 'token', token: 't0ken'}],
		['a token without a line end', `out('t0ken')`, {kind: 'token', token: 't0ken'}],
		['a token behind a byte order mark', `out('\\ufefft0ken\\n')`, {kind: 'token', token: 't0ken'}],
		['an API token', buildPrintScript({type: 'api_token', token: 't0ken'}), {kind: 'token', token: 't0ken'}],
		[
			'a login',
			buildPrintScript({type: 'oauth', token: 't0ken'}),
			{kind: 'oauth', token: 't0ken', profile: undefined},
		],
		[
			'key and email',
			buildPrintScript({type: 'api_key', key: 'k', email: 'a@b.test'}),
			{kind: 'key', key: 'k', email: 'a@b.test'},
		],
		['JSON over several lines', `out('{\\n "type": "oauth",\\n "token": "t0ken"\\n}\\n')`, {kind: 'oauth'}],
	])('is the credential if it is %s', async (_, body, credential) => {
		const {open} = createCommand(body);
		expect(await (await open()).current()).toMatchObject({...credential, from: 'LEDGE_CREDENTIAL_COMMAND'});
	});

	test.each([
		['several lines', `out('${secret}\\n${secret}\\n')`],
		['several words', `out('token: ${secret}\\n')`],
		['nothing', ''],
		['blank lines', `out('\\n \\n')`],
		['JSON that is cut', `out('{"type":"oauth","token":"${secret}')`],
		['JSON of another type', buildPrintScript({type: 'basic', token: secret})],
		['a key without an email', buildPrintScript({type: 'api_key', key: secret})],
		['a token that is no string', buildPrintScript({type: 'api_token', token: [secret]})],
		['a list', buildPrintScript([secret])],
		['a text as JSON', buildPrintScript(secret)],
		['the null of jq', `out('null\\n')`],
		['a page', `out('<html>${secret}</html>')`],
	])('is refused if it is %s, and not shown', async (_, body) => {
		const {open} = createCommand(body);
		const failure = await failureOf(async () => (await open()).current());
		expect(failure).toMatchObject({code: 'credential_missing', exitCode: 4});
		expect(failure.message).toContain('LEDGE_CREDENTIAL_COMMAND');
		expect(failure.details.why).toContain('neither a one-line token nor the JSON');
		expect(failure.next).toContain('CLOUDFLARE_API_TOKEN');
		expect(inspect(failure, {depth: 9, showHidden: true})).not.toContain(secret);
	});

	test.each([
		['an exit code', `out('${secret}'); process.exitCode = 7;`, 'exited with code 7'],
		[
			'a signal',
			`out('${secret}'); process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1e6);`,
			'SIGKILL',
		],
		['too much', `out('${secret}'.repeat(4000));`, 'more than a credential'],
		['a character no header can hold', `out('${secret}\\u2026')`, 'U+2026'],
	])('is refused with %s', async (_, body, why) => {
		const {open} = createCommand(body);
		const failure = await failureOf(async () => (await open()).current());
		expect(failure.code).toBe('credential_missing');
		expect(failure.details.why).toContain(why);
		expect(inspect(failure, {depth: 9, showHidden: true})).not.toContain(secret);
	});

	test('is refused after the timeout', async () => {
		const {open} = createCommand('setInterval(() => {}, 1e6);', {timeout: 1});
		const failure = await failureOf(async () => (await open()).current());
		expect(failure.details.why).toContain('longer than 0.001 s');
	});
});

describe('running a credential command', () => {
	test('uses no shell, the starting folder and the variables of ledge', async () => {
		const {open, helper, folder} = createCommand(`out('t')`);
		await (await open()).current();
		const [run] = helper.runs();
		expect(run).toMatchObject({words: ['one', 'two'], cwd: folder, env: {KEPT: '1'}});
	});

	test('passes on its stderr if it cannot use the terminal itself', async () => {
		const {open, errors} = createCommand(`err('Touch your key.\\n'); out('t')`);
		await (await open()).current();
		expect(errors()).toBe('Touch your key.\n');
	});

	test('adds no variable of its own to a curl line', async () => {
		const token = await (await createCommand(`out('t')`).open()).current();
		expect(token.getShownHeaders()).toEqual([
			{header: 'Authorization: Bearer ', variable: '$CLOUDFLARE_API_TOKEN'},
		]);
		const key = await (
			await createCommand(buildPrintScript({type: 'api_key', key: 'k', email: 'e'})).open()
		).current();
		expect(key.getShownHeaders().map(({variable}) => variable)).toEqual([
			'$CLOUDFLARE_EMAIL',
			'$CLOUDFLARE_API_KEY',
		]);
	});

	test('happens once for all requests, when the first one needs it', async () => {
		const lendingSteps: string[] = [];
		const {open, helper} = createCommand(`out('t')`, {
			async lendTerminal(work) {
				lendingSteps.push('begun');
				const done = await work(false);
				lendingSteps.push('ended');
				return done;
			},
		});
		const credentials = await open();
		expect(helper.runs()).toHaveLength(0);
		const found = await Promise.all([1, 2, 3].map(() => credentials.current()));
		expect(await credentials.current()).toBe(found[0]);
		expect(new Set(found).size).toBe(1);
		expect(helper.runs()).toHaveLength(1);
		expect(lendingSteps).toEqual(['begun', 'ended']);
	});

	test('happens once more for all rejected requests', async () => {
		const {open, helper} = createCommand(
			`out(fs.readFileSync(__filename + '.count', 'utf8')); fs.writeFileSync(__filename + '.count', 'second');`,
		);
		writeFileSync(`${helper.program}.count`, 'first');
		const credentials = await open();
		const refused = await credentials.current();
		expect(refused).toMatchObject({token: 'first'});
		const renewed = await Promise.all([1, 2].map(() => credentials.renew(refused)));
		for (const found of renewed) expect(found).toMatchObject({token: 'second'});
		expect(helper.runs()).toHaveLength(2);
	});

	test('is not repeated if it prints the same credential', async () => {
		const {open, helper} = createCommand(`out('t')`);
		const credentials = await open();
		const refused = await credentials.current();
		for (const _ of [1, 2]) expect(await credentials.renew(refused)).toBeUndefined();
		expect(helper.runs()).toHaveLength(2);
	});

	test.each([
		['is not there', 'none', 'The program does not exist.'],
		['may not be run', 'plain', 'There is no permission to run it.'],
		['is a folder', 'folder', 'There is no permission to run it.'],
	])('fails if it %s', async (_, name, why) => {
		const folder = folderWith({plain: 'x', 'folder/x': ''});
		chmodSync(join(folder, 'plain'), 0o644);
		const program = join(folder, name);
		const failure = await failureOf(async () =>
			(
				await createTestCredentialSource(
					createSettingSources({env: {LEDGE_CREDENTIAL_COMMAND: program}}),
					{},
					{startFolder: folder},
				)
			).current(),
		);
		expect(failure).toMatchObject({code: 'credential_missing', exitCode: 4});
		expect(failure.details.why).toContain(program);
		expect(failure.details.why).toContain(why);
	});

	test('names a command with a relative path before it runs, but no other', async () => {
		const folder = realpathSync(folderWith({}));
		const helper = createStandIn(join(folder, 'bin/helper'), `out('t')`);
		const notices: string[] = [];
		const notice = (sentence: string) => {
			expect(helper.runs()).toHaveLength(notices.length);
			notices.push(sentence);
		};
		for (const LEDGE_CREDENTIAL_COMMAND of ['bin/helper', './bin/helper', helper.program]) {
			const credentials = await createTestCredentialSource(
				createSettingSources({env: {LEDGE_CREDENTIAL_COMMAND}}),
				{},
				{startFolder: folder, notice},
			);
			await credentials.current();
		}
		expect(helper.runs()).toHaveLength(3);
		const sentence = `Running ${helper.program}, the credential command from LEDGE_CREDENTIAL_COMMAND.`;
		expect(notices).toEqual([sentence, sentence]);
	});

	test('gives the context as the origin of the credential', async () => {
		const folder = realpathSync(folderWith({}));
		const {program} = createStandIn(join(folder, 'helper'), `out('t')`);
		const context = createActiveContext({credentialCommand: [program, 'a b', '$HOME']});
		const found = await (
			await createTestCredentialSource(createSettingSources({context}), {home: folder}, {startFolder: folder})
		).current();
		expect(found).toMatchObject({kind: 'token', token: 't', from: context.from});
	});

	test.each([
		['a context', true],
		['a variable', false],
	])('advises CLOUDFLARE_API_TOKEN only for a variable: %s', async (_by, isOfContext) => {
		const folder = realpathSync(folderWith({}));
		const {program} = createStandIn(join(folder, 'helper'), `process.exitCode = 1`);
		const settingSources = createSettingSources(
			isOfContext
				? {context: {...createActiveContext({credentialCommand: [program]}), from: 'prod'}}
				: {env: {LEDGE_CREDENTIAL_COMMAND: program}},
		);
		const source = await createTestCredentialSource(settingSources, {home: folder}, {startFolder: folder});
		const failure = await failureOf(() => source.current());
		expect(failure.next?.includes('or set CLOUDFLARE_API_TOKEN')).toBe(!isOfContext);
	});
});

describe('a credential command in a variable', () => {
	const read = (value: string) => parseCredentialCommand({value, from: 'LEDGE_CREDENTIAL_COMMAND'}).value;

	test.each([
		['pass show cf', ['pass', 'show', 'cf']],
		['  op\tread  op://vault/item-1/token=x ', ['op', 'read', 'op://vault/item-1/token=x']],
		['C:/bin/x.exe', ['C:/bin/x.exe']],
		['["op", "read", "a b $HOME \\"x\\""]', ['op', 'read', 'a b $HOME "x"']],
		[' ["x"] ', ['x']],
	])('is split into words: %s', (value, words) => {
		expect(read(value)).toEqual(words);
	});

	test.each([
		...[...'"\'`$\\|&;<>*?(){}~'].map(character => `pass show ${character}x`),
		'   ',
		'[',
		'[]',
		'["pass", 1]',
		'[""]',
		'["pass"] show',
		'[pass show]',
	])('is refused before anything runs: %s', async value => {
		const failure = await failureOf(() => read(value));
		expect(failure).toMatchObject({code: 'usage', exitCode: 2});
		expect(failure.message).toBe('LEDGE_CREDENTIAL_COMMAND is not a command.');
		expect(failure.next).toContain('["op", "read"');
	});
});
