import {isDeepStrictEqual} from 'node:util';
import {
	boolean,
	type InferOutput,
	literal,
	minValue,
	number,
	object,
	optional,
	picklist,
	pipe,
	safeInteger,
	string,
	union,
	variant,
} from 'valibot';
import {Failure} from '../../failure.ts';
import type {JsonValue} from '../../text/json.ts';
import {parseOrUndefined} from '../../text/schema.ts';
import type {ManagedConfiguration} from './configuration.ts';
import {
	affectsRuleset,
	applyExceptionDraft,
	buildExceptionRule,
	type ExceptionDraft,
	exceptionDraftSchema,
	formatSkips,
} from './exceptions.ts';
import {
	formatRulesetName,
	managedRulesets,
	overrideActions,
	paranoiaLevels,
	thresholdRuleId,
} from './mapping.ts';
import {
	findExecutedRulesetId,
	type OverrideChange,
	withOverrideEntry,
	withOverrides,
	withParanoiaLevel,
	withRulesetOverride,
} from './override-edits.ts';
import type {ConfiguredRule} from './rule-overrides.ts';

const ruleIndexSchema = pipe(number(), safeInteger(), minValue(0));
const overrideChangeFields = {
	action: optional(picklist([...overrideActions, 'default'])),
	enabled: optional(union([boolean(), literal('default')])),
};

/** A change of a configuration. Rules are identified by index from 0; rulesets and managed rules by id. */
export type ConfigurationEdit = Readonly<InferOutput<typeof editSchema>>;
const editSchema = variant('kind', [
	object({kind: literal('rule enabled'), rule: ruleIndexSchema, enabled: boolean()}),
	object({kind: literal('rule removed'), rule: ruleIndexSchema}),
	object({kind: literal('ruleset override'), ruleset: string(), ...overrideChangeFields}),
	object({
		kind: literal('category override'),
		ruleset: string(),
		category: string(),
		...overrideChangeFields,
	}),
	object({kind: literal('managed rule override'), ruleset: string(), id: string(), ...overrideChangeFields}),
	/** OWASP: turns the categories above `level` off and resets the others to their defaults. */
	object({kind: literal('paranoia level'), level: picklist(paranoiaLevels)}),
	/** OWASP: requests that score `points` or more are acted on. */
	object({kind: literal('score threshold'), points: number()}),
	/** OWASP: the action for requests that reach the threshold. */
	object({kind: literal('threshold action'), action: picklist([...overrideActions, 'default'])}),
	/** The exception is inserted before the first execute rule that it affects. */
	object({kind: literal('exception added'), exception: exceptionDraftSchema}),
	object({kind: literal('exception changed'), rule: ruleIndexSchema, exception: exceptionDraftSchema}),
	/** Deploys a managed ruleset that is not deployed yet, as the last rule. */
	object({kind: literal('ruleset deployed'), ruleset: string()}),
]);

/** Parses an edit from a file of ledge. Undefined if its kind is unknown. */
export const parseEdit = (json: JsonValue | undefined): ConfigurationEdit | undefined =>
	parseOrUndefined(editSchema, json);

/**
 * Returns a configuration with one edit applied; unknown fields are preserved. Throws `usage` if the edit
 * does not fit the configuration, and `input_malformed` if the part to edit has an unknown shape.
 */
export function applyEdit(
	configuration: ManagedConfiguration,
	edit: ConfigurationEdit,
): ManagedConfiguration {
	const owaspId = managedRulesets.owasp.id;
	switch (edit.kind) {
		case 'rule enabled':
			return replaceRule(configuration, edit.rule, {
				...getConfiguredRule(configuration, edit.rule),
				enabled: edit.enabled,
			});
		case 'rule removed':
			getConfiguredRule(configuration, edit.rule);
			return {...configuration, rules: configuration.rules.toSpliced(edit.rule, 1)};
		case 'ruleset override':
			return withOverrides(configuration, edit.ruleset, overrides => withRulesetOverride(overrides, edit));
		case 'category override':
			return withOverrides(configuration, edit.ruleset, overrides =>
				withOverrideEntry(overrides, 'categories', requireId(edit.category, 'category'), edit),
			);
		case 'managed rule override':
			return withOverrides(configuration, edit.ruleset, overrides =>
				withOverrideEntry(overrides, 'rules', requireId(edit.id, 'managed rule'), edit),
			);
		case 'paranoia level':
			return withOverrides(configuration, owaspId, overrides => withParanoiaLevel(overrides, edit.level));
		case 'score threshold':
			return withOverrides(configuration, owaspId, overrides =>
				withOverrideEntry(overrides, 'rules', thresholdRuleId, {
					score_threshold: validateThreshold(edit.points),
				}),
			);
		case 'threshold action':
			return withOverrides(configuration, owaspId, overrides =>
				withOverrideEntry(overrides, 'rules', thresholdRuleId, {action: edit.action}),
			);
		case 'exception added':
			return addException(configuration, buildExceptionRule(validateExceptionDraft(edit.exception)));
		case 'exception changed':
			return replaceException(configuration, edit.rule, validateExceptionDraft(edit.exception));
		case 'ruleset deployed':
			return deployRuleset(configuration, requireId(edit.ruleset, 'managed ruleset'));
		default:
			return edit satisfies never;
	}
}

