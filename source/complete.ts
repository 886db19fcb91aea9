import {answerTo} from './completion/answer.ts';
import {sourcesOf} from './completion/sources.ts';

/**
 * Entry point for shell completion. A separate bundle, without the commands and the client of the service.
 * Always succeeds: a completion error would not be visible.
 */
export async function main(words: readonly string[]): Promise<void> {
	const {env} = process;
	try {
		const surroundings = {env, cwd: process.cwd(), now: Date.now()};
		process.stdout.on('error', () => {});
		process.stdout.write(
			await answerTo(words, JSON.parse(COMMANDS_AS_JSON), given => sourcesOf(given, surroundings)),
		);
	} catch {
		// Without an answer, the shell offers nothing.
	}
}
