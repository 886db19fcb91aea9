import {nameKey} from '../../keyboard/named-keys.ts';
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
import {findExecutedRulesetId, type OverrideChange} from '../../migration/configuration/override-edits.ts';
import {parseFigure} from '../../text/figures.ts';
import type {App} from '../shell/app.ts';
import {buildEditRows, type EditRow, isEditRowOff} from './edit-rows.ts';
import {type EditorState, getManagedEditor, getRulesetName} from './editor.ts';
import {
	buildActionEdit,
	buildOverrideEdit,
	getRowPart,
	listTurnOnNotes,
	markCurrentChoice,
	type OverridePart,
	readPartSettings,
} from './override-part.ts';
import {readOwaspDefaults} from './owasp-defaults.ts';

const apply = ({state}: App, edit: ConfigurationEdit): void => getManagedEditor(state())?.apply(edit);

/**
 * Builds the edit that switches a row on or off, or undefined if it has no such setting. A row without a
 * setting of its own is switched off.
 */
export function buildToggleEdit(row: EditRow, state: EditorState): ConfigurationEdit | undefined {
	const enabled = isEditRowOff(row);
	return row.kind === 'rule'
		? {kind: 'rule enabled', rule: row.index, enabled}
		: buildRowOverrideEdit(row, state, {enabled});
}

/** Builds the edit of the override that a row shows; undefined if the row is not an override. */
function buildRowOverrideEdit(
	row: EditRow,
	state: EditorState,
	change: OverrideChange,
): ConfigurationEdit | undefined {
	const target = row.kind === 'rule' || isOwaspRow(row) ? undefined : findActionTarget(row, state);
	return target && buildOverrideEdit(target.rulesetId, target.part, change);
}

function getExecutedRulesetId(state: EditorState, index: number): string | undefined {
	const rule = getManagedEditor(state)?.configuration.rules[index];
	return rule && findExecutedRulesetId(rule);
}

/** The part of an executed ruleset that the action of a row is about; undefined if the row has no action. */
export function findActionTarget(
	row: EditRow,
	state: EditorState,
): {readonly rulesetId: string; readonly part: OverridePart} | undefined {
	const rulesetId = getExecutedRulesetId(state, row.index);
	const part = getRowPart(row);
	return rulesetId === undefined || !part ? undefined : {rulesetId, part};
}

export function askForRowAction(app: App, row: EditRow): void {
	const target = findActionTarget(row, app.state());
	const editor = getManagedEditor(app.state());
	if (!target || !editor) return;
	const {rulesetId, part} = target;
	const settings = readPartSettings(editor, rulesetId, part);
	const currentValue = settings.action ?? 'default';
	app.state().dialog.open({
		kind: 'choice',
		title: 'Which action?',
		lines: [
			...listTurnOnNotes([settings]),
			...(row.kind === 'rule' && row.rule.enabled === false
				? [
						`The rule that runs this ruleset is off, so no action has an effect until ${nameKey('managed.edit-toggle', 'p')} turns it on.`,
					]
				: []),
		],
		choices: markCurrentChoice(
			[
				...overrideActions.map(action => ({value: action, label: action})),
				{value: 'default', label: 'default, set by the managed ruleset'},
			],
			currentValue,
		),
		initialValue: currentValue,
		choose(value) {
			const action = [...overrideActions, 'default' as const].find(one => one === value);
			if (action) apply(app, buildActionEdit(rulesetId, part, action, settings));
		},
	});
}

/** Finds the row of an OWASP setting. */
function findOwaspRow<Kind extends 'paranoia' | 'threshold'>(state: EditorState, kind: Kind) {
	const editor = getManagedEditor(state);
	const rows = editor ? buildEditRows(editor.configuration) : [];
	return rows.find((row): row is Extract<EditRow, {kind: Kind}> => row.kind === kind);
}

export const isOwaspRow = (row: EditRow): boolean => row.kind === 'paranoia' || row.kind === 'threshold';
export const getOwaspBlockedReason = (_row: EditRow, state: EditorState): string | undefined =>
	findOwaspRow(state, 'paranoia') ? undefined : 'the OWASP ruleset is not in this configuration';

const getOwaspDefaults = (state: EditorState) => readOwaspDefaults(getManagedEditor(state)?.catalogue);

export function askForParanoiaLevel(app: App): void {
	const level = findOwaspRow(app.state(), 'paranoia')?.level;
	const defaultLevel = getOwaspDefaults(app.state()).level;
	app.state().dialog.open({
		kind: 'choice',
		title: 'Which paranoia level?',
		lines: ['A higher level runs more rules, which also act on more harmless requests.'],
		choices: markCurrentChoice(
			paranoiaLevels.map(one => ({
				value: String(one),
				label: markDefault(`PL${one}`, level === undefined && one === defaultLevel),
			})),
			level === undefined ? undefined : String(level),
		),
		initialValue: (level ?? defaultLevel)?.toString(),
		choose: value => apply(app, {kind: 'paranoia level', level: Number(value) as ParanoiaLevel}),
	});
}

const markDefault = (label: string, isDefault: boolean): string =>
	isDefault ? `${label} (default of the ruleset)` : label;

/** Offers the named score thresholds, then any other. */
export function askForThreshold(app: App): void {
	const threshold = findOwaspRow(app.state(), 'threshold')?.threshold;
	const rulesetThreshold = getOwaspDefaults(app.state()).threshold;
	const isNamed = namedThresholds.some(points => points === threshold);
	const currentValue = threshold === undefined ? undefined : isNamed ? String(threshold) : 'other';
	app.state().dialog.open({
		kind: 'choice',
		title: 'Which score threshold?',
		lines: [
			'The ruleset acts on requests that score this many points or more. A higher threshold stops fewer requests.',
		],
		choices: markCurrentChoice(
			[
				...namedThresholds.map(points => ({
					value: String(points),
					label: markDefault(
						formatScoreThreshold(points),
						threshold === undefined && points === rulesetThreshold,
					),
				})),
				{value: 'other', label: currentValue === 'other' ? `other: ${threshold} points` : 'other…'},
			],
			currentValue,
		),
		initialValue: currentValue ?? String(rulesetThreshold ?? defaultThreshold),
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

export function removeEditRow(app: App, row: EditRow): void {
	const edit = buildRowOverrideEdit(row, app.state(), {action: 'default', enabled: 'default'});
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
			`${nameKey('managed.undo', 'u')} undoes it.`,
		],
		actionLabel: 'remove rule',
		confirm: () => apply(app, {kind: 'rule removed', rule: index}),
	});
}
