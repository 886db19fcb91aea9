import {products} from '../../firewall/rules/rule.ts';
import type {Key} from '../../keyboard/key.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {edit} from '../../text/buffer/buffer.ts';
import {expressionOf} from '../expression-editor/editing.ts';
import {editCommandOf} from '../shell/edit-keys.ts';
import {findingsOf, sameFilter, whyNotAction, whyNotProduct} from './draft.ts';
import {backFrom} from './onward.ts';
import {requestsOf, reviewing} from './requests.ts';
import {aboutRows, enterAboutRow, isTyping, priorityOf, stepsOf, type Wizard} from './state.ts';
import {alike} from './words.ts';

export type WizardSteps = {
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
	moveInProducts(by: number): void;
	toggleProduct(): void;
};

/** The part of the form that the steps need. */
type Steps = {
	change(id: number, part: Partial<Wizard>): void;
	isSendable(wizard: Wizard, stays: boolean): boolean;
	/** A key in the expression. */
	type(key: Key): boolean;
};

/** The steps of the wizard up to its review: nothing in it asks the service. */
export function createWizardSteps(get: () => LedgeState, {change, isSendable, type}: Steps): WizardSteps {
	function goTo(wizard: Wizard, by: 1 | -1): boolean {
		const all = stepsOf(wizard.purpose);
		const step = all[all.indexOf(wizard.step) + by];
		if (!step) return false;
		const {about} = wizard;
		change(wizard.id, {
			...(step === 'review' ? reviewing(wizard) : {step, product: undefined}),
			...(step === 'about' && {about: enterAboutRow(about, about.row)}),
		});
		return true;
	}

	function leaveExpression(wizard: Wizard) {
		const {editing, filter, purpose} = wizard;
		if (filter) return void goTo(wizard, 1);
		const stays = purpose.kind === 'change filter' && purpose.filter.expression === expressionOf(editing);
		if (!isSendable(wizard, stays)) return;
		const same = purpose.kind === 'new rule' ? sameFilter(wizard) : undefined;
		if (!same) return void goTo(wizard, 1);
		const {title, lines, isExact} = alike(same, expressionOf(editing), wizard.rules);
		get().dialog.open({
			kind: 'choice',
			title,
			lines: [
				...lines,
				isExact
					? 'A zone has each expression only once; rules can share a filter.'
					: 'Rules can share a filter.',
			],
			choices: [
				{value: 'use', label: 'Use that filter for the rule'},
				{value: 'change', label: 'Change the expression'},
				...(isExact ? [] : [{value: 'own', label: 'Make a filter of its own, as it is written here'}]),
			],
			choose(value) {
				if (value === 'own') goTo(wizard, 1);
				if (value !== 'use') return;
				const on = {...wizard, filter: same};
				change(wizard.id, {filter: same});
				goTo(on, 1);
			},
		});
	}

	function leaveAction(wizard: Wizard) {
		const {action, product, products: chosen} = wizard;
		if (action === undefined) return get().messages.warn('Choose an action first.');
		if (action === 'bypass' && product === undefined) return change(wizard.id, {product: 0});
		if (action === 'bypass' && chosen.length === 0)
			return get().messages.warn('Bypass needs at least one product: space chooses it.');
		goTo(wizard, 1);
	}

	function leaveAbout(wizard: Wizard) {
		const priority = priorityOf(wizard);
		if (typeof priority === 'object' && priority !== null) return get().messages.warn(priority.problem);
		const wrong = findingsOf(wizard).find(
			({about, severity}) => severity === 'error' && (about === 'priority' || about === 'description'),
		);
		if (wrong) return get().messages.warn(`${wrong.sentence} ${wrong.failure.details.why ?? ''}`.trim());
		goTo(wizard, 1);
	}

	/** A key in the lines of the step `about`. */
	function typeAbout(wizard: Wizard, key: Key): boolean {
		const {about} = wizard;
		const rows = aboutRows(wizard);
		const to = (by: number) => {
			const row = rows[Math.max(0, Math.min(rows.length - 1, rows.indexOf(about.row) + by))];
			if (row) change(wizard.id, {about: enterAboutRow(about, row)});
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

	return {
		type(key) {
			const wizard = get().wizard.data;
			if (wizard?.step !== 'about' || !isTyping(wizard)) return type(key);
			get().messages.clearRead();
			return typeAbout(wizard, key);
		},
		nextLine() {
			const wizard = get().wizard.data;
			if (wizard?.step !== 'about' || !isTyping(wizard)) return;
			const rows = aboutRows(wizard);
			const row = rows[(rows.indexOf(wizard.about.row) + 1) % rows.length];
			if (row) change(wizard.id, {about: enterAboutRow(wizard.about, row)});
		},
		nextStep() {
			const wizard = get().wizard.data;
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
			const wizard = get().wizard.data;
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
			const wizard = get().wizard.data;
			if (wizard?.step !== 'action' || wizard.phase.name !== 'asking') return;
			const why = whyNotAction(wizard, action);
			if (why !== undefined) return get().messages.warn(why);
			change(wizard.id, {action});
			leaveAction({...wizard, action});
		},
		moveInProducts(by) {
			const wizard = get().wizard.data;
			if (wizard?.product === undefined) return;
			change(wizard.id, {product: Math.max(0, Math.min(products.length - 1, wizard.product + by))});
		},
		toggleProduct() {
			const wizard = get().wizard.data;
			const product = wizard?.product === undefined ? undefined : products[wizard.product];
			if (!wizard || !product) return;
			const {products: chosen} = wizard;
			if (chosen.includes(product))
				return change(wizard.id, {products: chosen.filter(one => one !== product)});
			const why = whyNotProduct(wizard, product);
			if (why !== undefined) return get().messages.warn(why);
			change(wizard.id, {products: [...chosen, product]});
			if (product === 'waf') get().firewall.learnMigration();
		},
	};
}

/** Why it cannot be sent. */
export function obstacleOf(wizard: Wizard): string | undefined {
	if (requestsOf(wizard).length === 0) return 'Nothing was changed, so there is nothing to send.';
	const wrong = findingsOf(wizard).find(({severity}) => severity === 'error');
	return wrong && [wrong.sentence, wrong.failure.details.why].filter(Boolean).join(' ');
}
