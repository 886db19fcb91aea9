import {Pages} from '../../kv/key-index/pages.ts';
import {Records} from '../../kv/key-index/records.ts';
import {Uint32List} from '../../kv/key-index/uint32-list.ts';
import {holdMemory} from '../../kv/memory.ts';
import {openStateDirectory} from '../../state/directory.ts';
import type {CommandContext} from '../shell/context.ts';

/** Bytes of texts that stay in memory; the others are in a file without a name. */
const mostInMemory = 4_000_000;
/** Characters that are printed at once. */
const pieceLength = 65_536;

/**
 * Texts that are printed once all of them are there, as the items of a JSON list must be: of a list that is not complete
 * nothing is printed. Memory does not grow with them.
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

	/** Prints them as pieces of JSON, or as what is made of each, which is text. */
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

/** The items of a JSON list, printed as `JSON.stringify(list, null, 2)` would once all of them are there. */
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
