import {maxExpressionLength} from './vocabulary/limits.ts';

/** The length of an expression, and whether it is within the limit of the service. */
type ExpressionSize = {
	/** Unicode characters. */
	readonly characters: number;
	/** In UTF-8. */
	readonly bytes: number;
	/** `unclear`: over the limit in bytes, but not in characters. */
	readonly verdict: 'fits' | 'unclear' | 'too long';
};

/** Measures an expression against the limit (4,096). */
export function measureExpression(text: string): ExpressionSize {
	const bytes = Buffer.byteLength(text);
	if (bytes === text.length)
		return {characters: bytes, bytes, verdict: bytes > maxExpressionLength ? 'too long' : 'fits'};
	let characters = 0;
	for (const _ of text) characters++;
	const verdict =
		characters > maxExpressionLength ? 'too long' : bytes > maxExpressionLength ? 'unclear' : 'fits';
	return {characters, bytes, verdict};
}
