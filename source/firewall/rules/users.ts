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
