import type {Has} from '../../store/ledge-store.ts';
import {readOnly} from '../shell/action.ts';

/**
 * How far something is that is read from the service. Once it was read it is shown, and can be acted on, while it is
 * refreshed. `stale`: something was written since, and it could not be refreshed.
 */
export type Reading = 'unread' | 'reading' | 'failed' | 'read' | 'reading again' | 'stale';

type HasReading = {readonly reading: Reading};

/** Whether it was read once, and is shown. */
export const hasLoaded = (data: HasReading): boolean => getLoadedState(data) !== undefined;

/** Its state without the refresh under way; `undefined` if it was never read. */
export function getLoadedState({reading}: HasReading): 'read' | 'stale' | undefined {
	switch (reading) {
		case 'read':
		case 'stale':
			return reading;
		case 'reading again':
			return 'read';
		case 'unread':
		case 'reading':
		case 'failed':
			return undefined;
		default:
			return reading satisfies never;
	}
}

/** Whether it has to be read before it can be shown, and is not being read. */
export const needsReading = (data: HasReading | undefined): boolean =>
	data?.reading === 'unread' || data?.reading === 'failed';

/** What the status of a screen says first where what it shows may be outdated. */
export const staleWarning = ({reading}: HasReading): readonly string[] =>
	reading === 'stale' ? ['NOT READ SINCE A CHANGE: ctrl-r reads it'] : [];

/** Why the rules of a zone cannot be changed: ledge is read-only, or they were not read yet. */
export function getUnreadReason(state: Has<'connection'>, data: HasReading | undefined): string | undefined {
	const refused = readOnly(state);
	if (refused !== undefined) return refused;
	if (!data) return 'no zone is open';
	if (hasLoaded(data)) return undefined;
	return data.reading === 'reading'
		? 'its rules are still being read'
		: 'its rules were not read; ctrl-r reads them';
}
