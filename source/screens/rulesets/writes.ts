import {Failure, toFailure} from '../../failure.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import type {RulesetOutcome} from '../../rulesets/change.ts';
import {type ConcurrentEdits, describeConcurrentEdits} from '../../rulesets/change-words.ts';
import {areRulesEqual, listRuleChanges, type RuleChange} from '../../rulesets/difference.ts';
import {restoreRulesetRules} from '../../rulesets/edit.ts';
import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import type {Session} from '../../session/session.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {formatQuantity} from '../../text/figures.ts';
import {capitalize} from '../../text/one-line.ts';
import {toWritePlace} from '../firewall/write-runner.ts';
import {askBeforeWrite, labelAsking, type ZoneQuestion} from '../shell/confirmation.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import {describeLaterChange, numberChange} from '../zones/later-change.ts';
import {rulesetActionIds} from './action-ids.ts';

/** A change made in this session: the rules before it, and the version it created. */
type LastChange = {
	readonly zone: ZoneWithLabel;
	/** The rule that it created, if something else may delete that. */
	readonly createdRuleId?: string | undefined;
	/** What the change did, in a sentence. */
	readonly effect: string;
	readonly rulesBefore: readonly RulesetRule[];
	readonly createdVersion: string;
	/** As from `numberChange`. */
	readonly number: number;
};

/** The rules of a zone on the screen. */
export type OpenedRules = {
	readonly zone: ZoneWithLabel;
	/** The entry point as last read. */
	readonly ruleset: Ruleset | undefined;
};

/** A planned change of the shown rules. */
export type RulesetPlan = Pick<OpenedRules, 'zone' | 'ruleset'> & {
	/** Reasons to require the zone's name, in sentences. */
	readonly zoneNameReasons: readonly string[];
	/** Why it cannot be sent. */
	readonly obstacle?: Failure | undefined;
	/**
	 * Sends the change with one request. `typedZoneName`: what the user typed to confirm, if anything. Never
	 * rejects. Undefined if nothing differs.
	 */
	readonly send:
		| ((client: Client, typedZoneName: string | undefined, signal: AbortSignal) => Promise<RulesetOutcome>)
		| undefined;
};

/** One change of rules, from the question to the report. */
export type RulesetWrite<Data> = {
	readonly plan: RulesetPlan;
	/** For the status line: "pausing custom rule 1". */
	readonly label: string;
	/** For the audit log: "pause custom rule 1". */
	readonly auditLabel: string;
	/** Describes what the change did, in a sentence. */
	describeEffect(current: Ruleset): string;
	/** What is unknown if the response is lost: "whether the rule is paused". */
	readonly unknownOutcome: string;
	/** Notes what was done, for the undo; by default as a change that can be undone. */
	noteDone?(current: Ruleset): void;
	/** Other parts of the screen's state that change with it. */
	readonly otherState?: Partial<Data>;
};

/** Rules of one phase, and the screen that shows them. */
type RulesetScreen<Data> = {
	readonly rulesNoun: 'custom rules' | 'managed rules' | 'rate limits';
	readonly screenName: keyof typeof rulesetActionIds;
	getOpenedRules(): OpenedRules | undefined;
	/** Plans the change from the shown rules to these. */
	plan(newRules: readonly RulesetRule[]): RulesetPlan;
	describeChange(change: RuleChange, when?: 'planned'): string;
	/** Describes what a rule does, unescaped. */
	describeRule(rule: RulesetRule): string;
	/** Shows the rules after a write. */
	show(zoneId: string, current: Ruleset, otherState: Partial<Data>): void;
	/** Shows rules written by someone else; returns the next step, in a sentence. */
	showConcurrentChange(zoneId: string, current: Ruleset | undefined): string;
	showFailure?(zoneId: string, failure: Failure): void;
	load(signal: AbortSignal): Promise<void>;
	markStale(): void;
};

type EarlierRules = Pick<Ruleset, 'rules' | 'version'>;

