import {describeConfiguredRule} from '../../migration/configuration/difference-words.ts';
import type {ConfigurationEdit} from '../../migration/configuration/edits.ts';
import {
	defaultThreshold,
	formatScoreThreshold,
	namedThresholds,
	overrideActions,
	type ParanoiaLevel,
	paranoiaLevels,
} from '../../migration/configuration/mapping.ts';
import {findExecutedRulesetId} from '../../migration/configuration/override-edits.ts';
import type {ConfiguredRule} from '../../migration/configuration/rule-overrides.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {parseFigure} from '../../text/figures.ts';
import {isJsonObject} from '../../text/json.ts';
import type {App} from '../shell/app.ts';
import {buildEditRows, type EditRow} from './edit-rows.ts';
import {getManagedEditor, getRulesetName} from './editor.ts';

const getConfiguredRule = (
	state: StateWith<'managed' | 'migration', 'getEditor'> & StateWith<'navigation', 'stack'>,
	index: number,
): ConfiguredRule | undefined => getManagedEditor(state)?.configuration.rules[index];

const apply = ({state}: App, edit: ConfigurationEdit): void => getManagedEditor(state())?.apply(edit);

/**
 * Builds the edit that switches a row on or off, or undefined if it has no such setting. A row without a
 * setting of its own is switched off.
 */
