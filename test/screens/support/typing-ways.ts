import {homeOf, toFirewall, toKeys, toNamespaces} from './sample-ways.ts';

/** A screen that is drawn in this process, or one in a terminal. */
type AnyScreen = Parameters<typeof toFirewall>[0] & {text(): string};

/** Forms that keep a draft: the way to each from the start, and how the next start names its draft. */
export const forms = {
	'a value': {
		async open(screen: AnyScreen) {
			await homeOf(screen);
			await toNamespaces(screen);
			await toKeys(screen);
			screen.press('n');
			await screen.waitFor('New key');
			screen.type('newone');
			screen.press('enter');
			await screen.waitFor('ctrl-s');
		},
		name: /edit of newone in CONFIG was not saved/,
	},
	'a rule': {
		async open(screen: AnyScreen) {
			await homeOf(screen);
			await toFirewall(screen);
			screen.press('n');
			await screen.waitFor('0 of 4,096 characters');
		},
		name: /rule for acme\.example was not sent/,
	},
	'an emergency': {
		async open(screen: AnyScreen) {
			await homeOf(screen);
			await toFirewall(screen);
			screen.press('!');
			await screen.waitFor('0 of 4,096 characters');
		},
		name: /emergency for acme\.example was not sent/,
	},
} as const;

/** How much text the form in front says that it holds. */
export function lengthOf(screen: AnyScreen): number {
	const [, count = 'NaN'] = /(\d+) (?:of 4,096 characters|bytes?\b)/.exec(screen.text()) ?? [];
	return Number(count);
}

/** Types the next letter behind those, and waits until it is on the screen; returns all of them. */
export async function typeNext(screen: AnyScreen, before: string): Promise<string> {
	const letter = String.fromCharCode(97 + (before.length % 26));
	screen.type(letter);
	await screen.waitFor(() => lengthOf(screen) === before.length + 1);
	return before + letter;
}

/** Restores the draft that the start offers first, and waits until its form is in front. */
export async function restore(screen: AnyScreen): Promise<void> {
	screen.press('enter');
	await screen.waitFor(() => !screen.text().includes('Keep it for later') && lengthOf(screen) > 0);
}