export type RulesetWrites<Data> = {
	/** Asks, sends a change, and reports the outcome. */
	write(change: RulesetWrite<Data>, question: Omit<ZoneQuestion, 'reasons'>): void;
	/** Sends a confirmed change. Returns the rules after it; undefined if nothing differed. */
	send(
		change: RulesetWrite<Data>,
		typedZoneName: string | undefined,
		signal: AbortSignal,
	): Promise<Ruleset | undefined>;
	/** Describes a change of the shown rules, or one that will be made (`planned`), unescaped. */
	describeChange(change: RuleChange, when?: 'planned'): string;
	describeRule(rule: RulesetRule): string;
	/** Restores an earlier version, after a question. */
	restore(earlierRules: EarlierRules): void;
	/** Adds a change of a zone's rules to its undo, kept for the session, whatever is opened later. */
	noteLastChange(zone: ZoneWithLabel, change: Omit<LastChange, 'number' | 'zone'>): void;
	/** Removes the change that created a rule which was deleted in another way. */
	forgetCreation(zoneId: string, ruleId: string | undefined): void;
	getLastChange(zoneId: string): LastChange | undefined;
	/** Lists the zones with changes to undo, and how many. */
	listUndoableZones(): readonly {readonly zone: ZoneWithLabel; readonly count: number}[];
	/** Undoes the last change of the open zone made in this session, after a question. */
	undoLastChange(): void;
};

