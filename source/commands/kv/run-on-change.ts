import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {Failure} from '../../failure.ts';
import {buildChildEnvironment} from '../../session/child-environment.ts';
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
 * standard error, escaped and at most 64 KiB; credentials are not in its environment. Returns true if it
 * succeeded. Fails with `exec_failed` if it cannot be started, and with `interrupted`.
 */
export async function runOnChange(
	context: CommandContext,
	[program = '', ...args]: readonly string[],
	change: HandledChange,
): Promise<boolean> {
	const {output, signal} = context;
	if (change.key.includes('\0')) {
		output.warn(
			`The key ${JSON.stringify(change.key)} contains a NUL byte, so ${program} was not run for it.`,
		);
		return false;
	}
	signal.throwIfAborted();
	const child = startProgram(context, program, args, change);
	const stopProgram = () => child.kill();
	signal.addEventListener('abort', stopProgram, {once: true});
	try {
		printOutput(context, child, program);
		// The program may end without reading its input.
		child.stdin?.on('error', () => {});
		child.stdin?.end(change.bytes);
		const [code, endSignal] = await once(child, 'close');
		signal.throwIfAborted();
		if (code === 0) return true;
		output.warn(`${program} exited with ${endSignal ?? code} for the key ${JSON.stringify(change.key)}.`);
		return false;
	} catch (error) {
		if (signal.aborted) throw error;
		throw createExecFailure(program, error);
	} finally {
		signal.removeEventListener('abort', stopProgram);
	}
}

function startProgram(
	{session}: CommandContext,
	program: string,
	args: readonly string[],
	{kind, key, namespace}: HandledChange,
): ChildProcess {
	const env = buildChildEnvironment(session, [], false);
	try {
		return spawn(program, args, {
			cwd: session.cwd,
			env: {...env, LEDGE_KEY: key, LEDGE_CHANGE: kind, LEDGE_NAMESPACE_ID: namespace},
			stdio: ['pipe', 'pipe', 'pipe'],
			windowsHide: true,
		});
	} catch (error) {
		throw createExecFailure(program, error);
	}
}

/** Prints both outputs of the program on standard error, where they cannot mix with the list of changes. */
function printOutput({host, output}: CommandContext, {stdout, stderr}: ChildProcess, program: string): void {
	let remainingBytes = maxOutputBytes;
	for (const stream of [stdout, stderr])
		stream?.setEncoding('utf8').on('data', (text: string) => {
			if (remainingBytes <= 0) return;
			host.stderr.write(escapeLines(Buffer.from(text).subarray(0, remainingBytes).toString('utf8')));
			remainingBytes -= Buffer.byteLength(text);
			if (remainingBytes <= 0)
				output.warn(`The output of ${program} was cut after ${formatPlainQuantity(maxOutputBytes, 'byte')}.`);
		});
}

const createExecFailure = (program: string, cause: unknown): Failure =>
	new Failure('exec_failed', `The program "${program}" could not be started.`, {
		why: cause instanceof Error ? cause.message : String(cause),
		next: '--exec takes a program and its arguments, and uses no shell.',
		cause,
	});
