import {asFailure} from '../failure.ts';
import {continuation} from '../firewall/continuation.ts';
import {readEngineMessage} from '../firewall/expression/engine-message.ts';
import {refusedWith} from '../service/refusal.ts';
import {lookingTime} from './review-state.ts';
import type {Slice} from './slice.ts';
import {choicesOf, type WizardChoice} from './wizard-choices.ts';
import {draftOf} from './wizard-draft.ts';
import {requestsOf} from './wizard-requests.ts';
import {beginningOf, type Doing, type Ending, type Wizard, type WizardPurpose} from './wizard-state.ts';
import {createWizardSteps, type WizardSteps} from './wizard-steps.ts';

export type {WizardPurpose} from './wizard-state.ts';

export type WizardSlice = WizardSteps & {
	readonly wizard: Wizard | undefined;
	/** Begins anew in the zone that is open; while something is sent, that is shown. */
	beginWizard(purpose: WizardPurpose): void;
	/** What is asked stands on the screen now, if this is what it is. */
	wizardDrawn(drawn: Pick<Wizard, 'step' | 'phase' | 'requests'>): void;
	/** Sends what the review shows, if there was time to look at it. */
	sendWizard(): Promise<void>;
	/** Stops what is being sent. What is there then is found out and said. */
	cancelWizard(): void;
	/** Goes the way on that was chosen. */
	decideInWizard(choice: WizardChoice): Promise<void>;
	pointInWizard(cursor: number): void;
	/** Leaves the wizard. What is being sent goes on; a filter without its rule is named. */
	leaveWizard(): void;
};

/** Words for what is sent, for the audit log and the status line. */
const works = {
	'new rule': 'creating a firewall rule',
	'new filter': 'creating a filter',
	'change rule': 'changing a firewall rule',
	'change filter': 'changing a filter',
} as const satisfies Record<WizardPurpose['kind'], string>;

