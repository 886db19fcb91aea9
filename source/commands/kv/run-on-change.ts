import type {Readable} from 'node:stream';
import {StringDecoder} from 'node:string_decoder';
import {Failure, isFailure} from '../../failure.ts';
import {buildChildEnvironment} from '../../session/child-environment.ts';
import {runOwnProgram} from '../../terminal/own-program.ts';
import {formatPlainQuantity} from '../../text/figures.ts';
import {escapeLines} from '../../text/safe-text.ts';
import type {CommandContext} from '../shell/context.ts';

/** A change that a program handles. */
type HandledChange = {
	readonly kind: string;
	readonly key: string;
	readonly namespace: string;
	/** The value for its standard input; empty for a deleted key. */
	readonly bytes: Uint8Array;
};

/** Maximum bytes of output that one run of the program may print. */
const maxOutputBytes = 64 * 1024;

/**
 * Runs the program of `--exec` for a change, without a shell, and waits for its end. Its output goes to
 * standard error as it arrives, escaped and at most 64 KiB; credentials are not in its environment. Returns
 * true if it succeeded. Fails with `exec_failed` if it cannot be started, and with `interrupted`.
 */
export async function runOnChange(
	context: CommandContext,
	[program = '', ...args]: readonly string[],
	{kind, key, namespace, bytes}: HandledChange,
): Promise<boolean> {
	const {output, session, signal} = context;
	if (key.includes('\0')) {
		output.warn(`The key ${JSON.stringify(key)} contains a NUL byte, so ${program} was not run for it.`);
		return false;
	}
	const change = {LEDGE_KEY: key, LEDGE_CHANGE: kind, LEDGE_NAMESPACE_ID: namespace};
	try {
		const {status} = await runOwnProgram({
			command: [program, ...args],
			cwd: session.cwd,
			env: {...buildChildEnvironment(session, []), ...change},
			isForeground: false,
			input: bytes,
			capture: 'all',
			maxBytes: 0,
			watchOutput: createOutputPrinter(context, program),
			signal,
		});
		if (status === 0) return true;
		output.warn(`${program} exited with ${status} for the key ${JSON.stringify(key)}.`);
		return false;
	} catch (error) {
		if (!isFailure(error, 'command_failed')) throw error;
		throw new Failure('exec_failed', `The program "${program}" could not be started.`, {
			why: error.details.why,
			next: '--exec takes a program and its arguments, and uses no shell.',
			cause: error,
		});
	}
}

/** Prints both outputs of the program on standard error, where they cannot mix with the list of changes. */
function createOutputPrinter({host, output}: CommandContext, program: string): (stream: Readable) => void {
	let remainingBytes = maxOutputBytes;
	const print = (text: string) => {
		if (remainingBytes <= 0) return;
		host.stderr.write(escapeLines(Buffer.from(text).subarray(0, remainingBytes).toString('utf8')));
		remainingBytes -= Buffer.byteLength(text);
		if (remainingBytes <= 0)
			output.warn(`The output of ${program} was cut after ${formatPlainQuantity(maxOutputBytes, 'byte')}.`);
	};
	return stream => {
		const decoder = new StringDecoder('utf8');
		stream.on('data', (chunk: Buffer) => print(decoder.write(chunk)));
	};
}
