import {analyse} from '../../firewall/expression/expressions.ts';
import {buildHostPathExpression, parseTargets} from '../../firewall/rules/targets.ts';
import type {ManagedConfiguration} from '../../migration/configuration/configuration.ts';
import {type ExceptionDraft, parseSkips, type Skips} from '../../migration/configuration/exceptions.ts';
import {findExecutedRulesetId} from '../../migration/configuration/override-edits.ts';
import type {ConfiguredRule} from '../../migration/configuration/rule-overrides.ts';
import type {ManagedContents} from '../../migration/zone/managed-contents.ts';
import {toDrawable} from '../../text/columns.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {App} from '../shell/app.ts';
import {getRulesetRules, listExecutedRulesets, listSearchableRulesets} from './ask-override.ts';
import {buildEditRows, type EditRow} from './edit-rows.ts';
import {getManagedEditor, getRulesetName, type ManagedEditor} from './editor.ts';
import {serializeException, type UnfinishedException} from './unfinished-exception.ts';

/**
 * Asks what an exception skips, then its expression, then its description. The narrowest choice comes first:
 * the rule of `row`, then rules of its ruleset.
 */
export function askException(app: App, target?: ExceptionTarget, row?: EditRow): void {
	const editor = getManagedEditor(app.state());
	if (!editor) return;
	if (editor.unfinished) {
		askToContinue(app, editor.unfinished, target, row);
		return;
	}
	const rowRulesetId = row && findRowRuleset(editor.configuration, row);
	const rulesets = listExecutedRulesets(editor.configuration).toSorted(
		(one, other) => Number(other === rowRulesetId) - Number(one === rowRulesetId),
	);
	const currentSkips = target && parseSkips(target.rule);
	const keepValue = 'as it is';
	const overrideRow = target === undefined && row?.kind === 'override' ? row : undefined;
	app.state().dialog.open({
		kind: 'choice',
		title: 'What does the exception skip?',
		lines: ['It applies to requests that match its expression, and is placed before what it skips.'],
		choices: [
			...(currentSkips ? [{value: keepValue, label: 'Keep what it skips now'}] : []),
			...(overrideRow
				? [{value: 'this rule', label: toDrawable(`This rule: ${getManagedRuleName(editor, overrideRow)}`)}]
				: []),
			...rulesets.map(id => ({
				value: `rules ${id}`,
				label: toDrawable(`Some rules of ${getRulesetName(editor, id)}`),
			})),
			...rulesets.map(id => ({
				value: `ruleset ${id}`,
				label: toDrawable(`All of ${getRulesetName(editor, id)}`),
			})),
			{value: 'all', label: 'All managed rules after it'},
		],
		choose(value) {
			const [kind, id = ''] = value.split(' ');
			if (overrideRow && value === 'this rule')
				return askExpression(app, {kind: 'rules', rules: {[overrideRow.ruleset]: [overrideRow.id]}}, target);
			if (value === keepValue && currentSkips) return askExpression(app, currentSkips, target);
			if (kind === 'all') return askExpression(app, {kind: 'all'}, target);
			if (kind === 'ruleset') return askExpression(app, {kind: 'rulesets', ids: [id]}, target);
			askRules(app, id, target);
		},
	});
}

/** Finds the managed ruleset of a row. */
function findRowRuleset({rules}: ManagedConfiguration, {index}: EditRow): string | undefined {
	const rule = rules[index];
	return rule && findExecutedRulesetId(rule);
}

/** Returns the name of a managed rule, or its id if the catalogue does not have it. */
const getManagedRuleName = (
	editor: ManagedEditor,
	{ruleset, id}: {readonly ruleset: string; readonly id: string},
) => getRulesetRules(editor, ruleset)?.find(rule => rule.id === id)?.description || id;

/** Asks for the expression and the description of an exception started elsewhere, both prefilled. */
export function proposeException(app: App, {skips, expression, description}: ExceptionDraft): void {
	askExpression(app, skips, undefined, expression, description);
}

/** Maximum names of rules in a question; the others are counted. */
const maxSkippedNames = 3;

