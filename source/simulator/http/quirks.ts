import type {Fault} from '../faults/faults.ts';
import type {Strikes} from '../faults/plan.ts';
import type {Crowd, EditedRuleset} from './edit-limit.ts';

/**
 * Effects of faults and limits that a handler applies itself, because its answer cannot be changed
 * afterwards.
 */
export type Quirks = {
	/** Returns the keys of a bulk write to list in `unsuccessful_keys`. */
	refusedKeys(keys: ReadonlySet<string>): ReadonlySet<string>;
	/** Maximum entries in a listing of keys, whatever the request asks for. */
	shortList(): number | undefined;
	/** True if `page` is ignored. */
	ignorePage(): boolean;
	/** True if a migration reports the stage before the last change. */
	staleStage(): boolean;
	/** The stage that a migration reports instead of its own. */
	otherStage(): string | undefined;
	/**
	 * The error of analytics queries, the gaps in their schema, and the number of events that one counted
	 * event represents.
	 */
	analytics(): {
		readonly problem: Fault['analytics'];
		readonly lacks: {readonly datasets: readonly string[]; readonly dimensions: readonly string[]};
		readonly interval: number | undefined;
	};
	/** True if this key was written less than a second ago; otherwise records the write. */
	tooSoon(namespace: string, key: string): boolean;
	/** Returns a conflict if this edit of a ruleset is refused; otherwise counts the edit. */
	crowd(ruleset: EditedRuleset): Crowd | undefined;
};

/** Creates the quirks of the faults that may strike a request. */
export const quirksOf = (strikes: Strikes, limits: Pick<Quirks, 'tooSoon' | 'crowd'>): Quirks => ({
	refusedKeys(keys) {
		const refusing = strikes.with('refuseKeys', fault => fault.refuseKeys.some(key => keys.has(key)));
		return new Set(refusing.flatMap(fault => fault.refuseKeys.filter(key => keys.has(key))));
	},
	shortList() {
		const most = strikes.with('shortList').map(fault => fault.shortList);
		return most.length > 0 ? Math.min(...most) : undefined;
	},
	ignorePage: () => strikes.with('ignorePage').length > 0,
	staleStage: () => strikes.with('staleStage').length > 0,
	otherStage: () => strikes.with('stage')[0]?.stage,
	analytics: () => ({
		problem: strikes.with('analytics')[0]?.analytics,
		lacks: {
			datasets: strikes.with('lacksDataset').flatMap(({lacksDataset}) => lacksDataset),
			dimensions: strikes.with('lacksDimension').flatMap(({lacksDimension}) => lacksDimension),
		},
		interval: strikes.with('sampleInterval')[0]?.sampleInterval,
	}),
	...limits,
});
