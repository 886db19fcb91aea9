import type {FirewallZone} from '../firewall/rules/rule.ts';
import type {KvStore} from '../kv/store.ts';
import type {WrittenPlace} from '../settings/contexts/production.ts';
import type {ActiveAccount} from './parts.ts';

/** The chosen zone, with its plan and label. */
export type ChosenZone = FirewallZone & {
	/** Name of the account, if it could be read. */
	readonly account: string | undefined;
	readonly accountId?: string | undefined;
	/** Display label: "Acme › zone acme.example". */
	readonly label: string;
};

/** Destination of a write, for the audit log and the production prompt. */
export type WritePlace = WrittenPlace & {
	/** "Acme › zone acme.example", "Acme › CONFIG", a folder of local data. */
	readonly label: string;
	/** The part of the label that names the account, if any. */
	readonly accountLabel?: string | undefined;
	/** The part of the label that names the namespace, if any. */
	readonly title?: string | undefined;
	/** True for local data and files, which have no account. */
	readonly isLocal?: boolean;
};

declare const permitted: unique symbol;

/**
 * A place with write permission: no confirmation is needed, or the person agreed. Created only by
 * `Session.permit`.
 */
export type PermittedPlace = WritePlace & {readonly [permitted]: true};

/** Marks a place whose write was permitted earlier, only to check and record the outcome of that write. */
export const markPermitted = (place: WritePlace): PermittedPlace => place as PermittedPlace;

export const toZonePlace = ({
	id,
	name,
	label,
	account,
	accountId,
}: Pick<ChosenZone, 'id' | 'name' | 'label' | 'accountId'> & Partial<ChosenZone>): WritePlace => ({
	label,
	accountLabel: account,
	accountId,
	zone: {id, name},
});

/** Adds a familiar name to the label of a place that was found by id. */
export const withPlaceName = (name: string, place: WritePlace): WritePlace =>
	name === place.title || name === place.label ? place : {...place, label: `${name} (${place.label})`};

export const toAccountPlace = ({id, label}: ActiveAccount): WritePlace => ({
	label,
	accountLabel: label,
	accountId: id,
});

export const toStorePlace = ({
	label,
	accountLabel,
	namespace,
	title = namespace,
	kind,
	account,
}: Pick<KvStore, 'label' | 'accountLabel' | 'namespace' | 'title' | 'kind' | 'account'>): WritePlace => ({
	label,
	accountLabel,
	title,
	accountId: account,
	isLocal: kind !== 'remote',
});
