import {findQuotaError} from '../../firewall/rules/checks.ts';
import type {TargetMatch} from '../../firewall/rules/targets.ts';
import type {Key} from '../../keyboard/key.ts';
import type {Slice} from '../../store/slice.ts';
import {getBufferText} from '../../text/buffer/buffer.ts';
import {createExpressionEditing, getTypedExpression} from '../expression-editor/editing.ts';
import {askToConfirm} from '../shell/confirmation.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import {createLine, enterRow, typeInAbout} from './about-fields.ts';
import type {RuleBackend} from './rule-backend.ts';
import {formatEndText, withTypedEnd} from './rule-end.ts';
import {createRuleFlow, type RuleFlow} from './rule-flow.ts';
import {
	explainFinding,
	findAboutProblem,
	type RuleChoice,
	type RuleForm,
	type RuleKind,
	toReview,
	toStep,
} from './rule-form.ts';
import {createMatchCounter} from './rule-matches.ts';
import {createExpressionTyping, describeTableErrors, type ExpressionTyping} from './rule-typing.ts';
import {type FormEnding, getRuleFormId} from './state.ts';
import {findTypedTargets} from './typed-targets.ts';

/** A rule form, and the operations of its keys and its view. */
export type RuleFormSlice<Form, Purpose> = {
	readonly data: Form | undefined;
	readonly operations: ExpressionTyping & RuleFlow;
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
	/** Counts the latest security events that the expression matches, and reports them below it. */
	countMatches(): Promise<void>;
	/** Keeps the cursor of the menu of actions, also while something is drawn over it. */
	pointAction(action: string): void;
	/** Chooses an action, which may be unknown to this version if the rule already has it. */
	chooseAction(action: string): void;
	/** Moves the cursor in the names to skip or bypass; an infinite distance goes to the end. */
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
	const expressionTyping = createExpressionTyping(get, getForm, change);

	/** Returns the form if it is asking for input. */
	function getAskingForm(): Form | undefined {
		const currentForm = getForm();
		return currentForm?.phase.name === 'asking' ? currentForm : undefined;
	}

	function moveStep(previousForm: Form, direction: 1 | -1): boolean {
		const currentForm =
			previousForm.step === 'about' && kind.listRows(previousForm).includes('ends')
				? withTypedEnd(previousForm, getBufferText(previousForm.aboutFields.ends))
				: previousForm;
		const steps = kind.listSteps(currentForm);
		const step = steps[steps.indexOf(currentForm.step) + direction];
		if (!step) return false;
		const {action, editing} = currentForm;
		const aboutFields = {
			...currentForm.aboutFields,
			ends: createLine(formatEndText(getTypedExpression(editing))),
		};
		if (step === 'review') change(currentForm.id, toReview(kind, currentForm));
		else
			change(currentForm.id, {
				...toStep(currentForm, step),
				...(step === 'about' && {aboutFields: enterRow(aboutFields, aboutFields.cursorRow)}),
				// Back to the names chosen last, not past them.
				...(step === 'action' && direction === -1 && action === chooser?.action && {choiceCursor: 0}),
			});
		return true;
	}

	function leaveExpression(currentForm: Form) {
		if (currentForm.filter) return void moveStep(currentForm, 1);
		const targets = findTypedTargets(currentForm);
		if (!targets) return leaveTypedExpression(currentForm);
		if (targets.error !== undefined) return warn(`Can't be sent: ${targets.error}`);
		if (targets.kind === 'one') continueWithExpression(currentForm, targets.expression);
		else askMatch(currentForm, targets);
	}

	/** Replaces the typed addresses or paths by their expression, and continues. */
	function continueWithExpression({id, zone}: Form, expression: string) {
		change(id, {editing: createExpressionEditing(expression, zone)});
		const latestForm = getAskingForm();
		if (latestForm?.id === id && latestForm.step === 'expression') leaveTypedExpression(latestForm);
	}

	/** Asks whether addresses and paths must both match, or either. */
	function askMatch({id}: Form, {all, any}: Readonly<Record<TargetMatch, string>>) {
		get().dialog.open({
			kind: 'choice',
			title: 'Match both, or either?',
			lines: [`Both: ${all}`, `Either: ${any}`],
			choices: [
				{value: 'all', label: 'These sources on these paths only'},
				{value: 'any', label: 'These sources everywhere, and these paths for everyone'},
				{value: 'change', label: 'Back to the expression'},
			],
			choose(value) {
				const form = getAskingForm();
				if (form?.id !== id || form.step !== 'expression' || value === 'change') return;
				continueWithExpression(form, value === 'all' ? all : any);
			},
		});
	}

	function leaveTypedExpression(currentForm: Form) {
		const isAccepted = kind.isExpressionAccepted(currentForm);
		const tableErrors = isAccepted ? [] : describeTableErrors(currentForm);
		if (tableErrors.length > 0)
			askToConfirm(
				get(),
				{
					title: 'Use it, in case the service is newer than ledge?',
					lines: tableErrors,
					actionLabel: 'use it',
				},
				undefined,
				() => {
					const latestForm = getAskingForm();
					if (latestForm?.id === currentForm.id && latestForm.step === 'expression')
						continueFromExpression(latestForm);
				},
			);
		else if (expressionTyping.isSendable(currentForm, isAccepted)) continueFromExpression(currentForm);
	}

	function continueFromExpression(currentForm: Form) {
		const hasAsked = backend.askAboutExpression?.(currentForm, part => {
			const latestForm = getAskingForm();
			if (latestForm?.id === currentForm.id) moveStep({...latestForm, ...part}, 1);
		});
		if (!hasAsked) moveStep(currentForm, 1);
	}

	function leaveAction(currentForm: Form) {
		const {id, action, choiceCursor, chosenNames} = currentForm;
		if (action === undefined) return warn('Choose an action first.');
		if (action === chooser?.action) {
			if (choiceCursor === undefined) return change(id, {choiceCursor: 0});
			if (chosenNames.length === 0) return warn(chooser.noneWarning);
		}
		moveStep(currentForm, 1);
		const warning = kind.getWarning?.(currentForm);
		if (warning !== undefined) warn(warning);
	}

	function leaveAbout(currentForm: Form) {
		const problem = findAboutProblem(kind, currentForm);
		if (problem !== undefined) return warn(problem);
		const aboutStepSubjects: readonly string[] = ['priority', 'description', 'response'];
		const error = kind
			.listFindings(currentForm)
			.find(({about, severity}) => severity === 'error' && aboutStepSubjects.includes(about));
		if (error) return warn(explainFinding(error));
		moveStep(currentForm, 1);
	}

	return {
		data: undefined,
		operations: {...expressionTyping.actions, ...flow.actions},
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
			const newForm = getForm();
			const isFull =
				newForm &&
				findQuotaError(kind.listFindings({...newForm, action: newForm.action ?? 'block'})) !== undefined;
			// Short, because the status line is.
			if (isFull)
				warn(
					`${['Rule limit reached: delete a rule', kind.describeQuotaAlternative?.()].filter(Boolean).join(', or ')}.`,
				);
		},
		change(part) {
			const currentForm = getForm();
			if (currentForm) change(currentForm.id, part);
		},
		resume(purpose, zone, restore) {
			flow.restartTimer();
			set({data: restore(backend.begin(++lastId, purpose, zone))});
		},
		type(key) {
			const currentForm = getAskingForm();
			if (currentForm?.step !== 'about') return expressionTyping.type(key);
			get().messages.clearSeen();
			const aboutFields = typeInAbout(currentForm.aboutFields, kind.listRows(currentForm), key);
			if (aboutFields) change(currentForm.id, {aboutFields});
			return aboutFields !== undefined;
		},
		goToNextLine() {
			const currentForm = getAskingForm();
			if (currentForm?.step !== 'about') return;
			const rows = kind.listRows(currentForm);
			const row = rows[(rows.indexOf(currentForm.aboutFields.cursorRow) + 1) % rows.length];
			if (row) change(currentForm.id, {aboutFields: enterRow(currentForm.aboutFields, row)});
		},
		goToNextStep() {
			const currentForm = getAskingForm();
			switch (currentForm?.step) {
				case 'expression':
					return leaveExpression(currentForm);
				case 'action':
					return leaveAction(currentForm);
				case 'about':
					return leaveAbout(currentForm);
			}
		},
		goToPreviousStep() {
			const currentForm = getForm();
			if (!currentForm || currentForm.phase.name === 'sending') return false;
			if (currentForm.phase.name === 'ended') {
				const nextForm = kind.stepBack(currentForm, currentForm.phase.ending);
				if (nextForm) change(currentForm.id, nextForm);
				return nextForm !== undefined;
			}
			if (currentForm.choiceCursor !== undefined) {
				change(currentForm.id, {choiceCursor: undefined});
				return true;
			}
			return moveStep({...currentForm, ...backend.getStepUndo?.(currentForm)}, -1);
		},
		countMatches: createMatchCounter(get, getForm, change, ports),
		pointAction(pointedAction) {
			const currentForm = getForm();
			if (currentForm?.step === 'action') change(currentForm.id, {pointedAction});
		},
		chooseAction(action) {
			const currentForm = getAskingForm();
			if (currentForm?.step !== 'action') return;
			const refusal = kind.getActionRefusal(currentForm, action);
			if (refusal !== undefined) return warn(refusal);
			const {aboutFields} = currentForm;
			const rows = kind.listRows({...currentForm, action});
			const nextForm: Form = {
				...currentForm,
				action,
				aboutFields: {
					...aboutFields,
					cursorRow: rows.includes(aboutFields.cursorRow)
						? aboutFields.cursorRow
						: (rows[0] ?? aboutFields.cursorRow),
				},
			};
			change(currentForm.id, nextForm);
			leaveAction(nextForm);
		},
		moveChoiceCursor(distance) {
			const currentForm = getForm();
			if (currentForm?.choiceCursor === undefined) return;
			const lastIndex = (chooser?.names.length ?? 0) - 1;
			change(currentForm.id, {
				choiceCursor: Math.max(0, Math.min(lastIndex, currentForm.choiceCursor + distance)),
			});
		},
		toggleChoice() {
			const currentForm = getForm();
			const name = chooser?.names[currentForm?.choiceCursor ?? -1];
			if (!currentForm || !chooser || name === undefined) return;
			const {id, chosenNames} = currentForm;
			if (chosenNames.includes(name))
				return change(id, {chosenNames: chosenNames.filter(one => one !== name)});
			const refusal = chooser.getNameRefusal(currentForm, name);
			if (refusal !== undefined) return warn(refusal);
			change(id, {chosenNames: [...chosenNames, name]});
			backend.onChoice?.(name);
		},
	};
}
