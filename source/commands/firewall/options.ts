import {Failure} from '../../failure.ts';
import {addEnd, formatEnd, longestEndDays, parseEndSpan} from '../../firewall/rules/end-time.ts';
import {
	bypassableProducts,
	type Product,
	type RuleAction,
	type RuleSettings,
	ruleActionNames,
} from '../../firewall/rules/rule.ts';
import {buildAdvice, buildZoneCommand} from '../../text/advice.ts';
import {formatDidYouMean, formatNameList} from '../../text/closest-name.ts';
import {parseFigure} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {
	createParsedOption,
	createSwitchOption,
	createValueOption,
	type OptionValues,
	withCompletion,
} from '../shell/declare.ts';

export const createExpressionOption = () =>
	createValueOption('--expression <expression>', 'requests to match, in the ruleset expression language');

/** `--for`: seconds after which the service itself ends the rule. */
export const createForOption = () =>
	createParsedOption('--for <time>', 'let the rule match only for this time: 90m, 2h, 7d', {
		parse: parseEndSpan,
		expectedFormat: `a time with a unit, from 1m to ${longestEndDays}d: 90m, 2h, 7d`,
	});

/** Adds the end that `--for` asks for to an expression, and prints it; this machine's clock counts. */
export function applyEnd(
	{output, now}: Pick<CommandContext, 'output' | 'now'>,
	expression: string,
	seconds: number | undefined,
): string {
	if (seconds === undefined) return expression;
	const end = Math.ceil(now() / 1000) + seconds;
	output.say(`The rule acts ${formatEnd(end)}; after that it matches nothing.`);
	return addEnd(expression, end);
}

export const createAllowUnknownOption = () =>
	createSwitchOption(
		'--allow-unknown',
		'only warn about what is unknown to ledge, or not available by its tables',
	);

export const buildDescriptionOptions = (resource: 'filter' | 'rule') => [
	createValueOption('--description <text>', `what the ${resource} is for, up to 500 characters`),
	createValueOption('--ref <text>', 'your own reference, up to 50 characters'),
	createSwitchOption('--paused', `pause the ${resource}`),
	createSwitchOption('--no-paused', `don't pause the ${resource}`).hideHelp(),
];

export const buildSettingOptions = () => [
	withCompletion(createValueOption('--action <action>', ruleActionNames.join(', ')), ruleActionNames),
	withCompletion(
		createValueOption(
			'--products <names>',
			`what to bypass, comma-separated: ${bypassableProducts.join(', ')}`,
		),
		{
			parts: bypassableProducts,
		},
	),
	createValueOption('--priority <n>', 'lower numbers run first; "none" runs last'),
	...buildDescriptionOptions('rule'),
];

/** The settings of a rule on the command line. */
export type RuleSettingOptions = OptionValues<typeof buildSettingOptions>;

/** Parses the given settings; omitted ones are left out. Fails with `usage` for an unknown word. */
export function parseRuleSettings(options: RuleSettingOptions): Partial<RuleSettings> {
	const {action, products: names, priority, description, ref, paused} = options;
	return {
		...(action !== undefined && {action: parseAction(action)}),
		...(names !== undefined && {products: parseProducts(names)}),
		...(priority !== undefined && {priority: parsePriority(priority)}),
		...(paused !== undefined && {paused}),
		...(description !== undefined && {description}),
		...(ref !== undefined && {ref}),
	};
}

function parseAction(word: string): RuleAction {
	const action = ruleActionNames.find(one => one === word);
	if (action) return action;
	throw new Failure('usage', `Unknown action "${word}".`, {
		why: `Valid actions: ${formatNameList(ruleActionNames)}.`,
		next: `${formatDidYouMean(word, ruleActionNames)}Use one of them with --action.`,
	});
}

function parseProducts(names: string): Product[] {
	const words = names.split(',').map(word => word.trim());
	const products = words.filter(word => word !== '').map(word => parseProduct(word));
	return [...new Set(products)];
}

function parseProduct(word: string): Product {
	const product = bypassableProducts.find(one => one === word);
	if (product) return product;
	throw new Failure('usage', `"${word}" is not a product that a rule can bypass.`, {
		why: `Valid products: ${formatNameList(bypassableProducts)}.`,
		next: `${formatDidYouMean(word, bypassableProducts)}Separate several with commas: --products waf,bic.`,
	});
}

function parsePriority(word: string): number | null {
	if (word === 'none') return null;
	const number = parseFigure(word);
	if (number !== undefined) return number;
	throw new Failure('usage', '--priority takes a whole number, 0 or higher, or "none".', {
		why: `Got "${word}".`,
	});
}

/** The commands that list resources by id. */
const listingCommands = {
	filter: 'firewall filter list',
	rule: 'firewall rule list',
	'custom rule': 'rules list',
	'managed rule': 'managed show',
	'managed exception': 'managed exception list',
} as const;

/** Returns the word if it can be an id. Fails with `usage` if it cannot. */
export function parseId(word: string, kind: keyof typeof listingCommands): string {
	if (/^[A-Za-z0-9_-]+$/.test(word)) return word;
	throw new Failure('usage', `"${word}" is not a valid ${kind} id.`, {
		next: buildAdvice`See \`${buildZoneCommand(listingCommands[kind])}\` for the ids.`,
	});
}

/** Parses several ids, in order and without duplicates. */
export const parseIds = (words: readonly string[], kind: keyof typeof listingCommands): readonly string[] => [
	...new Set(words.map(word => parseId(word, kind))),
];
