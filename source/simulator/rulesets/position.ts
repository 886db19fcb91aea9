import type {JsonValue} from '../../text/json.ts';
import {isJsonObject} from '../../text/json.ts';
import {refuseValue} from './errors.ts';

type RuleWithId = {readonly id: string};

/**
 * Inserts a rule at a position: `{before: id}`, `{after: id}`, or `{index: n}` from 1. An empty `before` is
 * the start, an empty `after` the end; undefined is the end, too.
 */
export function insertRule<Rule extends RuleWithId>(
	otherRules: readonly Rule[],
	rule: Rule,
	position: JsonValue | undefined,
): readonly Rule[] {
	return otherRules.toSpliced(
		position === undefined ? otherRules.length : getInsertIndex(otherRules, position),
		0,
		rule,
	);
}

function getInsertIndex(otherRules: readonly RuleWithId[], position: JsonValue): number {
	const names = isJsonObject(position) ? Object.keys(position) : [];
	if (!isJsonObject(position) || names.length !== 1)
		return refuseValue('position must have one of before, after, index', '/position');
	const {before, after, index} = position;
	if (before === '') return 0;
	if (after === '') return otherRules.length;
	if (before !== undefined) return getRuleIndex(otherRules, before, '/position/before');
	if (after !== undefined) return getRuleIndex(otherRules, after, '/position/after') + 1;
	if (typeof index === 'number' && Number.isInteger(index) && index >= 1 && index <= otherRules.length + 1)
		return index - 1;
	return refuseValue(`index must be 1 to ${otherRules.length + 1}`, '/position/index');
}

function getRuleIndex(otherRules: readonly RuleWithId[], id: JsonValue, pointer: string): number {
	const index = otherRules.findIndex(otherRule => otherRule.id === id);
	return index < 0 ? refuseValue(`there is no other rule ${JSON.stringify(id)}`, pointer) : index;
}
