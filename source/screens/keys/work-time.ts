import {limits} from '../../kv/limits.ts';
import {type KeysWork, predictLongWork} from '../../kv/long-work.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import type {ChosenKeys} from './chosen-keys.ts';
import {countChosenKeys} from './chosen-names.ts';
import type {KeysState} from './state.ts';

/** Advice on how to choose fewer keys. */
export const keyNarrowingAdvice: Readonly<Record<ChosenKeys['kind'], string>> = {
	all: 'Fewer keys take less time: choose a prefix, a filter or a selection.',
	prefix: 'A longer prefix covers fewer keys.',
	key: 'Fewer keys take less time.',
	filtered: 'A longer filter matches fewer keys.',
	selected: 'Fewer keys take less time.',
};

/**
 * Estimates how long work on the chosen keys takes, and advises how to shorten it. Returns no lines if the
 * work is quick or the time is unknown. Names that are known already need no listing, so only values are
 * read.
 */
export function buildLongWorkLines(
	keys: KeysState,
	chosenKeys: ChosenKeys,
	{content, callFactor = 1}: Pick<KeysWork, 'content' | 'callFactor'>,
	/** Keys that the service measured in the namespace, if known. */
	measuredCount?: number,
): readonly string[] {
	const isNameList = chosenKeys.kind !== 'all' && chosenKeys.kind !== 'prefix';
	const quota = keys.opened.store.quota?.();
	const work = {content: isNameList ? ('values' as const) : content, callFactor, quota};
	const keyCount = countChosenKeys(keys, chosenKeys);
	const knownCount = keyCount.isTotal ? keyCount.count : measuredCount;
	// With less than a page listed, the total is unknown.
	if (knownCount === undefined && keys.index.count < limits.listPage.maxKeys) return [];
	const text = predictLongWork(
		work,
		knownCount === undefined ? keyCount : {count: knownCount, isTotal: true},
	);
	if (text === undefined) return [];
	const isUncountedPrefix = chosenKeys.kind === 'prefix' && !keyCount.isTotal;
	const context = measuredCount === undefined ? '' : 'In the whole namespace, ';
	return [
		isUncountedPrefix ? `The keys under ${chosenKeys.prefix} are not counted yet. ${context}${text}` : text,
		keyNarrowingAdvice[chosenKeys.kind],
	];
}

/** Keys that the service measured in the open namespace; undefined if unknown. */
export function getMeasuredKeyCount({
	keys: {data: keys},
	metrics: {storeFigures},
}: StateWith<'keys'> & StateWith<'metrics', 'storeFigures'>): number | undefined {
	const {where, id} = keys?.namespace ?? {};
	return where === 'remote' && id !== undefined ? storeFigures?.value?.get(id)?.keys : undefined;
}
