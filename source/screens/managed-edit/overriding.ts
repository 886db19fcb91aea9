import type {CatalogueRule} from '../../managed/catalogue.ts';
import type {Configuration} from '../../migration/configuration/configuration.ts';
import type {Edit} from '../../migration/configuration/edits.ts';
import {
	managedRulesets,
	overrideActions,
	paranoiaCategory,
	paranoiaLevels,
} from '../../migration/configuration/mapping.ts';
import {executedRuleset, type OverrideChange} from '../../migration/configuration/override-edits.ts';
import type {ManagedContents} from '../../migration/zone/managed-contents.ts';
import type {Has} from '../../store/ledge-store.ts';
import {counted} from '../../text/figures.ts';
import type {App} from '../shell/app.ts';
import {type EditRow, editRows} from './edit-rows.ts';
import {editorOf, type KnownRule, type ManagedEditor, rulesetIn} from './host.ts';

/** The part of a managed ruleset that an override applies to. */
type Part =
	| {readonly kind: 'whole'}
	| {readonly kind: 'category'; readonly category: string}
	| {readonly kind: 'override'; readonly id: string};

/** Maximum matches offered as choices. */
const mostFound = 40;

/** Lists the ids of the managed rulesets that the configuration executes. */
export const rulesetsIn = ({rules}: Configuration): readonly string[] => [
	...new Set(rules.map(executedRuleset).filter(id => id !== undefined)),
];

export function needsRuleset(
	_row: EditRow,
	state: Has<'managed' | 'migration', 'editor'> & Has<'navigation', 'stack'>,
): string | undefined {
	const editor = editorOf(state);
	return editor && rulesetsIn(editor.configuration).length > 0
		? undefined
		: 'no managed ruleset is in this configuration';
}

/** Asks for the managed ruleset, the part of it, and the new setting. */
export function askOverride(app: App, row: EditRow): void {
	const editor = editorOf(app.state());
	if (!editor) return;
	const rulesets = rulesetsIn(editor.configuration);
	const [only, ...others] = rulesets;
	const rule = editor.configuration.rules[row.index];
	if (only !== undefined && others.length === 0) askPart(app, only);
	else
		app.state().dialog.open({
			kind: 'choice',
			title: 'An override of which managed ruleset?',
			lines: [],
			choices: rulesets.map(id => ({value: id, label: rulesetIn(editor, id)})),
			now: rule && executedRuleset(rule),
			choose: id => askPart(app, id),
		});
}

function askPart(app: App, ruleset: string): void {
	const called = rulesetIn(editorOf(app.state()), ruleset);
	app.state().dialog.open({
		kind: 'choice',
		title: `What of ${called}?`,
		lines: [],
		choices: [
			{value: 'rule', label: 'A rule'},
			{value: 'category', label: 'A category'},
			{value: 'whole', label: 'All of it'},
		],
		choose(value) {
			if (value === 'rule') askRule(app, ruleset);
			else if (value === 'category') askCategory(app, ruleset);
			else askSetting(app, ruleset, {kind: 'whole'}, `All of ${called}`);
		},
	});
}

/** Returns the rules of a managed ruleset; undefined if they could not be read. */
export const heldRules = ({managed}: ManagedEditor, ruleset: string) =>
	managed?.find(({id}) => id === ruleset)?.rules;

/** Finds rules by id, or by all words of a name. */
function rulesMeant(typed: string, known: readonly KnownRule[]): readonly KnownRule[] {
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
export const searchable = ({configuration, managed = []}: ManagedEditor): readonly ManagedContents[] => {
	const executed = rulesetsIn(configuration);
	return managed.filter(({id, rules}) => rules !== undefined && executed.includes(id));
};

function askRule(app: App, ruleset: string): void {
	const editor = editorOf(app.state());
	if (!editor) return;
	const called = rulesetIn(editor, ruleset);
	if (heldRules(editor, ruleset)) {
		app.state().catalogue.open({
			title: 'Which rule is overridden?',
			managed: searchable(editor),
			ruleset,
			configuration: editor.configuration,
			picks: 'one',
			does: 'override it',
			picked([rule]) {
				if (rule) askSetting(app, rule.ruleset.id, {kind: 'override', id: rule.id}, rule.description);
			},
		});
		return;
	}
	askRuleId(app, ruleset, called, editor.rulesOtherwise(ruleset));
}

/** Asks for the setting of a managed rule. Warns if its ruleset is not deployed. */
export function overrideRule(app: App, {id, description, ruleset}: CatalogueRule): void {
	const editor = editorOf(app.state());
	if (!editor) return;
	if (rulesetsIn(editor.configuration).includes(ruleset.id))
		askSetting(app, ruleset.id, {kind: 'override', id}, description || `Rule ${id}`);
	else app.state().messages.warn(`${ruleset.name} is not deployed, so its rules cannot be overridden.`);
}

/** Asks for a rule id, if the rules of the ruleset could not be read. */
function askRuleId(app: App, ruleset: string, called: string, known: readonly KnownRule[]): void {
	const set = ({id, name}: KnownRule) =>
		askSetting(app, ruleset, {kind: 'override', id}, name || `Rule ${id}`);
	app.state().dialog.openField({
		title: 'Which rule?',
		lines: [
			known.length > 0
				? `Of ${called}: its id, or words of its name in the previous version.`
				: `Of ${called}: its id.`,
		],
		value: '',
		does: 'continue',
		check(value) {
			const {length} = rulesMeant(value, known);
			if (length > mostFound) return `${counted(length, 'rule')} are called so: type more of the name.`;
			if (length > 0) return undefined;
			return `${known.length > 0 ? 'No rule is called so; an' : 'An'} id is 32 digits from 0 to f.`;
		},
		submit(value) {
			const meant = rulesMeant(value, known);
			const [only, ...others] = meant;
			if (only && others.length === 0) return set(only);
			app.state().dialog.open({
				kind: 'choice',
				title: 'Which of these rules?',
				lines: [],
				choices: meant.map(({id, name}) => ({value: id, label: `${name}   ${id}`})),
				choose(chosen) {
					const one = meant.find(({id}) => id === chosen);
					if (one) set(one);
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
				...paranoiaLevels.map(paranoiaCategory).map(name => ({value: name, label: name})),
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
		lines: [`Of ${rulesetIn(editorOf(app.state()), ruleset)}, as the service writes it: wordpress.`],
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
function askSetting(app: App, ruleset: string, part: Part, called: string): void {
	app.state().dialog.open({
		kind: 'choice',
		title: `${called}:`,
		lines: [],
		choices: [
			{value: 'off', label: 'off'},
			{value: 'on', label: 'on'},
			...overrideActions.map(action => ({value: action, label: `action ${action}`})),
		],
		choose(value) {
			const action = overrideActions.find(one => one === value);
			editorOf(app.state())?.apply(edit(ruleset, part, action ? {action} : {enabled: value === 'on'}));
			goTo(app, ruleset, part);
		},
	});
}

function edit(ruleset: string, part: Part, change: OverrideChange): Edit {
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
function goTo({state}: App, ruleset: string, part: Part): void {
	const editor = editorOf(state());
	if (!editor) return;
	const {configuration, cursor} = editor;
	const at = editRows(configuration).findIndex(row => {
		const rule = configuration.rules[row.index];
		if (row.kind !== part.kind || !rule || executedRuleset(rule) !== ruleset) return false;
		if (row.kind === 'override') return part.kind === 'override' && row.id === part.id;
		if (row.kind === 'category') return part.kind === 'category' && row.category === part.category;
		return true;
	});
	if (at >= 0) editor.move(at - cursor);
}
