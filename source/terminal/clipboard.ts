/**
 * Maximum bytes of UTF-8 that are copied: 74,000 make 98,668 in base64, which with the sequence around them
 * stays under the terminals' limit of 100,000 bytes.
 */
export const maxClipboardBytes = 74_000;

/** Sequence that copies a text, or its size in bytes if that is too large. */
type CopySequence = {readonly sequence: string} | {readonly tooLarge: number};

/**
 * Builds the sequence (OSC 52) that copies a text to the clipboard of the user's terminal, over SSH too. The
 * terminal does not report whether it accepts it.
 *
 * Inside tmux it is sent twice. With `set-clipboard on`, tmux accepts the plain sequence, and also copies the
 * text to its own buffer. With `set-clipboard external`, the default, tmux ignores it; the second one passes
 * through to the outer terminal if `allow-passthrough` is on. Either way the same text arrives.
 */
export function buildCopySequence(text: string, env: NodeJS.ProcessEnv = process.env): CopySequence {
	const bytes = Buffer.from(text, 'utf8');
	if (bytes.length > maxClipboardBytes) return {tooLarge: bytes.length};
	const copy = `\u001b]52;c;${bytes.toString('base64')}\u0007`;
	return {
		sequence: env.TMUX ? `${copy}\u001bPtmux;${copy.replaceAll('\u001b', '\u001b\u001b')}\u001b\\` : copy,
	};
}
