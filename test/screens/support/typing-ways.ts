import {goToConfigKeys, goToFirewall, goToNamespaces, waitForHome} from './sample-ways.ts';

/** A screen that is drawn in this process, or one in a terminal. */
type AnyScreen = Parameters<typeof goToFirewall>[0] & {text(): string};

/** Forms that keep a draft: the way to each from the start, and how the next start names its draft. */
export const forms = {
	'a value': {
		async open(screen: AnyScreen) {
			await waitForHome(screen);
			await goToNamespaces(screen);
			await goToConfigKeys(screen);
			screen.press('a');
			await screen.waitFor('New key');
			screen.type('newone');
			screen.press('enter');
			await screen.waitFor('Expiration of newone');
			screen.press('enter');
			await screen.waitFor('ctrl-s');
		},
		name: /draft, U opens it: newone in CONFIG \(simulated\)\./,
	},
	'a rule': {
		async open(screen: AnyScreen) {
			await waitForHome(screen);
			await goToFirewall(screen);
			screen.press('a');
			await screen.waitFor('0 of 4,096 characters');
		},
		name: /draft, U opens it: rule for acme\.example \(simulated\)\./,
	},
	'an emergency': {
		async open(screen: AnyScreen) {
			await waitForHome(screen);
			await goToFirewall(screen);
			screen.press('!');
			await screen.waitFor('0 of 4,096 characters');
		},
		name: /draft, U opens it: emergency for acme\.example \(simulated\)\./,
	},
} as const;

/** The length of the text that the form in front shows, in characters or bytes. */
export function getShownLength(screen: AnyScreen): number {
	const [, count = 'NaN'] = /(\d+) (?:of 4,096 characters|bytes?\b)/.exec(screen.text()) ?? [];
	return Number(count);
}

/** Types the next letter after `typedText`, and waits until its length is shown; returns the new text. */
export async function typeNext(screen: AnyScreen, typedText: string): Promise<string> {
	const letter = String.fromCharCode(97 + (typedText.length % 26));
	screen.type(letter);
	await screen.waitFor(() => getShownLength(screen) === typedText.length + 1);
	return typedText + letter;
}

/** Restores the draft that the start names, and waits until its form is in front. */
export async function restore(screen: AnyScreen): Promise<void> {
	screen.press('U');
	await screen.waitFor('Keep the draft');
	screen.press('enter');
	await screen.waitFor(() => !screen.text().includes('Keep the draft') && getShownLength(screen) > 0);
}
