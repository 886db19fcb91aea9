import {isTableError} from '../../firewall/expression/expressions.ts';
import type {Key} from '../../keyboard/key.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {
	type EditingContext,
	type ExpressionEditing,
	findNearestProblem,
	findShownProblem,
	findTabOffer,
	formatEditing,
	getOverflowMessage,
	getTypedExpression,
	reanalyse,
	takeTabOffer,
	toNextProblem,
	typeInExpression,
} from '../expression-editor/editing.ts';
import {getExpressionColumns} from '../expression-editor/lines.ts';
import {hasLoaded} from '../list/reading.ts';
import {isTyping, type RuleForm} from './rule-form.ts';

/** Editing operations on the expression of a form. */
export type ExpressionTyping = {
	/** Takes the completion or the correction. */
	complete(): void;
	/** Writes the expression in its canonical form. */
	format(): void;
	toNextProblem(): void;
};

/** Creates the editing of a form's expression, and the check before it is sent. */
export function createExpressionTyping(
	get: () => LedgeState,
	getForm: () => RuleForm | undefined,
	change: (id: number, part: Pick<RuleForm, 'editing'>) => void,
) {
	/** Returns the form if its expression is being edited. */
	function getTypingForm(): RuleForm | undefined {
		const form = getForm();
		return form?.step === 'expression' && isTyping(form) ? form : undefined;
	}

	/**
	 * Updates the expression while it is being edited; returns false if it is not, or `edit` returns nothing.
	 */
	function updateExpression(
		edit: (editing: ExpressionEditing, context: EditingContext) => ExpressionEditing | undefined,
	): boolean {
		const form = getTypingForm();
		if (!form) return false;
		const columns = getExpressionColumns(get().navigation.viewport.columns);
		const {ipLists} = get();
		const lists = hasLoaded(ipLists.data) ? ipLists.data.rows : undefined;
		const editing = edit(form.editing, {plan: form.zone.plan, columns, lists});
		if (!editing) return false;
		if (editing !== form.editing) change(form.id, {editing});
		return true;
	}

	/** Reads the lists of the account when a name of one begins; without them, names are not completed. */
	function loadLists(): void {
		const {ipLists, work} = get();
		if (ipLists.data.reading !== 'unread') return;
		work
			.runPart('loading lists', 'background', signal => ipLists.load(signal))
			.then(() => void updateExpression(reanalyse))
			.catch(() => {});
	}

	/** Applies a key to the expression; returns false if the key has no meaning there. */
	function type(key: Key): boolean {
		const form = getTypingForm();
		if (!form) return false;
		get().messages.clearSeen();
		const refusal = getOverflowMessage(form.editing, key);
		if (key.text.includes('$')) loadLists();
		if (refusal === undefined)
			return updateExpression((editing, context) => typeInExpression(editing, key, context));
		get().messages.warn(refusal);
		return true;
	}

	/**
	 * True if the expression can be sent; otherwise warns of the error shown below it. `isAccepted`: the
	 * service accepted this expression before.
	 */
	function isSendable({editing}: RuleForm, isAccepted: boolean): boolean {
		if (getTypedExpression(editing).trim() === '') {
			get().messages.warn('The expression is empty. `true` matches all requests.');
			return false;
		}
		if (editing.analysis.errors.length === 0 || isAccepted) return true;
		const shownProblem = findShownProblem(editing);
		const error =
			shownProblem?.severity === 'error'
				? shownProblem
				: findNearestProblem(editing, ({severity}) => severity === 'error');
		if (!error) return true;
		get().messages.warn(`Can't be sent: ${error.sentence}`);
		return false;
	}

	const actions: ExpressionTyping = {
		complete() {
			const form = getForm();
			if (form && !findTabOffer(form.editing)) get().messages.warn('No completion.');
			else updateExpression(takeTabOffer);
		},
		format() {
			const previousText = getForm()?.editing.analysis.text;
			if (!updateExpression(formatEditing))
				get().messages.warn("Can't format an expression that doesn't parse.");
			else if (getForm()?.editing.analysis.text === previousText) get().messages.say('Already formatted.');
		},
		toNextProblem: () => void updateExpression(toNextProblem),
	};
	return {actions, isSendable, type};
}

/**
 * Describes what only ledge's tables refuse: names that they lack, or that the phase or the plan lacks. Empty
 * if the expression has other errors as well.
 */
export const describeTableErrors = ({editing: {analysis}}: RuleForm): readonly string[] =>
	analysis.errors.every(isTableError) ? analysis.errors.map(({sentence}) => sentence) : [];
