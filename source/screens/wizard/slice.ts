import type {Slice} from '../../store/slice.ts';
import {expressionOf} from '../expression-editor/editing.ts';
import type {OpenedZone} from '../firewall/state.ts';
import {placeOf} from '../firewall/writes.ts';
import {formId} from '../stepped-form/draft-form.ts';
import {createSteppedForm, type SteppedForm} from '../stepped-form/engine.ts';
import {choicesOf, type WizardChoice} from './choices.ts';
import {endedWith, isUnused, madeBy, sentenceOf} from './ending.ts';
import {isLost, lastWordsOf, leavingLines, leftSentence} from './leaving.ts';
import {onward, purposeOn} from './onward.ts';
import {nameReasonsOf, requestsOf, works, writeOf} from './requests.ts';
import type {SendingSteps} from './sending.ts';
import {
	beginningOf,
	type Doing,
	type Ending,
	expressionHere,
	isTyping,
	type Wizard,
	type WizardPurpose,
	withLists,
} from './state.ts';
import {createWizardSteps, obstacleOf, type WizardSteps} from './steps.ts';

export type {WizardPurpose} from './state.ts';

const noLists = {rules: [], filters: []};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly wizard: WizardSlice;
	}
}

type WizardSlice = WizardSteps & {
	readonly data: Wizard | undefined;
	readonly form: SteppedForm;
	/** Begins in the zone that is open; while something is sent, that is shown. */
	begin(purpose: WizardPurpose): void;
	/** Opens it with what a draft holds. */
	resume(purpose: WizardPurpose, zone: OpenedZone, restore: (begun: Wizard) => Wizard): void;
	/** Whether a zone has been migrated, once that is known. */
	noteMigration(zoneId: string, migrated: boolean): void;
	/** Sends what the review shows, if there was time to look at it. */
	send(): Promise<void>;
	decide(choice: WizardChoice): Promise<void>;
};

