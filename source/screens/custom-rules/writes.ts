import {Failure} from '../../failure.ts';
import {rulesCommand} from '../../firewall/continuation.ts';
import {doing} from '../../firewall/rules/custom-rule-words.ts';
import {findCustomRuleReasons} from '../../firewall/rules/name-reasons.ts';
import {formatRuleName} from '../../firewall/rules/users.ts';
import {changeRuleset} from '../../rulesets/change.ts';
import type {RulesetEdit} from '../../rulesets/edit.ts';
import {editTo, moveTo, restored} from '../../rulesets/edit-to.ts';
import {customPhase, type Ruleset, type RulesetRule} from '../../rulesets/ruleset.ts';
import type {Slice} from '../../store/slice.ts';
import {counted} from '../../text/figures.ts';
import {type RulesetList, type RulesetWrite, writeRuleset} from '../rulesets/writing.ts';
import {askForZoneName} from '../shell/zone-name.ts';
import {type CustomRulesState, placeOfRule, rulesOf} from './state.ts';

/** A rule that the zone has. */
export type RuleThere = RulesetRule & {readonly id: string};

/** What is changed from the list of custom rules: each with one call, after which the list shows what the service answered. */
export type CustomRuleWrites = {
	pause(rule: RuleThere, paused: boolean, signal: AbortSignal): Promise<void>;
	delete(rule: RuleThere, signal: AbortSignal): Promise<void>;
	/** Sends the order of the preview. */
	sendMove(signal: AbortSignal): Promise<void>;
	/** Creates new rules among the others with one call; returns the rules afterwards, or nothing where nothing differs. */
	create(wanted: readonly RulesetRule[], count: number, signal: AbortSignal): Promise<Ruleset | undefined>;
	/** Puts rules of an earlier state in force again, all of them or those of these ids; `undoes` is what that takes back. */
	restore(
		earlier: Pick<Ruleset, 'rules' | 'version'> & {readonly undoes?: string},
		only: ReadonlySet<string> | undefined,
		signal: AbortSignal,
	): Promise<void>;
};

/** One change of the rules. */
type Change = {
	/** How the audit log calls it. */
	readonly what: string;
	readonly wanted: readonly RulesetRule[];
	/** The edit where `wanted` alone does not decide it. */
	readonly meant?: RulesetEdit | undefined;
	/** What it has done, as a sentence. */
	done(now: Ruleset): string;
	/** What is not known when its answer is lost: "whether the rule is paused". */
	readonly unknown: string;
};

export const createCustomRuleWrites: Slice<CustomRuleWrites> = (_set, get, {session}) => {
	function open(): CustomRulesState {
		const customRules = get().customRules.data;
		if (!customRules) throw new Failure('internal', 'No zone is open.');
		return customRules;
	}

	const list: RulesetList = {
		called: 'custom rules',
		screen: 'customRules',
		subject: {kind: 'custom rules'},
		open: () => get().customRules.data,
		showChanged(zone, now) {
			get().customRules.show(zone.id, now, {moving: undefined});
			return 'The list shows the current rules: make the change again.';
		},
		read: signal => get().customRules.load(signal),
		isStale: () => get().customRules.markStale(),
		async restore(then, only, signal) {
			const {zone, ...state} = open();
			const now = rulesOf(state);
			const reasons = findCustomRuleReasons(zone, now, restored(now, then.rules, only));
			if (reasons.length === 0) return get().customRules.restore(then, only, signal);
			askForZoneName(
				get(),
				zone,
				{reasons, does: 'restore it'},
				() =>
					void get().work.run(
						'restoring custom rules',
						'write',
						within => get().customRules.restore(then, only, within),
						{kind: 'custom rules'},
					),
			);
		},
	};

	async function make({what, wanted, meant, done, unknown}: Change, signal: AbortSignal): Promise<void> {
		const {zone, ruleset, ...rest} = open();
		const before = rulesOf({ruleset, ...rest});
		session.refuseWhenReadOnly(what);
		const least = editTo(before, wanted);
		const edit = least && (meant ?? least);
		if (!edit) {
			get().customRules.endMove();
			return get().messages.say('Nothing differs, so nothing was sent.');
		}
		const write: RulesetWrite = {
			what,
			send: client =>
				changeRuleset(
					client,
					{zone: zone.id, phase: customPhase, shown: ruleset, edit, where: rulesCommand(zone, ['list'])},
					{signal},
				),
			show(now) {
				const sentence = done(now);
				const undo = {done: sentence, rules: before, version: now.version};
				get().customRules.show(zone.id, now, {moving: undefined, undo});
				return sentence;
			},
			unknown,
		};
		await writeRuleset(get, session, list, write, signal);
	}

	return {
		pause: (rule, paused, signal) =>
			make(
				{
					what: `${paused ? 'pause' : 'resume'} custom rule ${rule.id}`,
					wanted: rulesOf(open()).map(one => (one.id === rule.id ? {...one, enabled: !paused} : one)),
					done: () => `The rule is ${paused ? 'paused' : 'in force again'}: ${formatRuleName(rule)}.`,
					unknown: `whether the rule is ${paused ? 'paused' : 'in force again'}`,
				},
				signal,
			),
		delete: (rule, signal) =>
			make(
				{
					what: `delete custom rule ${rule.id}`,
					wanted: rulesOf(open()).filter(({id}) => id !== rule.id),
					done: () => `Rule deleted: ${formatRuleName({...rule, action: doing(rule)})}.`,
					unknown: 'whether the rule is deleted',
				},
				signal,
			),
		sendMove(signal) {
			const {moving} = open();
			if (!moving) return Promise.resolve();
			const {id, order} = moving;
			const place = placeOfRule(order, {id});
			return make(
				{
					what: `move custom rule ${id} to place ${place}`,
					wanted: order,
					// Two rules that change places could be moved either way: the named one is moved.
					meant: moveTo(order, id),
					done: ({rules}) => `Rule moved to place ${placeOfRule(rules, {id})} of ${rules.length}: ${id}.`,
					unknown: 'at which place the rule is',
				},
				signal,
			);
		},
		async create(wanted, count, signal) {
			let made: Ruleset | undefined;
			await make(
				{
					what: `create ${counted(count, 'custom rule')}`,
					wanted,
					done(now) {
						made = now;
						return `Created ${counted(count, 'custom rule')}: ${now.rules.length} now, version ${now.version}.`;
					},
					unknown: 'whether the custom rules were created',
				},
				signal,
			);
			return made;
		},
		restore: ({rules, version, undoes}, only, signal) =>
			make(
				{
					what: `restore version ${version} of the custom rules`,
					wanted: restored(rulesOf(open()), rules, only),
					done: now =>
						undoes === undefined
							? `Restored version ${version}, which is version ${now.version} now.`
							: `Undone: ${undoes}`,
					unknown: 'whether the rules were restored',
				},
				signal,
			),
	};
};
