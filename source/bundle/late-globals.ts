const {Segmenter} = Intl;

/**
 * Replaces `Intl.Segmenter` in the bundle of the screens, and creates the real one at its first use. The first one of a
 * process takes 5 ms, and packages of Ink create five that the first frame does not use.
 */
export class LateSegmenter {
	readonly #given: ConstructorParameters<typeof Segmenter>;
	#made: Intl.Segmenter | undefined;

	constructor(...given: ConstructorParameters<typeof Segmenter>) {
		this.#given = given;
	}

	segment(text: string): Intl.Segments {
		this.#made ??= new Segmenter(...this.#given);
		return this.#made.segment(text);
	}
}

/** Replaces `performance`, of which the screens use the clock alone: the real one takes 1 ms to load. Milliseconds, never back. */
export const monotonicClock = {
	now(): number {
		const [seconds, nanoseconds] = process.hrtime();
		return seconds * 1000 + nanoseconds / 1e6;
	},
};
