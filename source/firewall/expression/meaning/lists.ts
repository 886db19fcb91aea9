import {closestName} from '../../../text/closest-name.ts';
import {type Reading, shown} from '../grammar/reading.ts';
import type {Expression, Operand, RightSide} from '../grammar/tree.ts';
import {fieldNamed} from '../vocabulary/fields.ts';
import {functionNamed} from '../vocabulary/functions.ts';
import {innermost, type ValueType} from '../vocabulary/value-type.ts';

type Comparison = Expression & {kind: 'comparison'};

/** The lists that the service manages, all of addresses. */
const managedLists = ['cf.open_proxies', 'cf.anonymizer', 'cf.vpn', 'cf.malware', 'cf.botnetcc'];

/**
 * Warns of a list whose type does not fit the left side, and of an invalid list name. Lists of addresses work
 * with all fields of that type, lists of host names only with `http.host`, and lists of AS numbers only with
 * `ip.src.asnum`. The last two, and managed lists, need the Enterprise plan.
 */
export function checkList(reading: Reading, {left}: Comparison, list: RightSide & {kind: 'list'}): void {
	const {name} = list;
	const isAddress = typeOf(left)?.kind === 'IP';
	const holds = isAddress ? 'addresses' : left.kind === 'field' ? heldFor.get(left.name) : undefined;
	const isManaged = name.startsWith('cf.');
	if (holds === undefined) {
		if (typeOf(left) === undefined) return;
		reading.warning(
			list,
			`No list is for ${shown(reading.slice(left))}: lists hold addresses, or host names for http.host, or AS numbers for ip.src.asnum.`,
		);
	} else if (isManaged && !managedLists.includes(name)) {
		const meant = closestName(name, managedLists);
		reading.warning(
			list,
			`No managed list $${shown(name)} is documented; there are ${managedLists.map(one => `$${one}`).join(', ')}.`,
			{correction: meant && `$${meant}`},
		);
	} else if (isManaged && !isAddress) {
		reading.warning(list, `$${name} is a list of addresses, and ${shown(reading.slice(left))} is none.`);
	} else if (!isManaged && name.includes('.')) {
		const text = `$${name.replaceAll('.', '_')}`;
		reading.warning(list, 'Only managed lists, $cf.…, have a dot in their names.', {correction: text});
	} else if (isManaged || !isAddress) {
		reading.needs(list, isManaged ? 'A managed list' : `A list of ${holds}`, {plan: 'enterprise'});
	}
}

const heldFor: ReadonlyMap<string, string> = new Map([
	['http.host', 'host names'],
	['ip.src.asnum', 'AS numbers'],
]);

/** Finds the type of one value of an operand; undefined if unknown. */
function typeOf(operand: Operand): ValueType | undefined {
	if (operand.kind === 'field') {
		const type = fieldNamed(operand.name)?.type;
		return type && innermost(type);
	}
	if (operand.kind !== 'call') return undefined;
	const returns = functionNamed(operand.name)?.returns;
	if (returns !== 'first') return returns && innermost(returns);
	const [first] = operand.arguments;
	return first && first.kind !== 'expression' ? typeOf(first) : undefined;
}
