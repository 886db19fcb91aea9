import type {Incoming} from './incoming.ts';

/** Limit of edits to one ruleset; docs/service.md#rulesets. */
export const editLimit = {edits: 20, seconds: 10} as const;

/** The ruleset of an edit; no `id` before its phase has an entry point. */
export type EditedRuleset = {readonly zone: string; readonly phase: string; readonly id?: string};

/**
 * Why an edit is refused, and the seconds until a retry. `busy`: another edit is running; `often`: there were
 * too many.
 */
export type EditConflict = {readonly cause: 'busy' | 'often'; readonly seconds: number};

/** A request that writes to a ruleset, from its arrival to its answer. */
type Edit = {
	readonly zone: string;
	/** The id or the phase in its path. */
	readonly rulesetOrPhase: string;
	/** Edits that were running when it arrived; cleared when it ends. */
	precedingEdits: readonly Edit[];
	isRefused: boolean;
};

/** Refuses concurrent edits of one ruleset, and too many in a short time. */
export class EditLimit {
	readonly #running = new Map<Incoming, Edit>();
	readonly #recentTimes = new Map<string, readonly number[]>();
	readonly #isRateLimited: boolean;

	/** Without `isRateLimited`, refuses only concurrent edits. */
	constructor(isRateLimited: boolean) {
		this.#isRateLimited = isRateLimited;
	}

	/** Registers a request that writes to a ruleset, until `unregister`. A dry run is not an edit. */
	register(incoming: Incoming): void {
		const {request, path = '', query} = incoming;
		const [, zone, rulesetOrPhase] = /^\/zones\/([^/]+)\/rulesets\/(?:phases\/)?([^/]+)/.exec(path) ?? [];
		if (request.method === 'GET' || !zone || !rulesetOrPhase || query.has('dry_run')) return;
		const precedingEdits = [...this.#running.values()];
		this.#running.set(incoming, {
			zone,
			rulesetOrPhase,
			precedingEdits,
			isRefused: false,
		});
	}

	unregister(incoming: Incoming): void {
		const edit = this.#running.get(incoming);
		if (edit) edit.precedingEdits = [];
		this.#running.delete(incoming);
	}

	/**
	 * Counts an edit at `now`, in milliseconds. Returns a conflict if the edit is refused; a refused edit
	 * does not count.
	 */
	countEdit(incoming: Incoming, ruleset: EditedRuleset, now: number): EditConflict | undefined {
		const edit = this.#running.get(incoming);
		if (!edit) return undefined;
		const conflict =
			findBusyConflict(edit, ruleset) ??
			(this.#isRateLimited ? this.#findRateConflict(ruleset, now) : undefined);
		edit.isRefused = conflict !== undefined;
		return conflict;
	}

	clear(): void {
		this.#recentTimes.clear();
	}

	#findRateConflict({zone, phase}: EditedRuleset, now: number): EditConflict | undefined {
		const key = `${zone}/${phase}`;
		const period = editLimit.seconds * 1000;
		const recent = (this.#recentTimes.get(key) ?? []).filter(time => now - time < period);
		const [oldest = now] = recent;
		if (recent.length >= editLimit.edits)
			return {cause: 'often', seconds: Math.ceil((oldest + period - now) / 1000)};
		this.#recentTimes.set(key, [...recent, now]);
		return undefined;
	}
}

/** Refused edits do not block others. */
const findBusyConflict = (
	{precedingEdits}: Edit,
	{zone, phase, id}: EditedRuleset,
): EditConflict | undefined =>
	precedingEdits.some(
		edit => edit.zone === zone && [phase, id].includes(edit.rulesetOrPhase) && !edit.isRefused,
	)
		? {cause: 'busy', seconds: 1}
		: undefined;
