import {analyse} from '../../firewall/expressions.ts';
import type {ConfiguredRule} from '../../migration/configuration.ts';
import type {Edit} from '../../migration/edits.ts';
import {readSkips, type Skips} from '../../migration/exceptions.ts';
import {overrideActions, type ParanoiaLevel, paranoiaLevels, rulesetName} from '../../migration/mapping.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {type EditRow, editRows, rulesetOf} from '../../store/migration-edit-rows.ts';
import {drawable} from '../../text/columns.ts';
import type {Action, App} from '../action.ts';
import {isAt} from './migration-part.ts';

const common = {group: 'Migration', where: ['migration menu']} as const;

function rowHere({migration}: LedgeState): EditRow | undefined {
	return migration?.configuration && editRows(migration.configuration)[migration.cursor];
}

const ruleAt = ({migration}: LedgeState, index: number): ConfiguredRule | undefined =>
	migration?.configuration?.rules[index];

/** Makes a key of the list of what can be edited; `editOf` says why it cannot be done here, or what it does. */
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

const apply = ({state}: App, edit: Edit): void => state().applyMigrationEdit(edit);

/** On or off: what says nothing is as the ruleset has it, and off is what a person means then. */
function toggled(row: EditRow, state: LedgeState): Edit | undefined {
	switch (row.kind) {
		case 'rule':
			return {kind: 'rule enabled', rule: row.index, enabled: row.rule.enabled === false};
		case 'category': {
			const ruleset = rulesetIdAt(state, row.index);
			return ruleset === undefined
				? undefined
				: {kind: 'category override', ruleset, category: row.category, enabled: row.enabled === false};
		}
		case 'override':
			return {
				kind: 'managed rule override',
				ruleset: row.ruleset,
				id: row.id,
				enabled: row.enabled === false,
			};
		case 'paranoia':
		case 'threshold':
			return undefined;
		default:
			return row satisfies never;
	}
}

function rulesetIdAt(state: LedgeState, index: number): string | undefined {
	const rule = ruleAt(state, index);
	return rule && rulesetOf(rule);
}

/** Which edit gives an action to what is under the cursor. */
function actionEdit(
	row: EditRow,
	state: LedgeState,
): ((action: (typeof overrideActions)[number] | 'default') => Edit) | undefined {
	const ruleset = rulesetIdAt(state, row.index);
	if (ruleset === undefined) return undefined;
	switch (row.kind) {
		case 'rule':
			return action => ({kind: 'ruleset override', ruleset, action});
		case 'category':
			return action => ({kind: 'category override', ruleset, category: row.category, action});
		case 'override':
			return action => ({kind: 'managed rule override', ruleset, id: row.id, action});
		case 'threshold':
			return action => ({kind: 'threshold action', action});
		case 'paranoia':
			return undefined;
		default:
			return row satisfies never;
	}
}

function chooseAction(app: App, row: EditRow): void {
	const edit = actionEdit(row, app.state());
	if (!edit) return;
	app.state().open({
		kind: 'choice',
		title: 'Which action?',
		lines: [],
		choices: [
			...overrideActions.map(action => ({value: action, label: action})),
			{value: 'default', label: 'default (as the managed ruleset has it)'},
		],
		choose(value) {
			const action = [...overrideActions, 'default' as const].find(one => one === value);
			if (action) apply(app, edit(action));
		},
	});
}

const isOwasp = (row: EditRow): boolean => row.kind === 'paranoia' || row.kind === 'threshold';
const hasOwasp = (state: LedgeState): boolean =>
	state.migration?.configuration !== undefined && editRows(state.migration.configuration).some(isOwasp);
const needsOwasp = (_row: EditRow, state: LedgeState): string | undefined =>
	hasOwasp(state) ? undefined : 'the OWASP ruleset is not in this configuration';

function chooseLevel(app: App): void {
	app.state().open({
		kind: 'choice',
		title: 'Which paranoia level?',
		lines: ['The higher the level, the more rules run, and the more of what is harmless they act on.'],
		choices: paranoiaLevels.map(level => ({value: String(level), label: `PL${level}`})),
		choose: value => apply(app, {kind: 'paranoia level', level: Number(value) as ParanoiaLevel}),
	});
}

function askThreshold(app: App): void {
	const {migration} = app.state();
	const row =
		migration?.configuration && editRows(migration.configuration).find(({kind}) => kind === 'threshold');
	app.state().openField({
		title: 'Score threshold',
		lines: ['Requests that score as many points or more are acted on: 60 is Low, 40 Medium, 25 High.'],
		value: row?.kind === 'threshold' && row.threshold !== undefined ? String(row.threshold) : '',
		does: 'set it',
		check: value =>
			/^[1-9][0-9]{0,3}$/.test(value.trim()) ? undefined : 'This is a whole number of points.',
		submit: value => apply(app, {kind: 'score threshold', points: Number(value.trim())}),
	});
}

