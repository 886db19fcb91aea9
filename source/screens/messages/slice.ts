import type {Failure} from '../../failure.ts';
import {qualifyCommands} from '../../session/qualify-commands.ts';
import type {Slice} from '../../store/slice.ts';

/** Message on the status line until the next one. */
export type Message = {
	readonly text: string;
	/** When it was shown, by the clock of the screens (milliseconds). */
	readonly shownAt: number;
} & ({readonly kind: 'said' | 'warned'} | {readonly kind: 'failed'; readonly failure: Failure});

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly messages: MessagesSlice;
	}
}

type MessagesSlice = {
	readonly latest: Message | undefined;
	/** The last warning, also after it was cleared. */
	readonly lastWarning: string | undefined;
	/** Warning to append to the next message, which would otherwise replace it unread. */
	readonly pendingWarning: string | undefined;
	say(text: string): void;
	warn(text: string): void;
	/** Warns now and again with the message at the end of the work. */
	warnTwice(text: string): void;
	fail(failure: Failure): void;
	clear(): void;
	/** Clears the message on a key, unless it is a failure shown too briefly to read. */
	clearSeen(): void;
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
	warn: text => set({latest: {kind: 'warned', text, shownAt: elapsed()}, lastWarning: text}),
	fail(originalFailure) {
		const failure = qualifyCommands(originalFailure, session.options);
		set({latest: {kind: 'failed', text: failure.message, failure, shownAt: elapsed()}});
	},
	clear: () => set({latest: undefined}),
	clearSeen() {
		const message = get().messages.latest;
		if (message && (message.kind !== 'failed' || elapsed() - message.shownAt >= minMessageMs))
			set({latest: undefined});
	},
	restore: message => set({latest: message}),
});
