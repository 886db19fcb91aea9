import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, test} from 'vitest';
import {eventually} from '../support/eventually.ts';
import {bundleProgram, type ShellTerminal, startShell} from './support/in-terminal.ts';

const enter = '\u001b[?1049h';
const leave = '\u001b[?1049l';

let program: string;
beforeAll(async () => {
	program = await bundleProgram('full-screen-program');
});

/**
 * Runs the program under a shell that shows how it ended and how it left the terminal, and then waits: Node 22 loses what a
 * shell writes right before it is gone, 1 time in 70.
 */
function start(): ShellTerminal {
	return startShell(['-c', '"$NODE" "$PROGRAM" "$FOLDER"; echo "exit $?"; stty -a; echo over; read -r _'], {
		NODE: process.execPath,
		PROGRAM: program,
	});
}

async function waitUntilDrawn(terminal: ShellTerminal): Promise<number> {
	await terminal.waitFor('is drawn');
	await expectRecorded(terminal, 'mounted');
	return Number(/process (\d+) is drawn/.exec(terminal.output())?.[1]);
}

const expectRecorded = (terminal: ShellTerminal, line: string, count = 1) =>
	eventually(() => expect(terminal.readRecord().filter(one => one === line)).toHaveLength(count));

const keysOf = (terminal: ShellTerminal): string[] =>
	terminal.readRecord().flatMap(line => (line.startsWith('key ') ? [line.slice(4)] : []));

/** Expects that each mode was switched off in the end, and that lines are read and echoed again. */
function expectRestored(output: string): void {
	expect(output.lastIndexOf(leave)).toBeGreaterThan(output.lastIndexOf(enter));
	expect(output.match(/\u001b\[\?1049l/g)).toHaveLength(output.split(enter).length - 1);
	for (const mode of [2004, 1000, 1006])
		expect(output.lastIndexOf(`\u001b[?${mode}l`)).toBeGreaterThan(output.lastIndexOf(`\u001b[?${mode}h`));
	expect(output.lastIndexOf('\u001b[?25h')).toBeGreaterThan(output.lastIndexOf('\u001b[?25l'));
	const modes = output.slice(output.lastIndexOf('speed'));
	expect(modes).toMatch(/(?<!-)\bicanon\b/);
	expect(modes).toMatch(/(?<!-)\becho\b/);
	expect(modes).toMatch(/(?<!-)\bisig\b/);
}

describe('the terminal is left as it was found', () => {
	test.each([
		['SIGTERM', 143],
		['SIGINT', 130],
		['SIGHUP', 129],
		['SIGQUIT', 131],
	] as const)('after the signal %s', async (signal, code) => {
		const terminal = start();
		process.kill(await waitUntilDrawn(terminal), signal);
		await terminal.waitFor('over');
		expect(terminal.output()).toContain(`exit ${code}`);
		expectRestored(terminal.output());
		expect(terminal.readRecord().at(-1)).toBe(`ended signal ${signal}`);
	});

	test.each([
		['an error that nobody caught', 'x', 1, 'hostile \\x1b[2J error', 'ended crash'],
		['a rejection that nobody caught', 'r', 1, 'rejected', 'ended crash'],
		['a component that throws', 'b', 1, 'broken component', 'ended crash'],
		['an exit from anywhere', 'e', 7, '', 'ended exit'],
		['an ordinary end', 'q', 0, 'closed in order', 'ended closed'],
		['an end that fails itself', 'fq', 0, 'ending failed', 'ended closed'],
	])('after %s', async (_how, keys, code, message, lastRecord) => {
		const terminal = start();
		await waitUntilDrawn(terminal);
		terminal.type(keys);
		await terminal.waitFor('over');
		const output = terminal.output();
		expect(output).toContain(`exit ${code}`);
		expectRestored(output);
		expect(output.slice(output.lastIndexOf(leave), output.indexOf('exit '))).toContain(message);
		expect(output.slice(output.lastIndexOf(leave))).not.toContain('is drawn');
		expect(terminal.readRecord().at(-1)).toBe(lastRecord);
	});

	test('after the line drops: the process saves its data and exits', async () => {
		// The shell stays, to take note of the end of the process.
		const terminal = startShell(['-c', 'trap : HUP; "$NODE" "$PROGRAM" "$FOLDER"; true'], {
			NODE: process.execPath,
			PROGRAM: program,
		});
		const pid = await waitUntilDrawn(terminal);
		terminal.hangUp();
		await eventually(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));
		expect(terminal.readRecord().at(-1)).toBe('ended signal SIGHUP');
	});

	test('after the terminal disappears and the signal never arrives', async () => {
		const terminal = startShell(['-c', 'trap "" HUP; "$NODE" --require "$QUIET" "$PROGRAM" "$FOLDER"'], {
			NODE: process.execPath,
			PROGRAM: program,
			QUIET: join(import.meta.dirname, 'support/no-hang-up.cjs'),
		});
		const pid = await waitUntilDrawn(terminal);
		terminal.hangUp();
		await eventually(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));
		expect(terminal.readRecord().at(-1)).toBe('ended signal SIGHUP');
	});
});

