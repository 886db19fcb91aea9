import {contentTypes, type customActions} from '../../firewall/rules/custom-checks.ts';
import {sameCustomRule, sameRuleWarning} from '../../firewall/rules/custom-rule-settings.ts';
import {skippable} from '../../firewall/rules/skip.ts';
import type {Key} from '../../keyboard/key.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {edit} from '../../text/buffer/buffer.ts';
import {expressionOf} from '../expression-editor/editing.ts';
import {editCommandOf} from '../shell/edit-keys.ts';
import {
	findingsOf,
	placeOf,
	requestsOf,
	reviewing,
	ruleOf,
	rulesThere,
	whyNotAction,
	whyNotSkip,
} from './draft.ts';
import {
	type About,
	aboutRows,
	type CustomForm,
	customSteps,
	enterAboutLine,
	isTextRow,
	isTyping,
} from './state.ts';

export type CustomRuleSteps = {
	/** A key where text is typed. Returns whether it means anything there. */
	type(key: Key): boolean;
	/** From a line of the step `about` to the next one. */
	nextLine(): void;
	/** Goes to the next step, unless something stands against it; in the review nothing. */
	nextStep(): void;
	/** Goes back one step, from an ending to the review. Returns `false` where only leaving is left. */
	previousStep(): boolean;
	chooseAction(action: string): void;
	moveInSkips(by: number): void;
	toggleSkip(): void;
};

/** The part of the form that the steps need. */
type Steps = {
	change(id: number, part: Partial<CustomForm>): void;
	isSendable(form: CustomForm, stays: boolean): boolean;
	/** A key in the expression. */
	type(key: Key): boolean;
};

