import {formatQuantity} from '../text/figures.ts';
import type {AccountList, AccountListItem} from './account-lists.ts';
import type {ListChange} from './change.ts';

/** Longer lists of addresses are counted in sentences. */
const maxNamedAddresses = 5;

/** Describes a change, for a question (`plan`) and after it: "Added 192.0.2.7 to the list "blocklist"". */
export function describeListChange(change: ListChange, {name}: AccountList, tense: 'plan' | 'done'): string {
	const isDone = tense === 'done';
	if (change.kind === 'remove')
		return `${isDone ? 'Removed' : 'Remove'} ${formatAddressNames(change.items.map(getItemAddress))} from the list "${name}"`;
	const {addresses, recommented} = change;
	return [
		...(addresses.length > 0
			? [`${isDone ? 'Added' : 'Add'} ${formatAddressNames(addresses)} to the list "${name}"`]
			: []),
		...(recommented.length > 0
			? [
					`${isDone ? 'Changed' : 'Change'} the comment of ${formatAddressNames(recommented.map(getItemAddress))} in the list "${name}"`,
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
