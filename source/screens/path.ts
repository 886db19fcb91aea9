import type {Context} from '../settings/contexts/context.ts';
import type {Has, LedgeState} from '../store/ledge-store.ts';
import type {ActsOn} from './shell/screen.ts';
import {screenOf} from './shell/screen-name.ts';

/** Returns the breadcrumb, outermost first. Unescaped data. */
export const pathOf = (state: LedgeState): readonly string[] =>
	state.navigation.stack.reduce<readonly string[]>(
		(before, screen) => state.navigation.screens[screen].path(before, state),
		[],
	);

/** Returns the part of the path that the screen acts on: the zone, else the namespace. */
export function targetOf(state: LedgeState): string | undefined {
	const parts = pathOf(state);
	const zone = actsOn(state).zone?.name;
	return parts.find(part => part === zone) ?? parts[1];
}

/** Returns the active filter and what it matches, as in `/session · 150 of 390`. */
export function filterOf(state: LedgeState): {readonly text: string; readonly counts: string} | undefined {
	const {filter} = state.navigation.screens[screenOf(state)];
	const text = filter?.text(state) ?? '';
	return filter && text !== '' ? {text, counts: filter.counts(state)} : undefined;
}

const actsOn = (state: LedgeState): ActsOn =>
	state.navigation.stack.reduce<ActsOn>(
		(before, screen) => state.navigation.screens[screen].actsOn?.(before, state) ?? before,
		{
			isLocal: false,
		},
	);

/** Returns the active context, unless another account was chosen in it. */
function contextOf({connection: {data: connection}}: Has<'connection'>) {
	const {context, accountId} = connection ?? {};
	const isOther =
		context?.accountId !== undefined && accountId !== undefined && context.accountId !== accountId;
	return isOther ? undefined : context;
}

const accountLabel = ({connection: {data: connection}}: Has<'connection'>): string | undefined =>
	connection?.account.state === 'known' ? connection.account.label : connection?.accountId;

/** Returns where a session acts: the context, else the account. */
export const nameOf = (state: Has<'connection'>): string | undefined =>
	contextOf(state)?.name ?? accountLabel(state);

export const colorOf = (state: Has<'connection'>): Context['color'] => contextOf(state)?.color;

/**
 * Lists details to show beside the name if there is room, the most important first: plan, account,
 * environment.
 */
export function asideOf(state: LedgeState): readonly string[] {
	const context = contextOf(state);
	const label = context ? accountLabel(state) : undefined;
	// // An id or the name of the context adds nothing.
	const account = label === state.connection.data?.accountId || label === context?.name ? undefined : label;
	const parts = [actsOn(state).plan, account, state.connection.data?.configuration?.environment];
	return parts.flatMap(part => part || []);
}

/** True if the current screen acts on production. */
export function isProduction(state: LedgeState): boolean {
	const {isLocal, zone} = actsOn(state);
	return (
		state.connection.isProduction({
			isLocal,
			accountId: zone?.accountId ?? state.connection.data?.accountId,
			zone,
		}) !== undefined
	);
}

/** Lists the modes in capitals: the target first, then its restrictions. */
export function badgesOf(state: LedgeState): readonly string[] {
	const connection = state.connection.data;
	if (!connection || connection.problem) return [];
	const {isLocal, isPreview} = actsOn(state);
	return [
		connection.simulated ? 'SIMULATED' : isLocal ? 'LOCAL' : 'REMOTE',
		...(isPreview ? ['PREVIEW'] : []),
		...(connection.readOnly ? ['READ-ONLY'] : []),
	];
}