/** Says what the exception skips, with the names of rules. */
function describeSkips(app: App, skips: Skips): string {
	const editor = getManagedEditor(app.state());
	switch (skips.kind) {
		case 'all':
			return 'Skips all managed rules after it.';
		case 'rulesets':
			return `Skips all of ${skips.ids.map(id => toDrawable(getRulesetName(editor, id))).join(', ')}.`;
		case 'rules': {
			const names = Object.entries(skips.rules).flatMap(([ruleset, ids]) =>
				ids.map(id => toDrawable(editor ? getManagedRuleName(editor, {ruleset, id}) : id)),
			);
			const otherCount = names.length - maxSkippedNames;
			const others = otherCount > 0 ? ` and ${formatQuantity(otherCount, 'other rule')}` : '';
			return `Skips ${names.slice(0, maxSkippedNames).join(', ')}${others}.`;
		}
		default:
			return skips satisfies never;
	}
}

type ExceptionTarget = {readonly index: number; readonly rule: ConfiguredRule} | undefined;

const splitIds = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean);

/** Asks whether to continue an exception restored from a draft. */
function askToContinue(
	app: App,
	unfinished: UnfinishedException,
	target: ExceptionTarget,
	row: EditRow | undefined,
): void {
	app.state().dialog.open({
		kind: 'choice',
		title: 'Unfinished exception',
		lines: [unfinished.expression ?? '', unfinished.text].filter(text => text !== ''),
		choices: [
			{value: 'on', label: 'Continue'},
			{value: 'new', label: 'Discard it and start over'},
		],
		choose(value) {
			getManagedEditor(app.state())?.forgetUnfinished();
			if (value === 'on') continueException(app, unfinished);
			else askException(app, target, row);
		},
	});
}

function continueException(
	app: App,
	{at: step, text, index, ruleset = '', skips, expression = ''}: UnfinishedException,
) {
	const rule = index === undefined ? undefined : getManagedEditor(app.state())?.configuration.rules[index];
	const target = index !== undefined && rule ? {index, rule} : undefined;
	if (step === 'rules') return askRules(app, ruleset, target, text);
	if (!skips) return;
	if (step === 'expression') return askExpression(app, skips, target, text);
	askDescription(app, expression, skips, target, text);
}

/**
 * Asks for the rules of a managed ruleset, in a list that also offers other rulesets. `initialText`: ids
 * marked at first.
 */
function askRules(app: App, rulesetId: string, target: ExceptionTarget, initialText = ''): void {
	const editor = getManagedEditor(app.state());
	if (!editor) return;
	if (!getRulesetRules(editor, rulesetId)) {
		askIds(app, rulesetId, target, initialText);
		return;
	}
	const currentSkips = target && parseSkips(target.rule);
	const currentRules = currentSkips?.kind === 'rules' ? currentSkips.rules : {};
	const contents = listSearchableRulesets(editor);
	app.state().catalogue.open({
		title: 'Which rules to skip?',
		rulesets: contents,
		rulesetId,
		configuration: editor.configuration,
		pickMode: 'several',
		initialMarks: [...splitIds(initialText), ...Object.values(currentRules).flat()],
		verb: 'skip',
		onPick(rules) {
			const ids = new Map(findUnlistedRules(currentRules, contents));
			for (const {
				id,
				ruleset: {id: pickedRulesetId},
			} of rules)
				ids.set(pickedRulesetId, [...(ids.get(pickedRulesetId) ?? []), id]);
			askExpression(app, {kind: 'rules', rules: Object.fromEntries(ids)}, target);
		},
	});
}

/** Finds the rules that cannot be picked; changing an exception keeps them. */
function findUnlistedRules(
	rules: Readonly<Record<string, readonly string[]>>,
	contents: readonly ManagedContents[],
): readonly (readonly [string, readonly string[]])[] {
	const listedIds = new Set(contents.flatMap(({rules: all = []}) => all.map(({id}) => id)));
	return Object.entries(rules).flatMap(([ruleset, ids]) => {
		const unlistedIds = ids.filter(id => !listedIds.has(id));
		return unlistedIds.length > 0 ? [[ruleset, unlistedIds] as const] : [];
	});
}

/** Asks for rule ids, if the rules of the ruleset could not be read. */
function askIds(app: App, rulesetId: string, target: ExceptionTarget, initialText: string): void {
	app.state().dialog.openField({
		formInput: serializeException({at: 'rules', ruleset: rulesetId, index: target?.index}),
		title: 'IDs of the rules to skip',
		lines: [`From ${getRulesetName(getManagedEditor(app.state()), rulesetId)}, separated by spaces.`],
		value: initialText,
		actionLabel: 'continue',
		check: value =>
			splitIds(value).length > 0 && splitIds(value).every(id => /^[0-9a-f]{32}$/.test(id))
				? undefined
				: 'Each id is 32 hexadecimal digits, in lower case.',
		submit: value => askExpression(app, {kind: 'rules', rules: {[rulesetId]: splitIds(value)}}, target),
	});
}