export function buildToggleEdit(
	row: EditRow,
	state: StateWith<'managed' | 'migration', 'getEditor'> & StateWith<'navigation', 'stack'>,
): ConfigurationEdit | undefined {
	switch (row.kind) {
		case 'rule':
			return {kind: 'rule enabled', rule: row.index, enabled: row.rule.enabled === false};
		case 'whole':
			return {kind: 'ruleset override', ruleset: row.ruleset, enabled: row.enabled === false};
		case 'category': {
			const rulesetId = getExecutedRulesetId(state, row.index);
			return rulesetId === undefined
				? undefined
				: {
						kind: 'category override',
						ruleset: rulesetId,
						category: row.category,
						enabled: row.enabled === false,
					};
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

function getExecutedRulesetId(
	state: StateWith<'managed' | 'migration', 'getEditor'> & StateWith<'navigation', 'stack'>,
	index: number,
): string | undefined {
	const rule = getConfiguredRule(state, index);
	return rule && findExecutedRulesetId(rule);
}

/** Returns a builder of the edit that sets the row's action; undefined if the row has no action. */
export function findActionEditBuilder(
	row: EditRow,
	state: StateWith<'managed' | 'migration', 'getEditor'> & StateWith<'navigation', 'stack'>,
): ((action: (typeof overrideActions)[number] | 'default') => ConfigurationEdit) | undefined {
	const rulesetId = getExecutedRulesetId(state, row.index);
	if (rulesetId === undefined) return undefined;
	switch (row.kind) {
		case 'rule':
		case 'whole':
			return action => ({kind: 'ruleset override', ruleset: rulesetId, action});
		case 'category':
			return action => ({kind: 'category override', ruleset: rulesetId, category: row.category, action});
		case 'override':
			return action => ({kind: 'managed rule override', ruleset: rulesetId, id: row.id, action});
		case 'threshold':
			return action => ({kind: 'threshold action', action});
		case 'paranoia':
			return undefined;
		default:
			return row satisfies never;
	}
}

/** Returns the current action; for a rule, that of its complete ruleset. */
function getCurrentAction(row: EditRow): string | undefined {
	switch (row.kind) {
		case 'rule': {
			const overrides = row.rule.action_parameters?.overrides;
			return isJsonObject(overrides) && typeof overrides.action === 'string' ? overrides.action : undefined;
		}
		case 'paranoia':
			return undefined;
		default:
			return row.action;
	}
}

export function askForRowAction(app: App, row: EditRow): void {
	const buildEdit = findActionEditBuilder(row, app.state());
	if (!buildEdit) return;
	app.state().dialog.open({
		kind: 'choice',
		title: 'Which action?',
		lines: [],
		choices: [
			...overrideActions.map(action => ({value: action, label: action})),
			{value: 'default', label: 'default (set by the managed ruleset)'},
		],
		initialValue: getCurrentAction(row) ?? 'default',
		choose(value) {
			const action = [...overrideActions, 'default' as const].find(one => one === value);
			if (action) apply(app, buildEdit(action));
		},
	});
}

/** Finds the row of an OWASP setting. */
function findOwaspRow<Kind extends 'paranoia' | 'threshold'>(
	state: StateWith<'managed' | 'migration', 'getEditor'> & StateWith<'navigation', 'stack'>,
	kind: Kind,
) {
	const editor = getManagedEditor(state);
	const rows = editor ? buildEditRows(editor.configuration) : [];
	return rows.find((row): row is Extract<EditRow, {kind: Kind}> => row.kind === kind);
}

export const isOwaspRow = (row: EditRow): boolean => row.kind === 'paranoia' || row.kind === 'threshold';
export const getOwaspBlockedReason = (
	_row: EditRow,
	state: StateWith<'managed' | 'migration', 'getEditor'> & StateWith<'navigation', 'stack'>,
): string | undefined =>
	findOwaspRow(state, 'paranoia') ? undefined : 'the OWASP ruleset is not in this configuration';

export function askForParanoiaLevel(app: App): void {
	const level = findOwaspRow(app.state(), 'paranoia')?.level;
	app.state().dialog.open({
		kind: 'choice',
		title: 'Which paranoia level?',
		lines: ['A higher level runs more rules, which also act on more harmless requests.'],
		choices: paranoiaLevels.map(one => ({value: String(one), label: `PL${one}`})),
		initialValue: level && String(level),
		choose: value => apply(app, {kind: 'paranoia level', level: Number(value) as ParanoiaLevel}),
	});
}

/** Offers the named score thresholds, then any other. */
export function askForThreshold(app: App): void {
	const threshold = findOwaspRow(app.state(), 'threshold')?.threshold;
	const isNamed = namedThresholds.some(points => points === threshold);
	app.state().dialog.open({
		kind: 'choice',
		title: 'Which score threshold?',
		lines: [
			'The ruleset acts on requests that score this many points or more. A higher threshold stops fewer requests.',
		],
		choices: [
			...namedThresholds.map(points => ({value: String(points), label: formatScoreThreshold(points)})),
			{value: 'other', label: 'other…'},
		],
		initialValue: threshold === undefined ? String(defaultThreshold) : isNamed ? String(threshold) : 'other',
		choose(value) {
			if (value === 'other') askForOtherThreshold(app, threshold);
			else apply(app, {kind: 'score threshold', points: Number(value)});
		},
	});
}

function askForOtherThreshold(app: App, threshold: number | undefined): void {
	app.state().dialog.openField({
		title: 'Score threshold',
		lines: [
			'The ruleset acts on requests that score this many points or more. A higher threshold stops fewer requests.',
		],
		value: threshold === undefined ? '' : String(threshold),
		actionLabel: 'set threshold',
		check(value) {
			const points = parseFigure(value) ?? 0;
			return points >= 1 && points <= 9999 ? undefined : 'Enter a whole number of points, from 1 to 9,999.';
		},
		submit: value => apply(app, {kind: 'score threshold', points: parseFigure(value) ?? 0}),
	});
}

/** Offers the settings of the OWASP ruleset. */
export function askForOwaspSetting(app: App): void {
	const thresholdRow = findOwaspRow(app.state(), 'threshold');
	app.state().dialog.open({
		kind: 'choice',
		title: 'Tune the OWASP ruleset',
		lines: [],
		choices: [
			{value: 'level', label: 'paranoia level'},
			{value: 'score', label: 'score threshold'},
			{value: 'action', label: 'action for requests that reach the threshold'},
		],
		choose(value) {
			if (value === 'level') askForParanoiaLevel(app);
			else if (value === 'score') askForThreshold(app);
			else if (thresholdRow) askForRowAction(app, thresholdRow);
		},
	});
}

/** Builds the edit that removes an override; undefined if the row is not an override. */
function buildRemovalEdit(
	row: EditRow,
	state: StateWith<'managed' | 'migration', 'getEditor'> & StateWith<'navigation', 'stack'>,
): ConfigurationEdit | undefined {
	const defaults = {action: 'default', enabled: 'default'} as const;
	const rulesetId = getExecutedRulesetId(state, row.index);
	if (rulesetId === undefined) return undefined;
	switch (row.kind) {
		case 'whole':
			return {kind: 'ruleset override', ruleset: rulesetId, ...defaults};
		case 'category':
			return {kind: 'category override', ruleset: rulesetId, category: row.category, ...defaults};
		case 'override':
			return {kind: 'managed rule override', ruleset: rulesetId, id: row.id, ...defaults};
		case 'rule':
		case 'paranoia':
		case 'threshold':
			return undefined;
		default:
			return row satisfies never;
	}
}

export function removeEditRow(app: App, row: EditRow): void {
	const edit = buildRemovalEdit(row, app.state());
	if (row.kind === 'rule') askRemoval(app, row);
	else if (edit) apply(app, edit);
}

function askRemoval(app: App, {index, rule}: Extract<EditRow, {kind: 'rule'}>): void {
	const rulesetId = findExecutedRulesetId(rule);
	app.state().dialog.open({
		kind: 'confirm',
		title: `Remove rule ${index + 1}?`,
		lines: [
			...(rule.description ? [rule.description] : []),
			...(rulesetId === undefined ? [] : [getRulesetName(getManagedEditor(app.state()), rulesetId)]),
			describeConfiguredRule(rule),
			...(rulesetId === undefined ? [] : ['This managed ruleset will no longer be deployed.']),
			'u undoes it.',
		],
		actionLabel: 'remove rule',
		confirm: () => apply(app, {kind: 'rule removed', rule: index}),
	});
}
