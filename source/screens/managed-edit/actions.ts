import type {Has, LedgeState} from '../../store/ledge-store.ts';
import type {Action, App} from '../shell/app.ts';
import {type EditRow, editRows} from './edit-rows.ts';
import {askException, exceptionAt} from './exceptions.ts';
import {editorOf} from './host.ts';
import {askOverride, needsRuleset} from './overriding.ts';
import {
	actionEdit,
	chooseAction,
	chooseLevel,
	chooseThreshold,
	isOwasp,
	needsOwasp,
	removed,
	toggled,
} from './values.ts';

/** The screen that hosts the editor. */
type EditingIn = Pick<Action, 'group' | 'where'> &
	Required<Pick<Action, 'isHere'>> & {
		/** Prefix of its action ids. */
		readonly id: string;
		/** Explains why nothing can be edited there. */
		refused?(state: LedgeState): string | undefined;
	};

function rowHere(
	state: Has<'managed' | 'migration', 'editor'> & Has<'navigation', 'stack'>,
): EditRow | undefined {
	const editor = editorOf(state);
	return editor && editRows(editor.configuration)[editor.cursor];
}

/** Builds the actions that change the row under the cursor, or add to the configuration. */
export function editingActions({
	id: screen,
	refused = () => undefined,
	...common
}: EditingIn): readonly Action[] {
	/** `unavailable`: explains why the action does not apply to the row under the cursor. */
	const editAction = (
		id: string,
		keys: Action['keys'],
		title: string,
		hint: string | undefined,
		unavailable: (row: EditRow, state: LedgeState) => string | undefined,
		run: (app: App, row: EditRow) => void,
	): Action => ({
		...common,
		id: `${screen}.edit-${id}`,
		keys,
		title,
		...(hint !== undefined && {hint}),
		unavailable(state) {
			const row = rowHere(state);
			return refused(state) ?? (row ? unavailable(row, state) : 'there is nothing to edit here');
		},
		run(app) {
			const row = rowHere(app.state());
			if (row) run(app, row);
		},
	});
	return [
		editAction(
			'toggle',
			['space'],
			'turn the rule or the override on or off',
			'on/off',
			(row, state) => (toggled(row, state) ? undefined : 'this has a value of its own: c or s changes it'),
			(app, row) => {
				const edit = toggled(row, app.state());
				if (edit) editorOf(app.state())?.apply(edit);
			},
		),
		editAction(
			'action',
			['a'],
			'change the action of the ruleset, the rule or the threshold',
			'action',
			(row, state) =>
				actionEdit(row, state) ? undefined : 'only what runs managed rules has an action to choose',
			chooseAction,
		),
		editAction(
			'override',
			['o'],
			'add an override: of a managed rule, a category, or all of a managed ruleset',
			'override',
			needsRuleset,
			askOverride,
		),
		editAction(
			'exception',
			['x'],
			'add an exception',
			'exception',
			() => undefined,
			(app, row) => askException(app, undefined, row),
		),
		editAction(
			'paranoia',
			['c'],
			'choose the paranoia level of the OWASP ruleset',
			'level',
			needsOwasp,
			chooseLevel,
		),
		editAction(
			'threshold',
			['s'],
			'set the score from which the OWASP ruleset acts',
			'score',
			needsOwasp,
			chooseThreshold,
		),
		editAction(
			'change-exception',
			['e'],
			'change the exception',
			undefined,
			row => (exceptionAt(row) ? undefined : 'this is not an exception'),
			(app, row) => {
				if (row.kind === 'rule') askException(app, {index: row.index, rule: row.rule}, row);
			},
		),
		editAction(
			'remove',
			['d'],
			'remove the rule, or what an override says',
			'remove',
			row => (isOwasp(row) ? 'this cannot be removed: c or s changes it' : undefined),
			removed,
		),
	];
}
