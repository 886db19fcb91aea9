import {asFailure} from '../../failure.ts';
import {readEngineMessage} from '../../firewall/expression/expressions.ts';
import type {Key} from '../../keyboard/key.ts';
import {refusedWith} from '../../service/refusal.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {Ports} from '../../store/slice.ts';
import {
	type EditingPlace,
	type ExpressionEditing,
	expressionOf,
	formatted,
	offerOf,
	refusedBy,
	takeOffered,
	toNextProblem,
	tooMuch,
	typeInExpression,
} from '../expression-editor/editing.ts';
import {expressionColumns} from '../expression-editor/lines.ts';
import type {Place} from '../firewall/state.ts';
import {atMost} from '../shell/at-most.ts';
import {stillUnknown} from '../shell/still-unknown.ts';
import type {Work} from '../shell/work-slice.ts';
import {askForZoneName} from '../shell/zone-name.ts';
import {createReviewTimer, type ReviewTimer} from '../write-flow/review-timer.ts';
import {formId} from './draft-form.ts';
import {saidElsewhere} from './elsewhere.ts';
import type {FormEnding, FormList, FormPhase, FormState, SteppedScreen} from './state.ts';

/** What its keys and its view do with a form. */
export type SteppedForm = {
	/** Takes the completion or the correction. */
	complete(): void;
	/** Writes the expression in its canonical form. */
	format(): void;
	toNextProblem(): void;
	scroll(by: number, last: number): void;
	/** The requests as they are, or as `curl` lines. */
	toggleView(): void;
	/** Sets the cursor among the choices of how it ended. */
	point(cursor: number): void;
	readonly drawn: ReviewTimer['noticeDrawn'];
	/** Stops sending; the current state is read, and reported. */
	cancel(): void;
	/** Whether leaving loses what was typed, or leaves a filter without its rule. */
	isTouched(): boolean;
	/** What that would be. */
	lost(): readonly string[] | undefined;
	/** Stops sending, and waits until the current state is known; not for ever. */
	end(): Promise<void>;
	/** What has to be printed once ledge is closed, where something is left or was not on the screen. */
	lastWords(): string | undefined;
	/** Closes it. Sending continues; what was typed stays as a draft. */
	leave(): void;
	/** The same, without a draft. */
	discard(): void;
};

/** What distinguishes one form from another. */
type FormKind<Ending, Form> = {
	readonly screen: SteppedScreen;
	/** What it is called in a question. */
	readonly noun: string;
	/** The list that it is opened from, and the key that opens it there. */
	readonly list: FormList;
	readonly key: string;
	read(): Form | undefined;
	show(form: Form | undefined): void;
	/** The parts that have to be looked at before enter counts, once they change. */
	readonly asks: readonly (keyof Form)[];
	/** What follows from a change. */
	adjusted(form: Form, part: object): Form;
	/** Whether letters go to the expression. */
	isTyping(form: Form): boolean;
	isLost(form: Form | undefined): boolean;
	leavingLines(form: Form): readonly string[];
	/** What is reported once it is closed. */
	leftSentence(form: Form): string | undefined;
	lastWords(form: Form | undefined, isUnseen: boolean): string | undefined;
	/** What an ending changes, and how it is reported. */
	ended(form: Form, ending: Ending): Ended<Form>;
	afterLeaving?(form: Form): void;
};

type Ended<Form> = {
	readonly part?: Partial<Form>;
	readonly sentence: string;
	/** Whether nothing is left to decide. */
	readonly isDone: boolean;
	/** The lists of the zone that may show something else now. */
	readonly changes: FormList | undefined;
	readonly made: Place | undefined;
};

/** Milliseconds that finding out the current state may delay a quit. */
const longestEnd = 6000;

