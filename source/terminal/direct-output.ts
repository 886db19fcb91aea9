import {EventEmitter} from 'node:events';
import {fstatSync, writeSync} from 'node:fs';
import type {OutputStream} from '../host.ts';

/**
 * Standard output (1) or standard error (2) of the process, by its descriptor: `stream()`, which opens the stream that
 * Node has for it, or, where it is a file or a pipe, something that writes there by the system's own call. That waits as
 * Node's stream would, which takes 4 ms to load, a tenth of a quick command.
 */
export const directOutput = (descriptor: number, stream: () => OutputStream): OutputStream =>
	isFileOrPipe(descriptor) ? new DirectOutput(descriptor, stream) : stream();

class DirectOutput extends EventEmitter implements OutputStream {
	readonly fd: number;
	#open: () => OutputStream;
	/** Node's stream, which writes from then on. */
	#opened: OutputStream | undefined;

	constructor(descriptor: number, open: () => OutputStream) {
		super();
		this.fd = descriptor;
		this.#open = open;
	}

	/** Errors are emitted after it has returned, as a stream does. */
	write(chunk: string | Uint8Array): boolean {
		if (this.#opened) return this.#opened.write(chunk);
		let left = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
		try {
			while (left.length > 0) left = left.subarray(writeSync(this.fd, left));
		} catch (error) {
			// A pipe whose other end was told not to wait.
			if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return this.#stream().write(left);
			process.nextTick(() => this.emit('error', error));
		}
		return true;
	}

	#stream(): OutputStream {
		this.#opened = this.#open();
		for (const event of ['error', 'drain'])
			this.#opened.on(event, (...given: readonly unknown[]) => this.emit(event, ...given));
		return this.#opened;
	}
}

/** False too where the descriptor is closed. */
function isFileOrPipe(descriptor: number): boolean {
	try {
		const status = fstatSync(descriptor);
		return status.isFile() || status.isFIFO();
	} catch {
		return false;
	}
}
