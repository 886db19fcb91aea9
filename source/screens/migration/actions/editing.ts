import type {LedgeState} from '../../../store/ledge-store.ts';
import type {Action, App} from '../../shell/action.ts';
import {type EditRow, editRows} from '../edit-rows.ts';
import {isEdited} from '../editing.ts';
import {askException, exceptionAt} from './exceptions.ts';
import {askOverride, needsRuleset} from './overriding.ts';
import {isAt} from './part.ts';
import {
	actionEdit,
	askThreshold,
	chooseAction,
	chooseLevel,
	isOwasp,
	needsOwasp,
	removed,
	toggled,
} from './values.ts';

const common = {group: 'Migration', where: ['migration menu']} as const;

function rowHere({migration}: LedgeState): EditRow | undefined {
	return migration?.configuration && editRows(migration.configuration)[migration.cursor];
}

/** Makes a key of the list of what can be edited; `editOf` returns why it cannot be done here, or what it does. */
const editAction = (
	id: string,
	keys: Action['keys'],
	title: string,
	hint: string | undefined,
	unavailable: (row: EditRow, state: LedgeState) => string | undefined,
	run: (app: App, row: EditRow) => void,
): Action => ({
	...common,
	id: `migration.edit-${id}`,
	keys,
	title,
	...(hint !== undefined && {hint}),
	isHere: isAt('edit'),
	unavailable(state) {
		const row = rowHere(state);
		return row ? unavailable(row, state) : 'there is nothing to edit here';
	},
	run(app) {
		const row = rowHere(app.state());
		if (row) run(app, row);
	},
});

/** The keys of what a person changes of the proposal. */
export const migrationEditing: readonly Action[] = [
	editAction(
		'toggle',
		['space'],
		'turn the rule or the override on or off',
		'on/off',
		(row, state) => (toggled(row, state) ? undefined : 'this has a value of its own: c or s changes it'),
		(app, row) => {
			const edit = toggled(row, app.state());
			if (edit) app.state().applyMigrationEdit(edit);
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
		app => askException(app),
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
		askThreshold,
	),
	editAction(
		'change-exception',
		['e'],
		'change the exception',
		undefined,
		row => (exceptionAt(row) ? undefined : 'this is not an exception'),
		(app, row) => {
			if (row.kind === 'rule') askException(app, {index: row.index, rule: row.rule});
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
	{
		...common,
		id: 'migration.undo',
		keys: ['u'],
		title: 'take the last edit back; without one, take what the service proposes',
		hint: 'undo',
		isHere: isAt('edit', 'review'),
		unavailable: ({migration}) => (migration && isEdited(migration) ? undefined : 'nothing was edited'),
		run: ({state}) => state().undoMigrationEdit(),
	},
	{
		...common,
		id: 'migration.editor',
		keys: ['E'],
		title: 'change the raw JSON in $EDITOR',
		isHere: isAt('edit', 'review'),
		unavailable: ({migration}) => (migration?.configuration ? undefined : 'there is no configuration'),
		run: ({state, terminal}) => void state().editMigrationElsewhere(terminal.handOver),
	},
];
