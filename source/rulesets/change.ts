import {Failure, isFailure, type NamedCommand, toFailure} from '../failure.ts';
import type {Client} from '../service/client.ts';
import {createMalformedFailure} from '../service/response-fields.ts';
import {
	type Change,
	executeChange,
	type Outcome,
	settleChange,
	type UnsettledChange,
} from '../service/settle.ts';
import {buildAdvice} from '../text/advice.ts';
import {readRulesetEntryPoint, readRulesetVersion, sendEdit} from './calls.ts';
import {type ConcurrentEdits, describeMismatch, describeNotDone, describeRuleChange} from './change-words.ts';
import {
	areRulesEqual,
	findOverwrittenChanges,
	isIdenticalRule,
	isSentRule,
	listRuleChanges,
	type RuleChange,
} from './difference.ts';
import {applyRulesetEdit, type RulesetEdit} from './edit.ts';
import type {Ruleset, RulesetPhase, RulesetRule} from './ruleset.ts';

/** An edit of an entry point and the state it is based on. */
type PlannedEdit = {
	readonly zoneId: string;
	readonly phase: RulesetPhase;
	/** The entry point as the person saw it; undefined if there was none. */
	readonly baseline: Ruleset | undefined;
	readonly edit: RulesetEdit;
	/** The command that lists the rules. */
	readonly inspectCommand: string | NamedCommand;
};

/** Outcome of an edit; `left` and `next` of each failure describe the current state. */
export type RulesetOutcome =
	| {
			readonly state: 'done';
			readonly ruleset: Ruleset;
			/** The rule that was added, changed or moved. */
			readonly rule?: RulesetRule | undefined;
			/** True if the response was lost, and reading the state found the effect. */
			readonly lost: boolean;
			readonly concurrentEdits?: ConcurrentEdits | undefined;
	  }
	/** Nothing was sent: the ruleset has changed since it was shown. */
	| {
			readonly state: 'changed meanwhile';
			readonly currentRuleset: Ruleset | undefined;
			readonly changes: readonly RuleChange[];
			readonly failure: Failure;
	  }
	/**
	 * Nothing was changed. `refused` is true if the service refused or nothing was sent, and false if the
	 * request was lost.
	 */
	| {readonly state: 'nothing'; readonly refused: boolean; readonly failure: Failure}
	/** The response was lost, and the state could not be read, proves nothing, or may still change. */
	| {
			readonly state: 'unsure';
			readonly failure: Failure;
			/** Reads the state again for the same write. Sends nothing, never rejects. */
			lookAgain(client: Client, options: {readonly signal: AbortSignal}): Promise<RulesetOutcome>;
	  };

type EditResult = {readonly ruleset: Ruleset; readonly rule?: RulesetRule | undefined};

/**
 * Makes one edit of a ruleset with one call. The service has no precondition for such writes, so this reads
 * the version right before and sends nothing if it is not the shown one; afterwards it compares the response
 * with the edit and finds concurrent edits in the versions. Never retries, never rejects.
 */
export async function changeRuleset(
	client: Client,
	plannedEdit: PlannedEdit,
	{signal, onRecheck}: {readonly signal: AbortSignal; onRecheck?: (() => void) | undefined},
): Promise<RulesetOutcome> {
	let current: Ruleset | undefined;
	try {
		current = await readRulesetEntryPoint(client, plannedEdit.zoneId, plannedEdit.phase, signal);
	} catch (error) {
		const failure = toFailure(error);
		return {state: 'nothing', refused: true, failure: failure.withDetails({left: 'Nothing was sent.'})};
	}
	return isRulesetUnchanged(plannedEdit.baseline, current)
		? changeRulesetUnchecked(client, {...plannedEdit, baseline: current}, {signal, onRecheck})
		: buildConflict(plannedEdit, current);
}

/** Like `changeRuleset` without reading first, for urgent edits that cannot overwrite other people's work. */
export async function changeRulesetUnchecked(
	client: Client,
	plannedEdit: PlannedEdit,
	{signal, onRecheck}: {readonly signal: AbortSignal; onRecheck?: (() => void) | undefined},
): Promise<RulesetOutcome> {
	return toRulesetOutcome(
		client,
		plannedEdit,
		await executeChange(client, buildRulesetWrite(plannedEdit), {signal, onRecheck}),
		signal,
	);
}

/** True if the entry point is the same version with the same rules. */
export const isRulesetUnchanged = (baseline: Ruleset | undefined, current: Ruleset | undefined): boolean =>
	baseline?.id === current?.id &&
	baseline?.version === current?.version &&
	areRulesEqual(baseline?.rules ?? [], current?.rules ?? []);

function buildConflict(
	{baseline, inspectCommand}: PlannedEdit,
	currentRuleset: Ruleset | undefined,
): RulesetOutcome {
	const changes = listRuleChanges(baseline?.rules ?? [], currentRuleset?.rules ?? []);
	return {
		state: 'changed meanwhile',
		currentRuleset,
		changes,
		failure: new Failure('changed_meanwhile', 'Someone else changed these rules after they were read.', {
			why: changes.map(change => describeRuleChange(change)).join('\n') || undefined,
			left: 'Nothing was sent.',
			next: buildAdvice`Check them with \`${inspectCommand}\`, then make the change again.`,
		}),
	};
}

