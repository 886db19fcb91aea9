import {chmodSync, chownSync, mkdirSync, readdirSync, statSync, symlinkSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {readContexts} from '../../../source/settings/contexts/file.ts';
import {changeContexts} from '../../../source/settings/contexts/write.ts';
import {failureOf, folderWith} from '../support/files.ts';

const text = '[contexts.a]\nprofile = "work"\n';
const isRoot = process.getuid?.() === 0;

describe('the contexts file', () => {
	const createHome = (mode = 0o600) => {
		const folder = folderWith({'ledge/contexts.toml': text});
		const file = join(folder, 'ledge/contexts.toml');
		chmodSync(file, mode);
		return {file, env: {XDG_CONFIG_HOME: folder}};
	};

	test('need not exist', async () => {
		expect(await readContexts({XDG_CONFIG_HOME: folderWith({})})).toBeUndefined();
		expect(await readContexts({XDG_CONFIG_HOME: folderWith({ledge: ''})})).toBeUndefined();
		expect(await readContexts({})).toBeUndefined();
	});

	test.each([0o600, 0o400, 0o644, 0o700])('is read if others cannot write it (decimal %i)', async mode => {
		const {env, file} = createHome(mode);
		expect(await readContexts(env)).toMatchObject({file, all: [{name: 'a'}]});
	});

	test.each([
		[0o666, '666'],
		[0o620, '620'],
		[0o602, '602'],
	])('is refused if others can write it (mode %i, octal %s)', async (mode, shown) => {
		const {env, file} = createHome(mode);
		const failure = await failureOf(() => readContexts(env));
		expect(failure).toMatchObject({code: 'configuration_invalid', exitCode: 2, next: `chmod 600 ${file}`});
		expect(failure.message).toContain(file);
		expect(failure.details.why).toContain(`Its mode is ${shown}`);
	});

	test.each([
		[0o777, '777'],
		[0o720, '720'],
		[0o702, '702'],
	])('is refused if others can write its folder (mode %i, octal %s)', async (mode, shown) => {
		const {env, file} = createHome();
		chmodSync(dirname(file), mode);
		const failure = await failureOf(() => readContexts(env));
		expect(failure).toMatchObject({code: 'configuration_invalid', next: `chmod go-w ${dirname(file)}`});
		expect(failure.message).toContain('the folder of the contexts file');
		expect(failure.details.why).toContain(`Its mode is ${shown}`);
	});

	test('is read from a sticky folder, although others can write to it', async () => {
		const {env, file} = createHome();
		chmodSync(dirname(file), 0o1777);
		expect(await readContexts(env)).toMatchObject({file});
	});

	test('is refused if it is a link into a folder that others can write', async () => {
		const {file} = createHome();
		chmodSync(dirname(file), 0o777);
		const folder = folderWith({'ledge/x': ''});
		symlinkSync(file, join(folder, 'ledge/contexts.toml'));
		const failure = await failureOf(() => readContexts({XDG_CONFIG_HOME: folder}));
		expect(failure.next).toBe(`chmod go-w ${dirname(file)}`);
	});

	test('is not created in a folder that others can write', async () => {
		const folder = folderWith({'ledge/x': ''});
		chmodSync(join(folder, 'ledge'), 0o777);
		const change = {kind: 'add', name: 'a', fields: {profile: 'work'}} as const;
		const failure = await failureOf(() => changeContexts(change, {XDG_CONFIG_HOME: folder}));
		expect(failure.next).toBe(`chmod go-w ${join(folder, 'ledge')}`);
		expect(readdirSync(join(folder, 'ledge'))).toEqual(['x']);
	});

	test('is refused with a command for the fix that can be pasted', async () => {
		const folder = folderWith({"it's mine/ledge/contexts.toml": text});
		const config = join(folder, "it's mine");
		chmodSync(join(config, 'ledge/contexts.toml'), 0o666);
		const failure = await failureOf(() => readContexts({XDG_CONFIG_HOME: config}));
		expect(failure.next).toBe(`chmod 600 '${join(folder, "it'\\''s mine/ledge/contexts.toml")}'`);
	});

	test('is refused if it is a link to a file that others can write', async () => {
		const {file} = createHome(0o666);
		const folder = folderWith({'ledge/x': ''});
		symlinkSync(file, join(folder, 'ledge/contexts.toml'));
		expect((await failureOf(() => readContexts({XDG_CONFIG_HOME: folder}))).code).toBe(
			'configuration_invalid',
		);
	});

	test.runIf(isRoot)('is refused if it belongs to someone else', async () => {
		const {env, file} = createHome();
		chownSync(file, 4242, statSync(file).gid);
		const failure = await failureOf(() => readContexts(env));
		expect(failure.code).toBe('configuration_invalid');
		expect(failure.details.why).toBe('Its owner is user 4242; ledge runs as user 0.');
	});

	test('fails with its own error if it is a folder', async () => {
		const folder = folderWith({});
		mkdirSync(join(folder, 'ledge/contexts.toml'), {recursive: true, mode: 0o700});
		chmodSync(join(folder, 'ledge/contexts.toml'), 0o700);
		const failure = await failureOf(() => readContexts({XDG_CONFIG_HOME: folder}));
		expect(failure).toMatchObject({code: 'configuration_invalid', exitCode: 2});
		expect(failure.details.why).toBe('It is a folder.');
	});

	test.skipIf(isRoot)('fails with a read error if the permission is missing', async () => {
		const {env} = createHome(0);
		expect((await failureOf(() => readContexts(env))).details.why).toContain('EACCES');
	});

	test('is named with ~ in errors about its content', async () => {
		const folder = folderWith({'.config/ledge/contexts.toml': 'x'});
		const failure = await failureOf(() => readContexts({HOME: folder}));
		expect(failure.message).toMatch(/^~\/\.config\/ledge\/contexts\.toml:1:/);
	});
});
