import type {LedgeState} from '../../store/ledge-store.ts';

type Part = 'expression' | 'action' | 'send' | 'reading' | 'sending' | 'ended';

/** Which of its parts the emergency screen shows. */
export function partOf({emergency}: LedgeState): Part | undefined {
	if (!emergency) return undefined;
	return emergency.phase.name === 'asking' ? emergency.stage : emergency.phase.name;
}

/** For what belongs to some parts only: in the others it is not named at all. */
export const isAt =
	(...parts: readonly Part[]) =>
	(state: LedgeState): boolean =>
		parts.some(part => part === partOf(state));
