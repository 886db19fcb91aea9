import {isFailure} from '../../failure.ts';
import {computeFingerprint, type ManagedConfiguration, toCanonicalRule} from './configuration.ts';
import {compareConfigurations} from './difference.ts';
import {matchConfiguredRules} from './difference-matching.ts';
import {describeEdit} from './difference-words.ts';
import {applyEdit, type ConfigurationEdit} from './edits.ts';
import {buildExceptionRule} from './exceptions.ts';
import {mergeRules} from './merge-rules.ts';
import {findExecutedRuleset} from './override-edits.ts';
import type {ConfiguredRule} from './rule-overrides.ts';

/** An edit and the configuration it was applied to. `by hand`: the text saved in $EDITOR. */
export type MadeEdit<E extends ConfigurationEdit | 'by hand' = ConfigurationEdit> = {
	readonly edit: E;
	readonly before: ManagedConfiguration;
};

type RebaseResult<E extends ConfigurationEdit | 'by hand'> = {
	readonly edits: readonly MadeEdit<E>[];
	/** The configuration after the edits. */
	readonly configuration: ManagedConfiguration;
	/** Edits that no longer apply, as sentences. Raw text of data. */
	readonly lost: readonly string[];
};

/**
 * Reapplies edits to rules that others have changed. Finds existing rules by id, new ones by content. Drops
 * an edit whose effect already exists; reports one that would undo someone else's change in `lost`. `result`:
 * the configuration after the last edit; needed only if that was made by hand. Pure.
 */
export function rebaseEdits<E extends ConfigurationEdit | 'by hand'>(
	made: readonly MadeEdit<E>[],
	now: ManagedConfiguration,
	result: ManagedConfiguration = now,
): RebaseResult<E> {
	const edits: MadeEdit<E>[] = [];
	const lost: string[] = [];
	let configuration = now;
	for (const [at, {edit, before}] of made.entries()) {
		const after = made[at + 1]?.before ?? result;
		const moved =
			edit === 'by hand' ? mergeByHand(before, after, configuration) : moveEdit(edit, before, configuration);
		if (moved === undefined) lost.push(describeLostEdit(edit, before));
		else if (computeFingerprint(moved.after) !== computeFingerprint(configuration)) {
			edits.push({edit: moved.edit as E, before: configuration});
			configuration = moved.after;
		}
	}
	return {edits, configuration, lost};
}

type MovedEdit = {readonly edit: ConfigurationEdit | 'by hand'; readonly after: ManagedConfiguration};

function mergeByHand(
	before: ManagedConfiguration,
	after: ManagedConfiguration,
	now: ManagedConfiguration,
): MovedEdit | undefined {
	const rules = mergeRules(before.rules, after.rules, now.rules);
	return rules && {edit: 'by hand', after: {...now, rules}};
}

/** Applies an edit to the current rules. Undefined if its rule is gone, or if its effect would differ. */
function moveEdit(
	edit: ConfigurationEdit,
	before: ManagedConfiguration,
	now: ManagedConfiguration,
): MovedEdit | undefined {
	const placed = placeEdit(edit, before, now);
	if (placed === 'done') return {edit, after: now};
	if (placed === 'gone') return undefined;
	const after = tryEdit(now, placed);
	if (!after) return undefined;
	const intended = new Set(serializeEffect(before, tryEdit(before, edit) ?? before));
	return serializeEffect(now, after).every(change => intended.has(change))
		? {edit: placed, after}
		: undefined;
}

/** The differences between two configurations, each as JSON of its values before and after. */
const serializeEffect = (before: ManagedConfiguration, after: ManagedConfiguration): readonly string[] =>
	compareConfigurations(before, after, {ignoring: ['order']}).map(difference =>
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

/** Updates the rule index of an edit. `done` if its effect already exists, `gone` if its rule does not. */
function placeEdit(
	edit: ConfigurationEdit,
	before: ManagedConfiguration,
	now: ManagedConfiguration,
): ConfigurationEdit | 'done' | 'gone' {
	switch (edit.kind) {
		case 'rule enabled':
		case 'exception changed': {
			const rule = findCurrentIndex(edit.rule, before, now);
			return rule === undefined ? 'gone' : {...edit, rule};
		}
		case 'rule removed': {
			const rule = findCurrentIndex(edit.rule, before, now);
			return rule === undefined ? 'done' : {...edit, rule};
		}
		case 'ruleset deployed':
			return now.rules.some(rule => findExecutedRuleset(rule) === edit.ruleset) ? 'done' : edit;
		case 'exception added': {
			const added = serializeRule(buildExceptionRule(edit.exception));
			const count = ({rules}: ManagedConfiguration) =>
				rules.filter(rule => serializeRule(rule) === added).length;
			return count(now) > count(before) ? 'done' : edit;
		}
		default:
			return edit;
	}
}

function findCurrentIndex(
	index: number,
	before: ManagedConfiguration,
	now: ManagedConfiguration,
): number | undefined {
	const rule = before.rules[index];
	if (!rule) return undefined;
	if (rule.id !== undefined) {
		const at = now.rules.findIndex(({id}) => id === rule.id);
		return at < 0 ? undefined : at;
	}
	// The service has not assigned ids to these yet: match them by content.
	const [old, current] = [findRulesWithoutId(before), findRulesWithoutId(now)];
	const {pairs} = matchConfiguredRules(old.map(toCanonical), current.map(toCanonical));
	const pair = pairs.find(([from]) => old[from]?.index === index);
	return pair && current[pair[1]]?.index;
}

const findRulesWithoutId = ({rules}: ManagedConfiguration) =>
	rules.map((rule, index) => ({rule, index})).filter(({rule}) => rule.id === undefined);

const toCanonical = ({rule}: {readonly rule: ConfiguredRule}): ConfiguredRule => toCanonicalRule(rule);

const serializeRule = (rule: ConfiguredRule): string => JSON.stringify(toCanonicalRule(rule));

function describeLostEdit(edit: ConfigurationEdit | 'by hand', before: ManagedConfiguration): string {
	if (edit === 'by hand') return 'The change made in the editor.';
	return describeEdit(edit, before);
}
