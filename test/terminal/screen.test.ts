import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {type AddressInfo, createServer, type Socket} from 'node:net';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createScratchFolder} from '../support/ledge.ts';
import {keyBytes} from './screen/keys.ts';
import {type OpenOptions, openProgram, openScreen, type Screen} from './screen/open.ts';
import {closeScreens} from './screen/screen.ts';

const sampleProgram = join(import.meta.dirname, 'screen', 'sample-program.mjs');

async function openSample(options?: OpenOptions) {
	const screen = await openProgram([process.execPath, sampleProgram], options);
	await screen.waitFor('size');
	return screen;
}

/** A program that prints a text and stays. */
const openText = (text: string, options?: OpenOptions) =>
	openProgram(
		[process.execPath, '-e', `process.stdout.write(${JSON.stringify(text)}); setInterval(() => {}, 1000)`],
		options,
	);

const isProcessAlive = (pid: number): boolean => {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
		throw error;
	}
};

describe('reading the screen', () => {
	test('gives text, rows, the selected row and cells with their colours and attributes', async () => {
		const screen = await openSample();
		expect(screen.line(0)).toBe('bold red dim underlined palette true bright');
		expect(screen.line(-1)).toBe('');
		expect(screen.lines()).toHaveLength(24);
		expect(screen.findRow(/^size/)).toEqual({number: 5, text: 'size 80×24'});
		expect(screen.selectedRow()).toEqual({number: 1, text: ' ▸ first'});
		expect(screen.cell(0, 0)).toMatchObject({text: 'b', foreground: 'red', bold: true, dim: false});
		expect(screen.cellOf('dim')).toMatchObject({foreground: 'default', dim: true, bold: false});
		expect(screen.cellOf('underlined')).toMatchObject({underline: true});
		expect(screen.cellOf('palette')).toMatchObject({foreground: 'palette-208'});
		expect(screen.cellOf('true')).toMatchObject({background: '#010203', foreground: 'default'});
		expect(screen.cellOf('bright')).toMatchObject({foreground: 'bright-green'});
		expect(screen.cell(1, 3)).toMatchObject({text: 'f', inverse: true});
		expect(screen.cell(1, 8)).toMatchObject({text: ' ', inverse: false});
	});

	test('gives the state of the terminal, and that it is restored', async () => {
		const screen = await openSample();
		expect(screen.inAlternateScreen).toBe(true);
		expect(screen.cursorVisible).toBe(false);
		expect(screen.bracketedPaste).toBe(true);
		expect(screen.changedModes()).toEqual(['alternate screen', 'cursor hidden', 'bracketed paste']);
		screen.press('q');
		await screen.waitForEnd();
		expect(screen.changedModes()).toEqual([]);
		expect(screen.text().trim()).toBe('');
	});

	test('gives the lines that the terminal had to wrap', async () => {
		const screen = await openSample({columns: 60, rows: 15});
		expect(screen.wrapped()).toEqual([]);
		screen.press('w');
		await screen.waitFor('xxxxx');
		expect(screen.wrapped()).toEqual([{number: 1, text: 'xxxxx'}]);
	});

	test('gives the text copied through OSC 52', async () => {
		const screen = await openSample();
		screen.press('y');
		await screen.waitFor(() => screen.copied.length > 0);
		expect(screen.copied).toEqual(['größe']);
	});

	test('gives the rows that have scrolled away', async () => {
		const screen = await openScreen(['--help'], {rows: 10});
		await screen.waitForEnd();
		expect(screen.text()).not.toContain('Usage:');
		expect(screen.textWithHistory()).toContain('Usage: ledge');
	});
});

test('a slow line delivers everything in order, a little at a time', async () => {
	const text = Array.from({length: 300}, (_, number) => `${number};`).join('');
	const screen = await openText(`${text}end`, {bytesPerSecond: 2000});
	await screen.waitFor('end');
	expect(screen.received()).toBe(`${text}end`);
	expect(screen.since(screen.start).toLastByte - screen.since(screen.start).toFirstByte).toBeGreaterThan(100);
});

