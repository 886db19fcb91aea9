/**
 * The most that is copied, in bytes of UTF-8: 74,000 make 98,668 in base64, and with what goes around them they stay
 * under the 100,000 bytes of a sequence that terminals take.
 */
export const clipboardBytes = 74_000;

/** What is sent to the terminal to copy a text; or how many bytes the text has when that is too many. */
type Copy = {readonly sequence: string} | {readonly tooLarge: number};

/**
 * The sequence that puts a text into the clipboard of whoever looks at the terminal, over SSH, too (OSC 52). Whether
 * the terminal takes it, nobody tells.
 *
 * Inside tmux it is said twice. As it is, tmux takes it with `set-clipboard on`, and copies it into a buffer of its
 * own, too. With `set-clipboard external`, which is the default, tmux ignores it; handed through to the terminal
 * outside it works with `allow-passthrough on`. Whichever is set, the text that arrives is the same.
 */
export function copySequence(text: string, env: NodeJS.ProcessEnv = process.env): Copy {
	const bytes = Buffer.from(text, 'utf8');
	if (bytes.length > clipboardBytes) return {tooLarge: bytes.length};
	const copy = `\u001b]52;c;${bytes.toString('base64')}\u0007`;
	return {
		sequence: env.TMUX ? `${copy}\u001bPtmux;${copy.replaceAll('\u001b', '\u001b\u001b')}\u001b\\` : copy,
	};
}
