import type {Writable} from 'node:stream';
import {createInterruptedFailure, Failure} from '../failure.ts';
import type {Host, OutputStream} from '../host.ts';
import {escapeText} from '../text/safe-text.ts';

/**
 * True if stdin and stderr are terminals. Does not touch stdin if stderr is none, because Node loads much to
 * open it.
 */
export const canAsk = (streams: PromptStreams): boolean =>
	streams.stderr.isTTY === true && streams.stdin.isTTY === true;

type PromptStreams = Pick<Host, 'stdin' | 'stderr'>;

/** Options about questions, and the streams to ask on. */
export type Confirmation = {readonly yes: boolean; readonly json: boolean; readonly host: PromptStreams};

/**
 * Asks for one line on stderr, so that stdout stays data. An end without an answer (ctrl-c, ctrl-d, a closed
 * terminal) fails with `interrupted`.
 */
export async function askQuestion(
	question: string,
	{stdin, stderr}: PromptStreams,
	signal: AbortSignal,
): Promise<string> {
	const {createInterface} = await import('node:readline/promises');
	// The stream of a terminal is Node's own.
	const prompt = createInterface({input: stdin, output: stderr as OutputStream & Writable});
	const closeFailure = new Promise<never>((_answer, fail) => {
		// Node 22 never settles the question of a closed interface.
		prompt.on('close', () => fail(createInterruptedFailure()));
	});
	try {
		return await Promise.race([prompt.question(escapeText(question), {signal}), closeFailure]);
	} catch (error) {
		stderr.write('\n');
		throw signal.aborted ? createInterruptedFailure() : error;
	} finally {
		closeFailure.catch(() => {});
		prompt.close();
	}
}

/**
 * Asks before something is destroyed; Enter means no, which fails with `declined`. Without a terminal it
 * fails with `unconfirmed`.
 */
export async function confirmAction(
	question: string,
	confirmation: Confirmation,
	signal: AbortSignal,
): Promise<void> {
	if (confirmation.yes) return;
	await askYesOrNo(question, confirmation, signal, 'Add --yes to confirm.');
}

type ProductionQuestion = {
	readonly context: {readonly name: string};
	/** Contexts named on the command line or with a store. */
	readonly namedContexts: ReadonlySet<string>;
	readonly destination: string;
	readonly action: string;
	/** True if it certainly belongs to production. */
	readonly isCertain: boolean;
};

/**
 * Asks before a write to production. `--yes` answers only if the context was named too, so that a script
 * written for another place does not write here.
 */
export async function confirmProduction(
	{context: {name}, namedContexts, destination, action, isCertain}: ProductionQuestion,
	confirmation: Confirmation,
	signal: AbortSignal,
): Promise<void> {
	if (confirmation.yes && namedContexts.has(name)) return;
	const missingOptions = [
		...(namedContexts.has(name) ? [] : [`--context ${name}`]),
		...(confirmation.yes ? [] : ['--yes']),
	];
	const addAdvice = `Add ${missingOptions.join(' and ')} to confirm`;
	await askYesOrNo(
		isCertain
			? `PRODUCTION (context ${name}): ${action} in ${destination}?`
			: `POSSIBLY PRODUCTION (context ${name}; the account of the zone could not be read): ${action} in ${destination}?`,
		confirmation,
		signal,
		isCertain ? `${addAdvice}.` : `${addAdvice}, or choose another account with --account-id.`,
	);
}

async function askYesOrNo(
	question: string,
	confirmation: Confirmation,
	signal: AbortSignal,
	next: string,
): Promise<void> {
	if (!canAsk(confirmation.host) || confirmation.json) {
		throw new Failure('unconfirmed', 'Not confirmed, so nothing was done.', {
			why: question,
			next,
		});
	}
	if (!/^y(es)?$/i.test((await askQuestion(`${question} [y/N] `, confirmation.host, signal)).trim())) {
		throw new Failure('declined', 'Nothing was done.');
	}
}
