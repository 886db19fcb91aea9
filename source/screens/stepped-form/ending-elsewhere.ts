import type {StateWith} from '../../store/ledge-store.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import type {FormList} from './state.ts';

type ListsState = StateWith<'navigation', 'stack'> & StateWith<FormList>;

/** The list that opens a form, and the key there. */
type FormEntry = {readonly list: FormList; readonly openingKey: string};

/** Formats the keys that reopen a form: `a`, or from elsewhere `2, then a,`. */
const formatOpenKeys = ({list, openingKey}: FormEntry, {id}: ZoneWithLabel, state: ListsState): string =>
	state.navigation.stack.at(-1) === list && state[list].data?.zone.id === id
		? openingKey
		: `${listKeys[list]}, then ${openingKey},`;

/** The keys that open the lists. */
const listKeys: Readonly<Record<FormList, string>> = {firewall: '2', customRules: '3', rateLimits: '3, L'};

/**
 * Describes how a form ended, for other screens: the keys to reopen it, the zone if another one is open, the
 * sentence.
 */
export function describeEndingElsewhere(
	entry: FormEntry,
	zone: ZoneWithLabel,
	sentence: string,
	isDone: boolean,
	state: ListsState,
): string {
	const hint = isDone ? '' : `${formatOpenKeys(entry, zone, state)} shows the options. `;
	return `${hint}${state[entry.list].data?.zone.id === zone.id ? '' : `${zone.name}: `}${sentence}`;
}
