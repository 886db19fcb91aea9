import {nameKey} from '../../keyboard/named-keys.ts';
import type {CatalogueRule} from '../../managed/catalogue.ts';
import type {ManagedConfiguration} from '../../migration/configuration/configuration.ts';
import type {ConfigurationEdit} from '../../migration/configuration/edits.ts';
import {
	getParanoiaCategory,
	managedRulesets,
	overrideActions,
	paranoiaLevels,
} from '../../migration/configuration/mapping.ts';
import {findExecutedRulesetId} from '../../migration/configuration/override-edits.ts';
import type {ManagedContents} from '../../migration/zone/managed-contents.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {CatalogueRequest} from '../catalogue/state.ts';
import type {App} from '../shell/app.ts';
import {buildEditRows, type EditRow} from './edit-rows.ts';
import {
	type EditorState,
	getManagedEditor,
	getRulesetName,
	type KnownRule,
	type ManagedEditor,
} from './editor.ts';
import {
	buildActionEdit,
	buildOverrideEdit,
	listTurnOnNotes,
	markCurrentChoice,
	type OverridePart,
	type PartSettings,
	readPartSettings,
} from './override-part.ts';

/** Maximum matches offered as choices. */
const maxMatches = 40;

/** Lists the ids of the managed rulesets that the configuration executes. */
export const listExecutedRulesets = ({rules}: ManagedConfiguration): readonly string[] => [
	...new Set(rules.map(findExecutedRulesetId).filter(id => id !== undefined)),
];

export function getOverrideBlockedReason(_row: EditRow, state: EditorState): string | undefined {
	const editor = getManagedEditor(state);
	return editor && listExecutedRulesets(editor.configuration).length > 0
		? undefined
		: 'no managed ruleset in this configuration';
}

/** Asks for the managed ruleset, the part of it, and the new setting. */
export function askOverride(app: App, row: EditRow): void {
	const editor = getManagedEditor(app.state());
	if (!editor) return;
	const rulesets = listExecutedRulesets(editor.configuration);
	const [firstRuleset, ...otherRulesets] = rulesets;
	const rule = editor.configuration.rules[row.index];
	if (firstRuleset !== undefined && otherRulesets.length === 0) askPart(app, firstRuleset);
	else
		app.state().dialog.open({
			kind: 'choice',
			title: 'Override which managed ruleset?',
			lines: [],
			choices: rulesets.map(id => ({value: id, label: getRulesetName(editor, id)})),
			initialValue: rule && findExecutedRulesetId(rule),
			choose: id => askPart(app, id),
		});
}

function askPart(app: App, rulesetId: string): void {
	const caption = getRulesetName(getManagedEditor(app.state()), rulesetId);
	const hasCategories = listCategories(app, rulesetId)?.length !== 0;
	app.state().dialog.open({
		kind: 'choice',
		title: `Override what in ${caption}?`,
		lines: hasCategories ? [] : ['Its rules have no categories.'],
		choices: [
			{value: 'rule', label: 'A rule'},
			...(hasCategories ? [{value: 'category', label: 'A category'}] : []),
			{value: 'whole', label: 'The whole ruleset'},
		],
		choose(value) {
			if (value === 'rule') askRule(app, rulesetId);
			else if (value === 'category') askCategory(app, rulesetId);
			else askSetting(app, rulesetId, {kind: 'whole'}, `All of ${caption}`);
		},
	});
}

/** Returns the rules of a managed ruleset; undefined if they could not be read. */
export const getRulesetRules = ({catalogue}: ManagedEditor, rulesetId: string) =>
	catalogue?.find(({id}) => id === rulesetId)?.rules;

/** Lists the categories of a managed ruleset by name; undefined if its rules could not be read. */
function listCategories(app: App, rulesetId: string): readonly string[] | undefined {
	const editor = getManagedEditor(app.state());
	const rules = editor && getRulesetRules(editor, rulesetId);
	return rules && [...new Set(rules.flatMap(({categories}) => categories))].toSorted();
}

/** Finds rules by id, or by all words of a name. Accepts an unknown id, as a rule without a name. */
function matchKnownRules(searchText: string, knownRules: readonly KnownRule[]): readonly KnownRule[] {
	const normalizedText = searchText.trim().toLowerCase();
	const ruleWithId = knownRules.find(({id}) => id === normalizedText);
	if (ruleWithId) return [ruleWithId];
	if (/^[0-9a-f]{32}$/.test(normalizedText)) return [{id: normalizedText, name: ''}];
	const words = normalizedText.split(/\s+/).filter(Boolean);
	return words.length === 0
		? []
		: knownRules.filter(({name}) => words.every(word => name.toLowerCase().includes(word)));
}

