import {asFailure, Failure, isFailure, type NamedCommand} from '../failure.ts';
import type {Client} from '../service/client.ts';
import {malformed} from '../service/reading.ts';
import {type Change, carryOut, type Outcome, settle, type Unsettled} from '../service/settle.ts';
import {advice} from '../text/advice.ts';
import {entryPoint, rulesetVersion, sendEdit} from './calls.ts';
import {
	changesBetween,
	isAsSent,
	overwritten,
	type RuleChange,
	sameRules,
	saysTheSame,
} from './difference.ts';
import {edited, type RulesetEdit} from './edit.ts';
import type {Phase, Ruleset, RulesetRule} from './ruleset.ts';

/** An edit of an entry point and the state it is based on. */
type RulesetChange = {
	readonly zone: string;
	readonly phase: Phase;
	/** The entry point as read; undefined if missing. */
	readonly shown: Ruleset | undefined;
	readonly edit: RulesetEdit;
	/** The command that lists the rules. */
	readonly where: string | NamedCommand;
};

/** Differences between the actual rules and what the edit alone would produce. */
export type Meanwhile = {
	/** Edits by others between the last read and the write. */
	readonly changes: readonly RuleChange[];
	/** Those that the write has overwritten unknowingly. */
	readonly overwritten: readonly RuleChange[];
	/** Version before the write, for restoring; undefined if the service does not keep it. */
	readonly version: string | undefined;
	/** Rules right before the write, including the edits by others. */
	readonly theirs: readonly RulesetRule[];
	/** Unexplained differences from what was intended. */
	readonly otherwise: readonly RuleChange[];
};

/** Outcome of an edit; `left` and `next` of each failure describe the current state. */
export type RulesetOutcome =
	| {
			readonly state: 'done';
			readonly ruleset: Ruleset;
			/** The rule that was added, changed or moved. */
			readonly rule?: RulesetRule | undefined;
			readonly lost: boolean;
			readonly meanwhile?: Meanwhile | undefined;
	  }
	/** Nothing was sent: the ruleset has changed since it was shown. */
	| {
			readonly state: 'changed meanwhile';
			readonly now: Ruleset | undefined;
			readonly changes: readonly RuleChange[];
			readonly failure: Failure;
	  }
	/**
	 * Nothing was changed. `refused`: the service refused or nothing was sent; otherwise the request was
	 * lost.
	 */
	| {readonly state: 'nothing'; readonly refused: boolean; readonly failure: Failure}
	/** The answer was lost, and the state could not be read, proves nothing, or may still change. */
	| {
			readonly state: 'unsure';
			readonly failure: Failure;
			/** Reads the state again for the same write. Sends nothing, never rejects. */
			lookAgain(client: Client, options: {readonly signal: AbortSignal}): Promise<RulesetOutcome>;
	  };

type Done = {readonly ruleset: Ruleset; readonly rule?: RulesetRule | undefined};

/**
 * Makes one edit of a ruleset with one call. The service has no precondition for such writes: this reads the
 * version right before and sends nothing if it is not the shown one; afterwards it compares the answer with
 * the intention and reads concurrent edits from the versions. Never retries, never rejects.
 */
export async function changeRuleset(
	client: Client,
	change: RulesetChange,
	{signal, onLook}: {readonly signal: AbortSignal; onLook?: (() => void) | undefined},
): Promise<RulesetOutcome> {
	let now: Ruleset | undefined;
	try {
		now = await entryPoint(client, change.zone, change.phase, signal);
	} catch (error) {
		const failure = asFailure(error);
		return {state: 'nothing', refused: true, failure: failure.with({left: 'Nothing was sent.'})};
	}
	return isAsShown(change.shown, now)
		? changeAnyway(client, {...change, shown: now}, {signal, onLook})
		: changedBefore(change, now);
}

/** Like `changeRuleset` without reading first, for urgent edits that cannot overwrite other people's work. */
export async function changeAnyway(
	client: Client,
	change: RulesetChange,
	{signal, onLook}: {readonly signal: AbortSignal; onLook?: (() => void) | undefined},
): Promise<RulesetOutcome> {
	return ended(client, change, await carryOut(client, sending(change), {signal, onLook}), signal);
}

const isAsShown = (shown: Ruleset | undefined, now: Ruleset | undefined): boolean =>
	shown?.id === now?.id && shown?.version === now?.version && sameRules(shown?.rules ?? [], now?.rules ?? []);

function changedBefore({shown, where}: RulesetChange, now: Ruleset | undefined): RulesetOutcome {
	const changes = changesBetween(shown?.rules ?? [], now?.rules ?? []);
	return {
		state: 'changed meanwhile',
		now,
		changes,
		failure: new Failure('changed_meanwhile', 'Someone else has changed these rules since they were read.', {
			why: changes.map(change => changeSentence(change)).join('\n') || undefined,
			left: 'Nothing was sent.',
			next: advice`Look at them with \`${where}\`, and make the change again.`,
		}),
	};
}

/**
 * Describes what others did to a rule, or with `planned` what will be done, with the rule's action and
 * expression.
 */
