import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {spawn} from '@lydell/node-pty';
import {expect, test} from 'vitest';
import {createScratchFolder, createUnconfiguredEnvironment, program} from '../../support/ledge.ts';

/** Runs `ledge pick` in a shell line of a terminal, and types once a text appears. */
async function pick(words: string, when: string, keys: string, redirections = '') {
	const cwd = createScratchFolder();
	const terminal = spawn(
		'sh',
		['-c', `"$0" "$1" --simulate pick ${words} > out ${redirections}`, process.execPath, program],
		{
			name: 'xterm-256color',
			cols: 80,
			rows: 24,
			cwd,
			env: createUnconfiguredEnvironment(cwd, {TERM: 'xterm-256color'}),
			encoding: 'utf8',
		},
	);
	let drawn = '';
	let hasTyped = false;
	terminal.onData(piece => {
		drawn += piece;
		if (hasTyped || !drawn.includes(when)) return;
		hasTyped = true;
		terminal.write(keys);
	});
	const code = await new Promise<number>(resolve => terminal.onExit(({exitCode}) => resolve(exitCode)));
	return {code, drawn, printed: readFileSync(join(cwd, 'out'), 'utf8')};
}

test('the list is drawn on the terminal, and only the chosen key is printed', async () => {
	const {code, drawn, printed} = await pick('--namespace CONFIG', 'robots.txt', '\r');
	expect([code, printed]).toEqual([0, 'features\n']);
	// Colours follow the terminal, not the file; in the end it is as before.
	expect(drawn).toMatch(/\u001b\[\d\dm/);
	expect(drawn).toContain('\u001b[?1049l');
});

test('selected keys are printed in order, with NUL on request', async () => {
	const {code, printed} = await pick('--namespace CONFIG -0', 'robots.txt', 'G jj \r');
	expect([code, printed.split('\0')]).toEqual([0, ['site', '']]);
	const both = await pick('--namespace CONFIG -0', 'robots.txt', ' j \r');
	expect(both.printed).toBe('features\0limits/api\0');
});

test('it also works if all standard streams are redirected', async () => {
	const {code, drawn, printed} = await pick(
		'--namespace CONFIG',
		'robots.txt',
		'\r',
		'2> errors < /dev/null',
	);
	expect([code, printed]).toEqual([0, 'features\n']);
	expect(drawn).toContain('secret/rotation');
});

test.each([
	['q', 'q'],
	['esc', '\u001b'],
	['ctrl-c', '\u0003'],
])('%s leaves without a key, with exit code 130', async (_, keys) => {
	const {code, printed} = await pick('--namespace CONFIG', 'robots.txt', keys);
	expect([code, printed]).toEqual([130, '']);
});

test('an unknown namespace is a failure', async () => {
	const {code, drawn, printed} = await pick('--namespace NOPE', 'never', '');
	expect([code, printed]).toEqual([3, '']);
	expect(drawn).toContain('There is no namespace "NOPE".');
});
