import type {Lint} from './lint.ts';
import {pages} from './pages.ts';

/** Lints of fields and functions, by where they exist and what is documented about them. */
export const nameLints = [
	{
		code: 'L011',
		level: 'warning',
		title: 'Unknown field or function, allowed by --allow-unknown',
		explanation:
			'No field or function had this name when the lists of ledge were made. The service rejects it unless it is new.',
		example: {
			wrong: 'http.hots eq "example.com"',
			right: 'http.host eq "example.com"',
			context: {allowUnknown: true},
		},
		page: pages.fields,
	},
	{
		code: 'L012',
		level: 'warning',
		title: 'Deprecated field',
		explanation: 'The field has another name now. Use that one: the old one may be removed.',
		example: {wrong: 'ip.geoip.country eq "DE"', right: 'ip.src.country eq "DE"'},
		page: pages.fields,
	},
	{
		code: 'L013',
		level: 'warning',
		title: 'Undocumented field',
		explanation: 'The service may accept the field, but its documentation does not mention it.',
		example: {wrong: 'cf.api_gateway.request_violates_schema', right: 'ssl'},
		page: pages.fields,
	},
	{
		code: 'L014',
		level: 'warning',
		title: 'Field in early access',
		explanation:
			'Only zones that take part in the early access can use the field; the service may reject it.',
		example: {
			wrong: 'any(cf.waf.signature.request.refs[*] contains "1")',
			right: 'cf.waf.score lt 20',
		},
		page: pages.fields,
	},
	{
		code: 'L015',
		level: 'warning',
		title: 'Threat score, which is always 0',
		explanation:
			'The service no longer computes cf.threat_score: it is 0 for every request, so that each comparison with it always has the same result: gt 10 never matches. Decide what the rule should do without it: removing the condition from an and lets the rule act on more requests.',
		example: {wrong: 'cf.threat_score gt 10', right: 'cf.waf.score lt 20'},
		page: pages.fields,
	},
	{
		code: 'L016',
		level: 'warning',
		title: 'Not documented for this kind of rule',
		explanation:
			'The documentation lists the fields and functions for rules of this phase, and this is not among them. The service may reject it.',
		example: {
			wrong: 'cf.bot_management.score lt 30',
			right: 'http.host eq "example.com"',
			context: {phase: 'http_request_transform'},
		},
		page: pages.phases,
	},
	{
		code: 'L017',
		level: 'hint',
		title: 'Paid add-on needed',
		explanation:
			'The plan of the zone allows the field or function only together with an add-on. ledge cannot see whether the zone has it.',
		example: {
			wrong: 'cf.bot_management.score lt 30',
			right: 'not cf.client.bot',
			context: {plan: 'enterprise'},
		},
		page: pages.fields,
	},
	{
		code: 'L018',
		level: 'warning',
		title: 'Literal or computed argument, not documented',
		explanation:
			'It is not documented whether the function takes a literal value, or a field, in this place. The service may reject it.',
		example: {
			wrong: 'starts_with(http.request.uri.path, http.host)',
			right: 'starts_with(http.request.uri.path, "/shop")',
		},
		page: pages.functions,
	},
	{
		code: 'L019',
		level: 'warning',
		title: 'Type of an argument, not documented',
		explanation:
			'It is not documented whether the function takes arguments of this type. The service may reject it.',
		example: {wrong: 'len(http.request.headers) gt 3', right: 'len(http.request.headers.names) gt 3'},
		page: pages.functions,
	},
	{
		code: 'L020',
		level: 'warning',
		title: '[*] compared with another field, not documented',
		explanation:
			'It is not documented whether each value of an array can be compared with a field or function. Test it in a log rule first.',
		example: {
			wrong: 'any(http.request.headers["host"][*] eq http.host)',
			right: 'http.request.headers["host"][0] eq http.host',
		},
		page: pages.operators,
	},
	{
		code: 'L021',
		level: 'warning',
		title: 'Not in this kind of rule, allowed by --allow-unknown',
		explanation:
			'The field or function existed only in other kinds of rules when the tables of ledge were made. The service rejects it unless that has changed.',
		example: {
			wrong: 'sha256(http.host) eq "00"',
			right: 'http.host eq "example.com"',
			context: {allowUnknown: true},
		},
		page: pages.phases,
	},
	{
		code: 'L022',
		level: 'warning',
		title: 'Not on the plan, allowed by --allow-unknown',
		explanation:
			'The field, function, operator or list needed a higher plan when the tables of ledge were made. The service rejects it unless that has changed.',
		example: {
			wrong: 'http.host matches "^shop[.]"',
			right: 'starts_with(http.host, "shop.")',
			context: {plan: 'pro', allowUnknown: true},
		},
		page: pages.operators,
	},
] as const satisfies readonly Lint[];
