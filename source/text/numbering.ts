/** Texts that one Map holds: to grow beyond them would take it tens of milliseconds at once. */
const largestTable = 1 << 18;

/** Numbers texts from 0 on, equal ones with one number. Never takes long for one text, however many there are. */
export class Numbering {
	readonly #texts: string[] = [];
	readonly #tables: Map<string, number>[] = [];

	get texts(): readonly string[] {
		return this.#texts;
	}

	/** The number of a text, a new one if it was not met before. */
	of(text: string): number {
		for (const table of this.#tables) {
			const known = table.get(text);
			if (known !== undefined) return known;
		}
		let table = this.#tables.at(-1);
		if (!table || table.size === largestTable) {
			table = new Map();
			this.#tables.push(table);
		}
		const number = this.#texts.push(text) - 1;
		table.set(text, number);
		return number;
	}
}
