import {CommanderError} from 'commander';
import {asFailure, Failure} from '../failure.ts';
import {createOutput, type Output} from '../terminal/output.ts';
import {usageFailure} from './declare.ts';
import {createProgram} from './program.ts';
import {watchForStandstill} from './standstill.ts';

/** Runs a command line and gives its exit code. */
export async function run(words: readonly string[]): Promise<number> {
	const output = createOutput({json: words.includes('--json'), verbose: words.includes('--verbose')});
	watchStreams(output);
	using _watch = watchForStandstill(process, failure => {
		output.fail(failure);
		process.exitCode = failure.exit;
	});
	try {
		const {program, words: arranged, colonForm} = await createProgram(words);
		if (colonForm) {
			output.warn(
				`"${colonForm}" is the old form, which will be removed: write "${colonForm.replace(':', ' ')}".`,
			);
		}
		await program.parseAsync(arranged, {from: 'user'});
		// Set by a command whose answer is "no": that is printed as an answer, and is no error.
		return Number(process.exitCode ?? 0);
	} catch (error) {
		const failure = error instanceof CommanderError ? usageFailure(error) : asFailure(error);
		if (!failure) return 0;
		output.fail(failure);
		return failure.exit;
	}
}

/**
 * What becomes of an output stream that breaks. Without stderr nobody reads our sentences, and the work goes on.
 * When whoever reads stdout has enough (`| head`), there is nothing left to do but to end; a stdout that cannot be
 * written (a full disk) is a failure.
 */
function watchStreams(output: Output): void {
	process.stderr.on('error', () => {});
	process.stdout.on('error', (error: NodeJS.ErrnoException) => {
		if (error.code !== 'EPIPE' && error.code !== 'EIO') {
			output.fail(
				new Failure('file_failed', 'Standard output cannot be written.', {why: error.message, cause: error}),
			);
			process.exit(1);
		}
		process.exit(0);
	});
}
