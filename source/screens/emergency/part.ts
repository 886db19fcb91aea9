import type {LedgeState} from '../../store/ledge-store.ts';
import {belongingTo} from '../shell/parts.ts';

type Part = 'expression' | 'action' | 'send' | 'reading' | 'sending' | 'ended';

/** Which of its parts the emergency screen shows. */
export function partOf({emergency}: LedgeState): Part | undefined {
	if (!emergency) return undefined;
	return emergency.phase.name === 'asking' ? emergency.stage : emergency.phase.name;
}

/** For what belongs to some parts of the emergency only. */
export const isAt = belongingTo(partOf);
