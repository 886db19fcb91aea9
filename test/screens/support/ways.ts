import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';

type Shown = string | RegExp | (() => boolean);

/** A screen that is drawn in this process, or one in a terminal. */
export type AnyScreen = {
	text(): string;
	press(...keys: readonly string[]): void;
	type(text: string): void;
	selectedRow(): {readonly text: string};
	answerTo(key: string): Promise<unknown>;
	waitFor(shown: Shown): Promise<void>;
	settled(shown?: Shown, more?: {readonly quiet: number}): Promise<void>;
};

/** Presses enter where that is shown. */
export async function enterAt(screen: AnyScreen, shown: Shown): Promise<void> {
	await screen.waitFor(shown);
	screen.press('enter');
}

/** The same where it has to be looked at first: what comes at once does not count. */
export async function lookAndEnterAt(screen: AnyScreen, shown: Shown): Promise<void> {
	await screen.settled(shown, {quiet: minReviewMs + 100});
	screen.press('enter');
}
