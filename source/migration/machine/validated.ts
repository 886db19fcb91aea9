import {shownFingerprint} from '../configuration/configuration.ts';
import type {MigrationRecord, Put} from '../journal/record.ts';
import {wasTaken} from './observation.ts';
import {isSendable, isValidating} from './states.ts';

/** The PUT that put the current rules in validation, as far as it is known to have been taken. */
export const validationPut = ({put, state}: Pick<MigrationRecord, 'put' | 'state'>): Put | undefined =>
	put?.mode === 'validation' && wasTaken({put, state}) ? put : undefined;

/** Whether what was reviewed is what is in validation, or was sent to be there. */
export function isValidated(record: Pick<MigrationRecord, 'state' | 'reviewed' | 'put' | 'seen'>): boolean {
	const {reviewed, seen} = record;
	if (!reviewed) return false;
	return [seen?.entryPoint?.fingerprint, validationPut(record)?.fingerprint].includes(reviewed.fingerprint);
}

/** That what would end the validation was never in it, in a sentence; nothing where it was, or nothing is validated. */
export function neverValidated(record: MigrationRecord): string | undefined {
	const {state, reviewed, seen} = record;
	if (!reviewed || !isValidating(state) || !isSendable(state) || isValidated(record)) return undefined;
	const there = seen?.entryPoint?.fingerprint;
	return `What you reviewed was never validated: other rules are on. Its fingerprint is ${shownFingerprint(reviewed.fingerprint)}, and theirs ${there ? shownFingerprint(there) : 'none'}.`;
}
