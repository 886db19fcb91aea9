import type {Rule} from './rule.ts';

/** The rules that use a filter. Other features may use it too: of those the service tells nothing. */
export const usersOf = (filterId: string, rules: readonly Rule[]): readonly Rule[] =>
	rules.filter(rule => rule.filter.id === filterId);

/** Rules as a sentence names them: `rule a (block, "Admin")`, `rules a (block), b (log)`. */
export const named = (
	rules: readonly (Pick<Rule, 'id' | 'action' | 'description'> & {readonly paused?: boolean | undefined})[],
): string =>
	`rule${rules.length === 1 ? '' : 's'} ${rules
		.map(
			({id, action, description, paused}) =>
				`${id} (${action}${description ? `, "${description}"` : ''}${paused ? ', paused' : ''})`,
		)
		.join(', ')}`;

/** A firewall rule or a custom rule, as far as a name needs it. */
type NamedRule = {
	readonly id?: string | undefined;
	readonly action?: string | undefined;
	readonly description?: string | undefined;
	/** Named if true. */
	readonly paused?: boolean | undefined;
} & (Pick<Rule, 'filter'> | {readonly expression?: string | undefined});

/**
 * Formats a rule for a sentence: by its description, or else by its expression, then its action and id, as
 * `"Scrapers" (block, 0123…)`. Cuts long texts; returns raw text of data.
 */
export function formatRuleName(rule: NamedRule): string {
	const {id = 'of unknown id', action, description, paused = false} = rule;
	const {expression} = 'filter' in rule ? ('deleted' in rule.filter ? {} : rule.filter) : rule;
	const name = description ? `"${shorten(description)}"` : expression && shorten(expression);
	const about = [...(action === undefined ? [] : [action]), ...(paused ? ['paused'] : [])];
	if (name) return `${name} (${[...about, id].join(', ')})`;
	return about.length === 0 ? id : `${id} (${about.join(', ')})`;
}

/** Cuts a description or expression, which can be long, to 40 characters. */
export function shorten(text: string): string {
	const characters = [...text];
	return characters.length > 40 ? `${characters.slice(0, 39).join('')}…` : text;
}
