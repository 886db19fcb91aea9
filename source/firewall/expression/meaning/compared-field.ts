import type {Span} from '../grammar/problem.ts';
import type {Operand} from '../grammar/tree.ts';
import type {Field} from '../vocabulary/entries.ts';
import {findField, getFieldDomain} from '../vocabulary/fields.ts';

/** A compared field: itself, an element of a map, or through `lower` or `upper`. */
export type ComparedField = {
	readonly field: Field;
	readonly operand: Operand & {kind: 'field'};
	/** Its name, without indexes. */
	readonly span: Span;
	readonly caseFunction: 'lower' | 'upper' | undefined;
	/** True for an element that some requests lack. */
	readonly mayBeMissing: boolean;
};

/** Finds the field that is compared; undefined for any other operand. */
export function findComparedField(operand: Operand): ComparedField | undefined {
	if (operand.kind === 'call') {
		const [argument, ...otherArguments] = operand.arguments;
		if ((operand.name !== 'lower' && operand.name !== 'upper') || otherArguments.length > 0) return undefined;
		const argumentField =
			argument && argument.kind !== 'expression' ? findComparedField(argument) : undefined;
		return argumentField && {...argumentField, caseFunction: operand.name};
	}
	if (operand.kind !== 'field') return undefined;
	const namedField = findField(operand.name);
	const domain = namedField && getFieldDomain(namedField);
	const field = domain ? {...namedField, domain} : namedField;
	const [fieldName] = operand.name.split('[');
	return (
		field && {
			field,
			operand,
			span: {start: operand.start, end: operand.start + (fieldName ?? operand.name).length},
			caseFunction: undefined,
			mayBeMissing: field.type?.kind === 'Map' || operand.indexes.some(({kind}) => kind === 'position'),
		}
	);
}
