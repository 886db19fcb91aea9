import type {FirewallZone} from '../firewall/rules/rule.ts';
import type {KvStore} from '../kv/store.ts';
import type {WrittenPlace} from '../settings/contexts/production.ts';
import type {ActingAccount} from './parts.ts';

/** The zone in force: what its plan has, and how it is called in sentences. */
export type ChosenZone = FirewallZone & {
	/** Name of the account, as far as it could be read. */
	readonly account: string | undefined;
	readonly accountId?: string | undefined;
	/** "Acme › zone acme.example". */
	readonly label: string;
};

/** Where something is to be written: for the audit log, and for the question that production asks. */
export type WritePlace = WrittenPlace & {
	/** "Acme › zone acme.example", "Acme › CONFIG", a folder of local data. */
	readonly label: string;
	/** What the label calls the account, as far as it names one. */
	readonly accountLabel?: string | undefined;
	/** What the label calls the namespace. */
	readonly title?: string | undefined;
	/** Local data and files belong to no account. */
	readonly isLocal?: boolean;
};

declare const permitted: unique symbol;

/** A place that may be written to: nobody has to be asked about it, or the person has agreed. Made by `Session.permit` alone. */
export type PermittedPlace = WritePlace & {readonly [permitted]: true};

/** A place whose write was permitted before: what became of it is looked up and recorded. Nothing is sent. */
export const permittedBefore = (place: WritePlace): PermittedPlace => place as PermittedPlace;

export const placeOfZone = ({
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

/** A place that was found by its id alone, with the name that people know it by. */
export const placeCalled = (name: string, place: WritePlace): WritePlace =>
	name === place.title || name === place.label ? place : {...place, label: `${name} (${place.label})`};

export const placeOfAccount = ({id, label}: ActingAccount): WritePlace => ({
	label,
	accountLabel: label,
	accountId: id,
});

export const placeOfStore = ({
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
