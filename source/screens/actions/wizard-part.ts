import type {LedgeState} from '../../store/ledge-store.ts';

type Part = 'expression' | 'about' | 'filter' | 'action' | 'products' | 'review' | 'sending' | 'ended';

/** Which of its parts the wizard shows. */
function partOf({wizard}: LedgeState): Part | undefined {
	if (!wizard) return undefined;
	if (wizard.phase.name !== 'asking') return wizard.phase.name;
	if (wizard.step === 'expression' && wizard.filter) return 'filter';
	return wizard.step === 'action' && wizard.product !== undefined ? 'products' : wizard.step;
}

/** For what belongs to some parts only: in the others it is not named at all. */
export const isAt =
	(...parts: readonly Part[]) =>
	(state: LedgeState): boolean =>
		parts.some(part => part === partOf(state));
