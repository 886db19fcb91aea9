import {isFailure} from '../../failure.ts';
import {computeFingerprint, type ManagedConfiguration, toCanonicalRule} from './configuration.ts';
import {compareConfigurations} from './difference.ts';
import {matchConfiguredRules} from './difference-matching.ts';
import {describeEdit} from './difference-words.ts';
import {applyEdit, type ConfigurationEdit} from './edits.ts';
import {buildExceptionRule} from './exceptions.ts';
import {mergeRules} from './merge-rules.ts';
import {findExecutedRulesetId} from './override-edits.ts';
import type {ConfiguredRule} from './rule-overrides.ts';

/** An edit and the configuration it was applied to. `by hand`: the text saved in $EDITOR. */
export type AppliedEdit<E extends ConfigurationEdit | 'by hand' = ConfigurationEdit> = {
	readonly edit: E;
	readonly before: ManagedConfiguration;
	/** Number of the action that made several edits, which are undone together. */
	readonly action?: number;
};

type RebaseResult<E extends ConfigurationEdit | 'by hand'> = {
	readonly edits: readonly AppliedEdit<E>[];
	/** The configuration after the edits. */
	readonly configuration: ManagedConfiguration;
	/** Edits that no longer apply, as sentences that are not escaped. */
	readonly lostEdits: readonly string[];
};

/**
 * Reapplies edits to rules that others have changed. Finds existing rules by id, new ones by content. Drops
 * an edit whose effect already exists, and reports one that would undo someone else's change in `lostEdits`.
 * `finalConfiguration`: the one after the last edit; needed only if that edit was made by hand. Pure.
 */
export function rebaseEdits<E extends ConfigurationEdit | 'by hand'>(
	appliedEdits: readonly AppliedEdit<E>[],
	current: ManagedConfiguration,
	finalConfiguration: ManagedConfiguration = current,
): RebaseResult<E> {
	const edits: AppliedEdit<E>[] = [];
	const lostEdits: string[] = [];
	let configuration = current;
	for (const [index, appliedEdit] of appliedEdits.entries()) {
		const {edit, before} = appliedEdit;
		const after = appliedEdits[index + 1]?.before ?? finalConfiguration;
		const reappliedEdit =
			edit === 'by hand'
				? mergeByHand(before, after, configuration)
				: reapplyEdit(edit, before, configuration);
		if (reappliedEdit === undefined) lostEdits.push(describeLostEdit(edit, before));
		else if (computeFingerprint(reappliedEdit.after) !== computeFingerprint(configuration)) {
			edits.push({...appliedEdit, edit: reappliedEdit.edit as E, before: configuration});
			configuration = reappliedEdit.after;
		}
	}
	return {edits, configuration, lostEdits};
}

type ReappliedEdit = {readonly edit: ConfigurationEdit | 'by hand'; readonly after: ManagedConfiguration};

function mergeByHand(
	before: ManagedConfiguration,
	after: ManagedConfiguration,
	current: ManagedConfiguration,
): ReappliedEdit | undefined {
	const rules = mergeRules(before.rules, after.rules, current.rules);
	return rules && {edit: 'by hand', after: {...current, rules}};
}

/** Applies an edit to the current rules. Undefined if its rule is gone, or if its effect would differ. */
function reapplyEdit(
	edit: ConfigurationEdit,
	before: ManagedConfiguration,
	current: ManagedConfiguration,
): ReappliedEdit | undefined {
	const relocatedEdit = relocateEdit(edit, before, current);
	if (relocatedEdit === 'done') return {edit, after: current};
	if (relocatedEdit === 'gone') return undefined;
	const after = tryEdit(current, relocatedEdit);
	if (!after) return undefined;
	const intendedChanges = new Set(serializeEffect(before, tryEdit(before, edit) ?? before));
	return serializeEffect(current, after).every(change => intendedChanges.has(change))
		? {edit: relocatedEdit, after}
		: undefined;
}

/** Lists the differences between two configurations, each as JSON of its old and its new text. */
const serializeEffect = (before: ManagedConfiguration, after: ManagedConfiguration): readonly string[] =>
	compareConfigurations(before, after, {ignoredProperties: ['order']}).map(difference =>
		JSON.stringify([difference.before, difference.after]),
	);

function tryEdit(
	configuration: ManagedConfiguration,
	edit: ConfigurationEdit,
): ManagedConfiguration | undefined {
	try {
		return applyEdit(configuration, edit);
	} catch (error) {
		if (isFailure(error)) return undefined;
		throw error;
	}
}

/**
 * Updates the rule index of an edit. Returns `done` if its effect already exists, and `gone` if its rule does
 * not exist any more.
 */
function relocateEdit(
	edit: ConfigurationEdit,
	before: ManagedConfiguration,
	current: ManagedConfiguration,
): ConfigurationEdit | 'done' | 'gone' {
	switch (edit.kind) {
		case 'rule enabled':
		case 'exception changed': {
			const rule = findCurrentIndex(edit.rule, before, current);
			return rule === undefined ? 'gone' : {...edit, rule};
		}
		case 'rule removed': {
			const rule = findCurrentIndex(edit.rule, before, current);
			return rule === undefined ? 'done' : {...edit, rule};
		}
		case 'ruleset deployed':
			return current.rules.some(rule => findExecutedRulesetId(rule) === edit.ruleset) ? 'done' : edit;
		case 'exception added': {
			const addedRule = serializeRule(buildExceptionRule(edit.exception));
			const countCopies = ({rules}: ManagedConfiguration) =>
				rules.filter(rule => serializeRule(rule) === addedRule).length;
			return countCopies(current) > countCopies(before) ? 'done' : edit;
		}
		default:
			return edit;
	}
}

function findCurrentIndex(
	index: number,
	before: ManagedConfiguration,
	current: ManagedConfiguration,
): number | undefined {
	const rule = before.rules[index];
	if (!rule) return undefined;
	if (hasId(rule)) {
		const currentIndex = current.rules.findIndex(({id}) => id === rule.id);
		return currentIndex < 0 ? undefined : currentIndex;
	}
	// The service has not assigned ids to these rules yet, so they are matched by content.
	const [oldRules, currentRules] = [findRulesWithoutId(before), findRulesWithoutId(current)];
	const {pairs} = matchConfiguredRules(oldRules.map(toCanonical), currentRules.map(toCanonical));
	const pair = pairs.find(([from]) => oldRules[from]?.index === index);
	return pair && currentRules[pair[1]]?.index;
}

const findRulesWithoutId = ({rules}: ManagedConfiguration) =>
	rules.map((rule, index) => ({rule, index})).filter(({rule}) => !hasId(rule));

/** The rules of the service's proposal have empty ids. */
const hasId = ({id}: ConfiguredRule): boolean => id !== undefined && id !== '';

const toCanonical = ({rule}: {readonly rule: ConfiguredRule}): ConfiguredRule => toCanonicalRule(rule);

const serializeRule = (rule: ConfiguredRule): string => JSON.stringify(toCanonicalRule(rule));

function describeLostEdit(edit: ConfigurationEdit | 'by hand', before: ManagedConfiguration): string {
	if (edit === 'by hand') return 'The change made in the editor.';
	return describeEdit(edit, before);
}
