import type {Key} from '../../keyboard/key.ts';
import type {Client} from '../../service/client.ts';
import type {WriteSteps} from '../../session/audit.ts';
import {permittedBefore} from '../../session/write-place.ts';
import type {Slice} from '../../store/slice.ts';
import type {OpenedZone} from '../firewall/state.ts';
import {placeOf} from '../firewall/writes.ts';
import {formId} from './draft-form.ts';
import {createSteppedForm, type SteppedForm} from './engine.ts';
import {
	type Doing,
	enterRow,
	explainFinding,
	findObstacle,
	isLost,
	isTyping,
	type RuleChoice,
	type RuleForm,
	type RuleKind,
	toReview,
	toStep,
	typeInAbout,
} from './rule-form.ts';
import type {FormEnding} from './state.ts';

/** A form of a rule, and what its keys and its view do with it. */
export type RuleFormSlice<Form, Purpose> = {
	readonly data: Form | undefined;
	readonly form: SteppedForm;
	/** Begins in the zone that is open; while something is sent, that is shown. */
	begin(purpose: Purpose): void;
	/** Changes what it holds; a change of the step has to be looked at before it counts. */
	change(part: Partial<Form>): void;
	/** Opens it with what a draft holds. */
	resume(purpose: Purpose, zone: OpenedZone, restore: (begun: Form) => Form): void;
	/** A key where text is typed. Returns whether it means anything there. */
	type(key: Key): boolean;
	/** From a line of the step `about` to the next one. */
	nextLine(): void;
	/** Goes to the next step, unless something stands against it; in the review nothing. */
	nextStep(): void;
	/** Goes back one step, from an ending to the review. Returns `false` where only leaving is left. */
	previousStep(): boolean;
	/** The action that a rule has already may be unknown to this ledge. */
	chooseAction(action: string): void;
	/** Moves among what the action skips or bypasses. */
	moveInChoices(by: number): void;
	toggleChoice(): void;
	/** Sends what the review shows, if there was time to look at it. */
	send(): Promise<void>;
	decide(choice: RuleChoice): Promise<void>;
};

/** What sending needs: the signal that stops it, and where it reports what it does and what took effect. */
export type Sending = {
	readonly signal: AbortSignal;
	onStep(doing: Doing): void;
	/** What is sent now, for the audit log, where that is not the step's one write. */
	onSend: WriteSteps['sends'];
	onWrite: WriteSteps['wrote'];
};

/** The sending of a form: its label, the first step, and what it does at the service. */
type Send<Ending> = (
	label: string,
	doing: Doing,
	work: (client: Client, sending: Sending) => Promise<Ending>,
) => Promise<void>;

/** What one kind of rule does at the service and with other features. */
type RuleBackend<Form, Purpose, Ending> = {
	/** The zone whose list is open. */
	openedZone(): OpenedZone | undefined;
	begin(id: number, purpose: Purpose, zone: OpenedZone): Form;
	/** The form with the lists of its zone as they were read last. */
	refresh(form: Form): Form;
	/** Sends what the review shows, and returns the state afterwards. Fails only before anything was sent. */
	send(client: Client, form: Form, sending: Sending): Promise<Ending>;
	/** Reads the state again after an unknown outcome. Sends nothing. */
	lookAgain(client: Client, form: Form, ending: Ending, sending: Sending): Promise<Ending>;
	/** Asks before the expression is left, and goes on with the answer; returns whether it asked. */
	asks?(form: Form, goOn: (part: Partial<Form>) => void): boolean;
	/** What a step back undoes. */
	undoneBy?(form: Form): Partial<Form> | undefined;
	onChosen?(name: string): void;
	/** Shows an ending in the lists. */
	show?(form: Form, ending: Ending): void;
	/** A choice that leads elsewhere or sends something else; undefined for all others. */
	choose?(
		form: Form,
		ending: Ending,
		does: RuleChoice['does'],
		send: Send<Ending>,
	): Promise<void> | undefined;
	afterLeaving?(form: Form, readLists: () => void): void;
};

