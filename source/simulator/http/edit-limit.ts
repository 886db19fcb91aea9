import type {Incoming} from './incoming.ts';

/** More edits of one ruleset than these are throttled; docs/service.md#rulesets. */
export const editLimit = {edits: 20, seconds: 10} as const;

/** The ruleset that an edit is for: there is no `id` before its phase has an entry point. */
export type EditedRuleset = {readonly zone: string; readonly phase: string; readonly id?: string};

/** Why an edit is refused: another one is under way, or there were too many; and in how many seconds it can be sent again. */
export type Crowd = {readonly cause: 'busy' | 'often'; readonly seconds: number};

/** A request that writes to a ruleset, from its arrival to its answer. */
type Edit = {
	readonly zone: string;
	/** The id or the phase, whichever its path names. */
	readonly named: string;
	/** What was under way when it arrived; empty once it is answered. */
	before: readonly Edit[];
	refused: boolean;
};

/** Refuses edits of one ruleset at the same time, and too many in a short time. */
export class EditLimit {
	readonly #underWay = new Map<Incoming, Edit>();
	readonly #recent = new Map<string, readonly number[]>();
	readonly #counts: boolean;

	/** Without `counts` it refuses only what comes at the same time. */
	constructor(counts: boolean) {
		this.#counts = counts;
	}

	/** Notes a request that writes to a ruleset, until `leave`. A dry run is not an edit. */
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

	/** Counts the edit at `now`, in milliseconds; or returns why it is refused, and then it does not count. */
	take(incoming: Incoming, ruleset: EditedRuleset, now: number): Crowd | undefined {
		const edit = this.#underWay.get(incoming);
		if (!edit) return undefined;
		const crowd = busy(edit, ruleset) ?? (this.#counts ? this.#often(ruleset, now) : undefined);
		edit.refused = crowd !== undefined;
		return crowd;
	}

	clear(): void {
		this.#recent.clear();
	}

	#often({zone, phase}: EditedRuleset, now: number): Crowd | undefined {
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

/** Edits that were refused themselves keep nobody out. */
const busy = ({before}: Edit, {zone, phase, id}: EditedRuleset): Crowd | undefined =>
	before.some(other => other.zone === zone && [phase, id].includes(other.named) && !other.refused)
		? {cause: 'busy', seconds: 1}
		: undefined;
