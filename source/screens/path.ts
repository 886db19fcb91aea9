import type {Context} from '../settings/contexts/context.ts';
import {buildDashboardLink} from '../settings/dashboard.ts';
import type {LedgeState, StateWith} from '../store/ledge-store.ts';
import type {Link} from '../terminal/links.ts';
import type {ScreenTarget} from './shell/screen.ts';
import {getCurrentScreen} from './shell/screen-name.ts';

/** Returns the breadcrumb, outermost first. Unescaped data. */
export const getScreenPath = (state: LedgeState): readonly string[] =>
	state.navigation.stack.reduce<readonly string[]>(
		(parentPath, screen) => state.navigation.screens[screen].buildPath(parentPath, state),
		[],
	);

/** Finds the first open screen whose breadcrumb has the part at `index`; returns its place in the stack. */
export function findScreenOfPathPart(state: LedgeState, index: number): number {
	const path = getScreenPath(state);
	let screenPath: readonly string[] = [];
	return state.navigation.stack.findIndex(screen => {
		screenPath = state.navigation.screens[screen].buildPath(screenPath, state);
		return index < screenPath.length && screenPath.slice(0, index + 1).every((part, at) => part === path[at]);
	});
}

/**
 * Returns the part of the path that the screen acts on: the zone if the path names it, else the namespace or
 * the name of the list.
 */
export function getTargetName(state: LedgeState): string | undefined {
	const parts = getScreenPath(state);
	const zone = getScreenTarget(state).zone?.name;
	// The first part is `ledge`; the second one is the namespace, or the name of the list on the screen.
	return parts.find(part => part === zone) ?? parts[1];
}

/** Returns the address of the zone in the dashboard, if the screen acts on one of the default service. */
export function getTargetLink(state: LedgeState): Link | undefined {
	const {zone} = getScreenTarget(state);
	return zone && zone.name === getTargetName(state)
		? buildDashboardLink(state.connection.data?.address.value, zone)
		: undefined;
}

/** Returns the active filter and what it matches, as in `/session · 150 of 390`. */
export function getActiveFilter(
	state: LedgeState,
): {readonly text: string; readonly countsText: string} | undefined {
	const {filter} = state.navigation.screens[getCurrentScreen(state)];
	const text = filter?.getText(state) ?? '';
	return filter && text !== '' ? {text, countsText: filter.formatCounts(state)} : undefined;
}

const getScreenTarget = (state: LedgeState): ScreenTarget =>
	state.navigation.stack.reduce<ScreenTarget>(
		(parentTarget, screen) =>
			state.navigation.screens[screen].getTarget?.(parentTarget, state) ?? parentTarget,
		{
			isLocal: false,
		},
	);

/** Returns the active context, unless another account was chosen in it. */
function getActiveContext({connection: {data: connection}}: StateWith<'connection'>) {
	const {context, accountId} = connection ?? {};
	const isOtherAccount =
		context?.accountId !== undefined && accountId !== undefined && context.accountId !== accountId;
	return isOtherAccount ? undefined : context;
}

const getAccountLabel = ({connection: {data: connection}}: StateWith<'connection'>): string | undefined =>
	connection?.account.state === 'known' ? connection.account.label : connection?.accountId;

/** Returns where a session acts: the context, else the account. */
export const getSessionName = (state: StateWith<'connection'>): string | undefined =>
	getActiveContext(state)?.name ?? getAccountLabel(state);

export const getContextColor = (state: StateWith<'connection'>): Context['color'] =>
	getActiveContext(state)?.color;

/**
 * Lists details to show beside the name if there is room, the most important first: plan, account,
 * environment.
 */
export function listHeaderDetails(state: LedgeState): readonly string[] {
	const context = getActiveContext(state);
	const label = context ? getAccountLabel(state) : undefined;
	// An id or the name of the context adds nothing.
	const account = label === state.connection.data?.accountId || label === context?.name ? undefined : label;
	const parts = [getScreenTarget(state).plan, account, state.connection.data?.configuration?.environment];
	return parts.flatMap(part => part || []);
}

/** True if the current screen acts on production. */
export function isProduction(state: LedgeState): boolean {
	const {isLocal, zone} = getScreenTarget(state);
	return (
		state.connection.findProductionContext({
			isLocal,
			accountId: zone?.accountId ?? state.connection.data?.accountId,
			zone,
		}) !== undefined
	);
}

/** Lists the modes in capitals: the target first, then its restrictions. */
export function listBadges(state: LedgeState): readonly string[] {
	const connection = state.connection.data;
	if (!connection || connection.problem) return [];
	const {isLocal, isPreview} = getScreenTarget(state);
	return [
		connection.simulated ? 'SIMULATED' : isLocal ? 'LOCAL' : 'REMOTE',
		...(isPreview ? ['PREVIEW'] : []),
		...(connection.readOnly ? ['READ-ONLY'] : []),
	];
}
