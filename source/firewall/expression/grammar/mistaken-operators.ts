import {distanceWithin} from '../checks/edit-distance.ts';
import {plusBehindLeftSide} from './joined-texts.ts';
import {comparisonOperators, foreignOperators, operatorsOf} from './operators.ts';
import {type Reading, shown, spanOf, type Typed} from './reading.ts';
import type {Lexeme} from './token.ts';
import type {ComparisonOperator} from './tree.ts';
import {between, functionAsOperator} from './words-for-operators.ts';

export type Meant = {
	readonly operator: ComparisonOperator;
	readonly written: Lexeme;
	/** True if the opposite is intended, because of a misplaced `not`. */
	readonly negated?: boolean;
};

/**
 * Reports something else in place of an operator. Returns the intended operator and moves past it; undefined
 * if the intention is unclear.
 */
export function wrongOperator(reading: Reading, left: Typed, current: Lexeme): Meant | undefined {
	const name = reading.slice(left.operand);
	const lower = current.text.toLowerCase();
	if (functionAsOperator(reading, left, current) || between(reading, left, current)) return undefined;
	if (plusBehindLeftSide(reading, left, current)) return undefined;
	const negated = negation(reading, current);
	if (negated) {
		reading.unreadable(
			spanOf(current, negated.end),
			`not comes before the whole condition: not ${shown(name)} ${negated.operator} ….`,
			{
				engine: 'expected ComparisonOp',
				correction: {
					span: {start: left.operand.start, end: negated.end.end},
					text: `not ${name} ${negated.operator}`,
				},
			},
		);
		reading.index += negated.length;
		const operator = comparisonOperators.get(negated.operator);
		return operator && {operator, written: negated.end, negated: true};
	}
	const {next} = reading;
	if (
		lower === 'strict' &&
		next &&
		(misspelt(next.text.toLowerCase()) ?? next.text.toLowerCase()) === 'wildcard'
	) {
		reading.unreadable(spanOf(current, next), 'strict wildcard is written with one space.', {
			engine: 'expected ComparisonOp',
			correction: 'strict wildcard',
		});
		reading.index += 2;
		return {operator: 'strict wildcard', written: {...next, start: current.start}};
	}
	const meant = comparisonOperators.has(lower) ? lower : (foreignOperators.get(lower) ?? misspelt(lower));
	const operator = meant === undefined ? undefined : comparisonOperators.get(meant);
	if (meant !== undefined && operator) {
		reading.unreadable(
			current,
			meant === lower
				? 'Operators are written in lower case.'
				: `"${shown(current.text)}" is not an operator; did you mean ${meant}?`,
			{engine: 'expected ComparisonOp', correction: meant},
		);
		reading.index++;
		return {operator, written: current};
	}
	reading.unreadable(
		current,
		left.type
			? `An operator is expected here: ${operatorsOf(left.type).join(', ') || 'and, or, xor'}.`
			: 'An operator is expected here.',
		{engine: 'expected ComparisonOp'},
	);
	reading.pass();
	return undefined;
}

/** Corrects up to two wrong letters. Short operators are too similar to correct. */
const misspelt = (lower: string): string | undefined =>
	lower.length < 5
		? undefined
		: ['contains', 'matches', 'wildcard'].find(word => distanceWithin(lower, word, 2) !== undefined);

/**
 * Finds a negation inside a condition: `not in`, `!in`, `not contains`, `does not contain`, `is not`, `!~`.
 */
function negation(reading: Reading, current: Lexeme) {
	const {next, lexemes, index} = reading;
	if (current.text === '!~') return {operator: 'matches', end: current, length: 1};
	if (!next) return undefined;
	if (current.text.toLowerCase() === 'is' && next.text.toLowerCase() === 'not')
		return {operator: 'eq', end: next, length: 2};
	const first = current.text.toLowerCase();
	if ((first === 'does' || first === 'do') && next.text.toLowerCase() === 'not') {
		const word = lexemes[index + 2];
		const meant = word && (foreignOperators.get(word.text.toLowerCase()) ?? word.text.toLowerCase());
		if (!word || !meant || !comparisonOperators.has(meant) || !lexemes[index + 3]) return undefined;
		return {operator: meant, end: word, length: 3};
	}
	const isNegated = first === 'not' || current.text === '!';
	const known = comparisonOperators.has(next.text) && lexemes[index + 2];
	return isNegated && known ? {operator: next.text, end: next, length: 2} : undefined;
}
