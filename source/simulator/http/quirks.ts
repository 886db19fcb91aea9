import type {RequestFaults} from '../faults/active-faults.ts';
import type {Fault} from '../faults/faults.ts';
import type {EditConflict, EditedRuleset} from './edit-limit.ts';

/**
 * Effects of faults and limits that a handler applies itself, because its answer cannot be changed
 * afterwards.
 */
export type Quirks = {
	/** Returns the keys of a bulk write to list in `unsuccessful_keys`. */
	listRefusedKeys(keys: ReadonlySet<string>): ReadonlySet<string>;
	/** Maximum entries in a listing of keys, whatever the request asks for. */
	getListLimit(): number | undefined;
	/** True if keys in a URL are not decoded, as in namespaces without `supports_url_encoding`. */
	keepsEncodedKeys(): boolean;
	/** True if `page` is ignored. */
	ignoresPage(): boolean;
	/** True if a migration reports the stage that it had before the last change. */
	hasStaleStage(): boolean;
	/** The stage that a migration reports instead of its own. */
	getForcedStage(): string | undefined;
	/**
	 * The error of analytics queries, the gaps in their schema, and their sampling interval: one in this
	 * many events is counted.
	 */
	getAnalyticsFaults(): {
		readonly problem: Fault['analytics'];
		readonly schemaGaps: {readonly datasets: readonly string[]; readonly dimensions: readonly string[]};
		readonly sampleInterval: number | undefined;
	};
	/** True if this key was written less than a second ago; otherwise records the write. */
	isTooSoon(namespace: string, key: string): boolean;
	/** Returns a conflict if this edit of a ruleset is refused; otherwise counts the edit. */
	checkEdit(ruleset: EditedRuleset): EditConflict | undefined;
};

/** Creates the quirks of the faults that may strike a request. */
export const createQuirks = (
	requestFaults: RequestFaults,
	limits: Pick<Quirks, 'isTooSoon' | 'checkEdit'>,
): Quirks => ({
	listRefusedKeys(keys) {
		const refusingFaults = requestFaults.take('refuseKeys', fault =>
			fault.refuseKeys.some(key => keys.has(key)),
		);
		return new Set(refusingFaults.flatMap(fault => fault.refuseKeys.filter(key => keys.has(key))));
	},
	getListLimit() {
		const listLimits = requestFaults.take('shortList').map(fault => fault.shortList);
		return listLimits.length > 0 ? Math.min(...listLimits) : undefined;
	},
	keepsEncodedKeys: () => requestFaults.take('encodedKeys').length > 0,
	ignoresPage: () => requestFaults.take('ignorePage').length > 0,
	hasStaleStage: () => requestFaults.take('staleStage').length > 0,
	getForcedStage: () => requestFaults.take('stage')[0]?.stage,
	getAnalyticsFaults: () => ({
		problem: requestFaults.take('analytics')[0]?.analytics,
		schemaGaps: {
			datasets: requestFaults.take('lacksDataset').flatMap(({lacksDataset}) => lacksDataset),
			dimensions: requestFaults.take('lacksDimension').flatMap(({lacksDimension}) => lacksDimension),
		},
		sampleInterval: requestFaults.take('sampleInterval')[0]?.sampleInterval,
	}),
	...limits,
});
