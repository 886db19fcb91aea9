import type {RandomNumbers} from './random.ts';

/** Draws a uniform random sample of `size` items from a stream of unknown length. */
export class Reservoir<Item> {
	readonly size: number;
	readonly #random: RandomNumbers;
	readonly #items: Item[] = [];
	#seen = 0;

	constructor(size: number, random: RandomNumbers) {
		this.size = size;
		this.#random = random;
	}

	offer(item: Item): void {
		this.#seen++;
		if (this.#items.length < this.size) {
			this.#items.push(item);
			return;
		}
		const place = this.#random(this.#seen);
		if (place < this.size) this.#items[place] = item;
	}

	/** Returns the current sample in random order: its first items are a sample, too. */
	listShuffled(): readonly Item[] {
		const items = [...this.#items];
		for (let place = items.length - 1; place > 0; place--) {
			const other = this.#random(place + 1);
			[items[place], items[other]] = [items[other] as Item, items[place] as Item];
		}
		return items;
	}
}
