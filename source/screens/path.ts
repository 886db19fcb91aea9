import type {Context} from '../settings/contexts/context.ts';
import type {Has, LedgeState} from '../store/ledge-store.ts';
import type {ActsOn} from './shell/screen.ts';
import {screenOf} from './shell/screen-name.ts';

/** Where the person is, from the outside in: data as it is. */
export const pathOf = (state: LedgeState): readonly string[] =>
	state.navigation.stack.reduce<readonly string[]>(
		(before, screen) => state.navigation.screens[screen].path(before, state),
		[],
	);

/** The part of the path that the screen in front acts on: the zone, else the namespace. */
export function targetOf(state: LedgeState): string | undefined {
	const parts = pathOf(state);
	const zone = actsOn(state).zone?.name;
	return parts.find(part => part === zone) ?? parts[1];
}

/** What the screen in front is narrowed by, and what that shows: `/session · 150 of 390`; nothing without a filter. */
export function filterOf(state: LedgeState): {readonly text: string; readonly counts: string} | undefined {
	const {filter} = state.navigation.screens[screenOf(state)];
	const text = filter?.text(state) ?? '';
	return filter && text !== '' ? {text, counts: filter.counts(state)} : undefined;
}

/** On what the screen in front acts. */
const actsOn = (state: LedgeState): ActsOn =>
	state.navigation.stack.reduce<ActsOn>(
		(before, screen) => state.navigation.screens[screen].actsOn?.(before, state) ?? before,
		{
			isLocal: false,
		},
	);

/** The context in force, unless another account than its own was chosen in it. */
function contextOf({connection: {data: connection}}: Has<'connection'>) {
	const {context, accountId} = connection ?? {};
	const isOther =
		context?.accountId !== undefined && accountId !== undefined && context.accountId !== accountId;
	return isOther ? undefined : context;
}

const accountLabel = ({connection: {data: connection}}: Has<'connection'>): string | undefined =>
	connection?.account.state === 'known' ? connection.account.label : connection?.accountId;

/** Where a session acts: the context, else the account. */
export const nameOf = (state: Has<'connection'>): string | undefined =>
	contextOf(state)?.name ?? accountLabel(state);

/** The colour of the context. */
export const colorOf = (state: Has<'connection'>): Context['color'] => contextOf(state)?.color;

/** What is shown beside the name where there is room, the most important first: plan, account, environment. */
export function asideOf(state: LedgeState): readonly string[] {
	const context = contextOf(state);
	const label = context ? accountLabel(state) : undefined;
	// Neither an id nor the name of the context says more than the context does.
	const account = label === state.connection.data?.accountId || label === context?.name ? undefined : label;
	const parts = [actsOn(state).plan, account, state.connection.data?.configuration?.environment];
	return parts.flatMap(part => part || []);
}

/** Whether what the screen in front acts on is production. */
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

/** The modes, in capitals: what is acted on first, then what is special about it. */
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
