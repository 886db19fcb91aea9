import type {Failure} from '../../failure.ts';
import {qualifyCommands} from '../../session/qualify-commands.ts';
import type {Slice} from '../../store/slice.ts';
import type {Screen} from '../shell/screen-name.ts';

/** Message on the status line until the next one. */
export type Message = {
	readonly text: string;
	/** When it was shown, by the clock of the screens (milliseconds). */
	readonly shownAt: number;
} & (
	| {readonly kind: 'said' | 'warned'}
	| {
			readonly kind: 'failed';
			readonly failure: Failure;
			/** True if it stays long enough to be read, whatever the user does. */
			readonly mustBeSeen: boolean;
			/** True if its screen was left before it was shown long enough. */
			readonly isLeft?: true;
	  }
);

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly messages: MessagesSlice;
	}
}

type MessagesSlice = {
	readonly latest: Message | undefined;
	/** The last warning and the open screens then; kept after it was cleared. */
	readonly lastWarning: {readonly text: string; readonly stack: readonly Screen[]} | undefined;
	/** Warning to append to the next message, which would otherwise replace it unread. */
	readonly pendingWarning: string | undefined;
	say(text: string): void;
	warn(text: string): void;
	/** Warns now and again with the message at the end of the work. */
	warnTwice(text: string): void;
	/** `mustBeSeen`: false for reads, which can be repeated. */
	fail(failure: Failure, mustBeSeen?: boolean): void;
	/** Returns the last warning if its screen is still shown, and was not left since. */
	getLastWarning(): string | undefined;
	/** Forgets the last warning, when what it was about is no longer shown. */
	forgetWarning(): void;
	clear(): void;
	/** Clears the message on a key, unless it is a failure shown too briefly to read. */
	clearSeen(): void;
	/**
	 * Clears the message when its screen is left or other work begins. A failure that must be seen stays until
	 * `minMessageMs` have passed, and then until a later key.
	 */
	leave(): void;
	/** Shows a message with its original time. */
	restore(message: Message | undefined): void;
};

/** Minimum milliseconds a message stays, whatever is under way. */
export const minMessageMs = 3000;

export const createMessagesSlice: Slice<MessagesSlice> = (set, get, {elapsed, session}) => ({
	latest: undefined,
	lastWarning: undefined,
	pendingWarning: undefined,
	say: text =>
		set(({pendingWarning}) =>
			pendingWarning === undefined
				? {latest: {kind: 'said', text, shownAt: elapsed()}}
				: {
						latest: {kind: 'warned', text: `${text} ${pendingWarning}`, shownAt: elapsed()},
						pendingWarning: undefined,
					},
		),
	warnTwice(text) {
		get().messages.warn(text);
		set({pendingWarning: text});
	},
	warn: text =>
		set({
			latest: {kind: 'warned', text, shownAt: elapsed()},
			lastWarning: {text, stack: get().navigation.stack},
		}),
	getLastWarning() {
		const {lastWarning} = get().messages;
		return lastWarning?.stack === get().navigation.stack ? lastWarning?.text : undefined;
	},
	forgetWarning: () => set({lastWarning: undefined}),
	fail(originalFailure, mustBeSeen = true) {
		const failure = qualifyCommands(originalFailure, session.options);
		set({latest: {kind: 'failed', text: failure.message, failure, shownAt: elapsed(), mustBeSeen}});
	},
	clear: () => set({latest: undefined}),
	clearSeen() {
		const message = get().messages.latest;
		if (message && (message.kind !== 'failed' || elapsed() - message.shownAt >= minMessageMs))
			set({latest: undefined});
	},
	leave() {
		const message = get().messages.latest;
		const isUnseen =
			message?.kind === 'failed' && message.mustBeSeen && elapsed() - message.shownAt < minMessageMs;
		set({latest: isUnseen ? {...message, isLeft: true} : undefined});
	},
	restore: message => set({latest: message}),
});
