import {isName} from '../checks/suggestions.ts';
import {fieldNamed} from '../vocabulary/fields.ts';
import {comparisonOperators, logicalOperators} from './operators.ts';
import type {Reading} from './reading.ts';
import {valueText} from './several-values.ts';
import type {Lexeme} from './token.ts';

type ValuesInBrackets = {
	readonly values: readonly string[];
	/** The connective between them; `or` if there is none. */
	readonly joint: 'or' | 'and' | 'mixed';
	readonly close: Lexeme;
	/** The index after the closing bracket. */
	readonly end: number;
};

/** Reads `("a" or "b")` or `{"a" "b"}` at an index; undefined if it contains anything but values. */
export function valuesInBrackets(
	reading: Reading,
	index: number,
	isText: boolean,
): ValuesInBrackets | undefined {
	const {lexemes} = reading;
	const closing = lexemes[index]?.text === '(' ? ')' : '}';
	const values: string[] = [];
	const joints = new Set<string>();
	for (let place = index + 1; ; place++) {
		const one = lexemes[place];
		if (!one) return undefined;
		if (one.kind === 'sign' && one.text === closing)
			return values.length > 0 ? {values, joint: jointOf(joints), close: one, end: place + 1} : undefined;
		const joint = logicalOperators.get(one.text.toLowerCase());
		if (joint || one.text === ',' || one.text === '|') {
			joints.add(joint ?? 'or');
			continue;
		}
		if (
			one.kind === 'word' &&
			(isName(one.text) || fieldNamed(one.text) || comparisonOperators.has(one.text))
		)
			return undefined;
		const text = one.kind === 'string' || one.kind === 'word' ? valueText(reading, one, isText) : undefined;
		const behind = lexemes[place + 1];
		const isGlued =
			one.kind === 'word' && behind?.start === one.end && behind.text !== closing && behind.text !== ',';
		if (text === undefined || isGlued || values.length > 200) return undefined;
		values.push(text);
	}
}

function jointOf(joints: ReadonlySet<string>): 'or' | 'and' | 'mixed' {
	if (joints.size > 1 || joints.has('xor')) return 'mixed';
	return joints.has('and') ? 'and' : 'or';
}
