import type {LedgeState} from '../../store/ledge-store.ts';
import {belongingTo} from '../shell/parts.ts';

type Part = 'expression' | 'about' | 'filter' | 'action' | 'products' | 'review' | 'sending' | 'ended';

/** Which of its parts the wizard shows. */
function partOf({wizard}: LedgeState): Part | undefined {
	if (!wizard) return undefined;
	if (wizard.phase.name !== 'asking') return wizard.phase.name;
	if (wizard.step === 'expression' && wizard.filter) return 'filter';
	return wizard.step === 'action' && wizard.product !== undefined ? 'products' : wizard.step;
}

/** For what belongs to some parts of the wizard only. */
export const isAt = belongingTo(partOf);
