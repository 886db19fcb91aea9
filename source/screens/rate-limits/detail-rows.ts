import type {Marks} from '../../components/theme.ts';
import {answerOf, doing} from '../../firewall/rules/custom-rule-words.ts';
import {rateLimitOf, rateWords, readOnlyRateLimits, timeoutWords} from '../../firewall/rules/rate-limit.ts';
import {rateLimitPhase} from '../../rulesets/ruleset.ts';
import {drawable} from '../../text/columns.ts';
import {grouped} from '../../text/figures.ts';
import {headed, rowsOfExpression} from '../firewall/expression-rows.ts';
import {fact, type Row, said} from '../rows/rows.ts';
import {limitUnderCursor, type RateLimitsState} from './slice.ts';

/** All that is known of the rate limit under the cursor, in rows of at most so many columns. */
export function rateLimitRows(
	state: RateLimitsState,
	columns: number,
	marks: Pick<Marks, 'warning' | 'dot'>,
): readonly Row[] {
	const found = limitUnderCursor(state);
	if (!found) return [];
	const {rule, place} = found;
	const {id, description, ref, expression, enabled} = rule;
	const {more: {ratelimit: _, ...more} = {}} = rule;
	const limit = rateLimitOf(rule);
	const others = {...more, ...limit.others};
	const heading = [
		`rate limit ${grouped(place)} of ${grouped(state.rows.length)}`,
		drawable(doing(rule)),
		rateWords(limit) ?? 'limit unknown',
	];
	return [
		headed(heading, enabled === false ? ['off: it does nothing'] : [], columns, marks),
		...rowsOfExpression(expression, {plan: state.zone.plan, phase: rateLimitPhase}, columns, marks),
		...fact('counted by', limit.characteristics.join(', ') || undefined, columns),
		...fact('action for', timeoutWords(limit), columns),
		...fact('counts', limit.counting, columns),
		...fact('description', description, columns),
		...fact('answer', answerOf(rule), columns),
		...fact('others', Object.keys(others).length > 0 ? JSON.stringify(others) : undefined, columns),
		...fact('rule id', id, columns),
		...fact('reference', ref === id ? undefined : ref, columns),
		...said(`${readOnlyRateLimits.why} ${readOnlyRateLimits.next}`, columns, 'dim'),
	];
}
