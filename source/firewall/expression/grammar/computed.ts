import {fieldNamed} from '../vocabulary/fields.ts';
import {typeName, type ValueType} from '../vocabulary/value-type.ts';
import {looksLikeLiteral} from './literals.ts';
import {type Reading, shown, spanOf, type Typed} from './reading.ts';
import type {Lexeme} from './token.ts';
import type {ComparisonOperator, LeftSide, RightSide} from './tree.ts';

/** Operators that allow a field or a function on the right; the others need a literal. */
const takeComputed: ReadonlySet<ComparisonOperator> = new Set(['eq', 'ne', 'lt', 'le', 'gt', 'ge']);

/** True if a field or a call starts at a lexeme. */
export const beginsComputed = (reading: Reading, {kind, text}: Lexeme): boolean =>
	kind === 'word' &&
	(fieldNamed(text) !== undefined || (reading.next?.text === '(' && !looksLikeLiteral(text)));

/** Reads a field or a function on the right of an operator. */
export function readComputed(reading: Reading, side: LeftSide, first: Lexeme): RightSide | undefined {
	const isTaken = takeComputed.has(side.operator);
	if (!isTaken)
		reading.unreadable(
			first,
			`${side.operator} takes a value that is written out, not a field or a function.`,
			{engine: 'expected " or r'},
		);
	const found = reading.found.length;
	const right = reading.grammar.readOperand(reading);
	if (!right || reading.gaveUp) {
		reading.broken = true;
		return undefined;
	}
	const {operand} = right;
	if (!isTaken || operand.kind === 'call' || operand.kind === 'field') {
		if (isTaken && reading.found.slice(found).every(({severity}) => severity !== 'error'))
			checkTypes(reading, side, right);
		return operand;
	}
	return undefined;
}

/** Both sides must have the same type. What the documentation leaves open causes a warning. */
function checkTypes(reading: Reading, side: LeftSide, right: Typed): void {
	const {operand, type} = right;
	const span = {start: operand.start, end: operand.end};
	const whole = spanOf(side.left, operand);
	const [left, name] = [reading.slice(side.left), reading.slice(operand)];
	if (!type || !side.type) return;
	if (right.each) {
		reading.error(span, `[*] can be used to the left of ${side.operator} only.`, {
			engine: 'invalid use of map each access operator',
		});
		return;
	}
	if (!isOneType(side.type, type)) {
		const engine = `expected value of type ${typeName(side.type)}, but got ${typeName(type)}`;
		const holdsIt = type.kind === 'Array' && isOneType(type.of, side.type) && side.operator === 'eq';
		const text = `has_value(${name}, ${left})`;
		reading.error(
			span,
			holdsIt
				? `${shown(name)} holds several values (${typeName(type)}): ${shown(text)} looks for one of them.`
				: `${shown(name)} is of type ${typeName(type)}, and ${shown(left)} of type ${typeName(side.type)}: only values of one type can be compared.`,
			{engine, correction: holdsIt && !side.isEach ? {span: whole, text} : undefined},
		);
		return;
	}
	if (side.isEach)
		reading.warning(
			whole,
			'Whether [*] can be compared with a value of the request is not documented: try it with a rule that logs.',
		);
	else if (left === name)
		reading.warning(
			whole,
			`Both sides are the same: this is ${isTrueOfItself(side.operator) ? 'always' : 'never'} true.`,
		);
}

const isTrueOfItself = (operator: ComparisonOperator): boolean =>
	operator === 'eq' || operator === 'le' || operator === 'ge';

/** Texts and bytes can be compared with each other. */
function isOneType(one: ValueType, other: ValueType): boolean {
	const isText = ({kind}: ValueType) => kind === 'String' || kind === 'Bytes';
	return (isText(one) && isText(other)) || typeName(one) === typeName(other);
}
