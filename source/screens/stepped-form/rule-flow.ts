import {type Failure, toFailure} from '../../failure.ts';
import {readEngineMessage} from '../../firewall/expression/expressions.ts';
import {getRefusalBody} from '../../service/refusal.ts';
import {markPermitted} from '../../session/write-place.ts';
import type {Slice} from '../../store/slice.ts';
import {getTypedExpression, withServiceRefusal} from '../expression-editor/editing.ts';
import {toWritePlace} from '../firewall/write-runner.ts';
import {askToConfirm} from '../shell/confirmation.ts';
import {askToClose} from '../shell/form-actions.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import {withTimeout} from '../shell/with-timeout.ts';
import {createReviewTimer, type ReviewTimer} from '../write-flow/review-timer.ts';
import {describeEndingElsewhere} from './ending-elsewhere.ts';
import type {RuleBackend, SendForm} from './rule-backend.ts';
import {
	findFormObstacle,
	hasUnfinishedWork,
	type ProgressStep,
	type RuleChoice,
	type RuleForm,
	type RuleKind,
} from './rule-form.ts';
import {type FormEnding, getRuleFormId} from './state.ts';

/** Operations on a form from its review on, for its keys and its view. */
export type RuleFlow = {
	scroll(distance: number, lastTop: number): void;
	/** Switches between requests and `curl` lines. */
	toggleView(): void;
	/** Moves the cursor in the choices after the end. */
	setEndingCursor(cursor: number): void;
	readonly noticeDrawn: ReviewTimer['noticeDrawn'];
	/** Stops sending, then reads and reports the current state. */
	cancel(): void;
	/** True if leaving loses input, or leaves a filter without its rule. */
	isTouched(): boolean;
	/** Describes what leaving would lose; undefined if nothing. */
	describeLoss(): readonly string[] | undefined;
	/** Stops sending, and waits for the current state, for at most `maxQuitDelayMs`. */
	end(): Promise<void>;
	/**
	 * Returns the message to print after quitting; undefined if everything was seen and nothing is left over.
	 */
	getQuitMessage(): string | undefined;
	/** Closes the form. Sending continues, and the input stays as a draft. */
	leave(): void;
	/** Closes the form without keeping a draft. */
	discard(): void;
};

/** Maximum time to wait for the current state before quitting, in milliseconds. */
const maxQuitDelayMs = 6000;

