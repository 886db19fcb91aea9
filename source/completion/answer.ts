import {quotedForBash, readBashLine} from './bash-line.ts';
import type {Place} from './line.ts';
import {placeOn} from './line.ts';
import {type Offers, offersAt, type Sources} from './offers.ts';
import type {CommandTree} from './tree.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** What bash sets `COMP_TYPE` to while it lists what is possible, and inserts nothing. */
const listing = ['63', '33', '64'];

/**
 * The answer to the script of a shell (`scripts.ts`), in lines: the first is what to do (`words`, `open` where no blank
 * follows, `files`, `folders`), each other one a word, for zsh and fish with a tab and what it is. bash hands over
 * `COMP_TYPE`, `COMP_WORDBREAKS` and the line as far as the cursor; the others the words behind the program's name, the one at
 * the cursor last, which fish leaves in its quotes. Nothing is answered to a shell that is not known.
 */
export async function answerTo(
	words: readonly string[],
	tree: CommandTree,
	sourcesAt: (given: Place['given']) => Sources,
): Promise<string> {
	const [shell, ...rest] = words;
	if (shell === 'bash') return bashAnswer(rest, tree, sourcesAt);
	if (shell !== 'zsh' && shell !== 'fish') return '';
	const typed = rest.at(-1) ?? '';
	const here = shell === 'fish' ? fishWord(typed) : typed;
	const offers = await offersOn([...rest.slice(0, -1), here], tree, sourcesAt);
	if (offers.kind !== 'words') return `${offers.kind}\n`;
	const lines = offers.words.map(({value, about}) => (about ? `${value}\t${about}` : value));
	return asLines(offers, lines);
}

async function bashAnswer(
	[type = '', breaks = '', line = '']: readonly string[],
	tree: CommandTree,
	sourcesAt: (given: Place['given']) => Sources,
): Promise<string> {
	const {words, kept, quote} = readBashLine(line, breaks);
	const offers = await offersOn(words.slice(1), tree, sourcesAt);
	if (offers.kind !== 'words') return `${offers.kind}\n`;
	const isShown = offers.isOpaque === true && offers.words.length > 1 && listing.includes(type);
	const lines = offers.words.map(({value, about}) =>
		isShown && about ? `${value}  ${about}` : quotedForBash(value.slice(kept.length), quote),
	);
	return asLines(offers, lines);
}

/** A word as fish has it on the line, without its quotes, which need not be closed. */
function fishWord(typed: string): string {
	return typed.replace(
		/'((?:[^'\\]|\\.)*)'?|"((?:[^"\\]|\\.)*)"?|\\(.)/gsu,
		(_all, single?: string, double?: string, escaped?: string) =>
			single?.replace(/\\(['\\])/g, '$1') ?? double?.replace(/\\(["$\\])/g, '$1') ?? escaped ?? '',
	);
}

async function offersOn(
	words: readonly string[],
	tree: CommandTree,
	sourcesAt: (given: Place['given']) => Sources,
): Promise<Offers> {
	const place = placeOn(tree, words);
	return offersAt(place, sourcesAt(place?.given ?? new Map()));
}

/** A blank follows unless every word goes on. */
function asLines(offers: Offers & {kind: 'words'}, lines: readonly string[]): string {
	const isOpen = offers.words.length > 0 && offers.words.every(one => one.isOpen);
	return [isOpen ? 'open' : 'words', ...lines].map(line => `${line}\n`).join('');
}
