import type {Failure} from '../../failure.ts';
import {qualifyCommands} from '../../session/qualify-commands.ts';
import type {Slice} from '../../store/slice.ts';

/** What the status line shows until the next message. */
export type Message = {
	readonly text: string;
	/** When it was said, in milliseconds since the epoch. */
	readonly at: number;
} & ({readonly kind: 'said' | 'warned'} | {readonly kind: 'failed'; readonly failure: Failure});

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly messages: MessagesSlice;
	}
}

type MessagesSlice = {
	readonly latest: Message | undefined;
	/** What goes with the next sentence, which would otherwise take its place unread. */
	readonly beside: string | undefined;
	say(text: string): void;
	warn(text: string): void;
	/** Warns during work, and again with the message at its end. */
	warnBeside(text: string): void;
	fail(failure: Failure): void;
	clear(): void;
	/** A key was typed: the message goes, unless it is a failure that nobody can have read yet. */
	clearRead(): void;
	/** Shows a message again as it was, with its moment. */
	restore(message: Message | undefined): void;
};

/** Milliseconds that a message keeps its line, whatever is under way. */
export const worthReading = 3000;

export const createMessagesSlice: Slice<MessagesSlice> = (set, get, {elapsed, session}) => ({
	latest: undefined,
	beside: undefined,
	say: text =>
		set(({beside}) =>
			beside === undefined
				? {latest: {kind: 'said', text, at: elapsed()}}
				: {latest: {kind: 'warned', text: `${text} ${beside}`, at: elapsed()}, beside: undefined},
		),
	warnBeside: text => set({latest: {kind: 'warned', text, at: elapsed()}, beside: text}),
	warn: text => set({latest: {kind: 'warned', text, at: elapsed()}}),
	fail(failed) {
		const failure = qualifyCommands(failed, session.options);
		set({latest: {kind: 'failed', text: failure.message, failure, at: elapsed()}});
	},
	clear: () => set({latest: undefined}),
	clearRead() {
		const message = get().messages.latest;
		if (message && (message.kind !== 'failed' || elapsed() - message.at >= worthReading))
			set({latest: undefined});
	},
	restore: message => set({latest: message}),
});
