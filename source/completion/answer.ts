import {quotedForBash, readBashLine} from './bash-line.ts';
import type {Place} from './line.ts';
import {placeOn} from './line.ts';
import {type Offers, offersAt, type Sources} from './offers.ts';
import type {CommandTree} from './tree.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** Values of `COMP_TYPE` while bash only lists the candidates. */
const listing = ['63', '33', '64'];

/**
 * Returns the answer for a shell's script (`scripts.ts`), as lines. The first line is the kind: `words`,
 * `open` (words that continue: no space follows), `files` or `folders`. Each further line is a word; for zsh
 * and fish, with a tab and its description.
 * bash passes `COMP_TYPE`, `COMP_WORDBREAKS` and the line up to the cursor; the others pass the words after
 * the program's name, the one at the cursor last, which fish leaves quoted. The answer to an unknown shell is
 * empty.
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

/** Removes fish's quotes and escapes from a word; the last quote may be unclosed. */
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

/** Formats the answer; it is `open` if every word continues. */
function asLines(offers: Offers & {kind: 'words'}, lines: readonly string[]): string {
	const isOpen = offers.words.length > 0 && offers.words.every(one => one.isOpen);
	return [isOpen ? 'open' : 'words', ...lines].map(line => `${line}\n`).join('');
}
