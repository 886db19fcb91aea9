import type {CatalogueRule} from '../../managed/catalogue.ts';
import type {ManagedConfiguration} from '../../migration/configuration/configuration.ts';
import type {ConfigurationEdit} from '../../migration/configuration/edits.ts';
import {
	getParanoiaCategory,
	managedRulesets,
	overrideActions,
	paranoiaLevels,
} from '../../migration/configuration/mapping.ts';
import {findExecutedRuleset, type OverrideChange} from '../../migration/configuration/override-edits.ts';
import type {ManagedContents} from '../../migration/zone/managed-contents.ts';
import type {Has} from '../../store/ledge-store.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {App} from '../shell/app.ts';
import {buildEditRows, type EditRow} from './edit-rows.ts';
import {getManagedEditor, getRulesetName, type KnownRule, type ManagedEditor} from './host.ts';

/** The part of a managed ruleset that an override applies to. */
type Part =
	| {readonly kind: 'whole'}
	| {readonly kind: 'category'; readonly category: string}
	| {readonly kind: 'override'; readonly id: string};

/** Maximum matches offered as choices. */
const maxMatches = 40;

/** Lists the ids of the managed rulesets that the configuration executes. */
export const listExecutedRulesets = ({rules}: ManagedConfiguration): readonly string[] => [
	...new Set(rules.map(findExecutedRuleset).filter(id => id !== undefined)),
];

export function getNoRulesetReason(
	_row: EditRow,
	state: Has<'managed' | 'migration', 'getEditor'> & Has<'navigation', 'stack'>,
): string | undefined {
	const editor = getManagedEditor(state);
	return editor && listExecutedRulesets(editor.configuration).length > 0
		? undefined
		: 'no managed ruleset is in this configuration';
}

/** Asks for the managed ruleset, the part of it, and the new setting. */
export function askOverride(app: App, row: EditRow): void {
	const editor = getManagedEditor(app.state());
	if (!editor) return;
	const rulesets = listExecutedRulesets(editor.configuration);
	const [only, ...others] = rulesets;
	const rule = editor.configuration.rules[row.index];
	if (only !== undefined && others.length === 0) askPart(app, only);
	else
		app.state().dialog.open({
			kind: 'choice',
			title: 'An override of which managed ruleset?',
			lines: [],
			choices: rulesets.map(id => ({value: id, label: getRulesetName(editor, id)})),
			initialValue: rule && findExecutedRuleset(rule),
			choose: id => askPart(app, id),
		});
}

function askPart(app: App, ruleset: string): void {
	const caption = getRulesetName(getManagedEditor(app.state()), ruleset);
	app.state().dialog.open({
		kind: 'choice',
		title: `What of ${caption}?`,
		lines: [],
		choices: [
			{value: 'rule', label: 'A rule'},
			{value: 'category', label: 'A category'},
			{value: 'whole', label: 'All of it'},
		],
		choose(value) {
			if (value === 'rule') askRule(app, ruleset);
			else if (value === 'category') askCategory(app, ruleset);
			else askSetting(app, ruleset, {kind: 'whole'}, `All of ${caption}`);
		},
	});
}

/** Returns the rules of a managed ruleset; undefined if they could not be read. */
export const getRulesetRules = ({managed}: ManagedEditor, ruleset: string) =>
	managed?.find(({id}) => id === ruleset)?.rules;

/** Finds rules by id, or by all words of a name. */
function matchKnownRules(typed: string, known: readonly KnownRule[]): readonly KnownRule[] {
	const text = typed.trim().toLowerCase();
	const byId = known.find(({id}) => id === text);
	if (byId) return [byId];
	if (/^[0-9a-f]{32}$/.test(text)) return [{id: text, name: ''}];
	const words = text.split(/\s+/).filter(Boolean);
	return words.length === 0
		? []
		: known.filter(({name}) => words.every(word => name.toLowerCase().includes(word)));
}

/** Lists the executed managed rulesets whose rules could be read. */
export const listSearchableRulesets = ({
	configuration,
	managed = [],
}: ManagedEditor): readonly ManagedContents[] => {
	const executed = listExecutedRulesets(configuration);
	return managed.filter(({id, rules}) => rules !== undefined && executed.includes(id));
};

function askRule(app: App, ruleset: string): void {
	const editor = getManagedEditor(app.state());
	if (!editor) return;
	const caption = getRulesetName(editor, ruleset);
	if (getRulesetRules(editor, ruleset)) {
		app.state().catalogue.open({
			title: 'Which rule is overridden?',
			managed: listSearchableRulesets(editor),
			ruleset,
			configuration: editor.configuration,
			picks: 'one',
			does: 'override it',
			onPick([rule]) {
				if (rule) askSetting(app, rule.ruleset.id, {kind: 'override', id: rule.id}, rule.description);
			},
		});
		return;
	}
	askRuleId(app, ruleset, caption, editor.listPreviousRules(ruleset));
}

