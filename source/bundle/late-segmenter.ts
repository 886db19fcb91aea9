const {Segmenter} = Intl;

/**
 * In the bundle of the screens each `Intl.Segmenter` is one of these, made when it is first asked: the first one of a
 * process takes 5 ms, which the first frame need not wait for. What Ink uses makes five, to have them.
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
