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
	#open: () => OutputStream;
	/** Node's stream, once opened: it does all further writes. */
	#opened: OutputStream | undefined;

	constructor(descriptor: number, open: () => OutputStream) {
		super();
		this.fd = descriptor;
		this.#open = open;
	}

	/** Emits errors after it returns, as a stream does. */
	write(chunk: string | Uint8Array): boolean {
		if (this.#opened) return this.#opened.write(chunk);
		let left = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
		try {
			while (left.length > 0) left = left.subarray(writeSync(this.fd, left));
		} catch (error) {
			// A non-blocking pipe.
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

/** False also for a closed descriptor. */
function isFileOrPipe(descriptor: number): boolean {
	try {
		const status = fstatSync(descriptor);
		return status.isFile() || status.isFIFO();
	} catch {
		return false;
	}
}
