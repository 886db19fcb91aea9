import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {formatExpiredCount} from '../expired-count.ts';
import type {Counts} from '../transfer/counts.ts';

/** Describes the result of a restore; `label` is the name of the namespace. Raw data. */
export function describeRestore({done, kept, expired, refused}: Counts, label: string): string {
	const extras = [
		...(kept > 0
			? [`${formatInteger(kept)} already ${kept === 1 ? 'exists' : 'exist'}, left unchanged`]
			: []),
		...(expired > 0 ? [`${formatExpiredCount(expired)}, left out`] : []),
		...(refused > 0 ? [`${formatInteger(refused)} rejected`] : []),
	];
	return `Restored ${formatQuantity(done, 'key')} into ${label}${extras.length > 0 ? `; ${extras.join(', ')}` : ''}.`;
}

/** True if all keys of a batch are back in their namespace, so that the batch is no longer needed. */
export const isAllRestored = ({done, kept}: Counts, {keys}: {readonly keys: number}): boolean =>
	done === keys && kept === 0;
