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

function describeDeletedFilter(rule: Rule, otherUsers: readonly Rule[], filter: FilterAfterDeletion): string {
	const deletedText = `Deleted rule ${formatRuleName(rule)}`;
	const filterText = `filter ${rule.filter.id}`;
	switch (filter.state) {
		case 'kept, refused':
			throw buildFilterRemainsFailure(filter.failure);
		case 'kept':
			return otherUsers.length > 0
				? `${deletedText}; ${describeSharedFilter(otherUsers)}`
				: `${deletedText}; its ${filterText} was kept, and no rule uses it.`;
		case 'kept, shared':
			return `${deletedText}; ${describeSharedFilter(filter.users)}`;
		case 'kept, changed':
			return `${deletedText}; its ${filterText} was kept, because someone changed it in the meantime.`;
		case 'gone before':
			return `${deletedText}; its ${filterText} no longer existed.`;
		case 'deleted':
			return `${deletedText} and its ${filterText}.`;
	}
}

const describeSharedFilter = (users: readonly Rule[]): string =>
	`its filter stays, used by ${users.length > 2 ? formatQuantity(users.length, 'other rule') : formatRuleNames(users)}.`;

const buildFilterRemainsFailure = (failure: Failure): Failure =>
	withSentence('The rule was deleted, but its filter still exists.', failure);
