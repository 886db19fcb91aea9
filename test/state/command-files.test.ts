import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {openCommandFiles, removeAbandonedCommandFiles} from '../../source/state/command-files.ts';
import {getThisProcess} from '../../source/state/holder.ts';
import {createScratchFolder} from '../support/ledge.ts';

const createEnvironment = () => ({LEDGE_STATE_DIR: join(createScratchFolder(), 'state')});

test('files are only for their owner, and are removed', () => {
	const env = createEnvironment();
	let path: string;
	{
		using files = openCommandFiles(env);
		path = files.write('value.json', '{}');
		expect(readFileSync(path, 'utf8')).toBe('{}');
		expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
	}
	expect(existsSync(dirname(path))).toBe(false);
});

test('files of a killed process are removed, those of a running one stay', () => {
	const env = createEnvironment();
	using files = openCommandFiles(env);
	const ownPath = files.write('value.json', '{}');
	const parent = join(env.LEDGE_STATE_DIR, 'commands');
	const {pid} = spawnSync('true');
	const abandoned = join(parent, 'abandoned-1');
	mkdirSync(abandoned);
	writeFileSync(join(abandoned, 'value.json'), 'secret');
	writeFileSync(join(abandoned, 'holder.json'), JSON.stringify({...getThisProcess(), pid}));
	mkdirSync(join(parent, 'unknown'));
	removeAbandonedCommandFiles(env);
	expect(existsSync(ownPath)).toBe(true);
	expect(readdirSync(parent)).not.toContain('abandoned-1');
	expect(readdirSync(parent)).toContain('unknown');
});

test('files are removed when the process ends', () => {
	const env = createEnvironment();
	const script = `
		import {openCommandFiles} from ${JSON.stringify(join(process.cwd(), 'source/state/command-files.ts'))};
		process.stdout.write(openCommandFiles(process.env).write('value', 'secret'));
		process.exit(3);`;
	const {stdout, status} = spawnSync(
		process.execPath,
		['--experimental-strip-types', '--input-type=module', '-e', script],
		{
			env: {...process.env, ...env},
			encoding: 'utf8',
		},
	);
	expect(status).toBe(3);
	expect(stdout).toContain(env.LEDGE_STATE_DIR);
	expect(existsSync(stdout)).toBe(false);
});

test('nothing is removed, and nothing fails, without a state directory', () => {
	expect(() => removeAbandonedCommandFiles({})).not.toThrow();
	expect(() => removeAbandonedCommandFiles(createEnvironment())).not.toThrow();
});