/** The rule wizard: an expression, an action, an order, a look at the requests, and what became of them. */
export const createWizardSlice: Slice<WizardSlice> = (set, get, ports) => {
	const {session} = ports;
	let numbered = 0;
	const form = createSteppedForm<Doing, Ending, Wizard>(get, ports, {
		screen: 'wizard',
		noun: 'wizard',
		list: 'firewall',
		key: 'n',
		read: () => get().wizard.data,
		show: wizard => set({data: wizard}),
		asks: ['phase', 'step'],
		adjusted: wizard => withLists(wizard, get().firewall.data),
		isTyping: wizard => wizard.step === 'expression' && isTyping(wizard),
		isLost,
		leavingLines,
		leftSentence,
		lastWords: lastWordsOf,
		ended: (wizard, ending) => ({
			part: endedWith(wizard, ending),
			sentence: sentenceOf(ending),
			isDone: !isUnused(ending),
			changes: ending.state === 'nothing' ? undefined : 'firewall',
			made: madeBy(ending),
		}),
		// A filter that is left without its rule is named, and has the cursor.
		afterLeaving({left, zone}) {
			if (left === undefined || get().firewall.data?.zone.id !== zone.id) return;
			get().firewall.point({kind: 'filter', id: left}, zone.id);
			if (!get().firewall.data?.filters.some(({id}) => id === left)) form.readLists();
		},
	});

	/** On with the expression where firewall rules are gone: as a custom rule. */
	function toEmergency(wizard: Wizard): void {
		if (get().firewall.data?.zone.id !== wizard.zone.id) get().firewall.open(wizard.zone);
		get().emergency.begin();
		const emergency = get().emergency.data;
		const isNew = emergency?.phase.name === 'asking' && expressionOf(emergency.editing) === '';
		if (!isNew || emergency.zone.id !== wizard.zone.id) {
			get().messages.warn('Another emergency has begun: leave this, ! shows it.');
			return;
		}
		const text = expressionHere(wizard) || expressionOf(wizard.editing);
		const said = wizard.left === undefined ? undefined : leftSentence(wizard);
		set({data: undefined});
		if (get().navigation.stack.at(-1) === 'wizard') get().navigation.back();
		get().navigation.go('emergency');
		get().emergency.type({name: 'paste', text, sequence: text});
		if (said !== undefined) get().messages.say(said);
	}

	/** Does something at the service for the wizard, and shows what became of it. */
	const sending = (
		wizard: Wizard,
		label: string,
		doing: Doing,
		work: (signal: AbortSignal, steps: SendingSteps) => Promise<Ending>,
	): Promise<void> =>
		form.send(
			wizard,
			{label},
			doing,
			async (signal, onStep) =>
				session.auditedWrites(
					await session.permit(placeOf(wizard.zone), label),
					({sends, wrote}) =>
						work(signal, {
							onStep(step) {
								onStep(step);
								if (step !== 'looking') sends(writeOf(wizard, step));
							},
							onWrite: wrote,
						}),
					made => ('failure' in made ? made.failure : undefined),
				),
			ending => form.finish(wizard.id, ending),
		);

	return {
		...createWizardSteps(get, form),
		data: undefined,
		noteMigration(zoneId, migrated) {
			const wizard = get().wizard.data;
			if (wizard?.zone.id === zoneId) set({data: {...wizard, migrated}});
		},
		form: form.actions,
		begin(purpose) {
			const firewall = get().firewall.data;
			const wizard = get().wizard.data;
			if (wizard?.phase.name === 'sending')
				return get().messages.warn('The wizard is still sending what was reviewed before.');
			if (wizard?.phase.name === 'ended')
				return get().messages.warn('This is the result of the last one: leave it to begin another.');
			if (!firewall) return get().messages.warn('Choose a zone first.');
			if (wizard) get().drafts.release(formId('wizard', wizard));
			form.comesUp();
			const {migrated} = firewall;
			set({data: {...beginningOf(++numbered, purpose, firewall.zone, firewall), migrated}});
		},
		resume(purpose, zone, restore) {
			form.comesUp();
			set({data: restore(beginningOf(++numbered, purpose, zone, get().firewall.data ?? noLists))});
		},
		async send() {
			const reviewed = get().wizard.data;
			if (reviewed?.step !== 'review' || reviewed.phase.name !== 'asking' || !form.isLookedAt()) return;
			const wizard = withLists(reviewed, get().firewall.data);
			set({data: wizard});
			const obstacle = obstacleOf(wizard);
			if (obstacle !== undefined) return get().messages.warn(obstacle);
			const {kind} = wizard.purpose;
			const label = works[kind];
			if (!form.mayWrite(label)) return;
			const doing = kind === 'new filter' || requestsOf(wizard).length > 1 ? 'filter' : 'rule';
			await form.confirmed(wizard, nameReasonsOf(wizard), () =>
				sending(wizard, label, doing, async (signal, steps) => {
					const {sent} = await import('./sending.ts');
					return sent(await session.client(), wizard, {signal, ...steps});
				}),
			);
		},
		async decide(choice) {
			const wizard = get().wizard.data;
			if (wizard?.phase.name !== 'ended' || !form.isLookedAt()) return;
			if (!choicesOf(wizard).some(({does}) => does === choice.does)) return;
			const {id, phase} = wizard;
			const {ending} = phase;
			switch (choice.does) {
				case 'leave':
					// What was typed is in that filter, and in the command.
					return form.leaveChosen(wizard, ending.state === 'filter only');
				case 'emergency':
					return toEmergency(wizard);
				case 'delete the filter': {
					if (ending.state !== 'filter only') return;
					const filter = ending.filter.id;
					return sending(wizard, 'deleting the filter', 'delete', async (signal, steps) => {
						const {filterDeleted} = await import('./sending.ts');
						return filterDeleted(await session.client(), wizard, filter, {signal, ...steps});
					});
				}
				case 'look again':
					if (!('lookAgain' in ending)) return;
					await sending(wizard, 'reading the current state', 'looking', async (signal, {onWrite}) =>
						ending.lookAgain(await session.client(), {signal, onWrite}),
					);
					return form.warnIfUnknown(id);
				case 'take theirs': {
					if (ending.state !== 'changed meanwhile' || !ending.now) return;
					const purpose = purposeOn(wizard, ending.now);
					if (purpose) set({data: beginningOf(++numbered, purpose, wizard.zone, wizard)});
					return;
				}
				default: {
					const on = onward(wizard, ending, choice.does);
					if (on) form.change(id, on);
				}
			}
		},
	};
};
