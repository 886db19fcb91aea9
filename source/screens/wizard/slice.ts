import {asFailure} from '../../failure.ts';
import {readEngineMessage} from '../../firewall/expression/engine-message.ts';
import {refusedWith} from '../../service/refusal.ts';
import type {Slice} from '../../store/slice.ts';
import {actingIn, afterZoneName} from '../firewall/broad-question.ts';
import type {OpenedZone} from '../firewall/slice.ts';
import {lookingTime} from '../review/state.ts';
import {atMost} from '../shell/at-most.ts';
import {stillUnknown} from '../shell/still-unknown.ts';
import {choicesOf, type WizardChoice} from './choices.ts';
import {endedWith, madeBy, sentenceOf} from './ending.ts';
import {wizardFormId} from './form.ts';
import {isLost, lastWordsOf, leavingLines, leftSentence} from './leaving.ts';
import {onward, purposeOn} from './onward.ts';
import {requestsOf} from './requests.ts';
import type {SendingSteps} from './sending.ts';
import {beginningOf, type Doing, type Ending, type Wizard, type WizardPurpose, withLists} from './state.ts';
import {createWizardSteps, type WizardSteps} from './steps.ts';
import {createWaysOut} from './ways-out.ts';
import {works, writeOf} from './writes.ts';

export type {WizardPurpose} from './state.ts';

const noLists = {rules: [], filters: []};

export type WizardSlice = WizardSteps & {
	readonly wizard: Wizard | undefined;
	/** Begins anew in the zone that is open; while something is sent, that is shown. */
	beginWizard(purpose: WizardPurpose): void;
	/** Opens it with what a draft holds. */
	resumeWizard(purpose: WizardPurpose, zone: OpenedZone, restore: (begun: Wizard) => Wizard): void;
	/** What is asked stands on the screen now, if this is what it is. */
	wizardDrawn(drawn: Pick<Wizard, 'step' | 'phase' | 'requests'>): void;
	/** Sends what the review shows, if there was time to look at it. */
	sendWizard(): Promise<void>;
	/** Stops what is being sent. What is there then is found out and said. */
	cancelWizard(): void;
	/** Goes the way on that was chosen. */
	decideInWizard(choice: WizardChoice): Promise<void>;
	pointInWizard(cursor: number): void;
	/**
	 * Leaves the wizard. What is being sent goes on; a filter without its rule is named, and the cursor set on it. What
	 * was typed stays as a draft.
	 */
	leaveWizard(): void;
	/** The same, without a draft. */
	discardWizard(): void;
	/** Stops what is being sent, and waits until it is known what is there; not for ever. */
	endWizard(): Promise<void>;
	/** What has to be said once ledge is gone, where something is left or was not seen. */
	lastWords(): string | undefined;
};

/** Milliseconds that finding out what is there may keep someone who wants to leave ledge; he can go at once, too. */
const longestEnd = 6000;

