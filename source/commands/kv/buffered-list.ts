import {Pages} from '../../kv/key-index/pages.ts';
import {Records} from '../../kv/key-index/records.ts';
import {Uint32List} from '../../kv/key-index/uint32-list.ts';
import {collectGarbageIfNeeded} from '../../kv/memory.ts';
import {openStateDirectory} from '../../state/directory.ts';
import type {CommandContext} from '../shell/context.ts';

/** Maximum bytes of text kept in memory; the rest goes to an unnamed file. */
const maxBytesInMemory = 4_000_000;
/** Characters per write. */
const pieceLength = 65_536;

/**
 * Buffers texts until all are known, so that an incomplete JSON list is never printed. Memory use is bounded.
 */
export class BufferedTexts {
	readonly #output: CommandContext['output'];
	readonly #records: Records;
	readonly #addresses: Uint32List;

	constructor({output, env}: Pick<CommandContext, 'output' | 'env'>) {
		const pages = new Pages({maxBytes: maxBytesInMemory, directory: () => openStateDirectory(env)});
		this.#output = output;
		this.#records = new Records(pages);
		this.#addresses = new Uint32List(pages);
	}

	add(text: string): void {
		this.#addresses.push(this.#records.add({name: text}));
	}

	/** Prints the texts as pieces of JSON, or, with a formatter, as text. */
	async print(formatLine?: (text: string) => string): Promise<void> {
		const print = formatLine ? this.#output.writeText : this.#output.writeJsonText;
		let piece = '';
		for (let index = 0; index < this.#addresses.length; index++) {
			// `Records` store key entries: each text is the name of one, read from its first byte.
			const text = this.#records.readName(this.#addresses.at(index), 0);
			piece += formatLine ? formatLine(text) : text;
			if (piece.length < pieceLength) continue;
			collectGarbageIfNeeded();
			await print(piece);
			piece = '';
		}
		if (piece) await print(piece);
	}
}

/** Buffers the items of a JSON list, and prints them like `JSON.stringify(list, null, 2)`. */
export class BufferedJsonList {
	readonly #texts: BufferedTexts;
	#count = 0;

	constructor(context: Pick<CommandContext, 'output' | 'env'>) {
		this.#texts = new BufferedTexts(context);
	}

	add(item: unknown): void {
		const text = JSON.stringify(item, null, 2).replaceAll('\n', '\n  ');
		this.#texts.add(`${this.#count++ === 0 ? '[\n' : ',\n'}  ${text}`);
	}

	async print(): Promise<void> {
		this.#texts.add(this.#count === 0 ? '[]\n' : '\n]\n');
		await this.#texts.print();
	}
}