describe('widths', () => {
	const sampleText = 'a😀b|名前|e\u0301|👩‍👩‍👧|🇩🇪|❤️|👍🏽|';
	const findBarColumns = (screen: Screen) =>
		screen.frame().rows[0]?.flatMap(({text}, column) => (text === '|' ? [column] : []));

	test('are those of the base for a grapheme, and two for an emoji', async () => {
		const screen = await openText(sampleText);
		await screen.waitFor('前');
		expect(findBarColumns(screen)).toEqual([4, 9, 11, 14, 17, 20, 23]);
		expect(screen.cell(0, 10)).toMatchObject({text: 'e\u0301', width: 1});
		expect(screen.cell(0, 12)).toMatchObject({text: '👩‍👩‍👧', width: 2});
		expect(screen.cell(0, 13)).toMatchObject({text: '', width: 0});
		expect(screen.line(0)).toBe(sampleText);
	});

	test('can also come from the old tables', async () => {
		const screen = await openText(sampleText, {widths: 'unicode 6'});
		await screen.waitFor('前');
		expect(findBarColumns(screen)?.[0]).toBe(3);
	});
});

describe('keys', () => {
	test('have the bytes that terminals send', () => {
		expect(
			['down', 'enter', 'ctrl-k', 'alt-b', 'shift-up', 'é', 'pageup', 'ctrl-['].map(key => keyBytes(key)),
		).toEqual(['\u001b[B', '\r', '\u000b', '\u001bb', '\u001b[1;2A', 'é', '\u001b[5~', '\u001b']);
		expect(keyBytes('down', true)).toBe('\u001bOB');
		expect(() => keyBytes('dwon')).toThrow('"dwon" is no key');
	});

	test('are read one by one when pressed in turn, and as one in a burst', async () => {
		const screen = await openSample();
		await screen.pressAndAwaitFrame('j');
		await screen.pressAndAwaitFrame('down');
		expect(screen.selectedRow().text).toBe(' ▸ third');
		screen.burst('jkj');
		await screen.waitFor(/▸ fourth/);
		screen.burst(['up', 'enter']);
		await screen.waitFor('\\r"]');
		expect(screen.line(6)).toBe(`reads ${JSON.stringify(['j', '\u001b[B', 'jkj', '\u001b[A\r'])}`);
	});

	test('of pasted text are bracketed if the program asked for it', async () => {
		const screen = await openSample();
		screen.paste('two\nlines');
		await screen.waitFor('lines');
		expect(screen.text()).toContain(JSON.stringify('\u001b[200~two\rlines\u001b[201~'));
	});

	test('include the answers of the terminal to the program', async () => {
		const screen = await openSample();
		screen.press('p');
		await screen.waitFor('[7;9R');
	});
});

