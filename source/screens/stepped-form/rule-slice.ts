import type {Key} from '../../keyboard/key.ts';
import type {Slice} from '../../store/slice.ts';
import type {ZoneWithLabel} from '../firewall/state.ts';
import {enterRow, typeInAbout} from './about.ts';
import type {RuleBackend} from './rule-backend.ts';
import {createRuleFlow, type RuleFlow} from './rule-flow.ts';
import {
	explainFinding,
	type RuleChoice,
	type RuleForm,
	type RuleKind,
	toReview,
	toStep,
} from './rule-form.ts';
import {createExpressionTyping, type ExpressionTyping} from './rule-typing.ts';
import {type FormEnding, getRuleFormId} from './state.ts';

/** A rule form, and the operations of its keys and its view. */
export type RuleFormSlice<Form, Purpose> = {
	readonly data: Form | undefined;
	readonly form: ExpressionTyping & RuleFlow;
	/**
	 * Starts a new form in the open zone. Warns and keeps the current form while it is sending or shows a
	 * result.
	 */
	begin(purpose: Purpose): void;
	/** Updates the form; a change of step restarts the review timer. */
	change(part: Partial<Form>): void;
	/** Starts a form from a draft. */
	resume(purpose: Purpose, zone: ZoneWithLabel, restore: (newForm: Form) => Form): void;
	/** Applies a key to the text. Returns false if the key has no meaning there. */
	type(key: Key): boolean;
	/** Moves from a line of the step `about` to the next, and from the last to the first. */
	goToNextLine(): void;
	/** Goes to the next step, or warns why it cannot; does nothing in the review. */
	goToNextStep(): void;
	/** Goes back one step, or from an ending to the review. Returns false if only leaving is possible. */
	goToPreviousStep(): boolean;
	/** Chooses an action, which may be unknown to this version if the rule already has it. */
	chooseAction(action: string): void;
	/** Moves the cursor in the names to skip or bypass. */
	moveChoiceCursor(distance: number): void;
	toggleChoice(): void;
	/** Sends what the review shows, unless it was visible too briefly. */
	send(): Promise<void>;
	decide(choice: RuleChoice): Promise<void>;
};

