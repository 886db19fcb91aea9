import {answerTo} from './completion/answer.ts';
import {sourcesOf} from './completion/sources.ts';

/**
 * The third front door: answers the completion of a shell. A bundle of its own, which holds neither the commands nor the
 * client of the service. It always succeeds, as nobody would read why it failed.
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
		// A shell that gets no answer offers nothing.
	}
}
