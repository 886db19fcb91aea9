import type {LedgeState} from '../../store/ledge-store.ts';
import {unsavedEditHere} from './slice.ts';

/** The status of a screen of keys, behind what is said of an edit that was begun and not saved. */
export function withUnsaved(status: (state: LedgeState) => string): (state: LedgeState) => string {
	return state => {
		const text = status(state);
		if (!unsavedEditHere(state)) return text;
		return ['! an edit is not saved: e continues, X discards', text].filter(Boolean).join('   ');
	};
}