/** Describes an edit in a sentence that begins with what it does. The text is not escaped. */
export function formatEditSentence(edit: ConfigurationEdit): string {
	switch (edit.kind) {
		case 'rule enabled':
			return `Turn ${edit.enabled ? 'on' : 'off'} rule ${edit.rule + 1}.`;
		case 'rule removed':
			return `Remove rule ${edit.rule + 1}.`;
		case 'ruleset override':
			return formatOverrideSentence(`all rules of ${formatRulesetName(edit.ruleset)}`, edit);
		case 'category override':
			return formatOverrideSentence(`category ${edit.category} of ${formatRulesetName(edit.ruleset)}`, edit);
		case 'managed rule override':
			return formatOverrideSentence(`managed rule ${edit.id} of ${formatRulesetName(edit.ruleset)}`, edit);
		case 'paranoia level':
			return `Set paranoia level PL${edit.level} in ${managedRulesets.owasp.name}.`;
		case 'score threshold':
			return `Set score threshold ${edit.points} in ${managedRulesets.owasp.name}.`;
		case 'threshold action':
			return `Set action ${formatActionWords(edit.action)} in ${managedRulesets.owasp.name}.`;
		case 'exception added':
			return `Add exception: ${formatExceptionDraft(edit.exception)}.`;
		case 'exception changed':
			return `Change exception, rule ${edit.rule + 1}: ${formatExceptionDraft(edit.exception)}.`;
		case 'ruleset deployed':
			return `Deploy ${formatRulesetName(edit.ruleset)}.`;
		default:
			return edit satisfies never;
	}
}

/** Formats an action for a sentence: "managed challenge", "the default". */
export const formatActionWords = (action: string): string =>
	action === 'default' ? 'the default' : action.replaceAll('_', ' ');

function formatOverrideSentence(target: string, {action, enabled}: OverrideChange): string {
	const actionText =
		action === undefined
			? undefined
			: action === 'default'
				? 'its default action'
				: `action ${formatActionWords(action)}`;
	if (typeof enabled === 'boolean')
		return `Turn ${enabled ? 'on' : 'off'} ${target}${actionText === undefined ? '' : ` with ${actionText}`}.`;
	if (enabled === undefined) return `Set ${target} to ${actionText ?? 'no change'}.`;
	return action === 'default'
		? `Remove the override of ${target}.`
		: `Set ${target} to ${[actionText, 'its default on/off state'].filter(Boolean).join(' and ')}.`;
}

const formatExceptionDraft = ({expression, skips}: ExceptionDraft): string =>
	`skip ${formatSkips(skips)} where ${expression}`;

function getConfiguredRule({rules}: ManagedConfiguration, index: number): ConfiguredRule {
	const rule = rules[index];
	if (rule) return rule;
	throw new Failure('usage', `The configuration has no rule ${index + 1}.`, {
		why: `It has ${rules.length} ${rules.length === 1 ? 'rule' : 'rules'}.`,
		next: 'Choose an existing rule; the first is 1.',
	});
}

const replaceRule = (
	configuration: ManagedConfiguration,
	index: number,
	rule: ConfiguredRule,
): ManagedConfiguration => ({
	...configuration,
	rules: configuration.rules.with(index, rule),
});

/**
 * Finds where to insert an exception: before the first execute rule it affects, or else before the first
 * execute rule.
 */
function findExceptionIndex(rules: readonly ConfiguredRule[], exception: ConfiguredRule): number {
	const affectedIndex = rules.findIndex(rule => {
		const rulesetId = findExecutedRulesetId(rule);
		return rulesetId !== undefined && affectsRuleset(exception, rulesetId);
	});
	const insertionIndex =
		affectedIndex >= 0 ? affectedIndex : rules.findIndex(({action}) => action === 'execute');
	return insertionIndex >= 0 ? insertionIndex : rules.length;
}

