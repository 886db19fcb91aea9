import {rulesCommand} from '../../firewall/continuation.ts';
import {doing} from '../../firewall/rules/custom-rule-words.ts';
import {customPhase, type Ruleset} from '../../rulesets/ruleset.ts';
import type {Slice} from '../../store/slice.ts';
import {rulesOf} from '../custom-rules/state.ts';
import type {OpenedZone} from '../firewall/state.ts';
import {placeOf} from '../firewall/writes.ts';
import type {Work} from '../shell/work-slice.ts';
import {formId} from '../stepped-form/draft-form.ts';
import {createSteppedForm, type SteppedForm} from '../stepped-form/engine.ts';
import {editOf, nameReasonsOf, ruleOf} from './draft.ts';
import {
	type CustomChoice,
	customChoicesOf,
	customOnward,
	isLost,
	isUnused,
	lastWordsOf,
	leavingLines,
	sentenceOf,
} from './ending.ts';
import {
	beginningOf,
	type CustomDoing,
	type CustomEnding,
	type CustomForm,
	type CustomPurpose,
	isTyping,
} from './state.ts';
import {type CustomRuleSteps, createCustomRuleSteps, obstacleOf} from './steps.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly customRule: CustomRuleSlice;
	}
}

type CustomRuleSlice = CustomRuleSteps & {
	readonly data: CustomForm | undefined;
	readonly form: SteppedForm;
	/** Begins in the zone whose custom rules are open; while something is sent, that is shown. */
	begin(purpose: CustomPurpose): void;
	/** Opens it with what a draft holds. */
	resume(
		purpose: CustomPurpose,
		zone: OpenedZone,
		ruleset: Ruleset | undefined,
		restore: (begun: CustomForm) => CustomForm,
	): void;
	/** Sends what the review shows, if there was time to look at it. */
	send(): Promise<void>;
	decide(choice: CustomChoice): Promise<void>;
};

/** The form of a custom rule: an expression, an action, a place, a look at the request, and what became of it. */
export const createCustomRuleSlice: Slice<CustomRuleSlice> = (set, get, ports) => {
	const {session} = ports;
	let numbered = 0;
	const form = createSteppedForm<CustomDoing, CustomEnding, CustomForm>(get, ports, {
		screen: 'customRule',
		noun: 'custom rule',
		list: 'customRules',
		key: 'n',
		read: () => get().customRule.data,
		show: customRule => set({data: customRule}),
		asks: ['phase', 'step'],
		adjusted: current => current,
		isTyping: current => current.step === 'expression' && isTyping(current),
		isLost,
		leavingLines,
		leftSentence: ({phase, ...rest}) => (phase.name === 'ended' ? sentenceOf(rest, phase.ending) : undefined),
		lastWords: lastWordsOf,
		ended: (current, ending) => ({
			sentence: sentenceOf(current, ending),
			isDone: !isUnused(ending),
			changes: undefined,
			made: undefined,
		}),
	});

	/** Does something at the service, and shows what became of it, in the list of the zone, too. */
	const sending = (
		current: CustomForm,
		{label, subject}: Pick<Work, 'label' | 'subject'>,
		doingNow: CustomDoing,
		work: (signal: AbortSignal) => Promise<CustomEnding>,
	): Promise<void> =>
		form.send(
			current,
			{label, subject},
			doingNow,
			async signal => {
				const place = await session.permit(placeOf(current.zone), label);
				return session.audited(
					auditLine(current),
					place,
					() => work(signal),
					made => ('failure' in made ? made.failure : undefined),
				);
			},
			ending => {
				show(current, ending);
				form.finish(current.id, ending);
			},
		);

	/** What the list shows after it. */
	function show(current: CustomForm, ending: CustomEnding): void {
		const {id} = current.zone;
		switch (ending.state) {
			case 'done': {
				const {version} = ending.ruleset;
				const undo = {
					done: sentenceOf(current, ending),
					rules: rulesOf({ruleset: current.ruleset}),
					version,
				};
				get().customRules.show(id, ending.ruleset, {undo});
				if (ending.rule?.id !== undefined) get().customRules.point(ending.rule.id, id);
				return;
			}
			case 'changed meanwhile':
				get().customRules.show(id, ending.now);
				return;
			case 'unsure':
				if (get().customRules.data?.zone.id === id) get().customRules.markStale();
				return;
			case 'nothing':
				return;
			default:
				ending satisfies never;
		}
	}

	return {
		...createCustomRuleSteps(get, form),
		data: undefined,
		form: form.actions,
		begin(purpose) {
			const customRules = get().customRules.data;
			const customRule = get().customRule.data;
			if (customRule?.phase.name === 'sending')
				return get().messages.warn('The custom rule that was reviewed before is still being sent.');
			if (customRule?.phase.name === 'ended')
				return get().messages.warn('This is the result of the last one: leave it to begin another.');
			if (!customRules) return get().messages.warn('Choose a zone first.');
			if (customRule) get().drafts.release(formId('customRule', customRule));
			form.comesUp();
			set({data: beginningOf(++numbered, purpose, customRules.zone, customRules.ruleset)});
		},
		resume(purpose, zone, ruleset, restore) {
			form.comesUp();
			set({data: restore(beginningOf(++numbered, purpose, zone, ruleset))});
		},
		async send() {
			const current = get().customRule.data;
			if (current?.step !== 'review' || current.phase.name !== 'asking' || !form.isLookedAt()) return;
			const obstacle = obstacleOf(current);
			if (obstacle !== undefined) return get().messages.warn(obstacle);
			const edit = editOf(current);
			const label = current.purpose.kind === 'new' ? 'creating a custom rule' : 'changing a custom rule';
			if (!edit || !form.mayWrite(label)) return;
			const {zone, ruleset} = current;
			await form.confirmed(current, nameReasonsOf(current), () =>
				sending(current, {label, subject: {kind: 'custom rules'}}, 'rule', async signal => {
					const {changeRuleset} = await import('../../rulesets/change.ts');
					const where = rulesCommand(zone, ['list']);
					return changeRuleset(
						await session.client(),
						{zone: zone.id, phase: customPhase, shown: ruleset, edit, where},
						{signal, onLook: () => form.change(current.id, {phase: {name: 'sending', doing: 'looking'}})},
					);
				}),
			);
		},
		async decide(choice) {
			const current = get().customRule.data;
			if (current?.phase.name !== 'ended' || !form.isLookedAt()) return;
			if (!customChoicesOf(current).some(({does}) => does === choice.does)) return;
			const {id, phase} = current;
			const {ending} = phase;
			switch (choice.does) {
				case 'leave':
					return form.leaveChosen(current, false);
				case 'look again':
					if (ending.state !== 'unsure') return;
					await sending(current, {label: 'reading the current state'}, 'looking', async signal =>
						ending.lookAgain(await session.client(), {signal}),
					);
					return form.warnIfUnknown(id);
				default: {
					const on = customOnward(current, choice.does);
					if (on) form.change(id, on);
				}
			}
		},
	};
};

/** How the audit log calls the write, before it has an id. */
function auditLine(form: CustomForm): string {
	const rule = ruleOf(form);
	const does = rule ? ` (${doing(rule)})` : '';
	return form.purpose.kind === 'new'
		? `create custom rule${does}`
		: `update custom rule ${form.purpose.rule.id}`;
}
