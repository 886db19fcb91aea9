import {EventEmitter} from 'node:events';
import {fstatSync, writeSync} from 'node:fs';
import type {OutputStream} from '../host.ts';

/**
 * Opens standard output (1) or standard error (2). For a file or pipe it writes to the descriptor directly,
 * blocking as Node's stream does, because that stream takes 4 ms to load, a tenth of a quick command.
 * Otherwise it calls `openStream`.
 */
export const openDirectOutput = (descriptor: number, openStream: () => OutputStream): OutputStream =>
	isFileOrPipe(descriptor) ? new DirectOutput(descriptor, openStream) : openStream();

class DirectOutput extends EventEmitter implements OutputStream {
	readonly fd: number;
	#openStream: () => OutputStream;
	/** Node's stream, once opened: it does all further writes. */
	#nodeStream: OutputStream | undefined;

	constructor(descriptor: number, openStream: () => OutputStream) {
		super();
		this.fd = descriptor;
		this.#openStream = openStream;
	}

	/** Emits errors after it returns, as a stream does. */
	write(chunk: string | Uint8Array): boolean {
		if (this.#nodeStream) return this.#nodeStream.write(chunk);
		let remaining = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
		try {
			while (remaining.length > 0) remaining = remaining.subarray(writeSync(this.fd, remaining));
		} catch (error) {
			// A non-blocking pipe.
			if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return this.#openNodeStream().write(remaining);
			process.nextTick(() => this.emit('error', error));
		}
		return true;
	}

	#openNodeStream(): OutputStream {
		this.#nodeStream = this.#openStream();
		for (const event of ['error', 'drain'])
			this.#nodeStream.on(event, (...eventArguments: readonly unknown[]) =>
				this.emit(event, ...eventArguments),
			);
		return this.#nodeStream;
	}
}

/** False also for a closed descriptor. */
function isFileOrPipe(descriptor: number): boolean {
	try {
		const status = fstatSync(descriptor);
		return status.isFile() || status.isFIFO();
	} catch {
		return false;
	}
}