export function changeSentence(change: RuleChange, when: 'done' | 'planned' = 'done'): string {
	const {rule, place} = change;
	const name = `${rule.id ?? 'A rule'}${rule.description ? ` (${rule.description})` : ''}`;
	const was = when === 'done' ? 'was' : 'will be';
	const says = `${rule.action} ${rule.expression}${rule.enabled === false ? ' (paused)' : ''}`;
	switch (change.kind) {
		case 'added':
			return `${name} ${was} added at place ${place}: ${says}`;
		case 'removed':
			return `${name} ${was} deleted from place ${place}: ${says}`;
		case 'changed':
			if (saysTheSame({...change.before, enabled: rule.enabled ?? true}, rule))
				return `${name} ${was} ${rule.enabled === false ? 'paused' : 'resumed'}: ${rule.action} ${rule.expression}`;
			return `${name} ${was} changed to: ${says}`;
		case 'moved':
			return `${name} ${was} moved from place ${change.from} to ${place}: ${says}`;
	}
}

/** Describes concurrent edits as sentences under headings; omits empty sections. */
export const meanwhileSections = (
	{changes, overwritten: undone, otherwise: odd}: Meanwhile,
	sentence: (change: RuleChange) => string = change => changeSentence(change),
): readonly {readonly title: string; readonly changes: readonly string[]}[] =>
	[
		{title: 'Someone else changed these rules at the same time:', changes},
		{title: 'This write has overwritten of it:', changes: undone},
		{title: 'The rules are otherwise than was sent:', changes: odd},
	]
		.filter(({changes}) => changes.length > 0)
		.map(({title, changes}) => ({title, changes: changes.map(sentence)}));

/** Builds the write and the check whether it took effect. */
function sending({
	zone,
	phase,
	shown: before,
	edit,
	where,
}: RulesetChange): Change<Done, never, Ruleset | undefined> {
	const known = new Set(before?.rules.map(({id}) => id));
	return {
		async send(client, signal) {
			try {
				const ruleset = await sendEdit(client, zone, phase, before, edit, signal);
				const isOfAnother = ruleset.phase !== phase || (before !== undefined && ruleset.id !== before.id);
				// An answer that does not contain the edit is as untrustworthy as one about another ruleset.
				if (isOfAnother || (!client.dryRun && isMissing(ruleset.rules, before?.rules ?? [], edit, known)))
					throw malformed('ruleset with what was sent');
				return {ruleset, rule: subject(ruleset.rules, edit, known)};
			} catch (error) {
				// An unreadable success proves nothing; the state decides.
				throw isFailure(error, 'answer_malformed') ? error.with({outcomeUnknown: true}) : error;
			}
		},
		async look(client, signal) {
			const ruleset = await entryPoint(client, zone, phase, signal);
			const shown = shownBy(ruleset?.rules ?? [], before?.rules ?? [], edit, known);
			if (shown === 'done' && ruleset)
				return {shows: 'done', value: {ruleset, rule: subject(ruleset.rules, edit, known)}};
			if (shown === 'not done') return {shows: 'not done', sentence: notDone(edit)};
			return {shows: 'other', other: ruleset, sentence: otherwise(edit)};
		},
		where,
	};
}

/** Finds the rule that an edit added, changed or moved. */
function subject(
	rules: readonly RulesetRule[],
	edit: RulesetEdit,
	known: ReadonlySet<string | undefined>,
): RulesetRule | undefined {
	switch (edit.kind) {
		case 'add': {
			const found = rules.filter(rule => !known.has(rule.id) && isAsSent(edit.rule, rule));
			return found.length === 1 ? found[0] : undefined;
		}
		case 'change':
		case 'move':
			return rules.find(({id}) => id === edit.id);
		default:
			return undefined;
	}
}

function shownBy(
	rules: readonly RulesetRule[],
	before: readonly RulesetRule[],
	edit: RulesetEdit,
	known: ReadonlySet<string | undefined>,
): 'done' | 'not done' | 'other' {
	const of = (all: readonly RulesetRule[], id: string) => all.find(rule => rule.id === id);
	switch (edit.kind) {
		case 'add': {
			if (subject(rules, edit, known)) return 'done';
			return rules.some(rule => !known.has(rule.id) && isAsSent(edit.rule, rule)) ? 'other' : 'not done';
		}
		case 'change': {
			const [there, was] = [of(rules, edit.id), of(before, edit.id)];
			if (!there) return 'other';
			if (isAsSent(edit.rule, there)) return 'done';
			return was && saysTheSame(was, there) ? 'not done' : 'other';
		}
		case 'delete':
			return of(rules, edit.id) ? 'not done' : 'done';
		case 'move': {
			if (!of(rules, edit.id)) return 'other';
			return sameRules(edited(rules, edit), rules) ? 'done' : 'not done';
		}
		case 'replace':
			if (sameRules(edit.rules, rules)) return 'done';
			return sameRules(before, rules) ? 'not done' : 'other';
	}
}