/** Creates the slice of a rule form: expression, action, settings, review, and result. */
export function createRuleForm<Form extends RuleForm<Purpose, Ending>, Purpose, Ending extends FormEnding>(
	kind: RuleKind<Form, Purpose, Ending>,
	backend: RuleBackend<Form, Purpose, Ending>,
	...[set, get, ports]: Parameters<Slice<RuleFormSlice<Form, Purpose>>>
): RuleFormSlice<Form, Purpose> {
	const {screen, chooser} = kind;
	const getForm = () => kind.getForm(get());
	const warn = (text: string) => get().messages.warn(text);
	let lastId = 0;
	const flow = createRuleFlow(kind, backend, set, get, ports);
	const {change} = flow;
	const expression = createExpressionTyping(get, getForm, change);

	/** Returns the form if it is asking for input. */
	function readAsking(): Form | undefined {
		const current = getForm();
		return current?.phase.name === 'asking' ? current : undefined;
	}

	function moveStep(current: Form, direction: 1 | -1): boolean {
		const steps = kind.listSteps(current);
		const step = steps[steps.indexOf(current.step) + direction];
		if (!step) return false;
		const {about} = current;
		if (step === 'review') change(current.id, toReview(kind, current));
		else
			change(current.id, {
				...toStep(current, step),
				...(step === 'about' && {about: enterRow(about, about.row)}),
			});
		return true;
	}

	function leaveExpression(current: Form) {
		if (current.filter) return void moveStep(current, 1);
		if (!expression.isSendable(current, kind.isSameExpression(current))) return;
		const hasAsked = backend.askAboutExpression?.(current, part => {
			const latestForm = readAsking();
			if (latestForm?.id === current.id) moveStep({...latestForm, ...part}, 1);
		});
		if (!hasAsked) moveStep(current, 1);
	}

	function leaveAction(current: Form) {
		const {id, action, choiceCursor, chosen} = current;
		if (action === undefined) return warn('Choose an action first.');
		if (action === chooser?.action) {
			if (choiceCursor === undefined) return change(id, {choiceCursor: 0});
			if (chosen.length === 0) return warn(chooser.noneWarning);
		}
		moveStep(current, 1);
		const warning = kind.getWarning?.(current);
		if (warning !== undefined) warn(warning);
	}

	function leaveAbout(current: Form) {
		const problem = kind.findOrderProblem(current);
		if (problem !== undefined) return warn(problem);
		const lines: readonly string[] = ['priority', 'description', 'response'];
		const error = kind
			.listFindings(current)
			.find(({about, severity}) => severity === 'error' && lines.includes(about));
		if (error) return warn(explainFinding(error));
		moveStep(current, 1);
	}

	return {
		data: undefined,
		form: {...expression.actions, ...flow.actions},
		send: flow.send,
		decide: flow.decide,
		begin(purpose) {
			const zone = backend.getOpenedZone();
			const openForm = getForm();
			if (openForm?.phase.name === 'sending')
				return warn('The previous one is still being sent: wait for its result before starting another.');
			if (openForm?.phase.name === 'ended')
				return warn('This is the result of the previous one: close it to start another.');
			if (!zone) return warn('Choose a zone first.');
			if (openForm) get().drafts.release(getRuleFormId(screen, openForm));
			flow.restartTimer();
			set({data: backend.begin(++lastId, purpose, zone)});
		},
		change(part) {
			const current = getForm();
			if (current) change(current.id, part);
		},
		resume(purpose, zone, restore) {
			flow.restartTimer();
			set({data: restore(backend.begin(++lastId, purpose, zone))});
		},
		type(key) {
			const current = readAsking();
			if (current?.step !== 'about') return expression.type(key);
			get().messages.clearSeen();
			const about = typeInAbout(current.about, kind.listRows(current), key);
			if (about) change(current.id, {about});
			return about !== undefined;
		},
		goToNextLine() {
			const current = readAsking();
			if (current?.step !== 'about') return;
			const rows = kind.listRows(current);
			const row = rows[(rows.indexOf(current.about.row) + 1) % rows.length];
			if (row) change(current.id, {about: enterRow(current.about, row)});
		},
		goToNextStep() {
			const current = readAsking();
			switch (current?.step) {
				case 'expression':
					return leaveExpression(current);
				case 'action':
					return leaveAction(current);
				case 'about':
					return leaveAbout(current);
			}
		},
		goToPreviousStep() {
			const current = getForm();
			if (!current || current.phase.name === 'sending') return false;
			if (current.phase.name === 'ended') {
				const nextForm = kind.stepBack(current, current.phase.ending);
				if (nextForm) change(current.id, nextForm);
				return nextForm !== undefined;
			}
			if (current.choiceCursor !== undefined) {
				change(current.id, {choiceCursor: undefined});
				return true;
			}
			return moveStep({...current, ...backend.getStepUndo?.(current)}, -1);
		},
		chooseAction(action) {
			const current = readAsking();
			if (current?.step !== 'action') return;
			const refusal = kind.getActionRefusal(current, action);
			if (refusal !== undefined) return warn(refusal);
			const {about} = current;
			const rows = kind.listRows({...current, action});
			const nextForm = {
				...current,
				action,
				about: {...about, row: rows.includes(about.row) ? about.row : (rows[0] ?? about.row)},
			};
			change(current.id, nextForm);
			leaveAction(nextForm);
		},
		moveChoiceCursor(distance) {
			const current = getForm();
			if (current?.choiceCursor === undefined) return;
			const lastIndex = (chooser?.names.length ?? 0) - 1;
			change(current.id, {choiceCursor: Math.max(0, Math.min(lastIndex, current.choiceCursor + distance))});
		},
		toggleChoice() {
			const current = getForm();
			const name = chooser?.names[current?.choiceCursor ?? -1];
			if (!current || !chooser || name === undefined) return;
			const {id, chosen} = current;
			if (chosen.includes(name)) return change(id, {chosen: chosen.filter(one => one !== name)});
			const refusal = chooser.getNameRefusal(current, name);
			if (refusal !== undefined) return warn(refusal);
			change(id, {chosen: [...chosen, name]});
			backend.onChoice?.(name);
		},
	};
}
