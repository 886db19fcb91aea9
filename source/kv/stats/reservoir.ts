import type {RandomNumbers} from './random.ts';

/** Draws a uniform random sample of `size` items from a stream of unknown length. */
export class Reservoir<Item> {
	readonly size: number;
	readonly #random: RandomNumbers;
	readonly #items: Item[] = [];
	#seenCount = 0;

	constructor(size: number, random: RandomNumbers) {
		this.size = size;
		this.#random = random;
	}

	offer(item: Item): void {
		this.#seenCount++;
		if (this.#items.length < this.size) {
			this.#items.push(item);
			return;
		}
		const index = this.#random(this.#seenCount);
		if (index < this.size) this.#items[index] = item;
	}

	/** Returns the current sample in random order: its first items are a sample, too. */
	listShuffled(): readonly Item[] {
		const items = [...this.#items];
		for (let index = items.length - 1; index > 0; index--) {
			const otherIndex = this.#random(index + 1);
			[items[index], items[otherIndex]] = [items[otherIndex] as Item, items[index] as Item];
		}
		return items;
	}
}
