import type {Parser} from '../grammar/parser.ts';
import {abbreviate} from '../grammar/parser.ts';
import type {Expression, Literal} from '../grammar/tree.ts';
import type {SignedPart} from '../logic/parts.ts';
import {type ConditionContext, hasBeside} from './condition-context.ts';
import {addReservedNetworkHints} from './reserved-networks.ts';

type Comparison = Expression & {kind: 'comparison'};

/** Adds hints to a comparison that is unlikely to be intended but may be right. */
export function addComparisonHints(parser: Parser, comparison: Comparison, context: ConditionContext): void {
	const {left, operator, right} = comparison;
	if (left.kind === 'call' && left.name === 'lower' && operator === 'matches')
		addCapitalsHint(parser, comparison);
	if (left.kind !== 'field') return;
	const includesZero = (context.negated ? /^g[te]$/ : /^l[te]$/).test(operator);
	const text = right.kind === 'string' ? right.value : undefined;
	const isEqual = operator === 'eq' || operator === 'ne';
	switch (left.name) {
		case 'http.user_agent':
			if (operator === 'contains' && text !== undefined && text === text.toLowerCase() && /[a-z]/.test(text))
				parser.hint(
					comparison,
					`Case-sensitive: this doesn't match ${abbreviate(capitalize(text))}. To match both, use lower(http.user_agent) contains ${abbreviate(parser.slice(right))}.`,
					{code: 'L061'},
				);
			return;
		case 'http.host':
			if (isEqual && text !== undefined && /[A-Z]/.test(text))
				parser.hint(right, 'Browsers send the host in lower case: use lower(http.host) to ignore case.', {
					code: 'L062',
				});
			else if (isEqual && text !== undefined && /:\d+$/.test(text))
				parser.hint(
					right,
					'It is not documented whether the host includes the port: list it with and without.',
					{code: 'L063'},
				);
			return;
		case 'http.request.uri':
			if (text !== undefined && /^https?:\/\//.test(text))
				parser.hint(
					right,
					'This field contains no scheme or host, except in a query that contains a URL: use http.request.full_uri.',
					{code: 'L064'},
				);
			return;
		case 'http.cookie':
			if (isEqual && text?.includes('='))
				parser.hint(
					comparison,
					'This is the whole header with all cookies: use contains or http.request.cookies["name"] to check one.',
					{code: 'L066'},
				);
			return;
		case 'http.x_forwarded_for':
			if (isEqual && text !== undefined && !text.includes(','))
				parser.hint(
					comparison,
					'This is the whole header with the addresses of all proxies in between: use contains to look for one.',
					{code: 'L067'},
				);
			return;
		case 'http.referer':
			if (isEqual && text && !text.includes('/'))
				parser.hint(
					comparison,
					'This is a full URL, such as https://example.com/page: use contains to look for a host in it.',
					{code: 'L068'},
				);
			return;
		case 'http.request.headers.names':
			if ((isEqual && text !== undefined) || (operator === 'contains' && text && text !== text.toLowerCase()))
				parser.hint(
					comparison,
					`Names keep the case they were sent in: use has_key(http.request.headers, "${abbreviate((text ?? '').toLowerCase())}") to ignore case.`,
					{code: 'L069'},
				);
			return;
		case 'http.request.uri.args':
			if (text?.includes(' '))
				parser.hint(
					right,
					'Parameters are not decoded: a space is + or %20. Use url_decode(…) to decode them.',
					{code: 'L071'},
				);
			return;
		case 'http.request.accepted_languages':
			if (text === '*') parser.hint(right, 'The languages never include *.', {code: 'L072'});
			return;
		case 'cf.fraud.email_risk':
			if (isEqual && text !== undefined)
				parser.hint(
					right,
					'The documentation is inconsistent about the case of the levels: compare lower(cf.fraud.email_risk).',
					{code: 'L073'},
				);
			return;
		case 'ip.src':
			addReservedNetworkHints(
				parser,
				right.kind === 'set' ? right.items : 'kind' in right ? [right as Literal] : [],
			);
			return;
		case 'cf.timings.client_tcp_rtt_msec':
		case 'cf.timings.client_quic_rtt_msec':
		case 'cf.timings.origin_ttfb_msec':
		case 'cf.edge.l4.delivery_rate':
			if (includesZero && !hasBeside(comparison, context, part => excludesZero(part, left.name)))
				parser.hint(comparison, `0 means "not measured" and matches too: add ${left.name} gt 0 and …`, {
					code: 'L075',
				});
			return;
		default:
	}
}

/** True for a condition that a measured value fulfils, but not 0. */
function excludesZero({node, isTrue}: SignedPart, name: string): boolean {
	if (node.kind !== 'comparison' || node.left.kind !== 'field' || node.left.name !== name) return false;
	const value = node.right.kind === 'integer' ? node.right.value : undefined;
	switch (node.operator) {
		case isTrue ? 'ne' : 'eq':
			return value === 0n;
		case isTrue ? 'gt' : 'le':
			return value !== undefined && value >= 0n;
		case isTrue ? 'ge' : 'lt':
			return value !== undefined && value > 0n;
		default:
			return false;
	}
}

/**
 * Adds a hint if a regular expression for lower-case text has capitals outside of classes and escapes: they
 * match nothing.
 */
function addCapitalsHint(parser: Parser, {right}: Comparison): void {
	if (right.kind !== 'string' || /\(\?[a-z]*i/.test(right.value)) return;
	const literalText = right.value.replace(/\\(?:x\{[^}]*\}|p\{[^}]*\}|.)|\[[^\]]*\]|\(\?P?<\w+>/gs, '');
	if (/[A-Z]/.test(literalText))
		parser.hint(right, 'lower(…) never contains capitals: start the pattern with (?i) to ignore case.', {
			code: 'L076',
		});
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
