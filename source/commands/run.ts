import {CommanderError} from 'commander';
import {asFailure} from '../failure.ts';
import {createOutput} from '../terminal/output.ts';
import {usageFailure} from './declare.ts';
import {createProgram} from './program.ts';

/** Runs a command line and gives its exit code. */
export async function run(words: readonly string[], colonForm: string | undefined): Promise<number> {
	process.stdout.on('error', endWhenNobodyReads);
	process.stderr.on('error', endWhenNobodyReads);
	const output = createOutput({json: words.includes('--json'), verbose: words.includes('--verbose')});
	if (colonForm) {
		output.warn(
			`"${colonForm}" is the old form, which will be removed: write "${colonForm.replace(':', ' ')}".`,
		);
	}
	try {
		const {program, words: arranged} = await createProgram(words);
		await program.parseAsync(arranged, {from: 'user'});
		return 0;
	} catch (error) {
		const failure = error instanceof CommanderError ? usageFailure(error) : asFailure(error);
		if (!failure) return 0;
		output.fail(failure);
		return failure.exit;
	}
}

/** `ledge … | head` closes the pipe when it has enough: that is no failure of ours. */
function endWhenNobodyReads(error: NodeJS.ErrnoException): void {
	if (error.code === 'EPIPE' || error.code === 'EIO') process.exit(0);
	throw error;
}