/** Builds the write and the check whether it took effect. */
function buildRulesetWrite({
	zoneId,
	phase,
	baseline,
	edit,
	inspectCommand,
}: PlannedEdit): Change<EditResult, never, Ruleset | undefined> {
	const knownIds = new Set(baseline?.rules.map(({id}) => id));
	return {
		async send(client, signal) {
			try {
				const ruleset = await sendEdit(client, zoneId, phase, baseline, edit, signal);
				const isOtherRuleset =
					ruleset.phase !== phase || (baseline !== undefined && ruleset.id !== baseline.id);
				// A response that does not contain the edit is as untrustworthy as one about another ruleset.
				if (
					isOtherRuleset ||
					(!client.dryRun && isEditMissing(ruleset.rules, baseline?.rules ?? [], edit, knownIds))
				)
					throw createMalformedFailure('ruleset containing the change');
				return {ruleset, rule: findEditedRule(ruleset.rules, edit, knownIds)};
			} catch (error) {
				// An unreadable success proves nothing; the state decides.
				throw isFailure(error, 'answer_malformed') ? error.withDetails({outcomeUnknown: true}) : error;
			}
		},
		async checkEffect(client, signal) {
			const ruleset = await readRulesetEntryPoint(client, zoneId, phase, signal);
			const effect = assessEdit(ruleset?.rules ?? [], baseline?.rules ?? [], edit, knownIds);
			if (effect === 'done' && ruleset)
				return {effect: 'done', value: {ruleset, rule: findEditedRule(ruleset.rules, edit, knownIds)}};
			if (effect === 'not done') return {effect: 'not done', sentence: describeNotDone(edit)};
			return {effect: 'other', other: ruleset, sentence: describeMismatch(edit)};
		},
		inspectCommand,
	};
}

/** Finds the rule that an edit added, changed or moved. */
function findEditedRule(
	rules: readonly RulesetRule[],
	edit: RulesetEdit,
	knownIds: ReadonlySet<string | undefined>,
): RulesetRule | undefined {
	switch (edit.kind) {
		case 'add': {
			const addedRules = rules.filter(rule => !knownIds.has(rule.id) && isSentRule(edit.rule, rule));
			return addedRules.length === 1 ? addedRules[0] : undefined;
		}
		case 'change':
		case 'move':
			return rules.find(({id}) => id === edit.id);
		default:
			return undefined;
	}
}

function assessEdit(
	rules: readonly RulesetRule[],
	baseline: readonly RulesetRule[],
	edit: RulesetEdit,
	knownIds: ReadonlySet<string | undefined>,
): 'done' | 'not done' | 'other' {
	const findById = (candidates: readonly RulesetRule[], id: string) =>
		candidates.find(rule => rule.id === id);
	switch (edit.kind) {
		case 'add': {
			if (findEditedRule(rules, edit, knownIds)) return 'done';
			return rules.some(rule => !knownIds.has(rule.id) && isSentRule(edit.rule, rule)) ? 'other' : 'not done';
		}
		case 'change': {
			const [current, previous] = [findById(rules, edit.id), findById(baseline, edit.id)];
			if (!current) return 'other';
			if (isSentRule(edit.rule, current)) return 'done';
			return previous && isIdenticalRule(previous, current) ? 'not done' : 'other';
		}
		case 'delete':
			return findById(rules, edit.id) ? 'not done' : 'done';
		case 'move': {
			if (!findById(rules, edit.id)) return 'other';
			return areRulesEqual(applyRulesetEdit(rules, edit), rules) ? 'done' : 'not done';
		}
		case 'replace':
			if (areRulesEqual(edit.rules, rules)) return 'done';
			return areRulesEqual(baseline, rules) ? 'not done' : 'other';
	}
}

/**
 * True if the rules of a response show that an edit was not made. Tolerates that the service normalizes
 * rules.
 */
function isEditMissing(
	rules: readonly RulesetRule[],
	baseline: readonly RulesetRule[],
	edit: RulesetEdit,
	knownIds: ReadonlySet<string | undefined>,
): boolean {
	switch (edit.kind) {
		case 'add':
			return !rules.some(({id, expression}) => !knownIds.has(id) && expression === edit.rule.expression);
		case 'replace':
			return rules.length !== edit.rules.length || assessEdit(rules, baseline, edit, knownIds) === 'not done';
		case 'delete':
			return assessEdit(rules, baseline, edit, knownIds) === 'not done';
		case 'change':
		case 'move':
			return (
				rules.every(({id}) => id !== edit.id) || assessEdit(rules, baseline, edit, knownIds) === 'not done'
			);
	}
}