/** The rule wizard: an expression, an action, an order, a look at both requests, and what became of them (design.md 5, Rules). */
export const createWizardSlice: Slice<WizardSlice> = (set, get, ports) => {
	const {session, elapsed} = ports;
	let numbered = 0;
	/** When what is asked came up. */
	let cameUp = 0;
	let stopped = new AbortController();
	/** What stands on the screen since then. */
	let drawn: (Pick<Wizard, 'step' | 'requests'> & {readonly about: unknown}) | undefined;
	let underWay: Promise<void> = Promise.resolve();

	const change = (id: number, part: Partial<Wizard>): void => {
		const {wizard, firewall} = get();
		if (wizard?.id !== id) return;
		if ('phase' in part || 'step' in part) {
			cameUp = elapsed();
			drawn = undefined;
		}
		set({wizard: withLists({...wizard, ...part}, firewall)});
	};

	/** Reads the lists of the zone again, for the wizard too. */
	const readAgain = () =>
		get().run('reading the rules', 'background', async signal => {
			await get().loadFirewall(signal);
			const {wizard} = get();
			if (wizard) change(wizard.id, {});
		});

	const steps = createWizardSteps(get, change);
	const ways = createWaysOut(set, get);

	function isLookedAt(): boolean {
		if (elapsed() - cameUp >= lookingTime) return true;
		get().warn('Look first: that key came before this could be read.');
		return false;
	}

	/** Does something at the service for the wizard, and shows what became of it, wherever the person is then. */
	async function ended(
		wizard: Wizard,
		label: string,
		doing: Doing,
		work: (signal: AbortSignal, steps: SendingSteps) => Promise<Ending>,
	): Promise<void> {
		const {id, zone, phase} = wizard;
		const onStep = (step: Doing) => change(id, {phase: {name: 'sending', doing: step}});
		stopped = new AbortController();
		onStep(doing);
		const over = Promise.withResolvers<void>();
		underWay = over.promise;
		await get().run(label, 'write', async running => {
			const signal = AbortSignal.any([running, stopped.signal]);
			let ending: Ending;
			try {
				ending = await session.auditedWrites(
					zone.label ?? `zone ${zone.name}`,
					({sends, wrote}) =>
						work(signal, {
							onStep(step) {
								onStep(step);
								if (step !== 'looking') sends(writeOf(wizard, step));
							},
							onWrite: wrote,
						}),
					made => ('failure' in made ? made.failure : undefined),
				);
			} catch (error) {
				change(id, {phase});
				throw error;
			}
			finish(id, ending);
		});
		over.resolve();
	}

	function finish(id: number, ending: Ending): void {
		const {wizard, stack, firewall, leaving} = get();
		if (wizard?.id !== id) return;
		const refused = 'failure' in ending ? refusedWith(ending.failure)?.errors[0]?.message : undefined;
		const read = refused === undefined ? undefined : readEngineMessage(refused, wizard.editing.analysis.text);
		const part = endedWith(wizard, ending);
		change(id, {...part, ...(read && {editing: steps.refused(wizard.editing, read)})});
		if (stack.at(-1) !== 'wizard' && !leaving) {
			const isDone = choicesOf({...wizard, ...part})[0]?.label === 'Done';
			if (isDone) set({wizard: undefined});
			const isNear = stack.at(-1) === 'firewall' && firewall?.zone.id === wizard.zone.id;
			const way = isNear ? 'n shows the ways on.' : 'F, then n, shows the ways on.';
			get().say(isDone ? sentenceOf(ending) : `${way} ${sentenceOf(ending)}`);
		}
		if (ending.state === 'nothing' || firewall?.zone.id !== wizard.zone.id) return;
		const made = madeBy(ending);
		// Where the lists are in front already, the cursor is the person's.
		if (made && stack.at(-1) !== 'firewall') get().pointInFirewall(made, wizard.zone.id);
		void readAgain();
	}

	/** Sends what was reviewed. */
	async function send(wizard: Wizard, label: string): Promise<void> {
		const first: Doing = requestsOf(wizard).length > 1 ? 'filter' : 'rule';
		const doing = wizard.purpose.kind === 'new filter' ? 'filter' : first;
		await ended(wizard, label, doing, async (signal, steps) => {
			const {sent} = await import('./sending.ts');
			return sent(await session.client(), wizard, {signal, ...steps});
		});
	}

	/** A second look that shows no more than the first one says so: the screen stays as it was. */
	function warnIfUnknown(id: number): void {
		const {wizard} = get();
		if (wizard?.id !== id || wizard.phase.name !== 'ended' || !('lookAgain' in wizard.phase.ending)) return;
		get().warn(stillUnknown(wizard.phase.ending.failure));
	}

	return {
		...steps.slice,
		wizard: undefined,
		beginWizard(purpose) {
			const {firewall, wizard} = get();
			if (wizard?.phase.name === 'sending')
				return get().warn('The wizard is still sending what was reviewed before.');
			if (wizard?.phase.name === 'ended')
				return get().warn('This is what became of what was sent before: leave it to begin anew.');
			if (!firewall) return get().warn('Choose a zone first.');
			if (wizard) get().releaseDraft(wizardFormId(wizard));
			cameUp = elapsed();
			drawn = undefined;
			const {migrated} = firewall;
			set({wizard: {...beginningOf(++numbered, purpose, firewall.zone, firewall), migrated}});
		},
		resumeWizard(purpose, zone, restore) {
			cameUp = elapsed();
			drawn = undefined;
			set({wizard: restore(beginningOf(++numbered, purpose, zone, get().firewall ?? noLists))});
		},
		wizardDrawn({step, phase, requests}) {
			const {wizard} = get();
			if (wizard?.step !== step || wizard.phase !== phase || wizard.requests !== requests) return;
			// A cursor that moves in the choices brings up nothing new.
			const about = phase.name === 'ended' ? phase.ending : phase;
			if (drawn?.step === step && drawn.requests === requests && drawn.about === about) return;
			drawn = {step, requests, about};
			cameUp = elapsed();
		},
		async sendWizard() {
			const {wizard: reviewed} = get();
			if (reviewed?.step !== 'review' || reviewed.phase.name !== 'asking' || !isLookedAt()) return;
			const wizard = withLists(reviewed, get().firewall);
			set({wizard});
			const obstacle = steps.obstacleOf(wizard);
			if (obstacle !== undefined) return get().warn(obstacle);
			const label = works[wizard.purpose.kind];
			try {
				session.refuseWhenReadOnly(label);
			} catch (error) {
				return get().fail(asFailure(error));
			}
			let sending: Promise<void> | undefined;
			afterZoneName(get(), wizard.zone, actingIn(wizard), {does: 'send it'}, () => {
				const {wizard: now} = get();
				if (now?.id === wizard.id && now.phase === wizard.phase) sending = send(wizard, label);
			});
			await sending;
		},
		cancelWizard: () => stopped.abort(),
		async decideInWizard(choice) {
			const {wizard} = get();
			if (wizard?.phase.name !== 'ended' || !isLookedAt()) return;
			if (!choicesOf(wizard).some(({does}) => does === choice.does)) return;
			const {id, phase} = wizard;
			const {ending} = phase;
			switch (choice.does) {
				case 'leave':
					// What was typed stands in that filter, and in the command.
					if (ending.state === 'filter only' || !isLost(wizard)) return get().discardWizard();
					return get().open({
						kind: 'confirm',
						title: 'Leave the wizard?',
						lines: [...leavingLines(wizard), get().whenClosed()],
						does: 'leave it',
						confirm: () => get().leaveWizard(),
						other: {does: 'discard it', act: () => get().discardWizard()},
					});
				case 'emergency':
					return ways.toEmergency(wizard);
				case 'delete the filter': {
					if (ending.state !== 'filter only') return;
					const filter = ending.filter.id;
					return ended(wizard, 'deleting the filter', 'delete', async (signal, steps) => {
						const {filterDeleted} = await import('./sending.ts');
						return filterDeleted(await session.client(), wizard, filter, {signal, ...steps});
					});
				}
				case 'look again':
					if (!('lookAgain' in ending)) return;
					await ended(wizard, 'looking at what is there', 'looking', async (signal, {onWrite}) =>
						ending.lookAgain(await session.client(), {signal, onWrite}),
					);
					return warnIfUnknown(id);
				case 'take theirs': {
					if (ending.state !== 'changed meanwhile' || !ending.now) return;
					const purpose = purposeOn(wizard, ending.now);
					if (purpose) set({wizard: beginningOf(++numbered, purpose, wizard.zone, wizard)});
					return;
				}
				default: {
					const on = onward(wizard, ending, choice.does);
					if (on) change(id, on);
				}
			}
		},
		pointInWizard(cursor) {
			const {wizard} = get();
			if (wizard?.phase.name === 'ended') set({wizard: {...wizard, phase: {...wizard.phase, cursor}}});
		},
		leaveWizard() {
			const {wizard} = get();
			if (wizard && wizard.phase.name !== 'sending') get().releaseDraft(wizardFormId(wizard));
			get().discardWizard();
		},
		discardWizard() {
			const {wizard, back} = get();
			back();
			if (!wizard || wizard.phase.name === 'sending') return;
			const {left, zone} = wizard;
			set({wizard: undefined});
			const said = leftSentence(wizard);
			if (said !== undefined) get().say(said);
			if (left === undefined || get().firewall?.zone.id !== zone.id) return;
			get().pointInFirewall({kind: 'filter', id: left}, zone.id);
			if (!get().firewall?.filters.some(({id}) => id === left)) void readAgain();
		},
		async endWizard() {
			if (get().wizard?.phase.name !== 'sending') return;
			get().cancelWizard();
			await atMost(longestEnd, underWay);
		},
		lastWords: () => lastWordsOf(get().wizard, get().leaving),
	};
};
