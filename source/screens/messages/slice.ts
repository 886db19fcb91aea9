import type {Failure} from '../../failure.ts';
import {qualifyCommands} from '../../session/qualify-commands.ts';
import type {Slice} from '../../store/slice.ts';

/** What the status line shows until the next message. */
export type Message = {
	readonly text: string;
	/** When it was said, in milliseconds since the epoch. */
	readonly at: number;
} & ({readonly kind: 'said' | 'warned'} | {readonly kind: 'failed'; readonly failure: Failure});

export type MessagesSlice = {
	readonly message: Message | undefined;
	/** What goes with the next sentence, which would otherwise take its place unread. */
	readonly beside: string | undefined;
	say(text: string): void;
	warn(text: string): void;
	/** Warns during work, and again with the message at its end. */
	warnBeside(text: string): void;
	fail(failure: Failure): void;
	clearMessage(): void;
	/** A key was typed: the message goes, unless it is a failure that nobody can have read yet. */
	clearReadMessage(): void;
	/** Shows a message again as it was, with its moment. */
	restoreMessage(message: Message | undefined): void;
};

/** Milliseconds that a message keeps its line, whatever is under way. */
export const worthReading = 3000;

export const createMessagesSlice: Slice<MessagesSlice> = (set, get, {elapsed, session}) => ({
	message: undefined,
	beside: undefined,
	say: text =>
		set(({beside}) =>
			beside === undefined
				? {message: {kind: 'said', text, at: elapsed()}}
				: {message: {kind: 'warned', text: `${text} ${beside}`, at: elapsed()}, beside: undefined},
		),
	warnBeside: text => set({message: {kind: 'warned', text, at: elapsed()}, beside: text}),
	warn: text => set({message: {kind: 'warned', text, at: elapsed()}}),
	fail(failed) {
		const failure = qualifyCommands(failed, session.options);
		set({message: {kind: 'failed', text: failure.message, failure, at: elapsed()}});
	},
	clearMessage: () => set({message: undefined}),
	clearReadMessage() {
		const {message} = get();
		if (message && (message.kind !== 'failed' || elapsed() - message.at >= worthReading))
			set({message: undefined});
	},
	restoreMessage: message => set({message}),
});
