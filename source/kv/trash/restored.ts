import {counted, grouped} from '../../text/figures.ts';
import type {Counts} from '../transfer/counts.ts';

/** The end of a restore as a sentence; `label` is what the namespace is called. Data as it is. */
export function restoredSentence({done, kept, expired, refused}: Counts, label: string): string {
	const beside = [
		...(kept > 0 ? [`${grouped(kept)} already ${kept === 1 ? 'exists' : 'exist'}, left unchanged`] : []),
		...(expired > 0 ? [`${grouped(expired)} expired, or about to within a minute: left out`] : []),
		...(refused > 0 ? [`${grouped(refused)} refused`] : []),
	];
	return `Restored ${counted(done, 'key')} into ${label}${beside.length > 0 ? `; ${beside.join(', ')}` : ''}.`;
}

/** Whether all keys of a batch are in their namespace again: then nothing of it has to be kept. */
export const isAllRestored = ({done, kept}: Counts, {keys}: {readonly keys: number}): boolean =>
	done === keys && kept === 0;
