/**
 * One press of a key, or one paste.
 *
 * `name` is what the key table is written in. A character is its own name (`a`, `A`, `/`, `é`, a whole
 * emoji). The others: `space`, `enter`, `esc`, `tab`, `backspace`, `delete`, `insert`, `up`, `down`,
 * `left`, `right`, `home`, `end`, `pageup`, `pagedown`, `f1` and so on; with modifiers in the order
 * `ctrl-alt-shift-super-hyper-`, as in `ctrl-x`, `alt-enter`, `shift-tab`, `ctrl-shift-up`. `paste` is a
 * bracketed paste, `unknown` whatever ledge has no name for. `click`, `wheel-up` and `wheel-down` are what
 * a mouse did, with the position on the screen.
 */
export type Key = {
	readonly name: string;
	/** Text it inserts: empty for most keys that are not a character. Line ends of a paste are `\n`. */
	readonly text: string;
	/** What the terminal sent, decoded as UTF-8. */
	readonly sequence: string;
	/**
	 * For an enter that is a line end of a paste, recognised by the text before it in the same read (the
	 * terminal does not mark pastes): whether more text of that read follows.
	 */
	readonly pasted?: 'inside' | 'at the end';
	/** Mouse position, counted from 0. May be beyond the screen. */
	readonly at?: {readonly column: number; readonly row: number};
};

/** Creates a key that inserts a character (a whole grapheme). */
export const createTextKey = (text: string, sequence = text): Key => ({
	name: text === ' ' ? 'space' : text,
	text,
	sequence,
});

/** Creates a key that inserts nothing. */
export const createKey = (name: string, sequence: string): Key => ({name, text: '', sequence});
