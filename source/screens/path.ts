import type {LedgeState} from '../store/ledge-store.ts';
import type {ActsOn} from './shell/screen.ts';

/** Where the person is, from the outside in, one part a line: data as it is, line feeds escaped. */
export function pathOf(state: LedgeState): string {
	const parts = state.stack.reduce<readonly string[]>(
		(before, screen) => state.screens[screen].path(before, state),
		[],
	);
	return parts.map(part => part.replaceAll('\n', '\\n')).join('\n');
}

/** On what the screen in front acts. */
const actsOn = (state: LedgeState): ActsOn =>
	state.stack.reduce<ActsOn>((before, screen) => state.screens[screen].actsOn?.(before, state) ?? before, {
		isLocal: false,
	});

/** On what a screen acts, beside its modes: the account, and in a zone its plan before that. */
export function accountOf(state: LedgeState): string | undefined {
	const {connection, viewport} = state;
	const account = connection?.account.state === 'known' ? connection.account.label : undefined;
	const {plan} = actsOn(state);
	// Beside the path there is seldom room for both; the plan decides what can be done here.
	if (plan !== undefined && viewport.columns < 100) return plan;
	return [plan, account].filter(one => one !== undefined).join(' · ') || undefined;
}

/** The modes, in capitals: what is acted on first, then what is special about it. */
export function badgesOf(state: LedgeState): string {
	const {connection} = state;
	if (!connection || connection.problem) return '';
	const {isLocal, isPreview} = actsOn(state);
	return [
		connection.simulated ? 'SIMULATED' : isLocal ? 'LOCAL' : 'REMOTE',
		...(isPreview ? ['PREVIEW'] : []),
		...(connection.readOnly ? ['READ-ONLY'] : []),
	].join('\n');
}
