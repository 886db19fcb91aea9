import type {Fault} from '../faults/faults.ts';
import type {Strikes} from '../faults/plan.ts';
import type {Crowd, EditedRuleset} from './edit-limit.ts';

/** What faults and switches ask of a handler, because the answer cannot be changed so afterwards. */
export type Quirks = {
	/** Of these keys of a bulk write, the ones that must come back in `unsuccessful_keys`. */
	refusedKeys(keys: ReadonlySet<string>): ReadonlySet<string>;
	/** The most entries a listing of keys may hold, whatever was asked for. */
	shortList(): number | undefined;
	/** Whether `page` is not looked at. */
	ignorePage(): boolean;
	/** Whether the stage of a migration is still said to be the one before the last change. */
	staleStage(): boolean;
	/** What the stage of a migration is said to be instead. */
	otherStage(): string | undefined;
	/** What queries for numbers and events fail with, what their schema lacks, and how many one counted event represents. */
	analytics(): {
		readonly problem: Fault['analytics'];
		readonly lacks: {readonly datasets: readonly string[]; readonly dimensions: readonly string[]};
		readonly interval: number | undefined;
	};
	/** Whether this key was written less than a second ago; notes the write if not. */
	tooSoon(namespace: string, key: string): boolean;
	/** Why this edit of a ruleset is refused at this moment; notes the edit if it is not. */
	crowd(ruleset: EditedRuleset): Crowd | undefined;
};

/** What the faults that may strike a request ask of its handler. */
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