async function toRulesetOutcome(
	client: Client,
	plannedEdit: PlannedEdit,
	outcome: Outcome<EditResult, never, Ruleset | undefined>,
	signal: AbortSignal,
): Promise<RulesetOutcome> {
	switch (outcome.state) {
		case 'done': {
			const {value, lost: isResponseLost} = outcome;
			const concurrentEdits = client.dryRun
				? undefined
				: await findConcurrentEdits(client, plannedEdit, value.ruleset, isResponseLost, signal);
			return {state: 'done', ...value, lost: isResponseLost, concurrentEdits};
		}
		case 'refused':
		case 'not done':
			return {state: 'nothing', refused: outcome.state === 'refused', failure: outcome.failure};
		default:
			return buildUnknownOutcome(plannedEdit, outcome.failure, outcome.unsettled);
	}
}

const buildUnknownOutcome = (
	plannedEdit: PlannedEdit,
	failure: Failure,
	unsettled: UnsettledChange<EditResult, never, Ruleset | undefined>,
): RulesetOutcome => ({
	state: 'unsure',
	failure: failure.withDetails({outcomeUnknown: true}),
	lookAgain: async (client, {signal}) =>
		toRulesetOutcome(client, plannedEdit, await settleChange(client, unsettled, {signal}), signal),
});

/** Versions to read for concurrent edits. */
const maxVersions = 10;

/**
 * Concurrent edits by others: the actual rules minus what our write alone produces. Undefined if none. Never
 * rejects.
 */
async function findConcurrentEdits(
	client: Client,
	plannedEdit: PlannedEdit,
	rulesetAfter: Ruleset,
	isResponseLost: boolean,
	signal: AbortSignal,
): Promise<ConcurrentEdits | undefined> {
	const {edit, baseline} = plannedEdit;
	const baselineRules = baseline?.rules ?? [];
	const ownStep = await findOwnStep(client, plannedEdit, rulesetAfter, isResponseLost, signal);
	const {rulesBefore, rulesAfter, versionBefore} = ownStep ?? {
		rulesBefore: baselineRules,
		rulesAfter: rulesetAfter.rules,
		versionBefore: undefined,
	};
	const changes = listRuleChanges(baselineRules, rulesBefore);
	const unexplained = listRuleChanges(
		withIdsOfIdentical(applyRulesetEdit(rulesBefore, edit), rulesAfter),
		rulesAfter,
	);
	if (changes.length === 0 && unexplained.length === 0) return undefined;
	return {
		changes,
		overwritten: findOverwrittenChanges(baselineRules, rulesBefore, rulesAfter),
		version: versionBefore,
		rulesBefore,
		unexplained,
	};
}

/**
 * Finds the rules right before and right after the write among the versions; undefined if the versions do not
 * show them.
 */
async function findOwnStep(
	client: Client,
	{zoneId, edit, baseline}: PlannedEdit,
	rulesetAfter: Ruleset,
	isResponseLost: boolean,
	signal: AbortSignal,
): Promise<
	| {
			readonly rulesBefore: readonly RulesetRule[];
			readonly rulesAfter: readonly RulesetRule[];
			/** The version with `rulesBefore`; undefined if that is the baseline. */
			readonly versionBefore: string | undefined;
	  }
	| undefined
> {
	const rulesOfVersions = [baseline?.rules ?? []];
	const firstVersion = Number(baseline?.version ?? 0);
	const versionCount = Number(rulesetAfter.version) - firstVersion;
	if (versionCount > maxVersions) return undefined;
	try {
		for (let version = firstVersion + 1; version < firstVersion + versionCount; version++) {
			const rulesetVersion = await readRulesetVersion(
				client,
				zoneId,
				rulesetAfter.id,
				String(version),
				signal,
			);
			if (!rulesetVersion) return undefined;
			rulesOfVersions.push(rulesetVersion.rules);
		}
	} catch {
		return undefined;
	}
	rulesOfVersions.push(rulesetAfter.rules);
	// The response is the version that the write made; after a lost response others may have added versions.
	const ownIndex = isResponseLost
		? rulesOfVersions.findIndex((rules, index) => {
				const previous = rulesOfVersions[index - 1];
				return (
					previous !== undefined &&
					!areRulesEqual(previous, rules) &&
					areRulesEqual(applyRulesetEdit(previous, edit), rules)
				);
			})
		: rulesOfVersions.length - 1;
	const [rulesBefore, rulesAfter] = [rulesOfVersions[ownIndex - 1], rulesOfVersions[ownIndex]];
	if (!rulesBefore || !rulesAfter) return undefined;
	return {
		rulesBefore,
		rulesAfter,
		versionBefore: ownIndex > 1 ? String(firstVersion + ownIndex - 1) : undefined,
	};
}

/** Gives rules without an id the id of an identical rule that no other rule has. */
function withIdsOfIdentical(
	rules: readonly RulesetRule[],
	identifiedRules: readonly RulesetRule[],
): readonly RulesetRule[] {
	const usedIds = new Set(rules.map(({id}) => id));
	return rules.map(rule => {
		if (rule.id !== undefined) return rule;
		const identical = identifiedRules.find(
			candidate => !usedIds.has(candidate.id) && isSentRule(rule, candidate),
		);
		if (identical?.id === undefined) return rule;
		usedIds.add(identical.id);
		return {...rule, id: identical.id};
	});
}
