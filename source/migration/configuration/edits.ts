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
import type {Configuration} from './configuration.ts';
import {
	affects,
	changedException,
	type ExceptionDraft,
	exceptionDraft,
	exceptionRule,
	skipsInWords,
} from './exceptions.ts';
import {managedRulesets, overrideActions, paranoiaLevels, rulesetName, thresholdRule} from './mapping.ts';
import {
	executedRuleset,
	type OverrideChange,
	withEntryChanged,
	withOverrides,
	withParanoia,
	withWholeChanged,
} from './override-edits.ts';
import type {ConfiguredRule} from './rule-overrides.ts';

const index = pipe(number(), safeInteger(), minValue(0));
const overrideChange = {
	action: optional(picklist([...overrideActions, 'default'])),
	enabled: optional(union([boolean(), literal('default')])),
};

/** A change of a configuration. Rules are indexes from 0; rulesets and managed rules are ids. */
export type Edit = Readonly<InferOutput<typeof edit>>;
const edit = variant('kind', [
	object({kind: literal('rule enabled'), rule: index, enabled: boolean()}),
	object({kind: literal('rule removed'), rule: index}),
	object({kind: literal('ruleset override'), ruleset: string(), ...overrideChange}),
	object({kind: literal('category override'), ruleset: string(), category: string(), ...overrideChange}),
	object({kind: literal('managed rule override'), ruleset: string(), id: string(), ...overrideChange}),
	/** OWASP: turns the categories above `level` off and resets the others to their defaults. */
	object({kind: literal('paranoia level'), level: picklist(paranoiaLevels)}),
	/** OWASP: requests that score `points` or more are acted on. */
	object({kind: literal('score threshold'), points: number()}),
	/** OWASP: the action for requests that reach the threshold. */
	object({kind: literal('threshold action'), action: picklist([...overrideActions, 'default'])}),
	/** Inserted before the first execute rule it skips. */
	object({kind: literal('exception added'), exception: exceptionDraft}),
	object({kind: literal('exception changed'), rule: index, exception: exceptionDraft}),
	/** A managed ruleset that is not deployed yet; added last. */
	object({kind: literal('ruleset deployed'), ruleset: string()}),
]);

/** Parses an edit from a file of ledge. Undefined if its kind is unknown. */
export const readEdit = (json: JsonValue | undefined): Edit | undefined => parseOrUndefined(edit, json);

/**
 * Returns a configuration with one edit applied; unknown fields are preserved. Throws `usage` if the edit
 * does not fit the configuration, and `input_malformed` if the part to edit has an unknown shape.
 */
export function applyEdit(configuration: Configuration, edit: Edit): Configuration {
	const owasp = managedRulesets.owasp.id;
	switch (edit.kind) {
		case 'rule enabled':
			return replaced(configuration, edit.rule, {...ruleAt(configuration, edit.rule), enabled: edit.enabled});
		case 'rule removed':
			ruleAt(configuration, edit.rule);
			return {...configuration, rules: configuration.rules.toSpliced(edit.rule, 1)};
		case 'ruleset override':
			return withOverrides(configuration, edit.ruleset, overrides => withWholeChanged(overrides, edit));
		case 'category override':
			return withOverrides(configuration, edit.ruleset, overrides =>
				withEntryChanged(overrides, 'categories', named(edit.category, 'category'), edit),
			);
		case 'managed rule override':
			return withOverrides(configuration, edit.ruleset, overrides =>
				withEntryChanged(overrides, 'rules', named(edit.id, 'managed rule'), edit),
			);
		case 'paranoia level':
			return withOverrides(configuration, owasp, overrides => withParanoia(overrides, edit.level));
		case 'score threshold':
			return withOverrides(configuration, owasp, overrides =>
				withEntryChanged(overrides, 'rules', thresholdRule, {score_threshold: points(edit.points)}),
			);
		case 'threshold action':
			return withOverrides(configuration, owasp, overrides =>
				withEntryChanged(overrides, 'rules', thresholdRule, {action: edit.action}),
			);
		case 'exception added':
			return placed(configuration, exceptionRule(usable(edit.exception)));
		case 'exception changed':
			return exceptionChanged(configuration, edit.rule, usable(edit.exception));
		case 'ruleset deployed':
			return deployed(configuration, named(edit.ruleset, 'managed ruleset'));
		default:
			return edit satisfies never;
	}
}

/** Describes an edit in a sentence. Contains raw data. */
export function editSentence(edit: Edit): string {
	switch (edit.kind) {
		case 'rule enabled':
			return `Rule ${edit.rule + 1} is turned ${edit.enabled ? 'on' : 'off'}.`;
		case 'rule removed':
			return `Rule ${edit.rule + 1} is removed.`;
		case 'ruleset override':
			return `All of ${rulesetName(edit.ruleset)}: ${changeInWords(edit)}.`;
		case 'category override':
			return `Category ${edit.category} of ${rulesetName(edit.ruleset)}: ${changeInWords(edit)}.`;
		case 'managed rule override':
			return `Managed rule ${edit.id} of ${rulesetName(edit.ruleset)}: ${changeInWords(edit)}.`;
		case 'paranoia level':
			return `The paranoia level of the ${managedRulesets.owasp.name} is PL${edit.level}.`;
		case 'score threshold':
			return `${managedRulesets.owasp.name}: score threshold set to ${edit.points}.`;
		case 'threshold action':
			return `The action of the ${managedRulesets.owasp.name} is ${actionInWords(edit.action)}.`;
		case 'exception added':
			return `An exception is added: ${exceptionInWords(edit.exception)}.`;
		case 'exception changed':
			return `The exception that is rule ${edit.rule + 1} becomes: ${exceptionInWords(edit.exception)}.`;
		case 'ruleset deployed':
			return `${rulesetName(edit.ruleset)} is deployed.`;
		default:
			return edit satisfies never;
	}
}