/** Lists the executed managed rulesets whose rules could be read. */
export const listSearchableRulesets = ({
	configuration,
	catalogue = [],
}: ManagedEditor): readonly ManagedContents[] => {
	const executedIds = listExecutedRulesets(configuration);
	return catalogue.filter(({id, rules}) => rules !== undefined && executedIds.includes(id));
};

function askRule(app: App, rulesetId: string): void {
	const editor = getManagedEditor(app.state());
	if (!editor) return;
	const caption = getRulesetName(editor, rulesetId);
	if (getRulesetRules(editor, rulesetId)) {
		app.state().catalogue.open({
			title: 'Override which rule?',
			rulesets: listSearchableRulesets(editor),
			rulesetId,
			configuration: editor.configuration,
			pickMode: 'several',
			verb: 'override',
			onPick: rules => overrideRules(app, rules),
		});
		return;
	}
	askRuleId(app, rulesetId, caption, editor.listPreviousRules(rulesetId));
}

/** Asks for the setting of managed rules. Warns if the ruleset of one is not deployed. */
function overrideRules(app: App, rules: readonly CatalogueRule[]): void {
	const editor = getManagedEditor(app.state());
	const [firstRule] = rules;
	if (!editor || !firstRule) return;
	const executedIds = listExecutedRulesets(editor.configuration);
	const blockedRule = rules.find(({ruleset}) => !executedIds.includes(ruleset.id));
	if (blockedRule) {
		app
			.state()
			.messages.warn(`${blockedRule.ruleset.name} is not deployed, so its rules cannot be overridden.`);
		return;
	}
	const caption =
		rules.length === 1
			? firstRule.description || `Rule ${firstRule.id}`
			: formatQuantity(rules.length, 'managed rule');
	askSettings(
		app,
		rules.map(({id, ruleset}) => ({rulesetId: ruleset.id, part: {kind: 'override', id}})),
		caption,
	);
}

/** Opens the browser of all managed rules. Picking rules overrides them. */
export const browseRules = (
	app: App,
	{
		rulesets,
		configuration,
		query,
		pickMode,
		onLeave,
	}: Pick<CatalogueRequest, 'rulesets' | 'configuration' | 'query' | 'pickMode' | 'onLeave'>,
): void =>
	app.state().catalogue.open({
		title: 'All managed rules',
		rulesets,
		configuration,
		query,
		pickMode,
		verb: 'override',
		onLeave,
		onPick: rules => overrideRules(app, rules),
	});

/** Asks for a rule id, if the rules of the ruleset could not be read. */
function askRuleId(app: App, rulesetId: string, caption: string, knownRules: readonly KnownRule[]): void {
	const askKnownRule = ({id, name}: KnownRule) =>
		askSetting(app, rulesetId, {kind: 'override', id}, name || `Rule ${id}`);
	app.state().dialog.openField({
		title: 'Which rule?',
		lines: [
			knownRules.length > 0
				? `In ${caption}: its id, or words from its name in the previous version.`
				: `In ${caption}: its id.`,
		],
		value: '',
		actionLabel: 'continue',
		check(value) {
			const {length} = matchKnownRules(value, knownRules);
			if (length > maxMatches) return `${formatQuantity(length, 'rule')} match: type more of the name.`;
			if (length > 0) return undefined;
			return `${knownRules.length > 0 ? 'No rule matches; an' : 'An'} id is 32 hexadecimal digits.`;
		},
		submit(value) {
			const matches = matchKnownRules(value, knownRules);
			const [firstMatch, ...otherMatches] = matches;
			if (firstMatch && otherMatches.length === 0) return askKnownRule(firstMatch);
			app.state().dialog.open({
				kind: 'choice',
				title: 'Which of these rules?',
				lines: [],
				choices: matches.map(({id, name}) => ({value: id, label: `${name}   ${id}`})),
				choose(ruleId) {
					const chosenRule = matches.find(({id}) => id === ruleId);
					if (chosenRule) askKnownRule(chosenRule);
				},
			});
		},
	});
}

function askCategory(app: App, rulesetId: string): void {
	const otherValue = 'another';
	const levels = paranoiaLevels.map(getParanoiaCategory);
	const hasOthers = listCategories(app, rulesetId)?.every(name => levels.includes(name)) !== true;
	if (rulesetId !== managedRulesets.owasp.id) askCategoryName(app, rulesetId);
	else
		app.state().dialog.open({
			kind: 'choice',
			title: 'Which category?',
			lines: [`Each paranoia level is a category of rules.${hasOthers ? '' : ' There are no others.'}`],
			choices: [
				...levels.map(name => ({value: name, label: name})),
				...(hasOthers ? [{value: otherValue, label: 'Another category'}] : []),
			],
			choose(category) {
				if (category === otherValue) askCategoryName(app, rulesetId);
				else askSetting(app, rulesetId, {kind: 'category', category}, `Category ${category}`);
			},
		});
}

