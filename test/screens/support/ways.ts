import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';

type Shown = string | RegExp | (() => boolean);

/** A screen that is drawn in this process, or one in a terminal. */
export type AnyScreen = {
	text(): string;
	press(...keys: readonly string[]): void;
	type(text: string): void;
	selectedRow(): {readonly text: string};
	pressAndAwaitFrame(key: string): Promise<unknown>;
	waitFor(shown: Shown): Promise<void>;
	settled(shown?: Shown, more?: {readonly quiet: number}): Promise<void>;
};

/** Waits until this is shown, and presses enter. */
export async function pressEnterWhenShown(screen: AnyScreen, shown: Shown): Promise<void> {
	await screen.waitFor(shown);
	screen.press('enter');
}

/** Answers a question or a review with `y`, once it counts as read. */
export async function confirmAfterReading(screen: AnyScreen, shown: Shown): Promise<void> {
	await screen.settled(shown, {quiet: minReviewMs + 100});
	screen.press('y');
}

/** Does the same for what has to be read first: a key pressed at once would not count. */
export async function pressEnterAfterReading(screen: AnyScreen, shown: Shown): Promise<void> {
	await screen.settled(shown, {quiet: minReviewMs + 100});
	screen.press('enter');
}
