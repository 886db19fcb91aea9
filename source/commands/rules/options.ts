import {Failure} from '../../failure.ts';
import {contentTypes, customActions} from '../../firewall/rules/custom-checks.ts';
import {type Answer, type CustomSettings, withSettings} from '../../firewall/rules/custom-rule-settings.ts';
import {skippable} from '../../firewall/rules/skip.ts';
import type {Position} from '../../rulesets/edit.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {didYouMean, listed} from '../../text/closest-name.ts';
import {idOf} from '../firewall/options.ts';
import {
	listOption,
	numberOption,
	type OptionValues,
	offering,
	switchOption,
	valueOption,
} from '../shell/declare.ts';

export const ruleOptions = () => [
	offering(valueOption('--action <action>', customActions.join(', ')), customActions),
	offering(
		valueOption('--skip <names>', `with --action skip, what to skip, with commas: ${skippable.join(', ')}`),
		{
			parts: skippable,
		},
	),
	valueOption('--description <text>', 'what the rule is for, up to 500 characters'),
	valueOption('--ref <text>', 'a name of your own, up to 50 characters'),
	switchOption('--paused', 'the rule is disabled until it is resumed'),
	switchOption('--no-paused', 'the rule is in force').hideHelp(),
	switchOption('--log', 'what the action skip lets through is logged (the default)'),
	switchOption('--no-log', 'what the action skip lets through is not logged'),
	numberOption('--response-status <n>', 'block with this status, 400 to 499, and a body of your own', 0),
	offering(
		valueOption('--response-type <type>', `content type of that body: ${contentTypes.join(', ')}`),
		contentTypes,
	),
	valueOption('--response-body <text>', 'that body'),
];

/** The settings of a custom rule on the command line. */
export type RuleOptions = OptionValues<typeof ruleOptions>;

export const placeOptions = () => [
	switchOption('--first', 'before all other custom rules'),
	switchOption('--last', 'after all other custom rules'),
	valueOption('--before <id>', 'before this rule'),
	valueOption('--after <id>', 'after this rule'),
	numberOption('--to <n>', 'to this place, counted from 1', 1),
];

/** The position of a rule on the command line. */
export type PlaceOptions = OptionValues<typeof placeOptions>;

/** Limits a command to these ids; repeatable. */
export const ruleOption = () => listOption('--rule <id>', 'only this rule, and others with more --rule');

/** Returns the position that the options give; undefined if none. Fails with `usage` if there are several. */
export function positionOf({first, last, before, after, to}: PlaceOptions): Position | undefined {
	const given: Position[] = [
		...(first ? [{index: 1}] : []),
		...(last ? [{after: ''}] : []),
		...(before === undefined ? [] : [{before: idOf(before, 'custom rule')}]),
		...(after === undefined ? [] : [{after: idOf(after, 'custom rule')}]),
		...(to === undefined ? [] : [{index: to}]),
	];
	if (given.length > 1)
		throw new Failure('usage', 'A rule can be at one place only.', {
			next: 'Give one of --first, --last, --before, --after and --to.',
		});
	return given[0];
}

/** True if the options change anything of a rule. */
export const namesSomething = (options: RuleOptions): boolean =>
	Object.keys(settingsFrom(options)).length > 0 ||
	answerFrom(options) !== undefined ||
	options.skip !== undefined;

/** Returns the rule with the given options applied; the rest stays. */
export function withOptions(rule: RulesetRule, options: RuleOptions): RulesetRule {
	const {skip, log} = options;
	const settings = settingsFrom(options);
	const action = settings.action ?? rule.action;
	if (skip !== undefined && action !== 'skip')
		throw new Failure('usage', '--skip belongs to the action skip.', {why: `The action is ${action}.`});
	if (log !== undefined && action !== 'skip')
		throw new Failure('usage', '--log and --no-log belong to the action skip.', {
			why: `The action is ${action}.`,
		});
	return withSettings(rule, {
		...settings,
		skip: skip === undefined ? undefined : skippedNames(skip),
		log,
		answer: answerFrom(options),
	});
}

function settingsFrom({action, description, ref, paused}: RuleOptions): CustomSettings {
	if (action !== undefined && !(customActions as readonly string[]).includes(action))
		throw new Failure('usage', `There is no action "${action}" for custom rules.`, {
			why: `There are: ${listed(customActions)}.`,
			next: `${didYouMean(action, customActions)}Give one of them with --action.`,
		});
	return {
		...(action !== undefined && {action}),
		...(description !== undefined && {description}),
		...(ref !== undefined && {ref}),
		...(paused !== undefined && {paused}),
	};
}

function skippedNames(words: string): readonly string[] {
	const names = words.split(',').map(word => word.trim());
	const unknown = names.find(name => !skippable.includes(name));
	if (unknown === undefined) return names;
	throw new Failure('usage', `There is nothing called "${unknown}" that a rule could skip.`, {
		why: `There are: ${listed(skippable)}.`,
		next: `${didYouMean(unknown, skippable)}Separate them by commas: --skip remaining,waf.`,
	});
}

/** Returns the custom response of a block that the options give. */
function answerFrom({responseStatus, responseType, responseBody}: RuleOptions): Answer | undefined {
	if (responseStatus === undefined && responseType === undefined && responseBody === undefined)
		return undefined;
	return {status: responseStatus, type: responseType, body: responseBody};
}
