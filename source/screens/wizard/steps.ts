import type {Span} from '../../firewall/expression/grammar/problem.ts';
import {products} from '../../firewall/rules/rule.ts';
import type {Key} from '../../keyboard/key.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {edit} from '../../text/buffer/buffer.ts';
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
import {editCommandOf} from '../shell/edit-keys.ts';
import {findingsOf, sameFilter, whyNotAction, whyNotProduct} from './draft.ts';
import {isLost} from './leaving.ts';
import {backFrom} from './onward.ts';
import {requestsOf, reviewing} from './requests.ts';
import {aboutRows, isTyping, priorityOf, stepsOf, type Wizard} from './state.ts';

export type WizardSteps = {
	/** A key where text is typed. Gives whether it means anything there. */
	typeInWizard(key: Key): boolean;
	/** What tab takes; in the other lines it goes to the next one. */
	takeInWizard(): void;
	/** The expression in its canonical form. */
	formatInWizard(): void;
	toNextProblemInWizard(): void;
	/** On to the next step, if nothing stands against it; in the review nothing. */
	nextStep(): void;
	/** One step back, from what became of it to the review. Gives `false` where only leaving is left. */
	previousStep(): boolean;
	/** The action that a rule has already may be one that this ledge does not know. */
	chooseAction(action: string): void;
	moveInProducts(by: number): void;
	toggleProduct(): void;
	scrollWizard(by: number, last: number): void;
	/** The requests as they are, or as `curl` lines. */
	changeRequestView(): void;
	/** Whether leaving loses something that was typed or chosen, or leaves a filter without its rule. */
	isWizardTouched(): boolean;
};

type Change = (id: number, part: Partial<Wizard>) => void;

