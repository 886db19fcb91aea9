import type {LedgeState} from '../../store/ledge-store.ts';
import type {OpenedZone} from '../firewall/slice.ts';

type Shown = Pick<LedgeState, 'stack' | 'firewall'>;

/** The keys that open a form again; `key` opens it from the lists. */
export const wayTo = (key: string, {id}: OpenedZone, {stack, firewall}: Shown): string =>
	stack.at(-1) === 'firewall' && firewall?.zone.id === id ? key : `F, then ${key},`;

/** How the end of a form is reported on another screen: what to press first. */
export function saidElsewhere(
	key: string,
	zone: OpenedZone,
	sentence: string,
	isDone: boolean,
	shown: Shown,
): string {
	const way = isDone ? '' : `${wayTo(key, zone, shown)} shows the options. `;
	return `${way}${shown.firewall?.zone.id === zone.id ? '' : `${zone.name}: `}${sentence}`;
}
