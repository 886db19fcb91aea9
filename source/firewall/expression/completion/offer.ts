/** A completion, and how far back it stands: `last` behind all others. */
export type Offer = Completion & {readonly last?: true};
/** Something that can be at the cursor. */
export type Completion = {
	/** What is written in place of the span. */
	readonly text: string;
	readonly kind: 'field' | 'function' | 'operator' | 'logical' | 'value';
	/** The type of the field, or of what the function returns. */
	readonly type?: string;
	readonly about: string;
	/** Where in the text the cursor goes; at its end when left out. */
	readonly cursor?: number;
};