/** Asks for what an exception skips, then its expression, then what it is for. */
function askException(app: App, at?: {readonly index: number; readonly rule: ConfiguredRule}): void {
	const {migration} = app.state();
	const rulesets = [
		...new Set((migration?.configuration?.rules ?? []).map(rulesetOf).filter(id => id !== undefined)),
	];
	const before = at && readSkips(at.rule);
	const kept = 'as it is';
	app.state().open({
		kind: 'choice',
		title: 'What does the exception skip?',
		lines: ['For requests that match its expression. It stands before what it skips.'],
		choices: [
			...(before ? [{value: kept, label: 'What it skips now'}] : []),
			{value: 'all', label: 'All managed rules after it'},
			...rulesets.map(id => ({value: `ruleset ${id}`, label: drawable(`All of ${rulesetName(id)}`)})),
			...rulesets.map(id => ({value: `rules ${id}`, label: drawable(`Some rules of ${rulesetName(id)}`)})),
		],
		choose(value) {
			const [kind, id = ''] = value.split(' ');
			if (value === kept && before) return askExpression(app, before, at);
			if (kind === 'all') return askExpression(app, {kind: 'all'}, at);
			if (kind === 'ruleset') return askExpression(app, {kind: 'rulesets', ids: [id]}, at);
			askRules(app, id, at);
		},
	});
}

type At = {readonly index: number; readonly rule: ConfiguredRule} | undefined;

const idsIn = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean);

function askRules(app: App, ruleset: string, at: At): void {
	app.state().openField({
		title: 'Ids of the rules to skip',
		lines: [`Of ${rulesetName(ruleset)}, with spaces in between.`],
		value: '',
		does: 'go on',
		check: value =>
			idsIn(value).length > 0 && idsIn(value).every(id => /^[0-9a-f]{32}$/.test(id))
				? undefined
				: 'Each is 32 digits from 0 to f.',
		submit: value => askExpression(app, {kind: 'rules', rules: {[ruleset]: idsIn(value)}}, at),
	});
}

function askExpression(app: App, skips: Skips, at: At): void {
	app.state().openField({
		title: 'Which requests?',
		lines: ['An expression, as ip.src in {192.0.2.0/24}; true is all of them.'],
		value: at?.rule.expression ?? '',
		does: 'go on',
		check: value => analyse(value, {plan: app.state().migration?.zone.plan}).errors[0]?.sentence,
		submit: expression => askDescription(app, expression, skips, at),
	});
}

function askDescription(app: App, expression: string, skips: Skips, at: At): void {
	app.state().openField({
		title: 'What is it for?',
		lines: ['A few words for those who come after you.'],
		value: at?.rule.description ?? '',
		does: at ? 'change the exception' : 'add the exception',
		submit(description) {
			const exception = {expression, skips, description};
			apply(
				app,
				at ? {kind: 'exception changed', rule: at.index, exception} : {kind: 'exception added', exception},
			);
		},
	});
}

/** Enter into an exception changes it; on all else it leads back to the review. */
const exceptionAt = (row: EditRow): boolean => row.kind === 'rule' && readSkips(row.rule) !== undefined;

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
			if (edit) apply(app, edit);
		},
	),
	editAction(
		'action',
		['a'],
		'give the ruleset, the rule or the threshold another action',
		'action',
		(row, state) =>
			actionEdit(row, state) ? undefined : 'only what runs managed rules has an action to choose',
		chooseAction,
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
		'exception',
		['x'],
		'add an exception',
		'exception',
		() => undefined,
		app => askException(app),
	),
	editAction(
		'change-exception',
		['e'],
		'change the exception',
		undefined,
		row => (exceptionAt(row) ? undefined : 'this is no exception'),
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

/** What taking an override away does; nothing for what is no override. */
function withoutOverride(row: EditRow, state: LedgeState): Edit | undefined {
	const asBefore = {action: 'default', enabled: 'default'} as const;
	const ruleset = rulesetIdAt(state, row.index);
	if (ruleset === undefined) return undefined;
	if (row.kind === 'category')
		return {kind: 'category override', ruleset, category: row.category, ...asBefore};
	return row.kind === 'override'
		? {kind: 'managed rule override', ruleset, id: row.id, ...asBefore}
		: undefined;
}

function removed(app: App, row: EditRow): void {
	const edit = withoutOverride(row, app.state());
	if (row.kind === 'rule') askRemoval(app, row);
	else if (edit) apply(app, edit);
}

function askRemoval(app: App, {index, rule}: Extract<EditRow, {kind: 'rule'}>): void {
	const ruleset = rulesetOf(rule);
	app.state().open({
		kind: 'confirm',
		title: `Remove rule ${index + 1}?`,
		lines: [
			ruleset === undefined ? (rule.description ?? rule.expression) : rulesetName(ruleset),
			...(ruleset === undefined ? [] : ['This managed ruleset is then not deployed at all.']),
			'u takes it back.',
		],
		does: 'remove it',
		confirm: () => apply(app, {kind: 'rule removed', rule: index}),
	});
}
