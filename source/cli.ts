import {run} from './commands/run.ts';
import {normalisedWords} from './commands/words.ts';

/**
 * The front door: turns the command line into words, hands them to the commands, and their end into an exit code
 * (failure.ts). Called by the launcher.
 */
export async function main(argv: readonly string[]): Promise<void> {
	process.exitCode = await run(normalisedWords(argv));
}
