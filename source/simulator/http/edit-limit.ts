import type {Incoming} from './incoming.ts';

/** Limit of edits to one ruleset; docs/service.md#rulesets. */
export const editLimit = {edits: 20, seconds: 10} as const;

/** The ruleset of an edit; no `id` before its phase has an entry point. */
export type EditedRuleset = {readonly zone: string; readonly phase: string; readonly id?: string};

/** Why an edit is refused: another one is running, or there were too many; and the seconds until a retry. */
export type EditConflict = {readonly cause: 'busy' | 'often'; readonly seconds: number};

/** A request that writes to a ruleset, from its arrival to its answer. */
type Edit = {
	readonly zone: string;
	/** The id or the phase in its path. */
	readonly named: string;
	/** Edits that were running when it arrived; cleared when it ends. */
	before: readonly Edit[];
	refused: boolean;
};

/** Refuses concurrent edits of one ruleset, and too many in a short time. */
export class EditLimit {
	readonly #underWay = new Map<Incoming, Edit>();
	readonly #recent = new Map<string, readonly number[]>();
	readonly #counts: boolean;

	/** Without `counts`, refuses only concurrent edits. */
	constructor(counts: boolean) {
		this.#counts = counts;
	}

	/** Registers a request that writes to a ruleset, until `leave`. A dry run is not an edit. */
	arrive(incoming: Incoming): void {
		const {request, path = '', query} = incoming;
		const [, zone, named] = /^\/zones\/([^/]+)\/rulesets\/(?:phases\/)?([^/]+)/.exec(path) ?? [];
		if (request.method === 'GET' || !zone || !named || query.has('dry_run')) return;
		const before = [...this.#underWay.values()];
		this.#underWay.set(incoming, {zone, named, before, refused: false});
	}

	leave(incoming: Incoming): void {
		const edit = this.#underWay.get(incoming);
		if (edit) edit.before = [];
		this.#underWay.delete(incoming);
	}

	/**
	 * Counts an edit at `now`, in milliseconds. Returns a conflict if it is refused; then it does not count.
	 */
	take(incoming: Incoming, ruleset: EditedRuleset, now: number): EditConflict | undefined {
		const edit = this.#underWay.get(incoming);
		if (!edit) return undefined;
		const conflict =
			findBusyConflict(edit, ruleset) ?? (this.#counts ? this.#findRateConflict(ruleset, now) : undefined);
		edit.refused = conflict !== undefined;
		return conflict;
	}

	clear(): void {
		this.#recent.clear();
	}

	#findRateConflict({zone, phase}: EditedRuleset, now: number): EditConflict | undefined {
		const key = `${zone}/${phase}`;
		const period = editLimit.seconds * 1000;
		const recent = (this.#recent.get(key) ?? []).filter(at => now - at < period);
		const [oldest = now] = recent;
		if (recent.length >= editLimit.edits)
			return {cause: 'often', seconds: Math.ceil((oldest + period - now) / 1000)};
		this.#recent.set(key, [...recent, now]);
		return undefined;
	}
}

/** Refused edits block no others. */
const findBusyConflict = ({before}: Edit, {zone, phase, id}: EditedRuleset): EditConflict | undefined =>
	before.some(other => other.zone === zone && [phase, id].includes(other.named) && !other.refused)
		? {cause: 'busy', seconds: 1}
		: undefined;