/** Asks for the setting of a managed rule. Warns if its ruleset is not deployed. */
export function overrideRule(app: App, {id, description, ruleset}: CatalogueRule): void {
	const editor = getManagedEditor(app.state());
	if (!editor) return;
	if (listExecutedRulesets(editor.configuration).includes(ruleset.id))
		askSetting(app, ruleset.id, {kind: 'override', id}, description || `Rule ${id}`);
	else app.state().messages.warn(`${ruleset.name} is not deployed, so its rules cannot be overridden.`);
}

/** Asks for a rule id, if the rules of the ruleset could not be read. */
function askRuleId(app: App, ruleset: string, caption: string, known: readonly KnownRule[]): void {
	const askKnownRule = ({id, name}: KnownRule) =>
		askSetting(app, ruleset, {kind: 'override', id}, name || `Rule ${id}`);
	app.state().dialog.openField({
		title: 'Which rule?',
		lines: [
			known.length > 0
				? `Of ${caption}: its id, or words of its name in the previous version.`
				: `Of ${caption}: its id.`,
		],
		value: '',
		does: 'continue',
		check(value) {
			const {length} = matchKnownRules(value, known);
			if (length > maxMatches)
				return `${formatQuantity(length, 'rule')} are called so: type more of the name.`;
			if (length > 0) return undefined;
			return `${known.length > 0 ? 'No rule is called so; an' : 'An'} id is 32 digits from 0 to f.`;
		},
		submit(value) {
			const matches = matchKnownRules(value, known);
			const [only, ...others] = matches;
			if (only && others.length === 0) return askKnownRule(only);
			app.state().dialog.open({
				kind: 'choice',
				title: 'Which of these rules?',
				lines: [],
				choices: matches.map(({id, name}) => ({value: id, label: `${name}   ${id}`})),
				choose(chosen) {
					const one = matches.find(({id}) => id === chosen);
					if (one) askKnownRule(one);
				},
			});
		},
	});
}

function askCategory(app: App, ruleset: string): void {
	const another = 'another';
	if (ruleset !== managedRulesets.owasp.id) askCategoryName(app, ruleset);
	else
		app.state().dialog.open({
			kind: 'choice',
			title: 'Which category?',
			lines: ['All rules of a paranoia level are a category.'],
			choices: [
				...paranoiaLevels.map(getParanoiaCategory).map(name => ({value: name, label: name})),
				{value: another, label: 'Another one'},
			],
			choose(category) {
				if (category === another) askCategoryName(app, ruleset);
				else askSetting(app, ruleset, {kind: 'category', category}, `Category ${category}`);
			},
		});
}

function askCategoryName(app: App, ruleset: string): void {
	app.state().dialog.openField({
		title: 'Which category?',
		lines: [
			`Of ${getRulesetName(getManagedEditor(app.state()), ruleset)}, as the service writes it: wordpress.`,
		],
		value: '',
		does: 'continue',
		check: value => (/^\S+$/.test(value.trim()) ? undefined : 'This is one word.'),
		submit(value) {
			const category = value.trim();
			askSetting(app, ruleset, {kind: 'category', category}, `Category ${category}`);
		},
	});
}

/** Asks for on, off, or an action. An override changes one of them and keeps the other. */
function askSetting(app: App, ruleset: string, part: Part, caption: string): void {
	app.state().dialog.open({
		kind: 'choice',
		title: `${caption}:`,
		lines: [],
		choices: [
			{value: 'off', label: 'off'},
			{value: 'on', label: 'on'},
			...overrideActions.map(action => ({value: action, label: `action ${action}`})),
		],
		choose(value) {
			const action = overrideActions.find(one => one === value);
			getManagedEditor(app.state())?.apply(
				buildOverrideEdit(ruleset, part, action ? {action} : {enabled: value === 'on'}),
			);
			moveToOverride(app, ruleset, part);
		},
	});
}

function buildOverrideEdit(ruleset: string, part: Part, change: OverrideChange): ConfigurationEdit {
	switch (part.kind) {
		case 'whole':
			return {kind: 'ruleset override', ruleset, ...change};
		case 'category':
			return {kind: 'category override', ruleset, category: part.category, ...change};
		case 'override':
			return {kind: 'managed rule override', ruleset, id: part.id, ...change};
		default:
			return part satisfies never;
	}
}

/** Puts the cursor on the override. */
function moveToOverride({state}: App, ruleset: string, part: Part): void {
	const editor = getManagedEditor(state());
	if (!editor) return;
	const {configuration, cursor} = editor;
	const at = buildEditRows(configuration).findIndex(row => {
		const rule = configuration.rules[row.index];
		if (row.kind !== part.kind || !rule || findExecutedRuleset(rule) !== ruleset) return false;
		if (row.kind === 'override') return part.kind === 'override' && row.id === part.id;
		if (row.kind === 'category') return part.kind === 'category' && row.category === part.category;
		return true;
	});
	if (at >= 0) editor.move(at - cursor);
}
