import {spawn} from '@lydell/node-pty';
import {createScratchFolder, createUnconfiguredEnvironment, program} from '../support/ledge.ts';

export type TerminalRun = {readonly code: number; readonly output: string};

export type TerminalOptions = {
	readonly cwd?: string;
	readonly env?: Readonly<Record<string, string>>;
	readonly columns?: number;
	readonly rows?: number;
	/** What to type once a text has appeared. */
	readonly answers?: readonly {readonly when: string; readonly type: string}[];
};

/** Runs the built program in a pseudo-terminal to its end, and gives every byte that the terminal was sent. */
export function runInTerminal(words: readonly string[], options: TerminalOptions = {}): Promise<TerminalRun> {
	const {cwd = createScratchFolder(), env = {}, columns = 80, rows = 24, answers = []} = options;
	const terminal = spawn(process.execPath, [program, ...words], {
		name: 'xterm-256color',
		cols: columns,
		rows,
		cwd,
		env: createUnconfiguredEnvironment(cwd, {TERM: 'xterm-256color', ...env}),
		encoding: 'utf8',
	});
	const remainingAnswers = [...answers];
	let output = '';
	terminal.onData(piece => {
		output += piece;
		const next = remainingAnswers[0];
		if (next && output.includes(next.when)) {
			remainingAnswers.shift();
			terminal.write(next.type);
		}
	});
	return new Promise(done => terminal.onExit(({exitCode}) => done({code: exitCode, output})));
}

/**
 * What a terminal was sent, without the sequences that ledge itself uses: colours, the line of progress that is
 * drawn over, the prompt's cursor, and the line ends.
 */
export const removeOwnSequences = (output: string): string =>
	output
		.replace(/\u001b\[(?:[0-9;]*m|K|1G|0J|\d+G|\?25[hl])/g, '')
		.replace(/\r\n/g, '\n')
		.replace(/\r/g, '');