/** A host and a path, with or without a scheme. */
const hostPathPattern = /^(?:https?:\/\/)?((?:[a-z\d-]+\.)+[a-z][a-z\d-]*)(\/[^\s?#*"]*)$/i;

/** Returns the typed expression, or that of a typed address, network or path, or of a path of a host. */
function toExpression(inputText: string): string {
	const [, host, path] = hostPathPattern.exec(inputText.trim()) ?? [];
	if (host !== undefined && path !== undefined) return buildHostPathExpression(host.toLowerCase(), path);
	const targets = parseTargets(inputText);
	return targets?.kind === 'one' ? targets.expression : inputText;
}

/**
 * Explains why the input is ambiguous; undefined if it is not. Line ends of a paste are spaces in the field, so
 * that a comment would take all addresses after it.
 */
function findAmbiguity(inputText: string): string | undefined {
	const targets = parseTargets(inputText);
	if (targets && /(^|\s)#/.test(inputText))
		return 'Leave out comments: in one line, everything after # would be left out.';
	return targets?.kind === 'both'
		? 'Address and path: write an expression that joins them with "and" (both) or "or" (either).'
		: undefined;
}

/** What the expression of an exception may use. Fields that ledge does not know are left to the service. */
const exceptionPhase = {
	phase: 'http_request_firewall_managed',
	isMigrated: true,
	letsThrough: true,
	allowUnknown: true,
} as const;

/** Refuses a single word that is no field: it is a path without its slash, or a part of one. */
function findUnknownWord(inputText: string): string | undefined {
	const word = inputText.trim();
	if (!/^[\w-]+$/.test(word)) return undefined;
	const isUnknown = analyse(word, {...exceptionPhase, allowUnknown: false}).errors.length > 0;
	return isUnknown && analyse(word, exceptionPhase).errors.length === 0
		? `There is no field "${word}". A path begins with a slash: /${word}`
		: undefined;
}

function askExpression(
	app: App,
	skips: Skips,
	target: ExceptionTarget,
	initialText = target?.rule.expression ?? '',
	description?: string,
): void {
	app.state().dialog.openField({
		formInput: serializeException({at: 'expression', skips, index: target?.index}),
		title: 'Which requests?',
		lines: [
			describeSkips(app, skips),
			'An address, a network, a path, or an expression: ip.src in {192.0.2.0/24}. true matches all requests.',
			// The field cuts a long expression.
			...(initialText.length > app.state().navigation.viewport.columns - 10
				? [`Prefilled: ${initialText}`]
				: []),
		],
		value: initialText,
		actionLabel: 'continue',
		check: value =>
			findAmbiguity(value) ??
			findUnknownWord(value) ??
			analyse(toExpression(value), {...exceptionPhase, plan: getManagedEditor(app.state())?.plan}).errors[0]
				?.sentence,
		submit: value => askDescription(app, toExpression(value), skips, target, description),
	});
}

function askDescription(
	app: App,
	expression: string,
	skips: Skips,
	target: ExceptionTarget,
	initialText = target?.rule.description ?? '',
): void {
	app.state().dialog.openField({
		formInput: serializeException({at: 'description', skips, expression, index: target?.index}),
		title: 'What is it for?',
		lines: [describeSkips(app, skips), 'A short description for others who work on these rules.'],
		value: initialText,
		actionLabel: target ? 'change exception' : 'add exception',
		submit(description) {
			const exception = {expression, skips, description};
			const editor = getManagedEditor(app.state());
			if (target) editor?.apply({kind: 'exception changed', rule: target.index, exception});
			else if (editor) addException(app, editor, exception);
		},
	});
}

/** Adds an exception and puts the cursor on it. */
function addException(app: App, {configuration, apply}: ManagedEditor, exception: ExceptionDraft): void {
	const formerRules = new Set(configuration.rules);
	apply({kind: 'exception added', exception});
	const editor = getManagedEditor(app.state());
	const index = editor
		? buildEditRows(editor.configuration).findIndex(
				row => row.kind === 'rule' && isException(row) && !formerRules.has(row.rule),
			)
		: -1;
	if (editor && index >= 0) editor.move(index - editor.cursor);
}

/** True if a row is an exception that can be edited. */
export const isException = (row: EditRow): boolean =>
	row.kind === 'rule' && parseSkips(row.rule) !== undefined;
