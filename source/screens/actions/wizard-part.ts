import type {LedgeState} from '../../store/ledge-store.ts';

type Part = 'expression' | 'about' | 'filter' | 'action' | 'products' | 'review' | 'sending' | 'ended';

/** Which of its parts the wizard shows. */
function partOf({wizard}: LedgeState): Part | undefined {
	if (!wizard) return undefined;
	if (wizard.phase.name !== 'asking') return wizard.phase.name;
	if (wizard.step === 'expression' && wizard.filter) return 'filter';
	return wizard.step === 'action' && wizard.product !== undefined ? 'products' : wizard.step;
}

/** For what has its use in some parts only. */
export const only =
	(...parts: readonly Part[]) =>
	(state: LedgeState): string | undefined => {
		const part = partOf(state);
		return part && parts.includes(part) ? undefined : 'it has no use in this step';
	};
