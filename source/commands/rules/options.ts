import {Failure} from '../../failure.ts';
import {contentTypes, customActions} from '../../firewall/rules/custom-checks.ts';
import {
	type CustomResponse,
	type CustomRuleSettings,
	withCustomRuleSettings,
} from '../../firewall/rules/custom-rule-settings.ts';
import {skippable} from '../../firewall/rules/skip.ts';
import {endPosition, type RulePosition} from '../../rulesets/edit.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {formatDidYouMean, formatNameList} from '../../text/closest-name.ts';
import {parseId} from '../firewall/options.ts';
import {
	createListOption,
	createNumberOption,
	createSwitchOption,
	createValueOption,
	type OptionValues,
	withCompletion,
} from '../shell/declare.ts';

export const buildCustomRuleOptions = () => [
	withCompletion(createValueOption('--action <action>', customActions.join(', ')), customActions),
	withCompletion(
		createValueOption(
			'--skip <names>',
			`with --action skip: what to skip, comma-separated: ${skippable.join(', ')}`,
		),
		{
			parts: skippable,
		},
	),
	createValueOption(
		'--description <text>',
		'what the rule is for, up to 4,096 bytes; logs keep the first 128',
	),
	createValueOption('--ref <text>', 'your own reference, up to 50 characters'),
	createSwitchOption('--paused', 'disable the rule until it is resumed'),
	createSwitchOption('--no-paused', "don't pause the rule").hideHelp(),
	createSwitchOption('--log', 'log what the skip action lets through (default)'),
	createSwitchOption('--no-log', "don't log what the skip action lets through"),
	createNumberOption('--response-status <n>', 'block with this status, 400 to 499, and a custom body', 0),
	withCompletion(
		createValueOption(
			'--response-type <type>',
			`content type of the custom body: ${contentTypes.join(', ')}`,
		),
		contentTypes,
	),
	createValueOption('--response-body <text>', 'the custom body'),
];

/** The settings of a custom rule on the command line. */
export type CustomRuleOptions = OptionValues<typeof buildCustomRuleOptions>;

export const buildPositionOptions = () => [
	createSwitchOption('--first', 'before all other custom rules'),
	createSwitchOption('--last', 'after all other custom rules'),
	createValueOption('--before <id>', 'before this rule'),
	createValueOption('--after <id>', 'after this rule'),
	createNumberOption('--to <n>', 'to this position, counted from 1', 1),
];

/** The position of a rule on the command line. */
export type PositionOptions = OptionValues<typeof buildPositionOptions>;

/** Limits a command to the rules with these ids; repeatable. */
export const createRuleOption = () => createListOption('--rule <id>', 'only this rule; repeatable');

/** Returns the position that the options give; undefined if none. Fails with `usage` if there are several. */
export function parsePosition({first, last, before, after, to}: PositionOptions): RulePosition | undefined {
	const positions: RulePosition[] = [
		...(first ? [{index: 1}] : []),
		...(last ? [endPosition] : []),
		...(before === undefined ? [] : [{before: parseId(before, 'custom rule')}]),
		...(after === undefined ? [] : [{after: parseId(after, 'custom rule')}]),
		...(to === undefined ? [] : [{index: to}]),
	];
	if (positions.length > 1)
		throw new Failure('usage', 'A rule can have only one position.', {
			next: 'Give one of --first, --last, --before, --after and --to.',
		});
	return positions[0];
}

/** True if the options change anything of a rule. */
export const hasRuleChanges = (options: CustomRuleOptions): boolean =>
	Object.keys(parseCustomRuleSettings(options)).length > 0 ||
	buildCustomResponse(options) !== undefined ||
	options.skip !== undefined;

/** Returns the rule with the given options applied; everything else stays. */
export function withCustomRuleOptions(rule: RulesetRule, options: CustomRuleOptions): RulesetRule {
	const {skip, log} = options;
	const settings = parseCustomRuleSettings(options);
	const action = settings.action ?? rule.action;
	if (skip !== undefined && action !== 'skip')
		throw new Failure('usage', '--skip requires the skip action.', {why: `The action is ${action}.`});
	if (log !== undefined && action !== 'skip')
		throw new Failure('usage', '--log and --no-log require the skip action.', {
			why: `The action is ${action}.`,
		});
	return withCustomRuleSettings(rule, {
		...settings,
		skip: skip === undefined ? undefined : parseSkippedNames(skip),
		log,
		response: buildCustomResponse(options),
	});
}

function parseCustomRuleSettings({action, description, ref, paused}: CustomRuleOptions): CustomRuleSettings {
	if (action !== undefined && !(customActions as readonly string[]).includes(action))
		throw new Failure('usage', `Unknown action "${action}" for custom rules.`, {
			why: `Valid actions: ${formatNameList(customActions)}.`,
			next: `${formatDidYouMean(action, customActions)}Use one of them with --action.`,
		});
	return {
		...(action !== undefined && {action}),
		...(description !== undefined && {description}),
		...(ref !== undefined && {ref}),
		...(paused !== undefined && {paused}),
	};
}

function parseSkippedNames(skipText: string): readonly string[] {
	const names = skipText.split(',').map(word => word.trim());
	const unknownName = names.find(name => !skippable.includes(name));
	if (unknownName === undefined) return names;
	throw new Failure('usage', `"${unknownName}" is not something that a rule can skip.`, {
		why: `Valid names: ${formatNameList(skippable)}.`,
		next: `${formatDidYouMean(unknownName, skippable)}Separate several with commas: --skip remaining,waf.`,
	});
}

/** Returns the custom response of a block that the options give. */
function buildCustomResponse({
	responseStatus,
	responseType,
	responseBody,
}: CustomRuleOptions): CustomResponse | undefined {
	if (responseStatus === undefined && responseType === undefined && responseBody === undefined)
		return undefined;
	return {status: responseStatus, type: responseType, body: responseBody};
}
