import {Failure, interrupted} from '../failure.ts';
import {safeText} from './safe-text.ts';

/** Whether a question can be asked at all: stdin and stderr are terminals (decision 9). */
export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/**
 * One line from the person, asked on stderr so that stdout stays data. An end without an answer (ctrl-c, ctrl-d, a
 * closed terminal) is the failure `interrupted`.
 */
export async function ask(question: string, signal: AbortSignal): Promise<string> {
	const {createInterface} = await import('node:readline/promises');
	const lines = createInterface({input: process.stdin, output: process.stderr});
	const ended = new Promise<never>((_answer, fail) => {
		// Node 22 never settles the question of an interface that is closed.
		lines.on('close', () => fail(interrupted()));
	});
	try {
		return await Promise.race([lines.question(safeText(question), {signal}), ended]);
	} catch (error) {
		process.stderr.write('\n');
		throw signal.aborted ? interrupted() : error;
	} finally {
		ended.catch(() => {});
		lines.close();
	}
}

/**
 * Asks before something is destroyed; Enter means no, and no is the failure `declined`. Without a terminal it
 * refuses, because nobody can answer (wrangler-compat.md, "deliberately differ").
 */
export async function confirm(
	question: string,
	given: {readonly yes: boolean; readonly json: boolean},
	signal: AbortSignal,
): Promise<void> {
	if (given.yes) return;
	if (!canAsk() || given.json) {
		throw new Failure('unconfirmed', 'Not confirmed, so nothing was done.', {
			why: question,
			next: 'Add --yes if that is what you want.',
		});
	}
	if (!/^y(es)?$/i.test((await ask(`${question} [y/N] `, signal)).trim())) {
		throw new Failure('declined', 'Nothing was done.');
	}
}