/** Creates the writes for rules of a phase: confirm, send one request, show, report. */
export function createRulesetWrites<Data>(
	get: () => LedgeState,
	session: Session,
	rulesetScreen: RulesetScreen<Data>,
): RulesetWrites<Data> {
	const {rulesNoun, screenName, describeChange, describeRule} = rulesetScreen;
	/** By the zone's id; the last change is last. */
	const changesByZone = new Map<string, readonly LastChange[]>();
	const listChanges = (zoneId: string) => changesByZone.get(zoneId) ?? [];
	const noteLastChange: RulesetWrites<Data>['noteLastChange'] = (zone, change) =>
		void changesByZone.set(zone.id, [...listChanges(zone.id), {...change, zone, number: numberChange()}]);
	const getLastChange = (zoneId: string) => listChanges(zoneId).at(-1);

	/**
	 * Removes the last change, after its undo. The one before it can then be undone, unless the rules are not
	 * as it left them: `rulesBefore` were restored, with new ids for what had been deleted.
	 */
	function noteUndone(zoneId: string, {rulesBefore}: LastChange, {rules, version}: Ruleset): void {
		const earlierChanges = listChanges(zoneId).slice(0, -1);
		const newIds = new Map(rulesBefore.map(({id}, index) => [id, rules[index]?.id]));
		const isAsBefore = areRulesEqual(
			rulesBefore.map(({id, ref, ...rule}) => (ref === undefined || ref === id ? rule : {...rule, ref})),
			rules,
		);
		const withNewId = (rule: RulesetRule): RulesetRule => {
			const id = newIds.get(rule.id);
			return id === undefined || id === rule.id
				? rule
				: {...rule, id, ...(rule.ref === rule.id && {ref: id})};
		};
		changesByZone.set(
			zoneId,
			earlierChanges.map((change, index) => ({
				...change,
				rulesBefore: change.rulesBefore.map(withNewId),
				...(isAsBefore && index === earlierChanges.length - 1 && {createdVersion: version}),
			})),
		);
	}

	function write(change: RulesetWrite<Data>, question: Omit<ZoneQuestion, 'reasons'>): void {
		const {plan, label} = change;
		if (plan.obstacle) {
			get().messages.fail(plan.obstacle);
			return;
		}
		askBeforeWrite(get(), plan.zone, {...question, reasons: plan.zoneNameReasons}, typedZoneName => {
			if (getCurrentScreen(get()) === 'versions') get().navigation.back();
			const work = async (signal: AbortSignal) => void (await send(change, typedZoneName, signal));
			void get().work.run(label, 'write', work, {kind: rulesNoun});
		});
	}

	async function send(
		{plan, auditLabel, describeEffect, unknownOutcome, noteDone, otherState}: RulesetWrite<Data>,
		typedZoneName: string | undefined,
		signal: AbortSignal,
	): Promise<Ruleset | undefined> {
		const {zone, ruleset: previousRuleset, obstacle, send: sendPlan} = plan;
		session.refuseWhenReadOnly(auditLabel);
		if (obstacle) throw obstacle;
		if (!sendPlan) {
			get().messages.say('No difference, so nothing was sent.');
			return undefined;
		}
		try {
			const writePlace = await session.permit(toWritePlace(zone), auditLabel);
			const client = await session.client();
			const outcome = await session.auditWrite(
				auditLabel,
				writePlace,
				() => sendPlan(client, typedZoneName, signal),
				result => ('failure' in result ? result.failure : undefined),
			);
			if (outcome.state !== 'done') throw await handleFailedOutcome(zone.id, outcome, unknownOutcome, signal);
			const {ruleset, lost, concurrentEdits} = outcome;
			const summary = describeEffect(ruleset);
			if (noteDone) noteDone(ruleset);
			else
				noteLastChange(zone, {
					effect: summary,
					rulesBefore: previousRuleset?.rules ?? [],
					createdVersion: ruleset.version,
				});
			rulesetScreen.show(zone.id, ruleset, otherState ?? {});
			const recoveryNote = lost ? ' The response was lost; a later check confirmed the change.' : '';
			const isShown = getCurrentScreen(get()) === screenName;
			const message = `${summary}${recoveryNote}`;
			get().messages.say(
				isShown
					? noteDone
						? message
						: `${message} ${nameKey(rulesetActionIds[screenName].undo, 'u')} undoes it.`
					: `${zone.name}: ${message}`,
			);
			if (concurrentEdits) offerRestore(concurrentEdits);
			return ruleset;
		} catch (error) {
			const failure = toFailure(error);
			rulesetScreen.showFailure?.(zone.id, failure);
			throw failure;
		}
	}

	/** Shows the rules after a failed or unknown write; returns the failure to report. */
	async function handleFailedOutcome(
		zoneId: string,
		outcome: Exclude<RulesetOutcome, {readonly state: 'done'}>,
		unknownOutcome: string,
		signal: AbortSignal,
	): Promise<Failure> {
		const {state, failure} = outcome;
		const isOpen = rulesetScreen.getOpenedRules()?.zone.id === zoneId;
		switch (state) {
			case 'changed meanwhile':
				return failure.withDetails({
					next: rulesetScreen.showConcurrentChange(zoneId, outcome.currentRuleset),
				});
			// Nothing was changed.
			case 'nothing':
				if (!signal.aborted && isOpen)
					await rulesetScreen.load(signal).catch(() => rulesetScreen.markStale());
				return failure;
			case 'unsure':
				if (isOpen) rulesetScreen.markStale();
				return new Failure(failure.code, `It is unknown ${unknownOutcome}.`, {
					...failure.details,
					why: [failure.message, failure.details.why].filter(Boolean).join('\n'),
					next: `${nameKey('reload', 'ctrl-r')} loads the current rules.`,
				});
			default:
				return state satisfies never;
		}
	}

	/** Shows concurrent changes by others, and offers to restore what was overwritten. */
	function offerRestore(edits: ConcurrentEdits): void {
		const {overwritten, version} = edits;
		const overwrittenIds = new Set(overwritten.flatMap(({rule}) => rule.id ?? []));
		const canRestore = version !== undefined && overwrittenIds.size > 0;
		get().dialog.open({
			kind: 'choice',
			title: 'Someone else changed these rules',
			lines: describeConcurrentEdits(edits, change => describeChange(change)).flatMap(({title, changes}) => [
				title,
				...changes,
			]),
			choices: [
				...(canRestore ? [{value: 'restore', label: labelAsking('Restore what was overwritten')}] : []),
				{value: 'leave', label: 'Keep the current rules'},
			],
			choose(value) {
				if (value !== 'restore' || version === undefined) return;
				void get().work.run(`loading version ${version}`, 'read', async signal => {
					const {readRulesetVersion} = await import('../../rulesets/calls.ts');
					const {zone, ruleset} = rulesetScreen.getOpenedRules() ?? {};
					const client = await session.client();
					const earlierRuleset =
						zone && ruleset && (await readRulesetVersion(client, zone.id, ruleset.id, version, signal));
					if (!earlierRuleset)
						throw new Failure('not_found', `The service no longer has version ${version} of these rules.`);
					restore(earlierRuleset, {onlyIds: overwrittenIds});
				});
			},
		});
	}

	/**
	 * Restores rules of an earlier version: all, or those with ids in `onlyIds`. `undoneChange`: the change
	 * that this undoes.
	 */
	function restore(
		{rules, version}: EarlierRules,
		{
			onlyIds,
			undoneChange,
		}: {readonly onlyIds?: ReadonlySet<string>; readonly undoneChange?: LastChange} = {},
	): void {
		const currentRules = rulesetScreen.getOpenedRules()?.ruleset?.rules ?? [];
		const newRules = restoreRulesetRules(currentRules, rules, onlyIds);
		const plan = rulesetScreen.plan(newRules);
		if (!plan.send) {
			get().messages.say(`Version ${version} has the same rules as the current version.`);
			return;
		}
		const isUndo = undoneChange !== undefined;
		const laterChange =
			undoneChange &&
			describeLaterChange(get(), screenName, {zoneId: plan.zone.id, number: undoneChange.number});
		const title = isUndo
			? laterChange === undefined
				? 'Undo the last change?'
				: 'Undo an earlier change?'
			: onlyIds
				? 'Restore these rules?'
				: `Restore version ${version}?`;
		const changes = listRuleChanges(currentRules, newRules);
		const changeLines = changes.map(change => describeChange(change, 'planned'));
		write(
			{
				plan,
				label: isUndo ? `undoing a change to ${rulesNoun}` : `restoring ${rulesNoun}`,
				auditLabel: `restore version ${version} of the ${rulesNoun}`,
				describeEffect: restoredRuleset =>
					isUndo
						? `Undone: ${describeRestored(changes, describeChange)}`
						: `Restored version ${version} as version ${restoredRuleset.version}.`,
				unknownOutcome: `whether the ${rulesNoun} were restored`,
				...(isUndo && {noteDone: restored => noteUndone(plan.zone.id, undoneChange, restored)}),
			},
			{
				title,
				lines: [
					...(laterChange === undefined ? [] : [`${capitalize(laterChange)}.`]),
					...(isUndo ? [`Change to undo: ${undoneChange.effect}`] : []),
					...changeLines,
				],
				actionLabel: isUndo ? 'undo change' : 'restore',
			},
		);
	}

	return {
		write,
		send,
		describeChange,
		describeRule,
		restore,
		noteLastChange,
		forgetCreation(zoneId, ruleId) {
			changesByZone.set(
				zoneId,
				listChanges(zoneId).filter(
					({createdRuleId}) => createdRuleId === undefined || createdRuleId !== ruleId,
				),
			);
		},
		getLastChange,
		listUndoableZones: () =>
			[...changesByZone.values()].flatMap(([first, ...others]) =>
				first ? [{zone: first.zone, count: others.length + 1}] : [],
			),
		undoLastChange() {
			const {zone} = rulesetScreen.getOpenedRules() ?? {};
			const lastChange = zone && getLastChange(zone.id);
			if (!lastChange) return;
			restore(
				{rules: lastChange.rulesBefore, version: String(Number(lastChange.createdVersion) - 1)},
				{undoneChange: lastChange},
			);
		},
	};
}

const restoringVerbs: readonly (readonly [RuleChange['kind'], string])[] = [
	['added', 'restored'],
	['removed', 'deleted'],
	['changed', 'changed back'],
	['moved', 'moved back'],
];

/** Describes what an undo did to rules: one in full, of several how many. */
function describeRestored(
	changes: readonly RuleChange[],
	describeChange: (change: RuleChange) => string,
): string {
	const [only] = changes;
	if (only && changes.length === 1) return `${describeChange(only)}.`;
	const counts = restoringVerbs.flatMap(([kind, verb]) => {
		const count = changes.filter(change => change.kind === kind).length;
		return count === 0 ? [] : [`${verb} ${formatQuantity(count, 'rule')}`];
	});
	return `${counts.join(', ')}.`;
}
