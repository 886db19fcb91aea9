import type {Failure} from '../../failure.ts';
import type {Deletion, FilterAfterDeletion} from '../../firewall/rules/delete-rule.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {formatRuleName, formatRuleNames} from '../../firewall/rules/users.ts';
import {formatQuantity} from '../../text/figures.ts';
import {withSentence} from './with-sentence.ts';

/** Describes the outcome for a rule and its filter; throws the failure if it is incomplete. */
export function reportDeletion(rule: Rule, otherUsers: readonly Rule[], deletion: Deletion): string {
	switch (deletion.state) {
		case 'deleted':
			return describeDeletedFilter(rule, otherUsers, deletion.filter);
		case 'rule only':
			throw buildFilterRemainsFailure(deletion.failure);
		case 'nothing':
			throw deletion.failure;
		case 'unsure':
			throw withSentence(
				deletion.what === 'rule'
					? `It is unknown whether the rule was deleted; its filter still exists.`
					: `The rule was deleted; it is unknown whether its filter was.`,
				deletion.failure,
				{outcomeUnknown: false},
			);
	}
}

/** Describes what happened to the filter, ids last, because the message line is short. */
function describeDeletedFilter(rule: Rule, otherUsers: readonly Rule[], filter: FilterAfterDeletion): string {
	const ids = `rule ${formatRuleName(rule)}, filter ${rule.filter.id}`;
	switch (filter.state) {
		case 'kept, refused':
			throw buildFilterRemainsFailure(filter.failure);
		case 'kept':
			return otherUsers.length > 0
				? describeSharedFilter(otherUsers, ids)
				: `The rule was deleted; its filter was kept, and no rule uses it: ${ids}.`;
		case 'kept, shared':
			return describeSharedFilter(filter.users, ids);
		case 'kept, changed':
			return `The rule was deleted; its filter was kept, because someone changed it in the meantime: ${ids}.`;
		case 'gone before':
			return `The rule was deleted; its filter no longer existed: ${ids}.`;
		case 'deleted':
			return `The rule and its filter were deleted: ${ids}.`;
	}
}

const describeSharedFilter = (users: readonly Rule[], ids: string): string =>
	`The rule was deleted; its filter was kept for ${formatQuantity(users.length, 'other rule')}: ${ids}, used by ${formatRuleNames(users)}.`;

const buildFilterRemainsFailure = (failure: Failure): Failure =>
	withSentence('The rule was deleted, but its filter still exists.', failure);