/** The rule wizard: an expression, an action, an order, a look at both requests, and what became of them (design.md 5, Rules). */
export const createWizardSlice: Slice<WizardSlice> = (set, get, ports) => {
	const {session, now} = ports;
	let numbered = 0;
	/** When what is asked came up. */
	let cameUp = 0;
	let stopped = new AbortController();

	const change = (id: number, part: Partial<Wizard>): void => {
		const {wizard} = get();
		if (wizard?.id !== id) return;
		if ('phase' in part || 'step' in part) cameUp = now();
		set({wizard: {...wizard, ...part}});
	};

	const steps = createWizardSteps(get, change);

	function isLookedAt(): boolean {
		if (now() - cameUp >= lookingTime) return true;
		get().warn('Look first: that key came before this could be read.');
		return false;
	}

	/** Does something at the service for the wizard, and shows what became of it, wherever the person is then. */
	async function ended(
		wizard: Wizard,
		label: string,
		doing: Doing,
		work: (signal: AbortSignal, onStep: (doing: Doing) => void) => Promise<Ending>,
	): Promise<void> {
		const {id, purpose, zone, phase} = wizard;
		const onStep = (step: Doing) => change(id, {phase: {name: 'sending', doing: step}});
		stopped = new AbortController();
		onStep(doing);
		await get().run(label, 'write', async running => {
			const signal = AbortSignal.any([running, stopped.signal]);
			let ending: Ending | undefined;
			try {
				await session.audited(works[purpose.kind], zone.label ?? `zone ${zone.name}`, async () => {
					ending = await work(signal, onStep);
					if ('failure' in ending) throw ending.failure;
				});
			} catch (error) {
				if (!ending) {
					change(id, {phase});
					throw error;
				}
			}
			if (ending) finish(id, ending);
		});
	}

	function finish(id: number, ending: Ending): void {
		const {wizard, stack} = get();
		if (wizard?.id !== id) return;
		const left =
			ending.state === 'filter only' && ending.made
				? ending.filter.id
				: ending.state === 'created' || ending.state === 'filter deleted'
					? undefined
					: wizard.left;
		const refused = 'failure' in ending ? refusedWith(ending.failure)?.errors[0]?.message : undefined;
		const read = refused === undefined ? undefined : readEngineMessage(refused, wizard.editing.analysis.text);
		change(id, {
			phase: {name: 'ended', ending, cursor: 0},
			left,
			...(read && {editing: steps.refused(wizard.editing, read)}),
		});
		if (stack.at(-1) !== 'wizard') {
			const isDone = choicesOf({...wizard, phase: {name: 'ended', ending, cursor: 0}})[0]?.label === 'Done';
			if (isDone) set({wizard: undefined});
			get().say(isDone ? sentenceOf(ending) : `${sentenceOf(ending)} n shows it, and the ways on.`);
		}
		if (ending.state !== 'nothing')
			void get().run('reading the rules', 'background', signal => get().loadFirewall(signal));
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
			cameUp = now();
			set({wizard: beginningOf(++numbered, purpose, firewall.zone, firewall)});
		},
		wizardDrawn({step, phase, requests}) {
			const {wizard} = get();
			if (wizard?.step === step && wizard.phase === phase && wizard.requests === requests) cameUp = now();
		},
		async sendWizard() {
			const {wizard} = get();
			if (wizard?.step !== 'review' || wizard.phase.name !== 'asking') return;
			if (!isLookedAt()) return;
			const obstacle = steps.obstacleOf(wizard);
			if (obstacle !== undefined) return get().warn(obstacle);
			const label = works[wizard.purpose.kind];
			try {
				session.refuseWhenReadOnly(label);
			} catch (error) {
				return get().fail(asFailure(error));
			}
			const first: Doing = requestsOf(wizard).length > 1 ? 'filter' : 'rule';
			await ended(
				wizard,
				label,
				wizard.purpose.kind === 'new filter' ? 'filter' : first,
				async (signal, onStep) => {
					const {sent} = await import('./wizard-sending.ts');
					return sent(await session.client(), wizard, {signal, onStep});
				},
			);
		},
		cancelWizard: () => stopped.abort(),
		async decideInWizard(choice) {
			const {wizard} = get();
			if (wizard?.phase.name !== 'ended' || !isLookedAt()) return;
			if (!choicesOf(wizard).some(({does}) => does === choice.does)) return;
			const {id, phase, purpose} = wizard;
			const {ending} = phase;
			const asking = {phase: {name: 'asking'}} as const;
			switch (choice.does) {
				case 'leave':
					return get().leaveWizard();
				case 'change the expression':
					return change(id, {...asking, step: 'expression', filter: undefined});
				case 'change it':
					return change(id, {...asking, ...steps.reviewing({...wizard, ...asking})});
				case 'change the action':
				case 'try again': {
					if (ending.state !== 'filter only') return;
					const on = {...wizard, ...asking, filter: filterThere(wizard, ending.filter)};
					if (choice.does === 'try again') return change(id, {...on, ...steps.reviewing(on)});
					return change(id, {...on, step: 'action', product: undefined});
				}
				case 'use the filter':
				case 'rule on it': {
					const filter =
						ending.state === 'duplicate'
							? filterThere(wizard, {id: ending.filterId})
							: ending.state === 'filter made'
								? ending.filter
								: undefined;
					if (!filter) return;
					const on: Wizard = {...wizard, ...asking, filter, purpose: {kind: 'new rule'}};
					if (purpose.kind === 'new rule') return change(id, {...on, ...steps.reviewing(on)});
					const about = {...wizard.about, row: 'priority'} as const;
					return change(id, {...on, about, step: 'action', product: undefined});
				}
				case 'delete the filter': {
					if (ending.state !== 'filter only') return;
					const filter = ending.filter.id;
					return ended(wizard, 'deleting the filter', 'delete', async signal => {
						const {filterDeleted} = await import('./wizard-sending.ts');
						return filterDeleted(await session.client(), wizard, filter, signal);
					});
				}
				case 'look again':
					return ended(wizard, 'looking at what is there', 'looking', async signal => {
						const {lookedAgain} = await import('./wizard-sending.ts');
						return lookedAgain(await session.client(), wizard, ending, signal);
					});
				case 'take theirs': {
					if (ending.state !== 'changed meanwhile' || !ending.now) return;
					const there = ending.now;
					if (purpose.kind === 'change rule' && 'action' in there)
						set({wizard: beginningOf(++numbered, {...purpose, rule: there}, wizard.zone, wizard)});
					if (purpose.kind === 'change filter' && 'expression' in there)
						set({wizard: beginningOf(++numbered, {...purpose, filter: there}, wizard.zone, wizard)});
					return;
				}
				default:
					return choice.does satisfies never;
			}
		},
		pointInWizard(cursor) {
			const {wizard} = get();
			if (wizard?.phase.name === 'ended') set({wizard: {...wizard, phase: {...wizard.phase, cursor}}});
		},
		leaveWizard() {
			const {wizard, back} = get();
			back();
			if (!wizard || wizard.phase.name === 'sending') return;
			const {left} = wizard;
			const draft = draftOf(wizard);
			set({wizard: undefined});
			if (left !== undefined && draft)
				get().say(`Filter ${left} is there without a rule. ${continuation(wizard.zone, draft, left)}`);
			else if (wizard.phase.name === 'ended') get().say(sentenceOf(wizard.phase.ending));
		},
	};
};

/** The filter that is there, with the expression that was typed where nothing else is known of it. */
const filterThere = (
	{editing, filters}: Wizard,
	{id, expression}: {readonly id: string; readonly expression?: string | undefined},
) => ({
	id,
	expression: expression ?? filters.find(one => one.id === id)?.expression ?? editing.analysis.text,
});

/** What is there now, in a sentence. */
export function sentenceOf(ending: Ending): string {
	switch (ending.state) {
		case 'created':
			return `Rule ${ending.rule.id} is there, on filter ${ending.rule.filter.id}.`;
		case 'filter made':
			return `Filter ${ending.filter.id} is there.`;
		case 'changed':
			return `The ${ending.what} ${ending.id} is changed.`;
		case 'filter deleted':
			return `The filter ${ending.id} is deleted; nothing is left.`;
		case 'duplicate':
			return `Nothing was made: filter ${ending.filterId} has this expression already.`;
		case 'filter only':
			return `The filter ${ending.filter.id} is there, the rule is not.`;
		case 'nothing':
			return ending.failure.message;
		case 'changed meanwhile':
			return `${ending.failure.message} Nothing was sent.`;
		case 'unsure':
			return `Whether the ${ending.what} is there is not known.`;
		case 'unsure of the change':
			return `Whether the ${ending.what} ${ending.id} was changed is not known.`;
		default:
			return ending satisfies never;
	}
}
