import type {KvStore} from '../kv/store.ts';
import type {WrittenPlace} from '../settings/contexts/production.ts';
import type {ActingAccount} from './session.ts';
import type {ChosenZone} from './zone.ts';

/** Where something is to be written: for the audit log, and for the question that production asks. */
export type WritePlace = WrittenPlace & {
	/** "Acme › zone acme.example", "Acme › CONFIG", a folder of local data. */
	readonly label: string;
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
	accountId,
}: Pick<ChosenZone, 'id' | 'name' | 'label' | 'accountId'>): WritePlace => ({
	label,
	accountId,
	zone: {id, name},
});

/** A place that was found by its id alone, with the name that people know it by. */
export const placeCalled = (name: string, place: WritePlace): WritePlace =>
	place.label.includes(name) ? place : {...place, label: `${name} (${place.label})`};

export const placeOfAccount = ({id, label}: ActingAccount): WritePlace => ({label, accountId: id});

export const placeOfStore = ({
	label,
	kind,
	account,
}: Pick<KvStore, 'label' | 'kind' | 'account'>): WritePlace => ({
	label,
	accountId: account,
	isLocal: kind !== 'remote',
});
