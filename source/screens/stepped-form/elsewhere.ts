import type {Has} from '../../store/ledge-store.ts';
import type {OpenedZone} from '../firewall/state.ts';
import type {FormList} from './state.ts';

type Shown = Has<'navigation', 'stack'> & Has<'firewall' | 'customRules'>;

/** The list that a form is opened from, and the key that opens it there. */
type Opening = {readonly list: FormList; readonly key: string};

/** The keys that open a form again. */
const wayTo = ({list, key}: Opening, {id}: OpenedZone, shown: Shown): string =>
	shown.navigation.stack.at(-1) === list && shown[list].data?.zone.id === id
		? key
		: `${list === 'firewall' ? 'F' : 'F, shift-tab'}, then ${key},`;

/** How the end of a form is reported on another screen: what to press first. */
export function saidElsewhere(
	opening: Opening,
	zone: OpenedZone,
	sentence: string,
	isDone: boolean,
	shown: Shown,
): string {
	const way = isDone ? '' : `${wayTo(opening, zone, shown)} shows the options. `;
	return `${way}${shown[opening.list].data?.zone.id === zone.id ? '' : `${zone.name}: `}${sentence}`;
}