function askCategoryName(app: App, rulesetId: string): void {
	const names = listCategories(app, rulesetId);
	const caption = getRulesetName(getManagedEditor(app.state()), rulesetId);
	app.state().dialog.openField({
		title: 'Which category?',
		lines: [`In ${caption}: ${names ? 'choose one, or type part of it.' : 'as the service spells it.'}`],
		suggestions: names && {all: names.map(name => ({value: name, label: name, texts: [name]}))},
		value: '',
		actionLabel: 'continue',
		check(value) {
			if (names) return names.includes(value.trim()) ? undefined : `${caption} has no such category.`;
			return /^\S+$/.test(value.trim()) ? undefined : 'A category is a single word.';
		},
		submit(value) {
			const category = value.trim();
			askSetting(app, rulesetId, {kind: 'category', category}, `Category ${category}`);
		},
	});
}

type OverrideTarget = {readonly rulesetId: string; readonly part: OverridePart};

const askSetting = (app: App, rulesetId: string, part: OverridePart, caption: string): void =>
	askSettings(app, [{rulesetId, part}], caption);

/** Asks for on, off, an action, or none of these. An action turns on what is off; on or off keep the action. */
function askSettings(app: App, targets: readonly OverrideTarget[], caption: string): void {
	const editor = getManagedEditor(app.state());
	if (!editor) return;
	const partSettings = targets.map(({rulesetId, part}) => readPartSettings(editor, rulesetId, part));
	const [currentValue, ...otherValues] = new Set(partSettings.map(formatCurrentValue));
	const commonValue = otherValues.length === 0 ? currentValue : undefined;
	app.state().dialog.open({
		kind: 'choice',
		title: `${caption}:`,
		lines: listTurnOnNotes(partSettings),
		choices: markCurrentChoice(
			[
				{value: 'off', label: 'off'},
				{value: 'on', label: 'on'},
				...overrideActions.map(action => ({value: action, label: `action ${action}`})),
				{value: noOverride, label: `${noOverride}: as the managed ruleset sets it`},
			],
			commonValue,
		),
		initialValue: commonValue ?? noOverride,
		choose(value) {
			let changedCount = 0;
			for (const [index, {rulesetId, part}] of targets.entries()) {
				const settings = partSettings[index];
				const currentEditor = getManagedEditor(app.state());
				if (!settings || !currentEditor) continue;
				currentEditor.apply(buildSettingEdit(rulesetId, part, value, settings));
				if (app.state().messages.latest?.kind === 'failed') return;
				if (getManagedEditor(app.state())?.configuration !== currentEditor.configuration) changedCount++;
				moveToOverride(app, rulesetId, part);
			}
			if (targets.length > 1)
				app.state().messages.say(describeChange(value, caption, changedCount, targets.length));
		},
	});
}

/** The choice that leaves everything to the managed ruleset. */
const noOverride = 'no override';

function buildSettingEdit(
	rulesetId: string,
	part: OverridePart,
	value: string,
	settings: PartSettings,
): ConfigurationEdit {
	const action = overrideActions.find(one => one === value);
	if (action) return buildActionEdit(rulesetId, part, action, settings);
	return buildOverrideEdit(
		rulesetId,
		part,
		value === noOverride ? {action: 'default', enabled: 'default'} : {enabled: value === 'on'},
	);
}

/** Says how many of several parts a setting has changed. */
function describeChange(value: string, caption: string, changedCount: number, totalCount: number): string {
	if (changedCount === 0) return `No change: ${value} was already set for ${caption}.`;
	const count = changedCount === totalCount ? '' : `${changedCount} of `;
	return `Unsent change: ${value} for ${count}${caption}. ${nameKey('managed.undo', 'u')} undoes one rule at a time.`;
}

const formatCurrentValue = ({enabled, action}: PartSettings): string =>
	enabled === false ? 'off' : (action ?? (enabled === true ? 'on' : noOverride));

/** Puts the cursor on the override. */
function moveToOverride({state}: App, rulesetId: string, part: OverridePart): void {
	const editor = getManagedEditor(state());
	if (!editor) return;
	const {configuration, cursor} = editor;
	const index = buildEditRows(configuration).findIndex(row => {
		const rule = configuration.rules[row.index];
		if (row.kind !== part.kind || !rule || findExecutedRulesetId(rule) !== rulesetId) return false;
		if (row.kind === 'override') return part.kind === 'override' && row.id === part.id;
		if (row.kind === 'category') return part.kind === 'category' && row.category === part.category;
		return true;
	});
	if (index >= 0) editor.move(index - cursor);
}
