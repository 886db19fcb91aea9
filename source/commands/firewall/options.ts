import {Failure} from '../../failure.ts';
import {type Action, actions, type Product, products, type RuleSettings} from '../../firewall/rules/rule.ts';
import {advice, inZone} from '../../text/advice.ts';
import {didYouMean, listed} from '../../text/closest-name.ts';
import {parseFigure} from '../../text/figures.ts';
import {type OptionValues, offering, switchOption, valueOption} from '../shell/declare.ts';

export const expressionOption = () =>
	valueOption('--expression <expression>', 'which requests are meant, in the ruleset expression language');

export const allowUnknownOption = () =>
	switchOption('--allow-unknown', 'a field or function that ledge does not know is a warning, not an error');

export const describingOptions = (what: 'filter' | 'rule') => [
	valueOption('--description <text>', `what the ${what} is for, up to 500 characters`),
	valueOption('--ref <text>', 'a name of your own, up to 50 characters'),
	switchOption('--paused', `the ${what} does nothing`),
	switchOption('--no-paused', `the ${what} is in force`).hideHelp(),
];

export const settingOptions = () => [
	offering(valueOption('--action <action>', actions.join(', ')), actions),
	offering(
		valueOption('--products <names>', `what bypass goes around, with commas: ${products.join(', ')}`),
		{
			parts: products,
		},
	),
	valueOption('--priority <n>', 'smaller goes first; "none" goes last'),
	...describingOptions('rule'),
];

/** The settings of a rule on the command line. */
export type SettingOptions = OptionValues<typeof settingOptions>;

/** Parses the given settings; omitted ones are left out. Fails with `usage` for an unknown word. */
export function settingsOf(options: SettingOptions): Partial<RuleSettings> {
	const {action, products: names, priority, description, ref, paused} = options;
	return {
		...(action !== undefined && {action: actionOf(action)}),
		...(names !== undefined && {products: productsOf(names)}),
		...(priority !== undefined && {priority: priorityOf(priority)}),
		...(paused !== undefined && {paused}),
		...(description !== undefined && {description}),
		...(ref !== undefined && {ref}),
	};
}

function actionOf(word: string): Action {
	const action = actions.find(one => one === word);
	if (action) return action;
	throw new Failure('usage', `There is no action "${word}".`, {
		why: `There are: ${listed(actions)}.`,
		next: `${didYouMean(word, actions)}Give one of them with --action.`,
	});
}

function productsOf(names: string): Product[] {
	const words = names.split(',').map(word => word.trim());
	const found = words.filter(word => word !== '').map(word => productOf(word));
	return [...new Set(found)];
}

function productOf(word: string): Product {
	const product = products.find(one => one === word);
	if (product) return product;
	throw new Failure('usage', `There is no product "${word}" that a rule could bypass.`, {
		why: `There are: ${listed(products)}.`,
		next: `${didYouMean(word, products)}Separate them by commas: --products waf,bic.`,
	});
}

function priorityOf(word: string): number | null {
	if (word === 'none') return null;
	const number = parseFigure(word);
	if (number !== undefined) return number;
	throw new Failure('usage', '--priority takes a whole number from 0 on, or "none".', {
		why: `This is "${word}".`,
	});
}

/** The commands that list resources by id. */
const listings = {
	filter: 'firewall filter list',
	rule: 'firewall rule list',
	'custom rule': 'rules list',
	'managed rule': 'managed show',
	'managed exception': 'managed exception list',
} as const;

/** Checks that a word can be an id. Fails with `usage`. */
export function idOf(word: string, what: keyof typeof listings): string {
	if (/^[A-Za-z0-9_-]+$/.test(word)) return word;
	throw new Failure('usage', `"${word}" is not an id of a ${what}.`, {
		next: advice`See \`${inZone(listings[what])}\` for the ids.`,
	});
}

/** Parses several ids, in order and without duplicates. */
export const idsOf = (words: readonly string[], what: keyof typeof listings): readonly string[] => [
	...new Set(words.map(word => idOf(word, what))),
];
