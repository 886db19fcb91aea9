import {findClosestName} from '../../../text/closest-name.ts';
import {abbreviate, type Parser} from '../grammar/parser.ts';
import type {Expression, Operand, RightSide} from '../grammar/tree.ts';
import {findField} from '../vocabulary/fields.ts';
import {findFunction} from '../vocabulary/functions.ts';
import {getInnermostType, type ValueType} from '../vocabulary/value-type.ts';

type Comparison = Expression & {kind: 'comparison'};

/** The lists that the service manages, all of addresses. */
const managedLists = ['cf.open_proxies', 'cf.anonymizer', 'cf.vpn', 'cf.malware', 'cf.botnetcc'];

/**
 * Warns of a list whose type does not fit the left side, and of an invalid list name. Lists of addresses work
 * with all fields of that type, lists of host names only with `http.host`, and lists of AS numbers only with
 * `ip.src.asnum`. The last two, and managed lists, need the Enterprise plan.
 */
export function checkList(parser: Parser, {left}: Comparison, list: RightSide & {kind: 'list'}): void {
	const {name} = list;
	const isAddress = findValueType(left)?.kind === 'IP';
	const kind = getFittingListKind(left.kind === 'field' ? left.name : undefined, isAddress);
	const content = kind === undefined ? undefined : listContents.get(kind);
	const isManaged = name.startsWith('cf.');
	if (content === undefined) {
		if (findValueType(left) === undefined) return;
		parser.warning(
			list,
			`Lists can't be used with ${abbreviate(parser.slice(left))}: they contain IP addresses, hostnames (for http.host) or AS numbers (for ip.src.asnum).`,
			{code: 'L052'},
		);
	} else if (isManaged && !managedLists.includes(name)) {
		const suggestion = findClosestName(name, managedLists);
		parser.warning(
			list,
			`Unknown managed list $${abbreviate(name)}. Documented lists: ${managedLists.map(one => `$${one}`).join(', ')}.`,
			{code: 'L053', correction: suggestion && `$${suggestion}`},
		);
	} else if (isManaged && !isAddress) {
		parser.warning(
			list,
			`$${name} is a list of IP addresses, but ${abbreviate(parser.slice(left))} is not an IP address.`,
			{code: 'L054'},
		);
	} else if (!isManaged && name.includes('.')) {
		const text = `$${name.replaceAll('.', '_')}`;
		parser.warning(list, 'Only managed lists ($cf.…) can have a dot in their name.', {
			code: 'L055',
			correction: text,
		});
	} else if (isManaged || !isAddress) {
		parser.requirePlan(list, isManaged ? 'A managed list' : `A list of ${content}`, {plan: 'enterprise'});
	}
	if (!isManaged && kind !== undefined) checkKnownList(parser, list, kind);
}

/** Returns the kind of the lists that fit a field, or any other value if that is an address. */
export function getFittingListKind(field: string | undefined, isAddress: boolean): string | undefined {
	if (isAddress) return 'ip';
	return field === undefined ? undefined : listKindsByField.get(field);
}

const listKindsByField: ReadonlyMap<string, string> = new Map([
	['http.host', 'hostname'],
	['ip.src.asnum', 'asn'],
]);

/** If the lists of the account are known, warns of one that is not there or of another kind. */
function checkKnownList(parser: Parser, list: RightSide & {kind: 'list'}, kind: string): void {
	const {lists} = parser.context;
	const knownList = lists?.find(({name}) => name === list.name);
	if (!lists || knownList?.kind === kind) return;
	const names = lists.filter(one => one.kind === kind).map(({name}) => name);
	const suggestion = findClosestName(list.name, names);
	const correction = suggestion && `$${suggestion}`;
	if (knownList)
		parser.warning(
			list,
			`$${abbreviate(list.name)} is a list of the kind ${abbreviate(knownList.kind)}; this needs one of the kind ${kind}.`,
			{code: 'L057', correction},
		);
	else
		parser.warning(list, `There is no list $${abbreviate(list.name)} in this account.`, {
			code: 'L056',
			correction,
		});
}

/** The content of lists by their kind. */
const listContents: ReadonlyMap<string, string> = new Map([
	['ip', 'addresses'],
	['hostname', 'hostnames'],
	['asn', 'AS numbers'],
]);

/** Finds the type of one value of an operand; undefined if unknown. */
function findValueType(operand: Operand): ValueType | undefined {
	if (operand.kind === 'field') {
		const type = findField(operand.name)?.type;
		return type && getInnermostType(type);
	}
	if (operand.kind !== 'call') return undefined;
	const returns = findFunction(operand.name)?.returns;
	if (returns !== 'first') return returns && getInnermostType(returns);
	const [firstArgument] = operand.arguments;
	return firstArgument && firstArgument.kind !== 'expression' ? findValueType(firstArgument) : undefined;
}
