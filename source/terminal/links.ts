import type {Streams} from '../host.ts';

/** An address of ledge's own, on a host that it names. Only its path may come from data, percent-encoded. */
export type Link = `https://${'dash' | 'developers'}.cloudflare.com/${string}` | 'https://jmespath.org';

/** Text to print, of which some parts open an address where the terminal has links. */
export type LinkedText = readonly (string | {readonly text: string; readonly link: Link})[];

/** A character that could end the sequence or its address. */
const unsafeInLink = /[^!-~]/;

/** Formats safe text as a hyperlink (OSC 8). Returns it unchanged if the address is not printable ASCII. */
export const formatLink = (text: string, link: Link): string =>
	unsafeInLink.test(link) ? text : `\u001b]8;;${link}\u001b\\${text}\u001b]8;;\u001b\\`;

/** Values of `TERM_PROGRAM` and `TERM` of terminals with links. */
const programs = /^(iTerm\.app|WezTerm|vscode|ghostty|zed|WarpTerminal|rio|mintty)$/;
const terminalTypes = /^(xterm-kitty|xterm-ghostty|alacritty|foot|wezterm|contour|rio)\b/;

/** Multiplexers keep the variables of the terminal they were started in. tmux has links since 3.4. */
const hasTmuxLinks = ({TERM_PROGRAM, TERM_PROGRAM_VERSION = ''}: NodeJS.ProcessEnv): boolean =>
	TERM_PROGRAM === 'tmux' && Number.parseFloat(TERM_PROGRAM_VERSION) >= 3.4;

/**
 * True if a stream is a terminal with links: by `FORCE_HYPERLINK`, else by the variables that such terminals
 * set. The package supports-hyperlinks decides alike, but reads the variables and arguments of the process
 * itself, does not know multiplexers, and needs two more packages.
 */
export function supportsLinks(stream: {readonly isTTY?: boolean}, env: Streams['env']): boolean {
	const {FORCE_HYPERLINK, TMUX, STY, TERM = '', TERM_PROGRAM = '', VTE_VERSION, WT_SESSION} = env;
	if (stream.isTTY !== true) return false;
	if (FORCE_HYPERLINK) return !/^(0|false|no|off)$/i.test(FORCE_HYPERLINK);
	if (TERM === 'dumb' || STY) return false;
	if (TMUX) return hasTmuxLinks(env);
	return (
		programs.test(TERM_PROGRAM) ||
		terminalTypes.test(TERM) ||
		Number(VTE_VERSION) >= 5000 ||
		WT_SESSION !== undefined
	);
}

/** Makes each match of a global pattern a link, where `findLink` knows an address for it. */
export function linkMatches(
	text: string,
	pattern: RegExp,
	findLink: (match: string) => Link | undefined,
): LinkedText {
	const parts: LinkedText[number][] = [];
	let from = 0;
	for (const {0: match, index} of text.matchAll(pattern)) {
		const link = findLink(match);
		if (link === undefined) continue;
		parts.push(text.slice(from, index), {text: match, link});
		from = index + match.length;
	}
	return [...parts, text.slice(from)];
}

const pageAddress = /https:\/\/(?:developers\.cloudflare\.com\/[\w./#-]*[\w/]|jmespath\.org(?!\.?[\w-]))/g;

/** Makes the addresses of documentation in a text links to themselves. */
export const linkPages = (text: string): LinkedText =>
	linkMatches(text, pageAddress, address => address as Link);
