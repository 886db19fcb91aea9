import {unsavedEditHere} from './slice.ts';

/** The status of a screen of keys, behind what is said of an edit that was begun and not saved. */
export function withUnsaved<State>(status: (state: State) => string) {
	return (state: State & Parameters<typeof unsavedEditHere>[0]): string => {
		const text = status(state);
		if (!unsavedEditHere(state)) return text;
		return ['! an edit is not saved: e continues, X discards', text].filter(Boolean).join('   ');
	};
}
