import type {Extension} from '../../firewall/rules/emergency-extension.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {named} from '../../firewall/rules/users.ts';
import {expressionOf} from '../firewall/listed.ts';
import type {FirewallState} from '../firewall/state.ts';
import {type EmergencyState, isFull, waysIn} from './state.ts';

/** A way to put the block in force, as it can be chosen. */
type WayChoice = {
	readonly value: string;
	readonly label: string;
	readonly to:
		| {readonly kind: 'own' | 'custom rule' | 'expression'}
		| {readonly kind: 'add'; readonly extension: Extension}
		| {readonly kind: 'replace rule'; readonly rule: Rule}
		| {readonly kind: 'replace custom rule'; readonly id: string};
};

/** Of each kind so many are offered: the commands have the others. */
const mostOffered = 4;

/** All ways that are open now; where the zone is full, only those that need no room. */
export function wayChoices(
	emergency: EmergencyState,
	firewall: FirewallState | undefined,
): readonly WayChoice[] {
	const {way} = emergency;
	const isCustom = way.form === 'custom rule';
	const {extensions, replaceable} = waysIn(emergency, firewall);
	const full = isFull({...emergency, into: undefined}, firewall);
	const own: WayChoice = {
		value: 'own',
		label: isCustom ? 'One custom rule of its own, before all others' : 'A rule of its own',
		to: {kind: 'own'},
	};
	return [
		...(full ? [] : [own]),
		...extensions.slice(0, mostOffered).map(
			(extension): WayChoice => ({
				value: `add ${extension.id}`,
				label: `Add it to ${nameOf(extension.rule, extension.before)}`,
				to: {kind: 'add', extension},
			}),
		),
		...replaceable.slice(0, mostOffered).map(
			(rule): WayChoice => ({
				value: `replace ${rule.id}`,
				label: `In the place of paused ${nameOf(rule, 'filter' in rule ? expressionOf(rule) : rule.expression)}`,
				to: 'filter' in rule ? {kind: 'replace rule', rule} : {kind: 'replace custom rule', id: rule.id},
			}),
		),
		...(isCustom
			? []
			: [
					{
						value: 'custom',
						label: 'One custom rule, which needs no room among the firewall rules',
						to: {kind: 'custom rule'},
					} as const,
				]),
		...(full
			? [{value: 'expression', label: 'Back to the expression', to: {kind: 'expression'}} as const]
			: []),
	];
}

/** A rule by its description, or else by its expression: people know no ids. */
function nameOf(
	{id = '', action, description}: Pick<Rule, 'action' | 'description'> & {readonly id?: string | undefined},
	expression: string | undefined,
): string {
	const name = named([{id, action, description}]);
	return description || expression === undefined ? name : `${name}: ${expression}`;
}
