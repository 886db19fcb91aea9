import type {Filter} from '../../firewall/rules/filter.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {findFilterUsers, formatRuleNames} from '../../firewall/rules/users.ts';
import type {StateWith} from '../../store/ledge-store.ts';

/** An existing filter that matches the requests of a typed expression. */
type ExistingFilter = {
	readonly filter: Filter;
	readonly typedExpression: string;
	/** The rules of the zone. */
	readonly rules: readonly Rule[];
	/** Labels of the choices; without `creationLabel`, no second filter can be created. */
	readonly reuseLabel: string;
	readonly creationLabel: string | undefined;
};

/** Asks whether to reuse an existing filter. Calls nothing if the user returns to the expression. */
export function askAboutFilter(
	dialog: StateWith<'dialog', 'open'>['dialog'],
	{
		filter: {id, description, expression, paused},
		typedExpression,
		rules,
		reuseLabel,
		creationLabel,
	}: ExistingFilter,
	choose: (answer: 'use' | 'own') => void,
): void {
	const isExact = expression === typedExpression;
	const rulesOnFilter = findFilterUsers(id, rules);
	dialog.open({
		kind: 'choice',
		title: `A filter ${isExact ? 'with this expression' : 'for the same requests'} already exists`,
		lines: [
			`${id}${description ? ` ${description}` : ''}`,
			...(isExact ? [] : [`It is written differently: ${expression}`]),
			rulesOnFilter.length > 0 ? `Used by: ${formatRuleNames(rulesOnFilter)}.` : 'No rule uses it.',
			...(paused ? ['It is paused, so its rules have no effect.'] : []),
			`${isExact ? 'An expression can exist only once per zone; rules' : 'Rules'} can share a filter.`,
		],
		choices: [
			{value: 'use', label: reuseLabel},
			{value: 'change', label: 'Change the expression'},
			...(creationLabel === undefined ? [] : [{value: 'own', label: creationLabel}]),
		],
		choose(answer) {
			if (answer === 'use' || answer === 'own') choose(answer);
		},
	});
}
