import {parseBashLine, quoteForBash} from './bash-line.ts';
import type {CompletionPlace} from './line.ts';
import {findCompletionPlace} from './line.ts';
import {type CompletionSources, collectOffers, type Offers} from './offers.ts';
import type {CommandTree} from './tree.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** Values of `COMP_TYPE` while bash only lists the candidates. */
const listingTypes = ['63', '33', '64'];

/**
 * Returns the answer for a shell's script (`scripts.ts`), as lines. The first line is the kind: `words`,
 * `open` (words that continue: no space follows), `files` or `folders`. Each further line is a word; for zsh
 * and fish, a tab and its description follow. After the shell's name, bash passes `COMP_TYPE`,
 * `COMP_WORDBREAKS` and the line up to the cursor. zsh and fish pass the words after the program's name; the
 * last word is the one at the cursor. fish passes it with its quotes. The answer to an unknown shell is
 * empty.
 */
export async function answerCompletion(
	scriptArguments: readonly string[],
	tree: CommandTree,
	getSources: (givenOptions: CompletionPlace['givenOptions']) => CompletionSources,
): Promise<string> {
	const [shell, ...shellArguments] = scriptArguments;
	if (shell === 'bash') return answerBash(shellArguments, tree, getSources);
	if (shell !== 'zsh' && shell !== 'fish') return '';
	const typed = shellArguments.at(-1) ?? '';
	const current = shell === 'fish' ? unquoteFishWord(typed) : typed;
	const offers = await collectLineOffers([...shellArguments.slice(0, -1), current], tree, getSources);
	if (offers.kind !== 'words') return `${offers.kind}\n`;
	const lines = offers.words.map(({value, about}) => (about ? `${value}\t${about}` : value));
	return formatAnswer(offers, lines);
}

async function answerBash(
	[completionType = '', breaks = '', line = '']: readonly string[],
	tree: CommandTree,
	getSources: (givenOptions: CompletionPlace['givenOptions']) => CompletionSources,
): Promise<string> {
	const {words, keptPrefix, quote} = parseBashLine(line, breaks);
	const offers = await collectLineOffers(words.slice(1), tree, getSources);
	if (offers.kind !== 'words') return `${offers.kind}\n`;
	const showsDescriptions =
		offers.isOpaque === true && offers.words.length > 1 && listingTypes.includes(completionType);
	const lines = offers.words.map(({value, about}) =>
		showsDescriptions && about ? `${value}  ${about}` : quoteForBash(value.slice(keptPrefix.length), quote),
	);
	return formatAnswer(offers, lines);
}

/** Removes fish's quotes and escapes from a word; the last quote may be unclosed. */
function unquoteFishWord(typed: string): string {
	return typed.replace(
		/'((?:[^'\\]|\\.)*)'?|"((?:[^"\\]|\\.)*)"?|\\(.)/gsu,
		(_all, single?: string, double?: string, escaped?: string) =>
			single?.replace(/\\(['\\])/g, '$1') ?? double?.replace(/\\(["$\\])/g, '$1') ?? escaped ?? '',
	);
}

async function collectLineOffers(
	words: readonly string[],
	tree: CommandTree,
	getSources: (givenOptions: CompletionPlace['givenOptions']) => CompletionSources,
): Promise<Offers> {
	const place = findCompletionPlace(tree, words);
	return collectOffers(place, getSources(place?.givenOptions ?? new Map()));
}

/** Formats the answer; its kind is `open` if every word continues. */
function formatAnswer(offers: Offers & {kind: 'words'}, lines: readonly string[]): string {
	const isOpen = offers.words.length > 0 && offers.words.every(one => one.isOpen);
	return [isOpen ? 'open' : 'words', ...lines].map(line => `${line}\n`).join('');
}