const insertException = (
	configuration: ManagedConfiguration,
	exception: ConfiguredRule,
): ManagedConfiguration => ({
	...configuration,
	rules: configuration.rules.toSpliced(findExceptionIndex(configuration.rules, exception), 0, exception),
});

/** Inserts an exception. Throws `usage` if an equal one already runs there, on or off. */
function addException(configuration: ManagedConfiguration, exception: ConfiguredRule): ManagedConfiguration {
	const {rules} = configuration;
	const index = rules
		.slice(0, findExceptionIndex(rules, exception))
		.findIndex(rule => hasSameEffect(rule, exception));
	if (index === -1) return insertException(configuration, exception);
	const isOff = rules[index]?.enabled === false;
	throw new Failure('usage', 'This exception already exists.', {
		why: `Rule ${index + 1} skips the same rules for the same requests${isOff ? ', but is off' : ''}.`,
		next: isOff ? 'Turn that rule on instead.' : 'Change that rule, or choose other requests.',
	});
}

/** True if a rule is an exception for the same requests and managed rules. */
const hasSameEffect = (rule: ConfiguredRule, exception: ConfiguredRule): boolean =>
	rule.action === exception.action &&
	rule.expression === exception.expression &&
	isDeepStrictEqual(rule.action_parameters, exception.action_parameters);

/** Keeps the rule's index, unless the exception would then come after an execute rule that it affects. */
function replaceException(
	configuration: ManagedConfiguration,
	index: number,
	draft: ExceptionDraft,
): ManagedConfiguration {
	const rule = getConfiguredRule(configuration, index);
	if (rule.action !== 'skip')
		throw new Failure('usage', `Rule ${index + 1} is not an exception.`, {
			why: `Its action is ${rule.action}; an exception has the action skip.`,
			next: 'Choose an exception, or add a new one.',
		});
	const exception = applyExceptionDraft(rule, draft);
	const otherRules = configuration.rules.toSpliced(index, 1);
	return findExceptionIndex(otherRules, exception) < index
		? insertException({...configuration, rules: otherRules}, exception)
		: replaceRule(configuration, index, exception);
}

function deployRuleset(configuration: ManagedConfiguration, rulesetId: string): ManagedConfiguration {
	const existingIndex = configuration.rules.findIndex(rule => findExecutedRulesetId(rule) === rulesetId);
	if (existingIndex >= 0)
		throw new Failure('usage', `${formatRulesetName(rulesetId)} is already in the configuration.`, {
			why: `Rule ${existingIndex + 1} executes it.`,
			next: 'Turn that rule on, or change its overrides.',
		});
	const rule: ConfiguredRule = {
		action: 'execute',
		action_parameters: {id: rulesetId},
		expression: 'true',
		description: '',
		enabled: true,
	};
	return {...configuration, rules: [...configuration.rules, rule]};
}

function validateExceptionDraft(draft: ExceptionDraft): ExceptionDraft {
	if (draft.expression.trim() === '')
		throw new Failure('usage', 'An exception needs an expression.', {
			why: 'The expression selects the requests that the exception applies to.',
			next: 'Add one, for example `http.host eq "shop.example"`.',
		});
	const {skips} = draft;
	const isEmpty =
		(skips.kind === 'rulesets' && (skips.ids.length === 0 || skips.ids.includes(''))) ||
		(skips.kind === 'rules' &&
			(Object.keys(skips.rules).length === 0 ||
				Object.values(skips.rules).some(ids => ids.length === 0 || ids.includes(''))));
	if (isEmpty)
		throw new Failure('usage', 'An exception must specify what it skips.', {
			next: 'Give the ids of the rulesets or rules, or skip all managed rules.',
		});
	return draft;
}

function requireId(id: string, noun: string): string {
	if (id !== '') return id;
	throw new Failure('usage', `Specify a ${noun}.`, {
		why: 'Its name is empty.',
		next: 'Use its id, or its name as the service lists it.',
	});
}

function validateThreshold(value: number): number {
	if (Number.isSafeInteger(value) && value > 0) return value;
	throw new Failure('usage', `${value} is not a score threshold.`, {
		why: 'It must be a whole number of points above 0.',
		next: 'The migration proposes 25 or 40.',
	});
}
