import type {LedgeState} from '../../store/ledge-store.ts';

/** For what belongs to some parts of a screen only: in the others it is not named at all. */
export const belongingTo =
	<Part>(partOf: (state: LedgeState) => Part | undefined) =>
	(...parts: readonly Part[]) =>
	(state: LedgeState): boolean =>
		parts.some(part => part === partOf(state));
