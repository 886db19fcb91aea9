import type {Writable} from 'node:stream';
import {Failure, interrupted} from '../failure.ts';
import type {Host, OutputStream} from '../host.ts';
import {safeText} from '../text/safe-text.ts';

/**
 * Whether a question can be asked at all: stdin and stderr are terminals. Doesn't touch stdin if stderr isn't one, because
 * Node loads much to open it.
 */
export const canAsk = (asked: Asked): boolean => asked.stderr.isTTY === true && asked.stdin.isTTY === true;

/** Where a person is asked, and answers. */
type Asked = Pick<Host, 'stdin' | 'stderr'>;

/** What was said beforehand about questions, and where they are asked. */
export type Confirmation = {readonly yes: boolean; readonly json: boolean; readonly host: Asked};

/**
 * One line from the person, asked on stderr so that stdout stays data. An end without an answer (ctrl-c, ctrl-d, a
 * closed terminal) is the failure `interrupted`.
 */
export async function ask(question: string, {stdin, stderr}: Asked, signal: AbortSignal): Promise<string> {
	const {createInterface} = await import('node:readline/promises');
	// That of a terminal is Node's own.
	const lines = createInterface({input: stdin, output: stderr as OutputStream & Writable});
	const ended = new Promise<never>((_answer, fail) => {
		// Node 22 never settles the question of an interface that is closed.
		lines.on('close', () => fail(interrupted()));
	});
	try {
		return await Promise.race([lines.question(safeText(question), {signal}), ended]);
	} catch (error) {
		stderr.write('\n');
		throw signal.aborted ? interrupted() : error;
	} finally {
		ended.catch(() => {});
		lines.close();
	}
}

/**
 * Asks before something is destroyed; Enter means no, and no is the failure `declined`. Without a terminal it
 * refuses, because nobody can answer.
 */
export async function confirm(question: string, given: Confirmation, signal: AbortSignal): Promise<void> {
	if (given.yes) return;
	await asked(question, given, signal, 'Add --yes if that is what you want.');
}

/** A write to production, as the person is asked about it. */
type ProductionQuestion = {
	readonly context: {readonly name: string};
	/** The contexts that were named for it, on the command line or with a store. */
	readonly named: ReadonlySet<string>;
	readonly where: string;
	readonly what: string;
	/** Whether it belongs to production for certain. */
	readonly isCertain: boolean;
};

/**
 * Asks before production is written to. `--yes` answers only where the context was named too: what holds for a script that
 * runs elsewhere must not be what makes it write here.
 */
export async function confirmProduction(
	{context: {name}, named, where, what, isCertain}: ProductionQuestion,
	given: Confirmation,
	signal: AbortSignal,
): Promise<void> {
	if (given.yes && named.has(name)) return;
	const missing = [...(named.has(name) ? [] : [`--context ${name}`]), ...(given.yes ? [] : ['--yes'])];
	const add = `Add ${missing.join(' and ')} if that is what you want`;
	await asked(
		isCertain
			? `PRODUCTION (context ${name}): ${what} in ${where}?`
			: `PRODUCTION, perhaps (context ${name}; the account of the zone could not be read): ${what} in ${where}?`,
		given,
		signal,
		isCertain ? `${add}.` : `${add}, or name another account with --account-id.`,
	);
}

async function asked(
	question: string,
	given: Confirmation,
	signal: AbortSignal,
	next: string,
): Promise<void> {
	if (!canAsk(given.host) || given.json) {
		throw new Failure('unconfirmed', 'Not confirmed, so nothing was done.', {
			why: question,
			next,
		});
	}
	if (!/^y(es)?$/i.test((await ask(`${question} [y/N] `, given.host, signal)).trim())) {
		throw new Failure('declined', 'Nothing was done.');
	}
}
