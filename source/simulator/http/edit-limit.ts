import type {IncomingRequest} from './incoming.ts';

/** Limit of edits to one ruleset; docs/service.md#rulesets. */
export const rulesetEditLimit = {edits: 20, seconds: 10} as const;

/** The ruleset of an edit; no `id` before its phase has an entry point. */
export type EditedRuleset = {readonly zoneId: string; readonly phase: string; readonly id?: string};

/**
 * Why an edit is refused, and the seconds until a retry. `busy`: another edit is running; `often`: there were
 * too many.
 */
export type EditConflict = {readonly cause: 'busy' | 'often'; readonly retryAfterSeconds: number};

/** A request that writes to a ruleset, from its arrival to its answer. */
type Edit = {
	readonly zoneId: string;
	/** The id or the phase in its path. */
	readonly rulesetOrPhase: string;
	/** Edits that were running when it arrived; cleared when it ends. */
	precedingEdits: readonly Edit[];
	isRefused: boolean;
};

/** Refuses concurrent edits of one ruleset, and too many in a short time. */
export class EditLimit {
	readonly #running = new Map<IncomingRequest, Edit>();
	readonly #recentTimes = new Map<string, readonly number[]>();
	readonly #isRateLimited: boolean;

	/** Without `isRateLimited`, refuses only concurrent edits. */
	constructor(isRateLimited: boolean) {
		this.#isRateLimited = isRateLimited;
	}

	/** Registers a request that writes to a ruleset, until `unregister`. A dry run is not an edit. */
	register(incoming: IncomingRequest): void {
		const {request, path = '', query} = incoming;
		const [, zoneId, rulesetOrPhase] = /^\/zones\/([^/]+)\/rulesets\/(?:phases\/)?([^/]+)/.exec(path) ?? [];
		if (request.method === 'GET' || !zoneId || !rulesetOrPhase || query.get('dry_run') === 'true') return;
		const precedingEdits = [...this.#running.values()];
		this.#running.set(incoming, {
			zoneId,
			rulesetOrPhase,
			precedingEdits,
			isRefused: false,
		});
	}

	unregister(incoming: IncomingRequest): void {
		const edit = this.#running.get(incoming);
		if (edit) edit.precedingEdits = [];
		this.#running.delete(incoming);
	}

	/**
	 * Counts an edit at `now`, in milliseconds. Returns a conflict if the edit is refused; a refused edit
	 * does not count.
	 */
	countEdit(incoming: IncomingRequest, ruleset: EditedRuleset, now: number): EditConflict | undefined {
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

	#findRateConflict({zoneId, phase}: EditedRuleset, now: number): EditConflict | undefined {
		const key = `${zoneId}/${phase}`;
		const periodMs = rulesetEditLimit.seconds * 1000;
		const recentTimes = (this.#recentTimes.get(key) ?? []).filter(time => now - time < periodMs);
		const [oldest = now] = recentTimes;
		if (recentTimes.length >= rulesetEditLimit.edits)
			return {cause: 'often', retryAfterSeconds: Math.ceil((oldest + periodMs - now) / 1000)};
		this.#recentTimes.set(key, [...recentTimes, now]);
		return undefined;
	}
}

/** Refused edits do not block others. */
const findBusyConflict = (
	{precedingEdits}: Edit,
	{zoneId, phase, id}: EditedRuleset,
): EditConflict | undefined =>
	precedingEdits.some(
		edit => edit.zoneId === zoneId && [phase, id].includes(edit.rulesetOrPhase) && !edit.isRefused,
	)
		? {cause: 'busy', retryAfterSeconds: 1}
		: undefined;