/** What all forms with steps do alike: typing, looking, sending, ending, leaving. */
export function createSteppedForm<Doing, Ending extends FormEnding, Form extends FormState<Doing, Ending>>(
	get: () => LedgeState,
	ports: Ports,
	kind: FormKind<Ending, Form>,
) {
	const {screen} = kind;
	const timer = createReviewTimer(get, ports);
	type Part =
		| Partial<Form>
		| (Partial<Pick<Form, 'editing' | 'shows' | 'top'>> & {readonly phase?: FormPhase<Doing, Ending>});
	let stopped = new AbortController();
	let underWay: Promise<void> = Promise.resolve();

	function change(id: number, part: Part): void {
		const form = kind.read();
		if (form?.id !== id) return;
		if (kind.asks.some(name => name in part)) timer.restart();
		kind.show(kind.adjusted({...form, ...part}, part));
	}

	/** Works on the expression while it is typed; returns whether it was. */
	function withExpression(
		work: (editing: ExpressionEditing, place: EditingPlace) => ExpressionEditing | undefined,
	): boolean {
		const form = kind.read();
		if (!form || !kind.isTyping(form)) return false;
		const columns = expressionColumns(get().navigation.viewport.columns);
		const editing = work(form.editing, {plan: form.zone.plan, columns});
		if (!editing) return false;
		if (editing !== form.editing) change(form.id, {editing});
		return true;
	}

	/** A key in the expression; returns whether it means anything there. */
	function type(key: Key): boolean {
		const form = kind.read();
		if (!form || !kind.isTyping(form)) return false;
		get().messages.clearRead();
		const refusal = tooMuch(form.editing, key);
		if (refusal === undefined)
			return withExpression((editing, place) => typeInExpression(editing, key, place));
		get().messages.warn(refusal);
		return true;
	}

	/** Whether the expression can be sent; else the cursor goes to the problem. `stays`: it was accepted before. */
	function isSendable({id, editing}: Form, stays = false): boolean {
		if (expressionOf(editing).trim() === '') {
			get().messages.warn('The expression is empty. `true` matches all requests.');
			return false;
		}
		const [error] = editing.analysis.errors;
		if (!error || stays) return true;
		change(id, {editing: toNextProblem(editing)});
		get().messages.warn(`Cannot be sent like this: ${error.sentence}`);
		return false;
	}

	function mayWrite(label: string): boolean {
		try {
			ports.session.refuseWhenReadOnly(label);
			return true;
		} catch (error) {
			get().messages.fail(asFailure(error));
			return false;
		}
	}

	/** Sends what was reviewed, after asking for the zone's name where there are reasons for it. */
	async function confirmed(form: Form, reasons: readonly string[], send: () => Promise<void>) {
		if (reasons.length === 0) return send();
		askForZoneName(get(), form.zone, {reasons, does: 'send it'}, () => {
			const now = kind.read();
			if (now?.id === form.id && now.phase === form.phase) void send();
		});
	}

	/** Does something at the service, with its steps on the screen; `then` takes the result before it counts as over. */
	async function send<Done>(
		{id, phase}: Form,
		{label, subject}: Pick<Work, 'label' | 'subject'>,
		doing: Doing,
		work: (signal: AbortSignal, onStep: (doing: Doing) => void) => Promise<Done>,
		then: (done: Done) => void,
	): Promise<void> {
		const onStep = (step: Doing) => change(id, {phase: {name: 'sending', doing: step}});
		stopped = new AbortController();
		onStep(doing);
		const over = Promise.withResolvers<void>();
		underWay = over.promise;
		let result: {readonly done: Done} | undefined;
		const sending = async (running: AbortSignal) => {
			result = {done: await work(AbortSignal.any([running, stopped.signal]), onStep)};
		};
		await get().work.run(label, 'write', sending, subject);
		if (result) then(result.done);
		else change(id, {phase} as Part);
		over.resolve();
	}

	/** Shows how it ended, and reports it where another screen is in front. */
	function finish(id: number, ending: Ending): void {
		const form = kind.read();
		const {stack} = get().navigation;
		const {leaving} = get().bulk;
		if (form?.id !== id) return;
		const {part, sentence, isDone, changes, made} = kind.ended(form, ending);
		const refused = ending.failure && refusedWith(ending.failure)?.errors[0]?.message;
		const read = refused === undefined ? undefined : readEngineMessage(refused, expressionOf(form.editing));
		change(id, {phase: {name: 'ended', ending, cursor: 0}, ...part} as Part);
		if (read) change(id, {editing: refusedBy(form.editing, read)});
		if (stack.at(-1) !== screen && !leaving) {
			if (isDone) kind.show(undefined);
			get().messages.say(saidElsewhere(kind, form.zone, sentence, isDone, get()));
		}
		if (changes === 'customRules') readCustomRules(form.zone.id, made?.id);
		if (changes !== 'firewall' || get().firewall.data?.zone.id !== form.zone.id) return;
		get().firewall.markStale();
		// Where the lists are in front already, the cursor is the person's.
		if (made && stack.at(-1) !== 'firewall') get().firewall.point(made, form.zone.id);
		readLists();
	}

	/** Reads the custom rules of the zone again where they were shown, the cursor on what was made. */
	function readCustomRules(zone: string, made: string | undefined): void {
		if (get().customRules.data?.zone.id !== zone) return;
		get().customRules.markStale();
		if (made !== undefined && get().navigation.stack.at(-1) !== 'customRules')
			get().customRules.point(made, zone);
		void get().work.run('reading the custom rules', 'background', signal => get().customRules.load(signal));
	}

	/** Reads the lists of the zone again, for the form too. */
	function readLists(): void {
		void get().work.run('reading the rules', 'background', async signal => {
			await get().firewall.load(signal);
			const form = kind.read();
			if (form) change(form.id, {});
		});
	}

	/** A second look that shows no more than the first leaves the screen as it was: that is reported. */
	function warnIfUnknown(id: number): void {
		const form = kind.read();
		const ending = form?.id === id && form.phase.name === 'ended' ? form.phase.ending : undefined;
		if (ending?.failure && 'lookAgain' in ending) get().messages.warn(stillUnknown(ending.failure));
	}

	/** Leaves from the choices at the end, after a question where something would be lost. */
	function leaveChosen(form: Form, isKept: boolean) {
		if (isKept || !kind.isLost(form)) return actions.discard();
		get().dialog.open({
			kind: 'confirm',
			title: `Leave the ${kind.noun}?`,
			lines: [...kind.leavingLines(form), get().drafts.whenClosed()],
			does: 'leave it',
			confirm: actions.leave,
			other: {does: 'discard it', act: actions.discard},
		});
	}

	const actions: SteppedForm = {
		complete() {
			const form = kind.read();
			if (form && !offerOf(form.editing)) get().messages.warn('No completion.');
			else withExpression(takeOffered);
		},
		format() {
			if (!withExpression(formatted)) get().messages.warn('It cannot be formatted while it does not parse.');
		},
		toNextProblem: () => void withExpression(toNextProblem),
		scroll(by, last) {
			const form = kind.read();
			if (form) change(form.id, {top: Math.max(0, Math.min(last, form.top + by))});
		},
		toggleView() {
			const form = kind.read();
			if (form) change(form.id, {shows: form.shows === 'curl' ? 'requests' : 'curl', top: 0});
		},
		point(cursor) {
			const form = kind.read();
			if (form?.phase.name === 'ended') kind.show({...form, phase: {...form.phase, cursor}});
		},
		drawn: timer.noticeDrawn,
		cancel: () => stopped.abort(),
		isTouched: () => kind.isLost(kind.read()),
		lost() {
			const form = kind.read();
			return form && kind.isLost(form) ? kind.leavingLines(form) : undefined;
		},
		async end() {
			if (kind.read()?.phase.name !== 'sending') return;
			stopped.abort();
			await atMost(longestEnd, underWay);
		},
		lastWords: () => kind.lastWords(kind.read(), get().bulk.leaving),
		leave() {
			const form = kind.read();
			if (form && form.phase.name !== 'sending') get().drafts.release(formId(screen, form));
			actions.discard();
		},
		discard() {
			const form = kind.read();
			get().navigation.back();
			if (!form || form.phase.name === 'sending') return;
			kind.show(undefined);
			const sentence = kind.leftSentence(form);
			if (sentence !== undefined) get().messages.say(sentence);
			kind.afterLeaving?.(form);
		},
	};

	return {
		actions,
		change,
		comesUp: timer.restart,
		confirmed,
		finish,
		isLookedAt: timer.wasVisibleLongEnough,
		isSendable,
		leaveChosen,
		mayWrite,
		readLists,
		send,
		type,
		warnIfUnknown,
	};
}
