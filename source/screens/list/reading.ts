import {nameKey} from '../../keyboard/named-keys.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {getReadOnlyReason} from '../shell/action.ts';

/**
 * Loading state of data read from the service. Once loaded it is shown, and can be acted on, while it is
 * refreshed. `stale`: written to since, and not refreshed.
 */
export type LoadState = 'unread' | 'reading' | 'failed' | 'read' | 'reading again' | 'stale';

type HasLoadState = {readonly reading: LoadState};

/** True if it was loaded once and is shown. */
export const hasLoaded = (data: HasLoadState): boolean => getLoadedState(data) !== undefined;

/** Returns the loaded state ignoring a refresh under way; undefined if never loaded. */
export function getLoadedState({reading}: HasLoadState): 'read' | 'stale' | undefined {
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

/** True if it must be read before it can be shown, and is not being read. */
export const mustLoad = (data: HasLoadState | undefined): boolean =>
	data?.reading === 'unread' || data?.reading === 'failed';

/** Returns the start of a screen's status line if its data is stale. */
export const getStaleWarning = ({reading}: HasLoadState): readonly string[] =>
	reading === 'stale' ? [`CHANGED SINCE LOADED: ${nameKey('reload', 'ctrl-r')} refreshes`] : [];

/** Returns why the rules of a zone cannot be changed: ledge is read-only, or they are not loaded. */
export function getRulesBlockedReason(
	state: StateWith<'connection'>,
	data: HasLoadState | undefined,
): string | undefined {
	const readOnlyReason = getReadOnlyReason(state);
	if (readOnlyReason !== undefined) return readOnlyReason;
	if (!data) return 'no zone is open';
	if (hasLoaded(data)) return undefined;
	return data.reading === 'reading'
		? 'its rules are still loading'
		: `its rules are not loaded; ${nameKey('reload', 'ctrl-r')} loads them`;
}
