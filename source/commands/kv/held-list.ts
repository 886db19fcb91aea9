import {Pages} from '../../kv/key-index/pages.ts';
import {Records} from '../../kv/key-index/records.ts';
import {Uint32List} from '../../kv/key-index/uint32-list.ts';
import {holdMemory} from '../../kv/memory.ts';
import {openStateDirectory} from '../../state/directory.ts';
import type {CommandContext} from '../shell/context.ts';

/** Bytes of text kept in memory; the rest goes to an unnamed file. */
const mostInMemory = 4_000_000;
/** Characters per write. */
const pieceLength = 65_536;

/**
 * Buffers texts until all are known, so that an incomplete JSON list is never printed. Memory use is bounded.
 */
export class HeldTexts {
	readonly #output: CommandContext['output'];
	readonly #records: Records;
	readonly #addresses: Uint32List;

	constructor({output, env}: Pick<CommandContext, 'output' | 'env'>) {
		const pages = new Pages({mostBytes: mostInMemory, directory: () => openStateDirectory(env)});
		this.#output = output;
		this.#records = new Records(pages);
		this.#addresses = new Uint32List(pages);
	}

	add(text: string): void {
		this.#addresses.push(this.#records.add({name: text}));
	}

	/** Prints the texts as pieces of JSON, or, with a formatter, as text. */
	async print(lineOf?: (text: string) => string): Promise<void> {
		const print = lineOf ? this.#output.text : this.#output.jsonText;
		let piece = '';
		for (let number = 0; number < this.#addresses.length; number++) {
			const text = this.#records.text(this.#addresses.at(number), 0);
			piece += lineOf ? lineOf(text) : text;
			if (piece.length < pieceLength) continue;
			holdMemory();
			await print(piece);
			piece = '';
		}
		if (piece) await print(piece);
	}
}

/** Buffers the items of a JSON list, and prints them like `JSON.stringify(list, null, 2)`. */
export class HeldList {
	readonly #texts: HeldTexts;
	#count = 0;

	constructor(context: Pick<CommandContext, 'output' | 'env'>) {
		this.#texts = new HeldTexts(context);
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