/** A form of a rule: an expression, an action, its lines, a look at the requests, and what became of them. */
export function createRuleForm<Form extends RuleForm<Purpose, Ending>, Purpose, Ending extends FormEnding>(
	kind: RuleKind<Form, Purpose, Ending>,
	backend: RuleBackend<Form, Purpose, Ending>,
	...[set, get, ports]: Parameters<Slice<RuleFormSlice<Form, Purpose>>>
): RuleFormSlice<Form, Purpose> {
	const {session} = ports;
	const {screen, noun, list, chooser} = kind;
	const read = () => kind.read(get());
	const warn = (text: string) => get().messages.warn(text);
	let numbered = 0;
	const form = createSteppedForm<Doing, Ending, Form>(get, ports, {
		screen,
		noun,
		list,
		key: kind.key,
		read,
		show: data => set({data}),
		asks: ['phase', 'step'],
		adjusted: backend.refresh,
		isTyping: current => current.step === 'expression' && isTyping(current),
		isLost: current => isLost(kind, current),
		leavingLines: kind.leavingLines,
		leftSentence: kind.leftSentence,
		lastWords: kind.lastWords,
		ended: (current, ending) => ({
			part: kind.endedWith?.(current, ending) ?? {},
			sentence: kind.sentence(current, ending),
			isDone: kind.isDone?.(ending) ?? !kind.isUnused(ending),
			...kind.changes(ending),
		}),
		afterLeaving: current => backend.afterLeaving?.(current, form.readLists),
	});
	/** Shows the form as it is now, where it is still open. */
	const change = (id: number, part: Partial<Form> | Partial<RuleForm>) =>
		form.change(id, part as Partial<Form>);

	/** The form while a step asks for something. */
	function readAsking(): Form | undefined {
		const current = read();
		return current?.phase.name === 'asking' ? current : undefined;
	}

	function goTo(current: Form, by: 1 | -1): boolean {
		const steps = kind.steps(current);
		const step = steps[steps.indexOf(current.step) + by];
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
		if (current.filter) return void goTo(current, 1);
		if (!form.isSendable(current, kind.isSameExpression(current))) return;
		const hasAsked = backend.asks?.(current, part => {
			const now = readAsking();
			if (now?.id === current.id) goTo({...now, ...part}, 1);
		});
		if (!hasAsked) goTo(current, 1);
	}

	function leaveAction(current: Form) {
		const {id, action, choosing, chosen} = current;
		if (action === undefined) return warn('Choose an action first.');
		if (action === chooser?.action) {
			if (choosing === undefined) return change(id, {choosing: 0});
			if (chosen.length === 0) return warn(chooser.none);
		}
		goTo(current, 1);
		const warning = kind.warning?.(current);
		if (warning !== undefined) warn(warning);
	}

	function leaveAbout(current: Form) {
		const problem = kind.orderProblem(current);
		if (problem !== undefined) return warn(problem);
		const lines: readonly string[] = ['priority', 'description', 'response'];
		const wrong = kind
			.findings(current)
			.find(({about, severity}) => severity === 'error' && lines.includes(about));
		if (wrong) return warn(explainFinding(wrong));
		goTo(current, 1);
	}

	/** Does something at the service with a line for each write in the audit log, and shows what became of it. */
	const sendAs =
		(current: Form, permit = (label: string) => session.permit(placeOf(current.zone), label)): Send<Ending> =>
		(label, doing, work) =>
			form.send(
				current,
				{label, subject: kind.subject(current)},
				doing,
				async (signal, onStep) =>
					session.auditedWrites(
						await permit(label),
						async ({sends, wrote}) =>
							work(await session.client(), {
								signal,
								onStep(step) {
									onStep(step);
									if (step !== 'looking' && step !== 'undo') sends(kind.describeWrite(current, step));
								},
								onSend: sends,
								onWrite: wrote,
							}),
						({failure}) => failure,
					),
				ending => {
					backend.show?.(current, ending);
					form.finish(current.id, ending);
				},
			);

	return {
		data: undefined,
		form: form.actions,
		begin(purpose) {
			const zone = backend.openedZone();
			const before = read();
			if (before?.phase.name === 'sending')
				return warn('The last one is still being sent: wait for its result to begin another.');
			if (before?.phase.name === 'ended')
				return warn('This is the result of the last one: leave it to begin another.');
			if (!zone) return warn('Choose a zone first.');
			if (before) get().drafts.release(formId(screen, before));
			form.comesUp();
			set({data: backend.begin(++numbered, purpose, zone)});
		},
		change(part) {
			const current = read();
			if (current) change(current.id, part);
		},
		resume(purpose, zone, restore) {
			form.comesUp();
			set({data: restore(backend.begin(++numbered, purpose, zone))});
		},
		type(key) {
			const current = readAsking();
			if (current?.step !== 'about') return form.type(key);
			get().messages.clearRead();
			const about = typeInAbout(current.about, kind.rows(current), key);
			if (about) change(current.id, {about});
			return about !== undefined;
		},
		nextLine() {
			const current = readAsking();
			if (current?.step !== 'about') return;
			const rows = kind.rows(current);
			const row = rows[(rows.indexOf(current.about.row) + 1) % rows.length];
			if (row) change(current.id, {about: enterRow(current.about, row)});
		},
		nextStep() {
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
		previousStep() {
			const current = read();
			if (!current || current.phase.name === 'sending') return false;
			if (current.phase.name === 'ended') {
				const on = kind.backFrom(current, current.phase.ending);
				if (on) change(current.id, on);
				return on !== undefined;
			}
			if (current.choosing !== undefined) {
				change(current.id, {choosing: undefined});
				return true;
			}
			return goTo({...current, ...backend.undoneBy?.(current)}, -1);
		},
		chooseAction(action) {
			const current = readAsking();
			if (current?.step !== 'action') return;
			const why = kind.whyNotAction(current, action);
			if (why !== undefined) return warn(why);
			const {about} = current;
			const rows = kind.rows({...current, action});
			const on = {
				...current,
				action,
				about: {...about, row: rows.includes(about.row) ? about.row : (rows[0] ?? about.row)},
			};
			change(current.id, on);
			leaveAction(on);
		},
		moveInChoices(by) {
			const current = read();
			if (current?.choosing === undefined) return;
			const last = (chooser?.names.length ?? 0) - 1;
			change(current.id, {choosing: Math.max(0, Math.min(last, current.choosing + by))});
		},
		toggleChoice() {
			const current = read();
			const name = chooser?.names[current?.choosing ?? -1];
			if (!current || !chooser || name === undefined) return;
			const {id, chosen} = current;
			if (chosen.includes(name)) return change(id, {chosen: chosen.filter(one => one !== name)});
			const why = chooser.whyNot(current, name);
			if (why !== undefined) return warn(why);
			change(id, {chosen: [...chosen, name]});
			backend.onChosen?.(name);
		},
		async send() {
			const reviewed = readAsking();
			if (reviewed?.step !== 'review' || !form.isLookedAt()) return;
			const current = backend.refresh(reviewed);
			set({data: current});
			const obstacle = findObstacle(kind, current);
			if (obstacle !== undefined) return warn(obstacle);
			const label = kind.label(current);
			if (!form.mayWrite(label)) return;
			await form.confirmed(current, kind.nameReasons(current), () =>
				sendAs(current)(label, kind.firstDoing(current), (client, sending) =>
					backend.send(client, current, sending),
				),
			);
		},
		async decide({does}) {
			const current = read();
			if (current?.phase.name !== 'ended' || !form.isLookedAt()) return;
			const {ending} = current.phase;
			if (!kind.choices(current, ending).some(choice => choice.does === does)) return;
			switch (does) {
				case 'leave':
					return form.leaveChosen(current, kind.isKept(ending));
				case 'look again':
					// Nothing is sent: the write was permitted before.
					await sendAs(current, async () => permittedBefore(placeOf(current.zone)))(
						'reading the current state',
						'looking',
						(client, sending) => backend.lookAgain(client, current, ending, sending),
					);
					return form.warnIfUnknown(current.id);
				default: {
					const elsewhere = backend.choose?.(current, ending, does, sendAs(current));
					if (elsewhere) return elsewhere;
					const on = kind.onward(current, ending, does);
					if (on) change(current.id, on);
				}
			}
		},
	};
}
