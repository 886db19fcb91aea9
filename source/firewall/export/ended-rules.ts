import {formatQuantity} from '../../text/figures.ts';
import {hasEnded, removeEnd} from '../rules/end-time.ts';
import {shortenRuleText} from '../rules/users.ts';
import type {ConvertedRules} from './read-export.ts';

/** Omits the rules that have ended, which match no more requests, and names them in a note. */
export function omitEndedRules({rules, notes}: ConvertedRules): ConvertedRules {
	const endedRules = rules.filter(({expression}) => hasEnded(expression));
	if (endedRules.length === 0) return {rules, notes};
	const names = endedRules.map(({description, expression}) =>
		shortenRuleText(description || removeEnd(expression)),
	);
	return {
		rules: rules.filter(rule => !endedRules.includes(rule)),
		notes: [
			`Skipped ${formatQuantity(endedRules.length, 'rule')} that ended: ${names.join(', ')}.`,
			...notes,
		],
	};
}
