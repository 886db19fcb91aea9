import {formatQuantity} from '../text/figures.ts';
import type {AccountList, AccountListItem} from './account-lists.ts';
import type {ListChange} from './change.ts';

/** Longer lists of addresses are counted in sentences. */
const maxNamedAddresses = 5;

/** The verbs of a change before and after it; `undo` and `undone` if it undoes another one. */
const verbs = {
	plan: {remove: 'Remove', add: 'Add', comment: 'Change', suffix: ''},
	done: {remove: 'Removed', add: 'Added', comment: 'Changed', suffix: ''},
	undo: {remove: 'Remove', add: 'Add', comment: 'Restore', suffix: ' again'},
	undone: {remove: 'Removed', add: 'Added', comment: 'Restored', suffix: ' again'},
} as const;

/** Describes a change, for a question and after it: "Added 192.0.2.7 to the list "blocklist"". */
export function describeListChange(
	change: ListChange,
	{name}: AccountList,
	tense: keyof typeof verbs,
): string {
	const {remove, add, comment, suffix} = verbs[tense];
	if (change.kind === 'remove')
		return `${remove} ${formatAddressNames(change.items.map(getItemAddress))} from the list "${name}"${suffix}`;
	const {addresses, recommented} = change;
	return [
		...(addresses.length > 0
			? [`${add} ${formatAddressNames(addresses)} to the list "${name}"${suffix}`]
			: []),
		...(recommented.length > 0
			? [
					`${comment} the comment of ${formatAddressNames(recommented.map(getItemAddress))} in the list "${name}"`,
				]
			: []),
	].join('; ');
}

export const getItemAddress = ({ip = ''}: AccountListItem): string => ip;

/** Names up to five addresses, and counts more. */
export const formatAddressNames = (addresses: readonly string[]): string =>
	addresses.length > maxNamedAddresses
		? formatQuantity(addresses.length, 'address', 'addresses')
		: addresses.join(', ');
