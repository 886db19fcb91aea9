/** A text, and where a value contains it. `folded`: upper and lower case are equal; the text is lower case. */
export type Shape = {
	readonly position: 'whole' | 'beginning' | 'end' | 'part';
	readonly text: string;
	readonly folded: boolean;
};

/** The shapes of all values that satisfy a condition. */
export type Shapes = {
	readonly shapes: readonly Shape[];
	/** True if all values with these shapes satisfy it. */
	readonly isExact: boolean;
	/** Evaluates a known value with these shapes; undefined if the service may do that differently. */
	readonly matches?: ((value: string) => boolean | undefined) | undefined;
};

/** True if every value of one shape also has the other. */
export function isShapeImplied(premise: Shape, {position, text, folded}: Shape): boolean {
	if (premise.folded && !folded) return false;
	const premiseText = folded ? premise.text.toLowerCase() : premise.text;
	switch (position) {
		case 'part':
			return premiseText.includes(text);
		case 'beginning':
			return premise.position !== 'part' && premise.position !== 'end' && premiseText.startsWith(text);
		case 'end':
			return premise.position !== 'part' && premise.position !== 'beginning' && premiseText.endsWith(text);
		case 'whole':
			return premise.position === 'whole' && premiseText === text;
	}
}

/** True if no value has both shapes. */
export function isShapeExcluded(one: Shape, other: Shape): boolean {
	if (one.folded !== other.folded) return isShapeExcluded(foldShape(one), foldShape(other));
	if (one.position === 'whole') return !isShapeImplied(one, other);
	if (other.position === 'whole') return !isShapeImplied(other, one);
	if (one.position !== other.position || one.position === 'part') return false;
	return !isShapeImplied(one, other) && !isShapeImplied(other, one);
}

const foldShape = ({position, text}: Shape): Shape => ({position, text: text.toLowerCase(), folded: true});

export const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);
