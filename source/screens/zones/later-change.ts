import {nameKey} from '../../keyboard/named-keys.ts';
import type {StateWith} from '../../store/ledge-store.ts';

/** Shared by all stores of the process; only the order of the numbers matters. */
let lastNumber = 0;

/** Numbers a change, so that the changes that different screens made to a zone have an order. */
export const numberChange = (): number => ++lastNumber;

const rulesetAreas = ['customRules', 'managed', 'rateLimits'] as const;
type ChangeArea = 'firewall' | (typeof rulesetAreas)[number];

type ChangesState = StateWith<'firewall', 'undoSteps'> &
	StateWith<(typeof rulesetAreas)[number], 'getLastChange'>;

/**
 * Describes a change of the zone that another screen made after change `number` of this one, with the keys that
 * undo it: the end of a sentence, without a period. Undefined if there is none.
 */
export function describeLaterChange(
	state: ChangesState,
	area: ChangeArea,
	{zoneId, number}: {readonly zoneId: string; readonly number: number},
): string | undefined {
	const lastNumbers: readonly (readonly [ChangeArea, number | undefined])[] = [
		['firewall', state.firewall.undoSteps.findLast(step => step.zoneId === zoneId)?.number],
		...rulesetAreas.map(name => [name, state[name].getLastChange(zoneId)?.number] as const),
	];
	const [latest] = lastNumbers
		.filter(([name, last = 0]) => name !== area && last > number)
		.sort(([, one = 0], [, other = 0]) => other - one);
	if (!latest) return undefined;
	const {noun, keys} = describeArea(latest[0]);
	return `the last change in this zone was to the ${noun}: to undo it, press ${keys.join(', then ')}`;
}

/** Names an area, and the keys that go there and undo its last change. */
function describeArea(area: ChangeArea): {readonly noun: string; readonly keys: readonly string[]} {
	const toCustomRules = nameKey('go.custom-rules', '3');
	switch (area) {
		case 'firewall':
			return {noun: 'firewall rules', keys: [nameKey('go.firewall', '2'), nameKey('firewall.undo', 'u')]};
		case 'customRules':
			return {noun: 'custom rules', keys: [toCustomRules, nameKey('custom.undo', 'u')]};
		case 'managed':
			return {noun: 'managed rules', keys: [nameKey('go.managed', '4'), nameKey('managed.undo-sent', 'u')]};
		case 'rateLimits':
			return {
				noun: 'rate limits',
				keys: [toCustomRules, nameKey('custom.rate-limits', 'L'), nameKey('limits.undo', 'u')],
			};
		default:
			return area satisfies never;
	}
}
