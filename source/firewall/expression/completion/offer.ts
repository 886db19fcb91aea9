/** A completion; `last` if it comes after all others. */
export type Offer = Completion & {readonly last?: true};
/** A possible text at the cursor. */
export type Completion = {
	/** The text that replaces the span. */
	readonly text: string;
	/** `logical` includes brackets and commas. */
	readonly kind: 'field' | 'function' | 'operator' | 'logical' | 'value';
	/** The type of the field, or the return type of the function. */
	readonly type?: string;
	readonly about: string;
	/** The offset of the cursor in the text; at its end by default. */
	readonly cursor?: number;
};
