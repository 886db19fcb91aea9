import {isAbsolute, resolve} from 'node:path';
import {CommanderError} from 'commander';
import {Failure, toFailure} from '../failure.ts';
import type {Host, Invocation} from '../host.ts';
import type {DebugLog} from '../state/debug-log.ts';
import {createOutput, type Output} from '../terminal/output.ts';
import {createProgram} from './program.ts';
import {formatCalledCommand} from './shell/declare.ts';
import {normalizeSwitches} from './shell/normalize-switches.ts';
import {watchForStandstill} from './shell/stuck-command.ts';
import {toUsageFailure} from './shell/usage-failure.ts';

/** Runs a command line on a host and returns its exit code. Two runs in one process share nothing. */
export async function runCommandLine(argv: readonly string[], originalHost: Host): Promise<number> {
	const host = withAbsoluteStateDirectory(originalHost);
	const words = normalizeSwitches(argv);
	const output = createOutput({json: words.includes('--json'), verbose: words.includes('--verbose')}, host);
	const earlyEnd = Promise.withResolvers<number>();
	const invocation: Invocation = {
		host,
		code: 0,
		end(code) {
			host.exit?.(code);
			earlyEnd.resolve(code);
		},
	};
	handleStreamErrors(invocation, output);
	using _watch = watchForStandstill(host.events, failure => {
		output.printFailure(failure);
		earlyEnd.resolve(failure.exitCode);
	});
	return await Promise.race([runToEnd(words, invocation, output), earlyEnd.promise]);
}

/** Returns the host with a relative LEDGE_STATE_DIR resolved against its working directory. */
function withAbsoluteStateDirectory(host: Host): Host {
	const {LEDGE_STATE_DIR: folder} = host.env;
	if (!folder || isAbsolute(folder)) return host;
	return Object.create(host, {env: {value: {...host.env, LEDGE_STATE_DIR: resolve(host.cwd(), folder)}}});
}

async function runToEnd(words: readonly string[], invocation: Invocation, output: Output): Promise<number> {
	let calledCommand = 'ledge';
	const log = await openLog(invocation.host);
	try {
		const {program, words: wordsWithCommandFirst, colonForm} = await createProgram(words, invocation);
		calledCommand = formatCalledCommand(program, wordsWithCommandFirst);
		if (colonForm) {
			output.warn(`"${colonForm}" is deprecated and will be removed; use "${colonForm.replace(':', ' ')}".`);
		}
		log?.write('start', {version: LEDGE_VERSION, node: process.version, command: calledCommand});
		await program.parseAsync(wordsWithCommandFirst, {from: 'user'});
		log?.write('end', {code: invocation.code});
		return invocation.code;
	} catch (error) {
		const failure = error instanceof CommanderError ? toUsageFailure(error, calledCommand) : toFailure(error);
		// Commander throws also after showing the help or the version.
		if (!failure) return 0;
		log?.writeFailure(failure);
		output.printFailure(failure);
		log?.write('end', {code: failure.exitCode});
		return failure.exitCode;
	}
}

/** Opens the log of LEDGE_DEBUG; a run without that variable does not load it. */
async function openLog({env, cwd, clock}: Host): Promise<DebugLog | undefined> {
	if (!env.LEDGE_DEBUG) return undefined;
	const {openDebugLog} = await import('../state/debug-log.ts');
	return openDebugLog(env, cwd(), clock.now);
}

/**
 * Handles broken output streams. If stderr breaks, the command continues. A closed stdout (`| head`) ends it
 * with success; any other error of stdout, such as a full disk, is a failure.
 */
function handleStreamErrors({host, end}: Invocation, output: Output): void {
	host.stderr.on('error', () => {});
	host.stdout.on('error', (error: NodeJS.ErrnoException) => {
		// A closed terminal fails with EIO, and so does a failing disk.
		const isReaderGone = error.code === 'EPIPE' || (error.code === 'EIO' && host.stdout.isTTY === true);
		if (isReaderGone) return end(0);
		output.printFailure(
			new Failure('file_failed', "Can't write to standard output.", {why: error.message, cause: error}),
		);
		end(1);
	});
}
