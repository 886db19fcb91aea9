import type {Rule} from './rule.ts';

/** Returns the rules that use a filter. The service does not report other features that use it. */
export const findFilterUsers = (filterId: string, rules: readonly Rule[]): readonly Rule[] =>
	rules.filter(rule => rule.filter.id === filterId);

/** Formats rules for a sentence: `rule a (block, "Admin")`, `rules a (block), b (log)`. */
export const formatRuleNames = (
	rules: readonly (Pick<Rule, 'id' | 'action' | 'description'> & {readonly paused?: boolean | undefined})[],
): string =>
	`rule${rules.length === 1 ? '' : 's'} ${rules
		.map(
			({id, action, description, paused}) =>
				`${id} (${action}${description ? `, "${description}"` : ''}${paused ? ', paused' : ''})`,
		)
		.join(', ')}`;

/** Properties of a firewall or custom rule that its name uses. */
type NamedRule = {
	readonly id?: string | undefined;
	readonly action?: string | undefined;
	readonly description?: string | undefined;
	/** If true, the name says that the rule is paused; false where the sentence says it. */
	readonly paused?: boolean | undefined;
} & (Pick<Rule, 'filter'> | {readonly expression?: string | undefined});

/**
 * Formats a rule for a sentence: by its description, or else by its expression, then its action and id, as
 * `"Scrapers" (block, 0123…)`. Cuts long texts. The result is not escaped for the terminal.
 */
export function formatRuleName(rule: NamedRule): string {
	const {id = 'of unknown id', action, description, paused = false} = rule;
	const {expression} = 'filter' in rule ? ('deleted' in rule.filter ? {} : rule.filter) : rule;
	const name = description ? `"${shortenRuleText(description)}"` : expression && shortenRuleText(expression);
	const details = [...(action === undefined ? [] : [action]), ...(paused ? ['paused'] : [])];
	if (name) return `${name} (${[...details, id].join(', ')})`;
	return details.length === 0 ? id : `${id} (${details.join(', ')})`;
}

/** Cuts a description or expression, which can be long, to 40 characters. */
export function shortenRuleText(text: string): string {
	const characters = [...text];
	return characters.length > 40 ? `${characters.slice(0, 39).join('')}…` : text;
}