/** The steps of the form up to its review: nothing in it asks the service. */
export function createCustomRuleSteps(
	get: () => LedgeState,
	{change, isSendable, type}: Steps,
): CustomRuleSteps {
	function goTo(form: CustomForm, by: 1 | -1): boolean {
		const step = customSteps[customSteps.indexOf(form.step) + by];
		if (!step) return false;
		const {about} = form;
		change(form.id, {
			...(step === 'review' ? reviewing(form) : {step, skip: undefined}),
			...(step === 'about' && {about: enterAboutLine(about, about.row)}),
		});
		return true;
	}

	function leaveExpression(form: CustomForm) {
		const {editing, purpose} = form;
		const stays = purpose.kind === 'change' && purpose.rule.expression === expressionOf(editing);
		if (isSendable(form, stays)) goTo(form, 1);
	}

	function leaveAction(form: CustomForm) {
		const {action, skip, skipped} = form;
		if (action === undefined) return get().messages.warn('Choose an action first.');
		if (action === 'skip' && skip === undefined) return change(form.id, {skip: 0});
		if (action === 'skip' && skipped.length === 0)
			return get().messages.warn('Choose what is skipped: space chooses it.');
		const rule = ruleOf(form);
		const same = rule && sameCustomRule(rule, rulesThere(form));
		goTo(form, 1);
		if (same && form.purpose.kind === 'new') get().messages.warn(sameRuleWarning(same));
	}

	function leaveAbout(form: CustomForm) {
		const place = placeOf(form);
		if (typeof place === 'object') return get().messages.warn(place.problem);
		const wrong = findingsOf(form).find(
			({about, severity}) => severity === 'error' && (about === 'description' || about === 'response'),
		);
		if (wrong)
			return get().messages.warn([wrong.sentence, wrong.failure.details.why].filter(Boolean).join(' '));
		goTo(form, 1);
	}

	/** A key in the lines of the step `about`. */
	function typeAbout(form: CustomForm, key: Key): boolean {
		const {about} = form;
		const rows = aboutRows(form);
		const to = (by: number) => {
			const row = rows[Math.max(0, Math.min(rows.length - 1, rows.indexOf(about.row) + by))];
			if (row) change(form.id, {about: enterAboutLine(about, row)});
			return true;
		};
		if (key.name === 'up' || key.name === 'ctrl-p' || key.name === 'shift-tab') return to(-1);
		if (key.name === 'down' || key.name === 'ctrl-n') return to(1);
		const {row} = about;
		if (!isTextRow(row)) {
			const turns = key.name === 'space' || key.name === 'left' || key.name === 'right';
			if (turns) change(form.id, {about: switched(about, row, key.name === 'left' ? -1 : 1)});
			return turns;
		}
		const command = editCommandOf(key);
		if (!command) return false;
		change(form.id, {about: {...about, [row]: edit(about[row], command)}});
		return true;
	}

	return {
		type(key) {
			const form = get().customRule.data;
			if (form?.step !== 'about' || !isTyping(form)) return type(key);
			get().messages.clearRead();
			return typeAbout(form, key);
		},
		nextLine() {
			const form = get().customRule.data;
			if (form?.step !== 'about' || !isTyping(form)) return;
			const rows = aboutRows(form);
			const row = rows[(rows.indexOf(form.about.row) + 1) % rows.length];
			if (row) change(form.id, {about: enterAboutLine(form.about, row)});
		},
		nextStep() {
			const form = get().customRule.data;
			if (form?.phase.name !== 'asking') return;
			switch (form.step) {
				case 'expression':
					return leaveExpression(form);
				case 'action':
					return leaveAction(form);
				case 'about':
					return leaveAbout(form);
				case 'review':
					return;
				default:
					return form.step satisfies never;
			}
		},
		previousStep() {
			const form = get().customRule.data;
			if (!form || form.phase.name === 'sending') return false;
			if (form.phase.name === 'ended') {
				const {state} = form.phase.ending;
				if (state !== 'nothing' && state !== 'changed meanwhile') return false;
				change(form.id, {phase: {name: 'asking'}, ...reviewing(form)});
				return true;
			}
			if (form.skip !== undefined) {
				change(form.id, {skip: undefined});
				return true;
			}
			return goTo(form, -1);
		},
		chooseAction(action) {
			const form = get().customRule.data;
			if (form?.step !== 'action' || form.phase.name !== 'asking') return;
			const why = whyNotAction(form, action);
			if (why !== undefined) return get().messages.warn(why);
			const rows = aboutRows({...form, action});
			const {about} = form;
			const on = {action, about: rows.includes(about.row) ? about : {...about, row: rows[0] ?? about.row}};
			change(form.id, on);
			leaveAction({...form, ...on});
		},
		moveInSkips(by) {
			const form = get().customRule.data;
			if (form?.skip === undefined) return;
			change(form.id, {skip: Math.max(0, Math.min(skippable.length - 1, form.skip + by))});
		},
		toggleSkip() {
			const form = get().customRule.data;
			const name = form?.skip === undefined ? undefined : skippable[form.skip];
			if (!form || name === undefined) return;
			const {skipped} = form;
			if (skipped.includes(name)) return change(form.id, {skipped: skipped.filter(one => one !== name)});
			const why = whyNotSkip(form, name);
			if (why !== undefined) return get().messages.warn(why);
			change(form.id, {skipped: [...skipped, name]});
		},
	};
}

/** A line that is not text, switched to its next value. */
function switched(about: About, row: 'paused' | 'logged' | 'type', by: 1 | -1): About {
	if (row !== 'type') return {...about, [row]: !about[row]};
	const known: readonly string[] = contentTypes;
	const at = known.indexOf(about.type);
	const type = known[(Math.max(0, at) + by + known.length) % known.length] ?? about.type;
	return {...about, type: at < 0 ? (known[0] ?? about.type) : type};
}

/** Why it cannot be sent. */
export function obstacleOf(form: CustomForm): string | undefined {
	const {purpose} = form;
	if (purpose.kind === 'change' && !rulesThere(form).some(({id}) => id === purpose.rule.id))
		return 'The rule is gone: it was deleted elsewhere.';
	if (requestsOf(form).length === 0) return 'Nothing was changed, so there is nothing to send.';
	const wrong = findingsOf(form).find(({severity}) => severity === 'error');
	return wrong && [wrong.sentence, wrong.failure.details.why].filter(Boolean).join(' ');
}

/** The actions in the order in which they are offered, with what each does to a request. */
export const aboutCustomActions: Readonly<Record<(typeof customActions)[number], string>> = {
	block: 'refuses the request, with an answer of its own if you like',
	managed_challenge: 'the service chooses a challenge that fits the visitor',
	js_challenge: 'the browser has to run a script before it continues',
	challenge: 'the visitor has to solve an interactive challenge',
	log: 'only notes it; the rules after it are looked at',
	skip: 'lets it past rules and products that you choose next',
};
