import {openSync} from 'node:fs';
import {ReadStream, WriteStream} from 'node:tty';
import {Failure} from '../failure.ts';

/** The terminal of this process, whatever its standard streams are. */
export type ControllingTerminal = Disposable & {
	readonly stdin: NodeJS.ReadStream;
	readonly stdout: NodeJS.WriteStream & {readonly fd: number};
};

/**
 * Opens the terminal to draw on while standard output is a pipe: standard input and error if they are the
 * terminal, else `/dev/tty`. Fails with `usage` without one.
 */
export function openControllingTerminal({
	stdin,
	stderr,
}: Pick<NodeJS.Process, 'stdin' | 'stderr'>): ControllingTerminal {
	const ownStreams: {destroy(): unknown}[] = [];
	const removeListeners: (() => void)[] = [];
	const openInput = () => {
		const stream = new ReadStream(openSync('/dev/tty', 'r'));
		ownStreams.push(stream);
		return stream;
	};
	const openOutput = () => {
		const fd = openSync('/dev/tty', 'w');
		const stream: WriteStream & {_refreshSize?(): void} = new WriteStream(fd);
		// Node checks the size of its own streams only.
		const refresh = () => stream._refreshSize?.();
		process.on('SIGWINCH', refresh);
		removeListeners.push(() => process.off('SIGWINCH', refresh));
		ownStreams.push(stream);
		return Object.assign(stream, {fd});
	};
	try {
		return {
			stdin: stdin.isTTY ? stdin : openInput(),
			stdout: stderr.isTTY ? stderr : openOutput(),
			[Symbol.dispose]() {
				for (const removeListener of removeListeners) removeListener();
				for (const stream of ownStreams) stream.destroy();
			},
		};
	} catch (cause) {
		for (const stream of ownStreams) stream.destroy();
		throw new Failure('usage', 'ledge pick needs a terminal to show the list on.', {
			why: 'Neither the standard streams nor /dev/tty are one.',
			next: 'Run it in a terminal; in scripts use `ledge kv key list`.',
			cause,
		});
	}
}
