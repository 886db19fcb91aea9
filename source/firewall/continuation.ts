import {quoted} from '../service/curl.ts';
import type {FirewallZone, RuleSettings} from './rule.ts';

/** The shell command that makes the rule of a draft on a filter that is there: the way on after a creation that stopped between its two calls. */
export function continuation(zone: Pick<FirewallZone, 'id'>, draft: RuleSettings, filterId: string): string {
	const {action, products = [], priority, paused, description, ref} = draft;
	const words = ['rule', 'create', '--zone-id', zone.id, '--filter-id', filterId, '--action', action];
	if (products.length > 0) words.push('--products', products.join(','));
	if (typeof priority === 'number') words.push('--priority', String(priority));
	if (paused) words.push('--paused');
	if (description) words.push('--description', description);
	if (ref) words.push('--ref', ref);
	return command(words);
}

/** The shell command that deletes a filter: the way on after a deletion that stopped behind the rule. */
export const filterDeletion = (zone: Pick<FirewallZone, 'id'>, filterId: string): string =>
	command(['filter', 'delete', filterId, '--zone-id', zone.id]);

/** The shell command that lists the rules or filters of a zone. */
export const listing = (zone: Pick<FirewallZone, 'id'>, what: 'filter' | 'rule'): string =>
	command([what, 'list', '--zone-id', zone.id]);

const command = (words: readonly string[]): string => ['ledge', 'firewall', ...words].map(quoted).join(' ');
