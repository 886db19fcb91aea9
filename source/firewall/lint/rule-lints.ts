import {findLint, type Lint, listLints} from '../expression/expressions.ts';

const rulesPage = 'https://developers.cloudflare.com/ruleset-engine/about/rules/';
const actionsPage = 'https://developers.cloudflare.com/ruleset-engine/rules-language/actions/';

/** Lints about rules rather than their expressions. Examples are sections of a rules file. */
const ruleLints = [
	{
		code: 'E200',
		level: 'error',
		title: 'Invalid setting of a rule',
		explanation:
			'The service refuses the rule: its action does not exist in this phase, a parameter is missing or has an impossible value, a text is too long, or the plan lacks what it uses.',
		example: {
			wrong: `custom_rules:
  - action: deny
    expression: ip.src eq 192.0.2.1`,
			right: `custom_rules:
  - action: block
    expression: ip.src eq 192.0.2.1`,
		},
		page: actionsPage,
	},
	{
		code: 'L200',
		level: 'warning',
		title: 'Two rules do the same',
		explanation:
			'Both have the same action, with the same parameters, and match the same requests. The later one changes nothing, and whoever edits one of them will forget the other. Delete one. Not so for rules that change requests or settings, where a later one overrides those in between.',
		example: {
			wrong: `custom_rules:
  - action: block
    expression: ip.src in {192.0.2.1 192.0.2.2}
  - action: block
    expression: ip.src eq 192.0.2.2 or ip.src eq 192.0.2.1
  - action: block
    expression: ip.src in {192.0.2.2 192.0.2.1}`,
			right: `custom_rules:
  - action: block
    expression: ip.src in {192.0.2.1 192.0.2.2}`,
		},
		page: rulesPage,
	},
	{
		code: 'L201',
		level: 'warning',
		title: 'A rule never runs because of an earlier one',
		explanation:
			'An earlier rule matches every request that this one matches, and ends the evaluation: it blocks them, or lets them skip the remaining rules. Challenges do not count, since visitors may have passed one, nor do rules that change requests or settings, which all run. Move this rule before it, or delete one of them.',
		example: {
			wrong: `custom_rules:
  - action: block
    expression: starts_with(http.request.uri.path, "/admin")
  - action: managed_challenge
    expression: http.request.uri.path eq "/admin/login"`,
			right: `custom_rules:
  - action: managed_challenge
    expression: http.request.uri.path eq "/admin/login"
  - action: block
    expression: starts_with(http.request.uri.path, "/admin")`,
		},
		page: actionsPage,
	},
	{
		code: 'L202',
		level: 'hint',
		title: 'A rule is paused',
		explanation:
			'A paused rule does nothing, but counts towards the limit of the plan. If it is no longer needed, delete it (earlier versions of the rules can be restored); otherwise resume it.',
		example: {
			wrong: `custom_rules:
  - action: block
    expression: ip.src eq 192.0.2.1
    enabled: false`,
			right: `custom_rules:
  - action: block
    expression: ip.src eq 192.0.2.1`,
		},
		page: rulesPage,
	},
	{
		code: 'L203',
		level: 'hint',
		title: 'A rule has ended',
		explanation:
			'Its expression limits it to requests before a time that has passed, as `--for` does. It matches nothing, but counts towards the limit of the plan: delete it, or give it a later end.',
		example: {
			wrong: `custom_rules:
  - action: block
    expression: (ip.src eq 192.0.2.1) and http.request.timestamp.sec lt 1600000000`,
			right: `custom_rules:
  - action: block
    expression: (ip.src eq 192.0.2.1) and http.request.timestamp.sec lt 1893456000`,
		},
		page: rulesPage,
	},
	{
		code: 'L204',
		level: 'hint',
		title: 'Two rules have the same description',
		explanation:
			'Security events and lists of rules show the description, so it does not tell which of the rules acted. Say in each what distinguishes it.',
		example: {
			wrong: `custom_rules:
  - description: Block scrapers
    action: block
    expression: lower(http.user_agent) contains "scrapy"
  - description: Block scrapers
    action: block
    expression: lower(http.user_agent) contains "heritrix"`,
			right: `custom_rules:
  - description: Block scrapy
    action: block
    expression: lower(http.user_agent) contains "scrapy"
  - description: Block heritrix
    action: block
    expression: lower(http.user_agent) contains "heritrix"`,
		},
		page: rulesPage,
	},
] as const satisfies readonly Lint[];

/** The code of a lint about rules. */
export type RuleLintCode = (typeof ruleLints)[number]['code'];

/** Lists all lints, of expressions and of rules, by code. */
export const listAllLints = (): readonly Lint[] =>
	[...listLints(), ...ruleLints].toSorted((one, other) => (one.code < other.code ? -1 : 1));

/** Finds a lint of expressions or rules by its code, in upper or lower case. */
export const findAnyLint = (code: string): Lint | undefined =>
	findLint(code) ?? ruleLints.find(lint => lint.code === code.toUpperCase());