/** The steps of the wizard up to its review: nothing of it asks the service. */
export function createWizardSteps(
	get: () => LedgeState,
	change: Change,
): {
	slice: WizardSteps;
	/** Why it cannot be sent. */
	obstacleOf(wizard: Wizard): string | undefined;
	refused(editing: ExpressionEditing, read: {span: Span; sentence: string}): ExpressionEditing;
} {
	const placeFor = ({zone}: Wizard): EditingPlace => ({
		plan: zone.plan,
		columns: expressionColumns(get().viewport.columns),
	});

	/** Works on the expression while it is the one that is typed. */
	function withExpression(work: (wizard: Wizard) => ExpressionEditing | undefined): boolean {
		const {wizard} = get();
		if (wizard?.step !== 'expression' || !isTyping(wizard)) return false;
		const editing = work(wizard);
		if (!editing) return false;
		if (editing !== wizard.editing) change(wizard.id, {editing});
		return true;
	}

	function goTo(wizard: Wizard, by: 1 | -1): boolean {
		const all = stepsOf(wizard.purpose);
		const step = all[all.indexOf(wizard.step) + by];
		if (!step) return false;
		change(wizard.id, step === 'review' ? reviewing(wizard) : {step, product: undefined});
		return true;
	}

	function leaveExpression(wizard: Wizard) {
		const {editing, filter, purpose} = wizard;
		if (filter) return void goTo(wizard, 1);
		if (expressionOf(editing).trim() === '')
			return get().warn('The expression is empty. `true` is for all requests.');
		const [error] = editing.analysis.errors;
		const stays = purpose.kind === 'change filter' && purpose.filter.expression === expressionOf(editing);
		if (error && !stays) {
			change(wizard.id, {editing: toNextProblem(editing)});
			return get().warn(`It cannot be sent like this: ${error.sentence}`);
		}
		const same = purpose.kind === 'new rule' ? sameFilter(wizard) : undefined;
		if (!same) return void goTo(wizard, 1);
		get().open({
			kind: 'choice',
			title: 'A filter with this expression is there already',
			lines: [
				`${same.id}${same.description ? ` ${same.description}` : ''}`,
				'A zone has each expression only once; rules can share a filter.',
			],
			choices: [
				{value: 'use', label: 'Use that filter for the rule'},
				{value: 'change', label: 'Change the expression'},
			],
			choose(value) {
				if (value !== 'use') return;
				const on = {...wizard, filter: same};
				change(wizard.id, {filter: same});
				goTo(on, 1);
			},
		});
	}

	function leaveAction(wizard: Wizard) {
		const {action, product, products: chosen} = wizard;
		if (action === undefined) return get().warn('Choose an action first.');
		if (action === 'bypass' && product === undefined) return change(wizard.id, {product: 0});
		if (action === 'bypass' && chosen.length === 0)
			return get().warn('Bypass needs at least one product: space chooses it.');
		goTo(wizard, 1);
	}

	function leaveAbout(wizard: Wizard) {
		const priority = priorityOf(wizard);
		if (typeof priority === 'object' && priority !== null) return get().warn(priority.problem);
		const wrong = findingsOf(wizard).find(
			({about, severity}) => severity === 'error' && (about === 'priority' || about === 'description'),
		);
		if (wrong) return get().warn(`${wrong.sentence} ${wrong.failure.details.why ?? ''}`.trim());
		goTo(wizard, 1);
	}

	/** A key in the lines of the step `about`. */
	function typeAbout(wizard: Wizard, key: Key): boolean {
		const {about} = wizard;
		const rows = aboutRows(wizard);
		const to = (by: number) => {
			const row = rows[Math.max(0, Math.min(rows.length - 1, rows.indexOf(about.row) + by))];
			if (row) change(wizard.id, {about: {...about, row}});
			return true;
		};
		if (key.name === 'up' || key.name === 'ctrl-p' || key.name === 'shift-tab') return to(-1);
		if (key.name === 'down' || key.name === 'ctrl-n') return to(1);
		if (about.row === 'paused') {
			const turns = key.name === 'space' || key.name === 'left' || key.name === 'right';
			if (turns) change(wizard.id, {about: {...about, paused: !about.paused}});
			return turns;
		}
		const command = editCommandOf(key);
		if (!command) return false;
		change(wizard.id, {about: {...about, [about.row]: edit(about[about.row], command)}});
		return true;
	}

	const slice: WizardSteps = {
		typeInWizard(key) {
			const {wizard} = get();
			if (!wizard || !isTyping(wizard)) return false;
			get().clearReadMessage();
			if (wizard.step === 'about') return typeAbout(wizard, key);
			const refusal = tooMuch(wizard.editing, key);
			if (refusal !== undefined) {
				get().warn(refusal);
				return true;
			}
			return withExpression(one => typeInExpression(one.editing, key, placeFor(one)));
		},
		takeInWizard() {
			const {wizard} = get();
			if (!wizard || !isTyping(wizard)) return;
			if (wizard.step === 'about') {
				const rows = aboutRows(wizard);
				const row = rows[(rows.indexOf(wizard.about.row) + 1) % rows.length];
				if (row) change(wizard.id, {about: {...wizard.about, row}});
				return;
			}
			if (!offerOf(wizard.editing)) return get().warn('There is nothing to take here.');
			withExpression(one => takeOffered(one.editing, placeFor(one)));
		},
		formatInWizard() {
			const done = withExpression(one => formatted(one.editing, placeFor(one)));
			if (!done) get().warn('It cannot be formatted while it does not parse.');
		},
		toNextProblemInWizard: () => void withExpression(one => toNextProblem(one.editing)),
		nextStep() {
			const {wizard} = get();
			if (wizard?.phase.name !== 'asking') return;
			switch (wizard.step) {
				case 'expression':
					return leaveExpression(wizard);
				case 'action':
					return leaveAction(wizard);
				case 'about':
					return leaveAbout(wizard);
				case 'review':
					return;
				default:
					return wizard.step satisfies never;
			}
		},
		previousStep() {
			const {wizard} = get();
			if (!wizard || wizard.phase.name === 'sending') return false;
			if (wizard.phase.name === 'ended') {
				const on = backFrom(wizard, wizard.phase.ending);
				if (on) change(wizard.id, on);
				return on !== undefined;
			}
			if (wizard.product !== undefined) {
				change(wizard.id, {product: undefined});
				return true;
			}
			const {purpose, step} = wizard;
			// A filter that was chosen on the way is no longer chosen, so that the expression can be changed.
			if (step === 'action' && purpose.kind === 'new rule' && !purpose.filter)
				change(wizard.id, {filter: undefined});
			return goTo(wizard, -1);
		},
		chooseAction(action) {
			const {wizard} = get();
			if (wizard?.step !== 'action' || wizard.phase.name !== 'asking') return;
			const why = whyNotAction(wizard, action);
			if (why !== undefined) return get().warn(why);
			change(wizard.id, {action});
			leaveAction({...wizard, action});
		},
		moveInProducts(by) {
			const {wizard} = get();
			if (wizard?.product === undefined) return;
			change(wizard.id, {product: Math.max(0, Math.min(products.length - 1, wizard.product + by))});
		},
		toggleProduct() {
			const {wizard} = get();
			const product = wizard?.product === undefined ? undefined : products[wizard.product];
			if (!wizard || !product) return;
			const {products: chosen} = wizard;
			if (chosen.includes(product))
				return change(wizard.id, {products: chosen.filter(one => one !== product)});
			const why = whyNotProduct(wizard, product);
			if (why !== undefined) return get().warn(why);
			change(wizard.id, {products: [...chosen, product]});
			if (product === 'waf') get().learnMigration();
		},
		scrollWizard(by, last) {
			const {wizard} = get();
			if (wizard) change(wizard.id, {top: Math.max(0, Math.min(last, wizard.top + by))});
		},
		changeRequestView() {
			const {wizard} = get();
			if (wizard) change(wizard.id, {shows: wizard.shows === 'curl' ? 'requests' : 'curl', top: 0});
		},
		isWizardTouched: () => isLost(get().wizard),
	};

	return {slice, obstacleOf, refused: refusedBy};
}

function obstacleOf(wizard: Wizard): string | undefined {
	if (requestsOf(wizard).length === 0) return 'Nothing was changed, so there is nothing to send.';
	const wrong = findingsOf(wizard).find(({severity}) => severity === 'error');
	return wrong && [wrong.sentence, wrong.failure.details.why].filter(Boolean).join(' ');
}