describe('waiting', () => {
	test('fails with the whole screen and the last bytes', async () => {
		const screen = await openSample({columns: 60, rows: 15});
		const failure = await screen.waitFor('SESSIONS', {within: 1}).then(
			() => '',
			(error: Error) => error.message,
		);
		expect(failure).toContain('did not show "SESSIONS" within 1 ms');
		expect(failure).toContain(`╭─ 60×15 ${'─'.repeat(52)}╮`);
		expect(failure).toContain(`│ ▸ first${' '.repeat(52)}│`);
		expect(failure).toContain('\\u001b[?2026l"');
	});

	test('fails at once when the program has ended', async () => {
		const screen = await openSample();
		screen.press('q');
		await expect(screen.waitFor('SESSIONS')).rejects.toThrow(
			/did not show "SESSIONS" and has ended \(code 3\)/,
		);
	});

	test('does not accept an incomplete frame', async () => {
		const screen = await openSample();
		screen.press('u');
		await expect.poll(() => screen.received()).toContain('half a frame');
		await expect(screen.waitFor('half a frame', {within: 100})).rejects.toThrow(
			'A synchronized update is open',
		);
	});

	test('for the end fails with the screen of a program that goes on', async () => {
		const screen = await openSample();
		await expect(screen.waitForEnd({within: 1})).rejects.toThrow(/did not end within 1 ms.*▸ first/s);
	});

	test('fails with the message of a predicate that throws', async () => {
		const screen = await openSample();
		await expect(screen.waitFor(() => screen.selectedRow('◆').number === 1)).rejects.toThrow(
			'has no row that begins with ◆',
		);
	});

	test('can tell the output of one key from earlier output', async () => {
		const screen = await openSample();
		const mark = screen.mark();
		const answer = await screen.pressAndAwaitFrame('j');
		expect(answer.text).toMatch(/^\u001b\[\?2026h.*\u001b\[\?2026l$/s);
		expect(screen.since(mark).bytes).toEqual(answer.bytes);
		expect(screen.received()).toContain('\u001b[?1049h');
		expect(screen.received().endsWith(answer.text)).toBe(true);
		expect(answer.toLastByte).toBeGreaterThanOrEqual(answer.toFirstByte);
		expect(screen.since(screen.mark()).toLastByte).toBeNaN();
	});
});

describe('the process', () => {
	test('learns of a resize', async () => {
		const screen = await openSample();
		await screen.resize(60, 15);
		await screen.waitFor('size 60×15');
		expect([screen.columns, screen.lines().length]).toEqual([60, 15]);
	});

	test('has neither CI nor NO_COLOR in its environment', async () => {
		process.env.CI = '1';
		process.env.NO_COLOR = '1';
		try {
			const screen = await openSample();
			screen.press('e');
			await screen.waitFor('CI=undefined NO_COLOR=undefined TERM=xterm-256color');
		} finally {
			delete process.env.CI;
			delete process.env.NO_COLOR;
		}
	});

	test('reports its code or the signal that ended it', async () => {
		const [quittingScreen, killedScreen] = await Promise.all([openSample(), openSample()]);
		quittingScreen.press('q');
		killedScreen.kill('SIGTERM');
		expect(await quittingScreen.waitForEnd()).toEqual({code: 3, signal: null});
		expect(await killedScreen.waitForEnd()).toEqual({code: null, signal: 'SIGTERM'});
	});

	test('learns of a dropped line', async () => {
		const screen = await openSample();
		screen.hangUp();
		expect(await screen.waitForEnd()).toEqual({code: null, signal: 'SIGHUP'});
	});

	test('is gone after close, even if it ignores signals', async () => {
		const screen = await openSample();
		await screen.pressAndAwaitFrame('h');
		screen.kill('SIGTERM');
		await screen.pressAndAwaitFrame('j');
		expect(isProcessAlive(screen.pid)).toBe(true);
		await screen.close();
		expect(isProcessAlive(screen.pid)).toBe(false);
		await screen.close();
	});

	// Elsewhere only the group of the program is known.
	test.runIf(process.platform === 'linux')('takes the background processes of a shell with it', async () => {
		const server = createServer().listen(0, '127.0.0.1');
		await once(server, 'listening');
		const {port} = server.address() as AddressInfo;
		const connected = once(server, 'connection') as Promise<[Socket]>;
		const sleeper = `"${process.execPath}" -e "require('net').connect(${port}, '127.0.0.1')"`;
		const screen = await openProgram(['sh', '-c', `set -m; ${sleeper} & cat`]);
		try {
			const [connection] = await connected;
			// What a killed process held is closed for it; until then nothing ends this connection.
			const connectionClosed = once(
				connection.on('error', () => {}),
				'close',
			);
			await screen.close();
			await connectionClosed;
		} finally {
			server.close();
		}
	});

	test('does not outlive its test, even a failing one', async () => {
		const pidFile = join(createScratchFolder(), 'pid');
		await openSample({env: {PID_FILE: pidFile}});
		const pid = Number(readFileSync(pidFile, 'utf8'));
		expect(isProcessAlive(pid)).toBe(true);
		// What `openScreen` has registered to run after each test.
		await closeScreens();
		expect(isProcessAlive(pid)).toBe(false);
	});
});

test('the built program shows its help', async () => {
	const screen = await openScreen(['kv', 'key', '--help']);
	await screen.waitForEnd();
	expect(screen.textWithHistory()).toContain('Usage: ledge kv key');
	expect(screen.changedModes()).toEqual([]);
});
