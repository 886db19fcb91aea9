import {nameKey} from '../../keyboard/named-keys.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {Action, App} from '../shell/app.ts';
import {askOverride, getOverrideBlockedReason} from './ask-override.ts';
import {buildEditRows, type EditRow} from './edit-rows.ts';
import {type EditorState, getManagedEditor} from './editor.ts';
import {askException, isException} from './exceptions.ts';
import {
	askForOwaspSetting,
	askForParanoiaLevel,
	askForRowAction,
	askForThreshold,
	buildToggleEdit,
	findActionTarget,
	getOwaspBlockedReason,
	isOwaspRow,
	removeEditRow,
} from './values.ts';

/** The screen that hosts the editor. */
type EditorScreen = Pick<Action, 'group' | 'where'> &
	Required<Pick<Action, 'isActive'>> & {
		/** Prefix of its action ids. */
		readonly idPrefix: string;
		/** Explains why nothing can be edited there. */
		getRefusal?(state: LedgeState): string | undefined;
	};

function findEditRow(state: EditorState): EditRow | undefined {
	const editor = getManagedEditor(state);
	return editor && buildEditRows(editor.configuration)[editor.cursor];
}

/** Edits what the row sets. */
function editRow(app: App, row: EditRow): void {
	if (row.kind === 'paranoia') askForParanoiaLevel(app);
	else if (row.kind === 'threshold') askForThreshold(app);
	else if (row.kind === 'rule' && isException(row))
		askException(app, {index: row.index, rule: row.rule}, row);
	else askForRowAction(app, row);
}

/** Explains why the row under the cursor cannot be edited. */
export function getRowEditRefusal(state: LedgeState): string | undefined {
	const row = findEditRow(state);
	if (!row) return 'nothing to edit here';
	return isException(row) || isOwaspRow(row) || findActionTarget(row, state)
		? undefined
		: 'only exceptions and rows with an action, level or score can be edited';
}

/** Edits what the row under the cursor sets. */
export function editSelectedRow(app: App): void {
	const row = findEditRow(app.state());
	if (row) editRow(app, row);
}

/** Builds the actions that change the row under the cursor, or add to the configuration. */
export function buildEditActions({
	idPrefix,
	getRefusal = () => undefined,
	...common
}: EditorScreen): readonly Action[] {
	/** `getRowRefusal` explains why the action does not apply to the row under the cursor. */
	const createEditAction = (
		id: string,
		keys: Action['keys'],
		title: string,
		hint: string | undefined,
		getRowRefusal: (row: EditRow, state: LedgeState) => string | undefined,
		run: (app: App, row: EditRow) => void,
		searchTerms: readonly string[] = [],
	): Action => ({
		...common,
		effect: 'prepares a write',
		id: `${idPrefix}.edit-${id}`,
		keys,
		title,
		searchTerms,
		...(hint !== undefined && {hint}),
		getUnavailableReason(state) {
			const row = findEditRow(state);
			return getRefusal(state) ?? (row ? getRowRefusal(row, state) : 'nothing to edit here');
		},
		run(app) {
			const row = findEditRow(app.state());
			if (row) run(app, row);
		},
	});
	return [
		createEditAction(
			'toggle',
			['p'],
			'turn the rule or the override on or off',
			'on/off',
			(row, state) =>
				buildToggleEdit(row, state)
					? undefined
					: `this row can't be turned on or off; ${nameKey('managed.edit-row', 'e')} changes its value`,
			(app, row) => {
				const edit = buildToggleEdit(row, app.state());
				if (edit) getManagedEditor(app.state())?.apply(edit);
			},
		),
		createEditAction(
			'row',
			['e'],
			"edit the row's exception, action, level or score",
			'edit',
			(_row, state) => getRowEditRefusal(state),
			editRow,
		),
		createEditAction(
			'override',
			['O'],
			'override a managed rule, a category, or a whole managed ruleset',
			'override',
			getOverrideBlockedReason,
			askOverride,
		),
		createEditAction(
			'exception',
			['a'],
			'add an exception',
			'exception',
			() => undefined,
			(app, row) => askException(app, undefined, row),
			['false positive', 'whitelist', 'skip rule', 'skip rule for this url', 'allow'],
		),
		createEditAction(
			'owasp',
			['T'],
			'tune the OWASP ruleset: paranoia level, score threshold, action',
			'OWASP',
			getOwaspBlockedReason,
			askForOwaspSetting,
			['owasp less strict', 'owasp sensitivity', 'paranoia level', 'score threshold'],
		),
		createEditAction(
			'remove',
			['d'],
			'remove the rule or the override',
			'remove',
			row =>
				isOwaspRow(row)
					? `this row can't be removed; ${nameKey('managed.edit-row', 'e')} changes its value`
					: undefined,
			removeEditRow,
		),
	];
}
