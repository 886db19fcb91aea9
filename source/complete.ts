import {answerCompletion} from './completion/answer.ts';
import {createCompletionSources} from './completion/sources.ts';

/**
 * Entry point for shell completion. A separate bundle, without the commands and the client of the service.
 * Always succeeds: a completion error would not be visible.
 */
export async function main(scriptArguments: readonly string[]): Promise<void> {
	const {env} = process;
	try {
		const context = {env, cwd: process.cwd(), now: Date.now()};
		process.stdout.on('error', () => {});
		process.stdout.write(
			await answerCompletion(scriptArguments, JSON.parse(COMMANDS_AS_JSON), givenOptions =>
				createCompletionSources(givenOptions, context),
			),
		);
	} catch {
		// Without an answer, the shell offers nothing.
	}
}
