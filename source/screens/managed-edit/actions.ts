import type {LedgeState, StateWith} from '../../store/ledge-store.ts';
import type {Action, App} from '../shell/app.ts';
import {askOverride, getOverrideBlockedReason} from './ask-override.ts';
import {buildEditRows, type EditRow} from './edit-rows.ts';
import {getManagedEditor} from './editor.ts';
import {askException, isException} from './exceptions.ts';
import {
	askForParanoiaLevel,
	askForRowAction,
	askForThreshold,
	buildToggleEdit,
	findActionEditBuilder,
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

function findEditRow(
	state: StateWith<'managed' | 'migration', 'getEditor'> & StateWith<'navigation', 'stack'>,
): EditRow | undefined {
	const editor = getManagedEditor(state);
	return editor && buildEditRows(editor.configuration)[editor.cursor];
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
	): Action => ({
		...common,
		id: `${idPrefix}.edit-${id}`,
		keys,
		title,
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
			['space'],
			'turn the rule or the override on or off',
			'on/off',
			(row, state) =>
				buildToggleEdit(row, state) ? undefined : 'this row has its own value: c or s changes it',
			(app, row) => {
				const edit = buildToggleEdit(row, app.state());
				if (edit) getManagedEditor(app.state())?.apply(edit);
			},
		),
		createEditAction(
			'action',
			['a'],
			'change the action of the ruleset, the rule or the threshold',
			'action',
			(row, state) =>
				findActionEditBuilder(row, state)
					? undefined
					: 'only rows that run managed rules have an action to choose',
			askForRowAction,
		),
		createEditAction(
			'override',
			['o'],
			'override a managed rule, a category, or a whole managed ruleset',
			'override',
			getOverrideBlockedReason,
			askOverride,
		),
		createEditAction(
			'exception',
			['x'],
			'add an exception',
			'exception',
			() => undefined,
			(app, row) => askException(app, undefined, row),
		),
		createEditAction(
			'paranoia',
			['c'],
			'choose the paranoia level of the OWASP ruleset',
			'level',
			getOwaspBlockedReason,
			askForParanoiaLevel,
		),
		createEditAction(
			'threshold',
			['s'],
			'set the score threshold of the OWASP ruleset',
			'score',
			getOwaspBlockedReason,
			askForThreshold,
		),
		createEditAction(
			'change-exception',
			['e'],
			'edit the exception',
			undefined,
			row => (isException(row) ? undefined : 'this is not an exception'),
			(app, row) => {
				if (row.kind === 'rule') askException(app, {index: row.index, rule: row.rule}, row);
			},
		),
		createEditAction(
			'remove',
			['d'],
			'remove the rule or the override',
			'remove',
			row => (isOwaspRow(row) ? 'this cannot be removed: c or s changes it' : undefined),
			removeEditRow,
		),
	];
}
