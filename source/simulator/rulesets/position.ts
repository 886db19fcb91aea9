import type {JsonValue} from '../../text/json.ts';
import {isJsonObject} from '../../text/json.ts';
import {refuseValue} from './errors.ts';

type Identified = {readonly id: string};

/**
 * Inserts a rule at a position: `{before: id}`, `{after: id}`, with an empty id for the start or the end, or
 * `{index: n}` from 1. Undefined: at the end.
 */
export function insertRule<Rule extends Identified>(
	others: readonly Rule[],
	rule: Rule,
	position: JsonValue | undefined,
): readonly Rule[] {
	return others.toSpliced(position === undefined ? others.length : getInsertIndex(others, position), 0, rule);
}

function getInsertIndex(others: readonly Identified[], position: JsonValue): number {
	const names = isJsonObject(position) ? Object.keys(position) : [];
	if (!isJsonObject(position) || names.length !== 1)
		return refuseValue('position must have one of before, after, index', '/position');
	const {before, after, index} = position;
	if (before === '') return 0;
	if (after === '') return others.length;
	if (before !== undefined) return getRuleIndex(others, before, '/position/before');
	if (after !== undefined) return getRuleIndex(others, after, '/position/after') + 1;
	if (typeof index === 'number' && Number.isInteger(index) && index >= 1 && index <= others.length + 1)
		return index - 1;
	return refuseValue(`index must be 1 to ${others.length + 1}`, '/position/index');
}

function getRuleIndex(others: readonly Identified[], id: JsonValue, pointer: string): number {
	const found = others.findIndex(other => other.id === id);
	return found < 0 ? refuseValue(`there is no other rule ${JSON.stringify(id)}`, pointer) : found;
}
