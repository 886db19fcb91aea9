import {counted, grouped} from '../../text/figures.ts';
import type {Counts} from '../transfer/counts.ts';

/** Describes the result of a restore; `label` is the name of the namespace. Raw data. */
export function restoredSentence({done, kept, expired, refused}: Counts, label: string): string {
	const beside = [
		...(kept > 0 ? [`${grouped(kept)} already ${kept === 1 ? 'exists' : 'exist'}, left unchanged`] : []),
		...(expired > 0 ? [`${grouped(expired)} expired, or about to within a minute: left out`] : []),
		...(refused > 0 ? [`${grouped(refused)} refused`] : []),
	];
	return `Restored ${counted(done, 'key')} into ${label}${beside.length > 0 ? `; ${beside.join(', ')}` : ''}.`;
}

/** True if all keys of a batch are back in their namespace, so that the batch is no longer needed. */
export const isAllRestored = ({done, kept}: Counts, {keys}: {readonly keys: number}): boolean =>
	done === keys && kept === 0;