/** Formats an action for a sentence: "managed challenge", "the default". */
export const actionInWords = (action: string): string =>
	action === 'default' ? 'the default' : action.replaceAll('_', ' ');

function changeInWords({action, enabled}: OverrideChange): string {
	const parts = [
		...(enabled === undefined
			? []
			: [enabled === 'default' ? 'on or off by default' : enabled ? 'on' : 'off']),
		...(action === undefined ? [] : [`action ${actionInWords(action)}`]),
	];
	return parts.join(', ') || 'nothing changed';
}

const exceptionInWords = ({expression, skips}: ExceptionDraft): string =>
	`${skipsInWords(skips)} skipped where ${expression}`;

function ruleAt({rules}: Configuration, index: number): ConfiguredRule {
	const rule = rules[index];
	if (rule) return rule;
	throw new Failure('usage', `The configuration has no rule ${index + 1}.`, {
		why: `It has ${rules.length}.`,
		next: 'Name one of those that there are; the first is 1.',
	});
}

const replaced = (configuration: Configuration, index: number, rule: ConfiguredRule): Configuration => ({
	...configuration,
	rules: configuration.rules.with(index, rule),
});

/**
 * Finds where to insert an exception: before the first execute rule it affects, or else before the first
 * execute rule.
 */
function placeOf(rules: readonly ConfiguredRule[], exception: ConfiguredRule): number {
	const affected = rules.findIndex(rule => {
		const ruleset = executedRuleset(rule);
		return ruleset !== undefined && affects(exception, ruleset);
	});
	const first = affected >= 0 ? affected : rules.findIndex(({action}) => action === 'execute');
	return first >= 0 ? first : rules.length;
}

const placed = (configuration: Configuration, exception: ConfiguredRule): Configuration => ({
	...configuration,
	rules: configuration.rules.toSpliced(placeOf(configuration.rules, exception), 0, exception),
});

/** Keeps the rule's index unless an execute rule that the exception affects would come first. */
function exceptionChanged(configuration: Configuration, index: number, draft: ExceptionDraft): Configuration {
	const rule = ruleAt(configuration, index);
	if (rule.action !== 'skip')
		throw new Failure('usage', `Rule ${index + 1} is not an exception.`, {
			why: `Its action is ${rule.action}; an exception has the action skip.`,
			next: 'Choose an exception, or add one.',
		});
	const exception = changedException(rule, draft);
	const others = configuration.rules.toSpliced(index, 1);
	return placeOf(others, exception) < index
		? placed({...configuration, rules: others}, exception)
		: replaced(configuration, index, exception);
}

function deployed(configuration: Configuration, ruleset: string): Configuration {
	const there = configuration.rules.findIndex(rule => executedRuleset(rule) === ruleset);
	if (there >= 0)
		throw new Failure('usage', `${rulesetName(ruleset)} is in the configuration already.`, {
			why: `Rule ${there + 1} executes it.`,
			next: 'Turn that rule on, or change its overrides.',
		});
	const rule: ConfiguredRule = {
		action: 'execute',
		action_parameters: {id: ruleset},
		expression: 'true',
		description: '',
		enabled: true,
	};
	return {...configuration, rules: [...configuration.rules, rule]};
}

function usable(draft: ExceptionDraft): ExceptionDraft {
	if (draft.expression.trim() === '')
		throw new Failure('usage', 'An exception needs an expression.', {
			why: 'It names the requests it is for.',
			next: 'Give it one, for example `http.host eq "shop.example"`.',
		});
	const {skips} = draft;
	const isEmpty =
		(skips.kind === 'rulesets' && (skips.ids.length === 0 || skips.ids.includes(''))) ||
		(skips.kind === 'rules' &&
			(Object.keys(skips.rules).length === 0 ||
				Object.values(skips.rules).some(ids => ids.length === 0 || ids.includes(''))));
	if (isEmpty)
		throw new Failure('usage', 'An exception needs to say what it skips.', {
			next: 'Name the rulesets or rules by their ids, or skip all managed rules.',
		});
	return draft;
}

function named(id: string, what: string): string {
	if (id !== '') return id;
	throw new Failure('usage', `Specify which ${what} is meant.`, {
		why: 'Its name is empty.',
		next: 'Give the id, or the name, that the service has for it.',
	});
}

function points(given: number): number {
	if (Number.isSafeInteger(given) && given > 0) return given;
	throw new Failure('usage', `${given} is not a score threshold.`, {
		why: 'It is a whole number of points above 0.',
		next: 'The mapping uses 25 and 40.',
	});
}
