import type {Span} from '../grammar/problem.ts';
import type {Expression, Operand} from '../grammar/tree.ts';
import {findField} from '../vocabulary/fields.ts';
import {type Bound, getSuccessor, type Interval, type ValueCondition} from './conditions.ts';
import type {ValueDomain} from './divisions.ts';
import {OperandValues} from './operand-values.ts';
import {isAscii} from './shapes.ts';

/** The operands of an expression: those written alike have the same value in one request. */
export class OperandTable {
	readonly #text: string;
	readonly #byName = new Map<string, OperandValues>();

	constructor(text: string) {
		this.#text = text;
	}

	/** Returns the values of what a condition is on. */
	get({subject}: ValueCondition): OperandValues {
		return subject.kind === 'comparison'
			? this.#getNamed(subject, () => new OperandValues({mayBeMissing: false}))
			: this.#getOperand(subject);
	}

	#getOperand(operand: Operand): OperandValues {
		return this.#getNamed(operand, () => {
			const domain: ValueDomain = {
				mayBeMissing: mayBeMissing(operand),
				intervals: findDomain(operand),
				absentLetters: operand.kind === 'call' ? absentLetters[operand.name] : undefined,
			};
			if (operand.kind !== 'call') return new OperandValues(domain);
			const convert = conversions[operand.name];
			const [argument, ...rest] = operand.arguments;
			const isConversion =
				convert && argument && argument.kind !== 'expression' && rest.length + operand.indexes.length === 0;
			return new OperandValues(
				domain,
				isConversion ? {values: this.#getOperand(argument), convert} : undefined,
			);
		});
	}

	#getNamed({start, end}: Span, create: () => OperandValues): OperandValues {
		const name = this.#text.slice(start, end);
		const known = this.#byName.get(name);
		if (known) return known;
		const created = create();
		this.#byName.set(name, created);
		return created;
	}
}

/** Functions of one text that are computed here as in the service. */
const conversions: Readonly<Record<string, (text: string) => Bound | undefined>> = {
	lower: text => (isAscii(text) ? text.toLowerCase() : undefined),
	upper: text => (isAscii(text) ? text.toUpperCase() : undefined),
	len: text => BigInt(Buffer.byteLength(text)),
};

const absentLetters: Readonly<Record<string, RegExp>> = {lower: /[A-Z]/, upper: /[a-z]/};

/** True if some requests lack the value: an element of a map or an array, or what is computed from one. */
function mayBeMissing(operand: Operand): boolean {
	switch (operand.kind) {
		case 'field': {
			const lastIndex = operand.indexes.at(-1);
			return lastIndex ? lastIndex.kind !== 'each' : findField(operand.name)?.type === undefined;
		}
		case 'call': {
			const [argument] = operand.arguments;
			return (
				conversions[operand.name] === undefined ||
				argument === undefined ||
				argument.kind === 'expression' ||
				operand.indexes.some(({kind}) => kind !== 'each') ||
				mayBeMissing(argument)
			);
		}
		default:
			return false;
	}
}

/** Finds the documented values of an operand. */
function findDomain(operand: Operand): readonly Interval[] | undefined {
	if (operand.kind === 'call' && operand.name === 'len') return [[0n, undefined]];
	if (operand.kind !== 'field' || operand.indexes.length > 0) return undefined;
	const {name, domain, type} = findField(operand.name) ?? {};
	// It is documented as always 0, which has its own warning.
	if (!domain || domain.unclear || name === 'cf.threat_score') return undefined;
	if (type?.kind === 'Integer' && domain.int) {
		const numbers = [...domain.int, ...(domain.tolerate ?? [])];
		return [[BigInt(Math.min(...numbers)), BigInt(Math.max(...numbers)) + 1n]];
	}
	if (type?.kind === 'String' && domain.enum)
		return ['', ...domain.enum].map(value => [value, getSuccessor(value)]);
	return undefined;
}

/** Returns the condition in `any(…)` or `all(…)`, which is on each of several values. */
export function getQuantified(
	node: Expression,
): {readonly quantifier: string; readonly expression: Expression} | undefined {
	if (node.kind !== 'bare' || node.operand.kind !== 'call') return undefined;
	const [argument] = node.operand.arguments;
	return argument?.kind === 'expression'
		? {quantifier: node.operand.name, expression: argument.expression}
		: undefined;
}
