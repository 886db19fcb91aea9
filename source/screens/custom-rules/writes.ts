import {Failure} from '../../failure.ts';
import {rulesCommand} from '../../firewall/continuation.ts';
import {doing} from '../../firewall/rules/custom-rule-words.ts';
import {changeRuleset, type Meanwhile, meanwhileSections} from '../../rulesets/change.ts';
import type {RulesetEdit} from '../../rulesets/edit.ts';
import {editTo, moveTo, restored} from '../../rulesets/edit-to.ts';
import {customPhase, type Ruleset, type RulesetRule} from '../../rulesets/ruleset.ts';
import type {Slice} from '../../store/slice.ts';
import {counted} from '../../text/figures.ts';
import type {OpenedZone} from '../firewall/slice.ts';
import {placeOf} from '../firewall/writes.ts';
import {type CustomRulesState, placeOfRule, rulesOf} from './state.ts';

/** A rule that the zone has. */
export type RuleThere = RulesetRule & {readonly id: string};

/** What is changed from the list of custom rules: each with one call, after which the list shows what the service answered. */
export type CustomRuleWrites = {
	pauseCustomRule(rule: RuleThere, paused: boolean, signal: AbortSignal): Promise<void>;
	deleteCustomRule(rule: RuleThere, signal: AbortSignal): Promise<void>;
	/** Sends the order of the preview. */
	sendMove(signal: AbortSignal): Promise<void>;
	/** Creates new rules among the others with one call; returns the rules afterwards, or nothing where nothing differs. */
	makeCustomRules(
		wanted: readonly RulesetRule[],
		count: number,
		signal: AbortSignal,
	): Promise<Ruleset | undefined>;
	/** Puts rules of an earlier state in force again, all of them or those of these ids. */
	restoreCustomRules(
		earlier: Pick<Ruleset, 'rules' | 'version'>,
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
		const {customRules} = get();
		if (!customRules) throw new Failure('internal', 'No zone is open.');
		return customRules;
	}

	async function make({what, wanted, meant, done, unknown}: Change, signal: AbortSignal): Promise<void> {
		const {zone, ruleset, ...rest} = open();
		const before = rulesOf({ruleset, ...rest});
		session.refuseWhenReadOnly(what);
		const least = editTo(before, wanted);
		const edit = least && (meant ?? least);
		if (!edit) return get().say('Nothing differs, so nothing was sent.');
		const place = await session.permit(placeOf(zone), what);
		const client = await session.client();
		const outcome = await session.audited(
			what,
			place,
			() =>
				changeRuleset(
					client,
					{zone: zone.id, phase: customPhase, shown: ruleset, edit, where: rulesCommand(zone, ['list'])},
					{signal},
				),
			result => ('failure' in result ? result.failure : undefined),
		);
		switch (outcome.state) {
			case 'done': {
				const sentence = done(outcome.ruleset);
				const {version} = outcome.ruleset;
				get().showCustomRules(zone.id, outcome.ruleset, {
					moving: undefined,
					undo: {done: sentence, rules: before, version},
				});
				get().say(
					outcome.lost ? `${sentence} The answer was lost; reading the current state found it.` : sentence,
				);
				if (outcome.meanwhile) report(zone, outcome.meanwhile);
				return;
			}
			case 'changed meanwhile':
				get().showCustomRules(zone.id, outcome.now, {moving: undefined});
				throw outcome.failure.with({next: 'The list shows the current rules: make the change again.'});
			case 'nothing': {
				await readAgain(zone, signal);
				throw outcome.failure;
			}
			case 'unsure':
				if (get().customRules?.zone.id === zone.id) get().customRulesAreStale();
				throw new Failure(outcome.failure.code, `It is not known ${unknown}.`, {
					...outcome.failure.details,
					why: [outcome.failure.message, outcome.failure.details.why].filter(Boolean).join('\n'),
					next: 'ctrl-r reads the current rules.',
				});
		}
	}

	/** Reads the list after a change that failed, if its zone is still in front. */
	async function readAgain(zone: OpenedZone, signal: AbortSignal): Promise<void> {
		if (signal.aborted || get().customRules?.zone.id !== zone.id) return;
		try {
			await get().loadCustomRules(signal);
		} catch {
			get().customRulesAreStale();
		}
	}

	/** What others did at the same time; what was overwritten of it is offered back. */
	function report(zone: OpenedZone, meanwhile: Meanwhile): void {
		const {overwritten, version} = meanwhile;
		const lines = meanwhileSections(meanwhile).flatMap(({title, changes}) => [title, ...changes]);
		const ids = new Set(overwritten.flatMap(({rule}) => rule.id ?? []));
		const canRestore = version !== undefined && ids.size > 0;
		get().open({
			kind: 'choice',
			title: 'Someone else changed these rules',
			lines,
			choices: [
				...(canRestore ? [{value: 'restore', label: 'Restore what was overwritten'}] : []),
				{value: 'leave', label: 'Leave the rules as they are now'},
			],
			choose(value) {
				if (value !== 'restore' || version === undefined) return;
				void get().run('restoring custom rules', 'write', async signal => {
					const {rulesetVersion} = await import('../../rulesets/calls.ts');
					const id = get().customRules?.ruleset?.id;
					const client = await session.client();
					const then = id && (await rulesetVersion(client, zone.id, id, version, signal));
					if (!then)
						throw new Failure(
							'not_found',
							`The service has no version ${version} of these rules any longer.`,
						);
					await get().restoreCustomRules(then, ids, signal);
				});
			},
		});
	}

	return {
		pauseCustomRule: (rule, paused, signal) =>
			make(
				{
					what: `${paused ? 'pause' : 'resume'} custom rule ${rule.id}`,
					wanted: rulesOf(open()).map(one => (one.id === rule.id ? {...one, enabled: !paused} : one)),
					done: () => `The rule is ${paused ? 'paused' : 'in force again'}: ${rule.id}.`,
					unknown: `whether the rule is ${paused ? 'paused' : 'in force again'}`,
				},
				signal,
			),
		deleteCustomRule: (rule, signal) =>
			make(
				{
					what: `delete custom rule ${rule.id}`,
					wanted: rulesOf(open()).filter(({id}) => id !== rule.id),
					done: () => `Rule deleted (${doing(rule)}): ${rule.id}. u restores it.`,
					unknown: 'whether the rule is deleted',
				},
				signal,
			),
		async sendMove(signal) {
			const {moving} = open();
			if (!moving) return;
			const {id, order} = moving;
			const place = placeOfRule(order, {id});
			await make(
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
		async makeCustomRules(wanted, count, signal) {
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
		restoreCustomRules: ({rules, version}, only, signal) =>
			make(
				{
					what: `restore version ${version} of the custom rules`,
					wanted: restored(rulesOf(open()), rules, only),
					done: now => `Restored version ${version}, which is version ${now.version} now.`,
					unknown: 'whether the rules were restored',
				},
				signal,
			),
	};
};
