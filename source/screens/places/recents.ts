import type {LastPlace} from '../../state/last-place.ts';
import type {Recent} from '../../state/recent.ts';
import type {KeysPlace, Place} from './place.ts';

/** Formats a recent namespace or zone. Unescaped data. */
export function formatRecent(recent: Recent): string {
	if (recent.kind === 'zone') return `zone ${recent.name}`;
	const local = recent.where === 'local' ? ' (local)' : '';
	return `${recent.title}${local}${formatFilter(recent.filter)}`;
}

/** Formats a filter of keys: the prefix of those that the service lists, or the text as it is typed. */
function formatFilter(filter: string): string {
	if (filter === '') return '';
	return filter.startsWith('^') ? `, prefix ${filter.slice(1)}` : ` /${filter}`;
}

/** Returns what is remembered of a place; undefined if nothing. */
export function toRecent(place: Place): Recent | undefined {
	switch (place.screen) {
		case 'keys': {
			const {where, id, title} = place.namespace;
			return id === undefined ? undefined : {kind: 'namespace', where, id, title, filter: place.filter};
		}
		case 'firewall':
		case 'customRules':
		case 'rateLimits':
		case 'managed':
		case 'migration':
			return {kind: 'zone', id: place.zone.id, name: place.zone.name};
		default:
			return undefined;
	}
}

/** Returns what `--last` of the next run needs to show a place again; the nearest list for hits and list items. */
export function toLastPlace(place: Place): LastPlace {
	if ('zone' in place) return {screen: place.screen, id: place.zone.id, name: place.zone.name};
	switch (place.screen) {
		case 'keys':
			return toLastKeys(place);
		case 'key':
			return {...toLastKeys(place.list), screen: 'key', key: place.key};
		case 'search':
			return toLastKeys(place.list);
		case 'namespaces':
			return {screen: 'namespaces', where: place.where};
		case 'ipListItems':
			return {screen: 'ipLists'};
		default:
			return {screen: place.screen};
	}
}

const toLastKeys = ({namespace: {where, id, title}, filter, cursorName}: KeysPlace): LastPlace => ({
	screen: 'keys',
	where,
	id,
	name: title,
	filter,
	cursorName,
});