/** True if the rules of an answer show that an edit was not made. Tolerates normalisation by the service. */
function isMissing(
	rules: readonly RulesetRule[],
	before: readonly RulesetRule[],
	edit: RulesetEdit,
	known: ReadonlySet<string | undefined>,
): boolean {
	switch (edit.kind) {
		case 'add':
			return !rules.some(({id, expression}) => !known.has(id) && expression === edit.rule.expression);
		case 'replace':
			return rules.length !== edit.rules.length || shownBy(rules, before, edit, known) === 'not done';
		case 'delete':
			return shownBy(rules, before, edit, known) === 'not done';
		case 'change':
		case 'move':
			return rules.every(({id}) => id !== edit.id) || shownBy(rules, before, edit, known) === 'not done';
	}
}

function notDone(edit: RulesetEdit): string {
	switch (edit.kind) {
		case 'add':
			return 'no new rule says this.';
		case 'change':
			return `rule ${edit.id} is as it was.`;
		case 'delete':
			return `rule ${edit.id} is still there.`;
		case 'move':
			return `rule ${edit.id} is not at that place.`;
		case 'replace':
			return 'the rules are as they were.';
	}
}

function otherwise(edit: RulesetEdit): string {
	switch (edit.kind) {
		case 'add':
			return 'more than one new rule says this.';
		case 'replace':
			return 'the rules are neither as they were nor as they were to be.';
		default:
			return `rule ${edit.id} is gone, or is neither as it was nor as it was to be.`;
	}
}

async function ended(
	client: Client,
	change: RulesetChange,
	outcome: Outcome<Done, never, Ruleset | undefined>,
	signal: AbortSignal,
): Promise<RulesetOutcome> {
	switch (outcome.state) {
		case 'done': {
			const {value, lost} = outcome;
			const meanwhile = client.dryRun
				? undefined
				: await meanwhileOf(client, change, value.ruleset, lost, signal);
			return {state: 'done', ...value, lost, meanwhile};
		}
		case 'refused':
		case 'not done':
			return {state: 'nothing', refused: outcome.state === 'refused', failure: outcome.failure};
		default:
			return unsure(change, outcome.failure, outcome.unsettled);
	}
}

const unsure = (
	change: RulesetChange,
	failure: Failure,
	unsettled: Unsettled<Done, never, Ruleset | undefined>,
): RulesetOutcome => ({
	state: 'unsure',
	failure: failure.with({outcomeUnknown: true}),
	lookAgain: async (client, {signal}) =>
		ended(client, change, await settle(client, unsettled, {signal}), signal),
});

/** Versions to read for concurrent edits. */
const mostVersions = 10;

/**
 * Concurrent edits by others: the actual rules minus what our write alone produces. Undefined if none. Never
 * rejects.
 */
async function meanwhileOf(
	client: Client,
	change: RulesetChange,
	after: Ruleset,
	lost: boolean,
	signal: AbortSignal,
): Promise<Meanwhile | undefined> {
	const {edit, shown} = change;
	const read = shown?.rules ?? [];
	const step = await ownStep(client, change, after, lost, signal);
	const {theirs, ours, version} = step ?? {theirs: read, ours: after.rules, version: undefined};
	const changes = changesBetween(read, theirs);
	const otherwise = changesBetween(named(edited(theirs, edit), ours), ours);
	if (changes.length === 0 && otherwise.length === 0) return undefined;
	return {changes, overwritten: overwritten(read, theirs, ours), version, theirs, otherwise};
}

/** Finds the rules right before and right after the write in the versions; undefined if they do not tell. */
async function ownStep(
	client: Client,
	{zone, edit, shown: before}: RulesetChange,
	after: Ruleset,
	lost: boolean,
	signal: AbortSignal,
): Promise<
	| {
			readonly theirs: readonly RulesetRule[];
			readonly ours: readonly RulesetRule[];
			readonly version: string | undefined;
	  }
	| undefined
> {
	const states = [before?.rules ?? []];
	const first = Number(before?.version ?? 0);
	const steps = Number(after.version) - first;
	if (steps > mostVersions) return undefined;
	try {
		for (let number = first + 1; number < first + steps; number++) {
			const state = await rulesetVersion(client, zone, after.id, String(number), signal);
			if (!state) return undefined;
			states.push(state.rules);
		}
	} catch {
		return undefined;
	}
	states.push(after.rules);
	// The answer is the version that the write made; after a lost answer others may have added versions.
	const own = lost
		? states.findIndex((rules, index) => {
				const from = states[index - 1];
				return from !== undefined && !sameRules(from, rules) && sameRules(edited(from, edit), rules);
			})
		: states.length - 1;
	const [theirs, ours] = [states[own - 1], states[own]];
	if (!theirs || !ours) return undefined;
	return {theirs, ours, version: own > 1 ? String(first + own - 1) : undefined};
}

/** Gives rules without an id the id of an identical rule that no other rule has. */
function named(rules: readonly RulesetRule[], there: readonly RulesetRule[]): readonly RulesetRule[] {
	const taken = new Set(rules.map(({id}) => id));
	return rules.map(rule => {
		if (rule.id !== undefined) return rule;
		const same = there.find(other => !taken.has(other.id) && isAsSent(rule, other));
		if (same?.id === undefined) return rule;
		taken.add(same.id);
		return {...rule, id: same.id};
	});
}