describe('the keys', () => {
	test('typed before the program listens arrive exactly once', async () => {
		const terminal = startShell(['-c', '"$NODE" "$PROGRAM" "$FOLDER" wait; echo over; read -r _'], {
			NODE: process.execPath,
			PROGRAM: program,
		});
		await terminal.waitFor(/waiting \d+/);
		terminal.type('jk\rl');
		// The echo of the terminal says that they have arrived there.
		await terminal.waitFor('jk\r\nl');
		process.kill(Number(/waiting (\d+)/.exec(terminal.output())?.[1]), 'SIGUSR1');
		await expectRecorded(terminal, 'key l');
		expect(keysOf(terminal)).toEqual(['j', 'k', 'enter', 'l']);
		terminal.type('q');
		await terminal.waitFor('over');
	});

	test('of a burst arrive one by one, and a paste arrives as one', async () => {
		const terminal = start();
		await waitUntilDrawn(terminal);
		terminal.type('jjj\u001b[B\r\u001b[200~qqq\u001b[201~k');
		terminal.type('q');
		await terminal.waitFor('over');
		expect(keysOf(terminal)).toEqual(['j', 'j', 'j', 'down', 'enter', 'paste', 'k', 'q']);
	});
});

describe('the terminal is lent', () => {
	test('to an editor, which receives every byte that is typed', async () => {
		const terminal = start();
		await waitUntilDrawn(terminal);
		terminal.type('E');
		await terminal.waitFor('editor is ready');
		const before = terminal.output();
		expectRestored(`${before} speed icanon echo isig`);
		const typed = 'every byte, \u001b[A an arrow and \u0003 a stop, é';
		for (const letter of typed) terminal.type(letter);
		terminal.type('.'.repeat(50 - Buffer.byteLength(typed)));
		await expectRecorded(terminal, 'returned');
		expect(readFileSync(join(terminal.folder, 'edited'), 'utf8')).toBe(typed.padEnd(49, '.'));
		await terminal.waitFor('keys: E.', before.length);
		expect(terminal.output().slice(before.length)).toContain(enter);
		terminal.type('jq');
		await terminal.waitFor('over');
		expectRestored(terminal.output());
		expect(keysOf(terminal)).toEqual(['E', 'j', 'q']);
	});

	test('and an interrupt meant for the editor does not end the program', async () => {
		const terminal = start();
		const pid = await waitUntilDrawn(terminal);
		terminal.type('E');
		await terminal.waitFor('editor is ready');
		process.kill(pid, 'SIGINT');
		terminal.type('.'.repeat(50));
		await expectRecorded(terminal, 'returned');
		process.kill(pid, 'SIGINT');
		await terminal.waitFor('over');
		expect(terminal.output()).toContain('exit 130');
		expectRestored(terminal.output());
	});

	test('and a signal that ends the program during an editor restores the rest', async () => {
		const terminal = start();
		const pid = await waitUntilDrawn(terminal);
		terminal.type('E');
		await terminal.waitFor('editor is ready');
		process.kill(pid, 'SIGTERM');
		await terminal.waitFor('over');
		expect(terminal.output()).toContain('exit 143');
		expect(terminal.readRecord().at(-1)).toBe('ended signal SIGTERM');
	});

	test('to the shell by ctrl-z, and then taken back and redrawn', async () => {
		const terminal = startShell(['-i'], {NODE: process.execPath, PROGRAM: program});
		await terminal.waitFor('shell> ');
		terminal.type('"$NODE" "$PROGRAM" "$FOLDER"\r');
		await waitUntilDrawn(terminal);
		for (let round = 1; round <= 2; round++) {
			const before = terminal.output().length;
			terminal.type('\u001a');
			await terminal.waitFor('shell> ', before);
			terminal.type('stty -a; echo modes shown\r');
			await terminal.waitFor('\nmodes shown', before);
			expectRestored(terminal.output());
			const outputLength = terminal.output().length;
			terminal.type('fg\r');
			await terminal.waitFor(/is drawn\s+keys: ctrl-z[ctrl z-]*\./, outputLength);
			expect(terminal.output().slice(outputLength)).toContain(enter);
			await expectRecorded(terminal, 'returned', round);
		}
		const before = terminal.output().length;
		terminal.type('q');
		await terminal.waitFor('closed in order', before);
		expect(terminal.readRecord().at(-1)).toBe('ended closed');
		terminal.type('exit\r');
	});

	test('to nobody without a shell to continue the program: ctrl-z returns at once', async () => {
		const terminal = startShell(['-c', 'exec "$NODE" "$PROGRAM" "$FOLDER"'], {
			NODE: process.execPath,
			PROGRAM: program,
		});
		await waitUntilDrawn(terminal);
		terminal.type('\u001a');
		await expectRecorded(terminal, 'returned');
		terminal.type('jq');
		await terminal.waitFor('closed in order');
		expect(terminal.readRecord().slice(-3)).toEqual(['key j', 'key q', 'ended closed']);
	});

	test('and set up and redrawn after someone else stopped the program', async () => {
		const terminal = startShell(['-i'], {NODE: process.execPath, PROGRAM: program});
		await terminal.waitFor('shell> ');
		terminal.type('"$NODE" "$PROGRAM" "$FOLDER"\r');
		const pid = await waitUntilDrawn(terminal);
		const before = terminal.output().length;
		process.kill(pid, 'SIGSTOP');
		await terminal.waitFor('shell> ', before);
		// The program could not leave raw mode, in which a carriage return is not translated.
		terminal.type('fg\n');
		await expectRecorded(terminal, 'returned');
		await terminal.waitFor(`${enter}`, before);
		terminal.type('jjq');
		await terminal.waitFor('closed in order', before);
		expect(terminal.readRecord().slice(-4)).toEqual(['key j', 'key j', 'key q', 'ended closed']);
		terminal.type('exit\r');
	});
});