/** Creates the part of a form from its review on: confirm, send, settle, report, leave. */
export function createRuleFlow<Form extends RuleForm<Purpose, Ending>, Purpose, Ending extends FormEnding>(
	kind: RuleKind<Form, Purpose, Ending>,
	backend: RuleBackend<Form, Purpose, Ending>,
	...[set, get, ports]: Parameters<Slice<{readonly data: Form | undefined}>>
) {
	const {session} = ports;
	const {screen} = kind;
	const timer = createReviewTimer(get, ports);
	const getForm = () => kind.getForm(get());
	let stopController = new AbortController();
	let pendingSend: Promise<void> = Promise.resolve();

	/** Updates the form if it is still open. A change of phase or step restarts the review timer. */
	function change(id: number, part: Partial<Form> | Partial<RuleForm>): void {
		const form = getForm();
		if (form?.id !== id) return;
		if ('phase' in part || 'step' in part) {
			timer.restart();
			get().messages.forgetWarning();
		}
		set({data: backend.refresh({...form, ...part} as Form)});
	}

	/** Creates a sender that shows each step on the screen and records each write in the audit log. */
	const createSender =
		(
			form: Form,
			permit = (label: string) => session.permit(toWritePlace(form.zone), label),
		): SendForm<Ending> =>
		async (label, firstStep, work) => {
			const {id, phase} = form;
			const showStep = (step: ProgressStep) => change(id, {phase: {name: 'sending', doing: step}});
			stopController = new AbortController();
			showStep(firstStep);
			const completion = Promise.withResolvers<void>();
			pendingSend = completion.promise;
			let ending: Ending | undefined;
			const execute = async (workSignal: AbortSignal) => {
				const signal = AbortSignal.any([workSignal, stopController.signal]);
				ending = await session.auditWrites(
					await permit(label),
					async ({onSend, onWritten}) =>
						work(await session.client(), {
							signal,
							onStep(step) {
								showStep(step);
								if (step !== 'looking' && step !== 'undo') onSend(kind.describeWrite(form, step));
							},
							onSend,
							onWritten,
						}),
					({failure}) => failure,
				);
			};
			await get().work.run(label, 'write', execute, kind.getWorkSubject(form));
			if (ending) {
				backend.showInLists?.(form, ending);
				finish(id, ending);
			} else change(id, {phase});
			completion.resolve();
		};

	/** Shows the ending, as a message if another screen is in front, and reloads the list that it affects. */
	function finish(id: number, ending: Ending): void {
		const form = getForm();
		const {stack} = get().navigation;
		const {isQuitting} = get().bulk;
		if (form?.id !== id) return;
		const {zone, editing} = form;
		if (ending.failure?.code === 'gone') get().firewall.noteRetirement(zone.id);
		const {list: affectedList, target} = kind.getAffectedList(form, ending);
		const isDone = kind.isDone?.(ending) ?? !kind.isInputUnused(ending);
		const sentence = kind.formatEndingSentence(form, ending);
		change(id, {phase: {name: 'ended', ending, cursor: 0}, top: 0, ...kind.applyEnding?.(form, ending)});
		const refusalMessage = ending.failure && getRefusalBody(ending.failure)?.errors[0]?.message;
		const problem =
			refusalMessage === undefined
				? undefined
				: readEngineMessage(refusalMessage, getTypedExpression(editing));
		if (problem) change(id, {editing: withServiceRefusal(editing, problem)});
		if (stack.at(-1) !== screen && !isQuitting) {
			if (isDone) set({data: undefined});
			get().messages.say(describeEndingElsewhere(kind, zone, sentence, isDone, get()));
		}
		if (affectedList === 'customRules') readCustomRules(zone.id, target?.id);
		if (affectedList !== 'firewall' || get().firewall.data?.zone.id !== zone.id) return;
		get().firewall.markStale();
		// Keeps the user's cursor if the lists are in front.
		if (target && stack.at(-1) !== 'firewall') get().firewall.focusRow(target.id, zone.id);
		readLists();
	}

	/** Reloads the custom rules if their zone is open, with the cursor on the new rule. */
	function readCustomRules(zoneId: string, ruleId: string | undefined): void {
		if (get().customRules.data?.zone.id !== zoneId) return;
		get().customRules.markStale();
		if (ruleId !== undefined && get().navigation.stack.at(-1) !== 'customRules')
			get().customRules.focusRow(ruleId, zoneId);
		void get().work.run('loading the custom rules', 'background', signal => get().customRules.load(signal));
	}

	/** Reloads the lists of the zone, for the form too. */
	function readLists(): void {
		void get().work.run('loading the rules', 'background', async signal => {
			await get().firewall.load(signal);
			const form = getForm();
			if (form) change(form.id, {});
		});
	}

	/**
	 * Sends the reviewed form. Does nothing if the review was visible too briefly; asks for the zone's name
	 * if there are reasons.
	 */
	async function send(): Promise<void> {
		const reviewedForm = getForm();
		if (reviewedForm?.phase.name !== 'asking' || reviewedForm.step !== 'review') return;
		if (!timer.wasVisibleLongEnough()) return;
		const form = backend.refresh(reviewedForm);
		set({data: form});
		const obstacle = findFormObstacle(kind, form);
		if (obstacle !== undefined) return get().messages.warn(obstacle);
		const label = kind.getLabel(form);
		try {
			session.refuseWhenReadOnly(label);
		} catch (error) {
			return get().messages.fail(toFailure(error));
		}
		const sendNow = () =>
			createSender(form)(label, kind.getFirstProgressStep(form), (client, context) =>
				backend.send(client, form, context),
			);
		const reasons = kind.listZoneNameReasons(form);
		if (reasons.length === 0) return sendNow();
		const actionLabel = kind.getActionLabel(form);
		const title = `${actionLabel.charAt(0).toUpperCase()}${actionLabel.slice(1)}?`;
		askToConfirm(get(), {title, lines: reasons, actionLabel}, form.zone.name, () => {
			const currentForm = getForm();
			if (currentForm?.id === form.id && currentForm.phase === form.phase) void sendNow();
		});
	}

	/** Reads the current state again, and warns if the outcome is still unknown. */
	async function lookAgain(form: Form, ending: Ending): Promise<void> {
		// Sends nothing; the write was permitted before.
		const permit = async () => markPermitted(toWritePlace(form.zone));
		await createSender(form, permit)('reading the current state', 'looking', (client, context) =>
			backend.lookAgain(client, form, ending, context),
		);
		const currentForm = getForm();
		const latestEnding =
			currentForm?.id === form.id && currentForm.phase.name === 'ended'
				? currentForm.phase.ending
				: undefined;
		if (latestEnding?.failure && 'lookAgain' in latestEnding)
			get().messages.warn(describeStillUnknown(latestEnding.failure));
	}

	/** Leaves the ended form; asks first if something would be lost. */
	function leaveEnded(form: Form, ending: Ending): void {
		const {leave, discard} = actions;
		if (kind.losesNothingOnLeave(ending) || !hasUnfinishedWork(kind, form)) discard();
		else askToClose(get(), {noun: kind.noun, lines: kind.getLeaveWarning(form), leave, discard});
	}

	async function decide({id: choiceId}: Pick<RuleChoice, 'id'>): Promise<void> {
		const form = getForm();
		if (form?.phase.name !== 'ended' || !timer.wasVisibleLongEnough()) return;
		const {ending} = form.phase;
		if (!kind.listChoices(form, ending).some(choice => choice.id === choiceId)) return;
		if (choiceId === 'leave') return leaveEnded(form, ending);
		if (choiceId === 'look again') return lookAgain(form, ending);
		const result = backend.handleChoice?.(form, ending, choiceId, createSender(form));
		if (result) return result;
		const nextForm = kind.applyChoice(form, ending, choiceId);
		if (nextForm) change(form.id, nextForm);
	}

	const actions: RuleFlow = {
		scroll(distance, lastTop) {
			const form = getForm();
			if (form) change(form.id, {top: Math.max(0, Math.min(lastTop, form.top + distance))});
		},
		toggleView() {
			const form = getForm();
			if (form) change(form.id, {shows: form.shows === 'curl' ? 'requests' : 'curl', top: 0});
		},
		setEndingCursor(cursor) {
			const form = getForm();
			if (form?.phase.name === 'ended') set({data: {...form, phase: {...form.phase, cursor}}});
		},
		noticeDrawn: timer.noticeDrawn,
		cancel: () => stopController.abort(),
		isTouched: () => hasUnfinishedWork(kind, getForm()),
		describeLoss() {
			const form = getForm();
			return form && hasUnfinishedWork(kind, form) ? kind.getLeaveWarning(form) : undefined;
		},
		async end() {
			if (getForm()?.phase.name !== 'sending') return;
			stopController.abort();
			await withTimeout(maxQuitDelayMs, pendingSend);
		},
		getQuitMessage: () => kind.getQuitMessage(getForm(), get().bulk.isQuitting),
		leave() {
			const form = getForm();
			if (form && form.phase.name !== 'sending') get().drafts.release(getRuleFormId(screen, form));
			actions.discard();
		},
		discard() {
			const form = getForm();
			const closedForm = form?.phase.name === 'sending' ? undefined : form;
			// Closed first: a form that is left open is kept.
			if (closedForm) set({data: undefined});
			get().navigation.back();
			if (!closedForm) return;
			const sentence = kind.getLeaveMessage(closedForm, getCurrentScreen(get()) === kind.list);
			if (sentence !== undefined) get().messages.say(sentence);
			backend.onLeave?.(closedForm, readLists);
		},
	};

	return {actions, change, decide, restartTimer: timer.restart, send};
}

/** Describes a write whose outcome another check could not determine. */
const describeStillUnknown = ({details: {left}}: Failure): string =>
	['Still unknown.', left].filter(Boolean).join(' ');
