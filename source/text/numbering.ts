/** Maximum size of one Map: growing further would block for tens of milliseconds. */
const maxTableSize = 1 << 18;

/**
 * Numbers strings from 0; equal strings have the same number. No single call is slow, however many strings
 * there are.
 */
export class Numbering {
	readonly #texts: string[] = [];
	readonly #tables: Map<string, number>[] = [];

	get texts(): readonly string[] {
		return this.#texts;
	}

	/** Returns the number of a string; a new one if it is unknown. */
	assignNumber(text: string): number {
		for (const table of this.#tables) {
			const known = table.get(text);
			if (known !== undefined) return known;
		}
		let table = this.#tables.at(-1);
		if (!table || table.size === maxTableSize) {
			table = new Map();
			this.#tables.push(table);
		}
		const number = this.#texts.push(text) - 1;
		table.set(text, number);
		return number;
	}
}
