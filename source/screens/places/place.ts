import type {AccountList} from '../../lists/account-lists.ts';
import type {LedgeState, StateWith} from '../../store/ledge-store.ts';
import {getCurrentKeyName, getCurrentKeyRow} from '../keys/cursor-row.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import type {KeysState} from '../keys/state.ts';
import type {Where} from '../namespaces/slice.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';

/** Places of which there is one, and those of a zone. */
export const singlePlaces = ['home', 'zones', 'contexts', 'jobs', 'activity', 'ipLists'] as const;
export const zonePlaces = [
	'firewall',
	'customRules',
	'rateLimits',
	'managed',
	'events',
	'migration',
] as const;

/** A visited list or detail, with what is needed to show it again. Dialogs, forms and runs are not places. */
export type Place =
	| {readonly screen: (typeof singlePlaces)[number]}
	| {readonly screen: 'ipListItems'; readonly list: AccountList}
	| {readonly screen: 'search'; readonly list: KeysPlace}
	| {readonly screen: 'namespaces'; readonly where: Where}
	| KeysPlace
	| {readonly screen: 'key'; readonly list: KeysPlace; readonly key: string}
	| {readonly screen: (typeof zonePlaces)[number]; readonly zone: ZoneWithLabel};

/** Keys of a namespace, with the filter and the key or prefix under the cursor. */
export type KeysPlace = {
	readonly screen: 'keys';
	readonly namespace: NamespaceRow;
	readonly filter: string;
	readonly cursorName: string | undefined;
};

/** Returns the current place; undefined if the screen is none or not open yet. */
export function getCurrentPlace(state: LedgeState): Place | undefined {
	const screen = getCurrentScreen(state);
	switch (screen) {
		case 'home':
		case 'zones':
		case 'contexts':
		case 'jobs':
		case 'activity':
		case 'ipLists':
			return {screen};
		case 'ipListItems': {
			const list = state.ipListItems.data?.list;
			return list && {screen, list};
		}
		case 'search': {
			const list = state.search.data && getKeysPlace(state);
			return list && {screen, list};
		}
		case 'namespaces':
			return {screen, where: state.namespaces.data.shownStorage};
		case 'keys':
			return getKeysPlace(state);
		case 'key': {
			const list = getKeysPlace(state);
			return list && state.key.data && {screen, list, key: state.key.data.name};
		}
		case 'firewall':
		case 'customRules':
		case 'rateLimits':
		case 'managed':
		case 'events':
		case 'migration': {
			const zone = state[screen].data?.zone;
			return zone && {screen, zone};
		}
		default:
			return undefined;
	}
}

function getKeysPlace({
	keys: {data: keys, opening},
}: StateWith<'keys', 'data' | 'opening'>): KeysPlace | undefined {
	const namespace = keys?.namespace ?? opening?.namespace;
	return (
		namespace && {
			screen: 'keys',
			namespace,
			filter: keys?.filter ?? '',
			cursorName: keys && getNameUnderCursor(keys),
		}
	);
}

function getNameUnderCursor(keys: KeysState): string | undefined {
	const row = getCurrentKeyRow(keys);
	return row?.kind === 'group' ? row.prefix : getCurrentKeyName(keys);
}

/** Returns what identifies a place, without cursor and filter. */
export function getPlaceId(place: Place): string {
	if ('zone' in place) return `${place.screen} ${place.zone.id}`;
	switch (place.screen) {
		case 'namespaces':
			return `namespaces ${place.where}`;
		case 'keys':
			return `keys ${place.namespace.name}`;
		case 'key':
			return `key ${place.list.namespace.name} ${place.key}`;
		case 'ipListItems':
			return `ipListItems ${place.list.id}`;
		case 'search':
			return `search ${place.list.namespace.name}`;
		default:
			return place.screen;
	}
}

/** Formats a place for a sentence. Unescaped data. */
export function formatPlaceName(place: Place): string {
	switch (place.screen) {
		case 'namespaces':
			return place.where === 'local' ? 'local data' : 'the namespaces';
		case 'keys':
			return place.namespace.title;
		case 'key':
			return `${place.key} in ${place.list.namespace.title}`;
		case 'firewall':
			return `the firewall rules of ${place.zone.name}`;
		case 'customRules':
			return `the custom rules of ${place.zone.name}`;
		case 'rateLimits':
			return `the rate limits of ${place.zone.name}`;
		case 'ipLists':
			return 'the IP lists';
		case 'ipListItems':
			return `the items of ${place.list.name}`;
		case 'search':
			return `the hits in ${place.list.namespace.title}`;
		case 'managed':
			return `the managed rules of ${place.zone.name}`;
		case 'events':
			return `the security events of ${place.zone.name}`;
		case 'migration':
			return `the migration of ${place.zone.name}`;
		case 'home':
			return 'Home';
		default:
			return `the ${place.screen}`;
	}
}

/** True if a place leads on to another one: custom rules replace retired firewall rules. */
export const isRedirected = ({firewall: {data: firewall}}: StateWith<'firewall'>, place: Place): boolean =>
	place.screen === 'firewall' && firewall?.zone.id === place.zone.id && firewall.failure?.code === 'gone';

/** True if a namespace is missing from the loaded list. */
export function isNamespaceGone(
	{namespaces: {data: namespaces}}: StateWith<'namespaces'>,
	{namespace}: KeysPlace,
): boolean {
	const {shownStorage, reading, rows} = namespaces;
	return (
		shownStorage === namespace.where && reading === 'read' && !rows.some(({name}) => name === namespace.name)
	);
}
