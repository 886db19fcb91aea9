import type {Resources} from './resources.ts';

/** The filters and rules of a zone. */
type ZoneSample = {
	readonly zoneId: string;
	readonly filters: readonly SampleFilter[];
	readonly rules: readonly SampleRule[];
};

type SampleFilter = {
	readonly id: string;
	readonly expression: string;
	readonly paused?: true;
	readonly description?: string;
	readonly ref?: string;
};

type SampleRule = Omit<SampleFilter, 'expression'> & {
	readonly action: string;
	readonly priority?: number;
	readonly products?: readonly string[];
	/** The id of its filter. */
	readonly filter: string;
};

const createSampleFilter = (
	id: string,
	expression: string,
	extraFields: Omit<SampleFilter, 'id' | 'expression'> = {},
): SampleFilter => ({id, expression, ...extraFields});

const createSampleRule = (
	id: string,
	action: string,
	filterId: string,
	extraFields: Omit<SampleRule, 'id' | 'action' | 'filter'> = {},
): SampleRule => ({id, action, filter: filterId, ...extraFields});

/**
 * Filters and firewall rules of a new world, with stable ids. acme.example has a filter with two rules, a
 * filter without rules, and a paused filter; acme-blog.example has room for one more rule; acme-pay.example
 * has a rule whose filter is missing.
 */
const firewallSamples: readonly ZoneSample[] = [
	{
		zoneId: 'd0e032749968114a09730950255c7c0f',
		filters: [
			createSampleFilter('d0e9a2e5d5db22bf441a69f1b0a4f8ca', 'ip.src in {203.0.113.0/24 2001:db8:40::/48}', {
				description: 'Bürozugang Köln und 東京',
			}),
			createSampleFilter(
				'309e7fa4ef8106cc272112b9c5fbfac1',
				'http.request.uri.path contains "/wp-admin" and not ip.src in {203.0.113.0/24}',
			),
			createSampleFilter('34a1d140ebeedf01de9b0fb3623e20ab', 'ip.src.country in {"AQ" "BV" "HM"}', {
				description: 'Countries without customers',
			}),
			createSampleFilter(
				'bbe8328b53862bbaaaf95d7ec624d88c',
				'http.user_agent contains "BadBot" or http.user_agent contains "scrapy"',
				{description: 'Known scrapers', ref: 'scrapers'},
			),
			createSampleFilter(
				'7f080e5017ba619134da1ddb7cd9412b',
				'http.host eq "api.acme.example" and not http.request.method in {"GET" "HEAD" "POST"}',
			),
			createSampleFilter(
				'53fb90c0f09ce8a47992d27fb8d57c41',
				'http.request.uri.path matches "^/api/v[12]/export/[0-9]{6,}$"',
				{description: 'Large exports'},
			),
			createSampleFilter(
				'b91920d0bdb457e17ce726e2bd295849',
				'ip.src eq 198.51.100.7 and http.user_agent contains "acme-monitor"',
				{description: 'Our own monitoring', ref: 'monitoring'},
			),
			createSampleFilter(
				'077172886b79e1e52b771a4b53c47eef',
				'http.request.uri.path eq "/login" and http.request.method eq "POST" and not cf.client.bot',
			),
			createSampleFilter(
				'867206f2b183256cb24c738ab1d47ae9',
				'http.request.full_uri wildcard "https://*.acme.example/old/*"',
				{paused: true, description: 'The old shop, gone since 2024'},
			),
			createSampleFilter(
				'1d3ada0f3a9400708575fee786c4cec2',
				'not ssl and starts_with(http.request.uri.path, "/account")',
			),
			createSampleFilter('92a0c1677bbd088d6a9ac95ab24c4def', 'len(http.request.uri.query) gt 2000'),
			createSampleFilter(
				'dc68f93c445ebb5236d0567c101cc14b',
				'http.request.uri.query contains "utm_source=winter"',
				{
					description: 'Kept for the next campaign',
				},
			),
		],
		rules: [
			createSampleRule('e31f03311e83b1f31e750a46d05c44d1', 'allow', 'd0e9a2e5d5db22bf441a69f1b0a4f8ca', {
				priority: 10,
				description: 'Büro: everything allowed',
			}),
			createSampleRule('9959202d9959d5d02b656cf1e37175a8', 'bypass', 'b91920d0bdb457e17ce726e2bd295849', {
				priority: 20,
				products: ['waf', 'rateLimit'],
				description: 'Monitoring goes around the rate limit',
			}),
			createSampleRule('55040625bf2a9c97aeaf16a2720e17db', 'log', 'bbe8328b53862bbaaaf95d7ec624d88c', {
				priority: 50,
			}),
			createSampleRule('c4ee637c5e06249a89e16bfcef2c4a96', 'block', 'bbe8328b53862bbaaaf95d7ec624d88c', {
				priority: 100,
				description: 'Scrapers',
				ref: 'scrapers-block',
			}),
			createSampleRule('05311042f27aba6105b96e74db588479', 'block', '309e7fa4ef8106cc272112b9c5fbfac1', {
				priority: 100,
			}),
			createSampleRule('dc9f39ffe84c86406a2b8cd3449370ed', 'challenge', '34a1d140ebeedf01de9b0fb3623e20ab', {
				description: 'Countries without customers',
			}),
			createSampleRule('7a493dcae8d4a4b36c534aca7397be38', 'block', '7f080e5017ba619134da1ddb7cd9412b'),
			createSampleRule('f8397eee75aee6c11ea741f22265a278', 'log', '53fb90c0f09ce8a47992d27fb8d57c41', {
				description: 'Watched before it is limited',
			}),
			createSampleRule(
				'6da0ec832e02a2ebf4ea3df9e543ceac',
				'managed_challenge',
				'077172886b79e1e52b771a4b53c47eef',
				{
					priority: 200,
				},
			),
			createSampleRule(
				'dc1a99b6dc18af88739d592a039f67bf',
				'js_challenge',
				'867206f2b183256cb24c738ab1d47ae9',
			),
			createSampleRule('c01b65f8ae4bde0feff888fd996773de', 'block', '1d3ada0f3a9400708575fee786c4cec2', {
				description: 'Accounts over TLS only',
			}),
			createSampleRule('79f579691dce66f677fa4e5a7a8baf48', 'block', '92a0c1677bbd088d6a9ac95ab24c4def', {
				paused: true,
				description: 'Off: broke the search, see INC-204',
			}),
		],
	},
	{
		zoneId: '61bf267f4af510ca281c94950d62fbea',
		filters: [
			createSampleFilter('52e154ea79c3b4bec7423a28e6efe31d', 'http.request.uri.path eq "/xmlrpc.php"'),
			createSampleFilter(
				'615c8c84271f1abb3fdcbedd474d052e',
				'http.request.uri.path contains "/wp-login.php" and ip.src.country ne "DE"',
				{description: 'Editors are in Germany'},
			),
			createSampleFilter('935712987f7079ab116abf2a33a0ce57', 'http.user_agent eq ""'),
			createSampleFilter('3f3c0408605c141dee2af051f3cb0f54', 'ip.src in {192.0.2.16/28}'),
		],
		rules: [
			createSampleRule('75b1f95fe6db23eaffafb5bae62d6440', 'block', '52e154ea79c3b4bec7423a28e6efe31d'),
			createSampleRule('ff37b0e03528c7e9e2db3925f2fba8c5', 'challenge', '615c8c84271f1abb3fdcbedd474d052e', {
				description: 'Login from abroad',
			}),
			createSampleRule(
				'e7fb07bd331aa555cdde691a8f54de32',
				'managed_challenge',
				'935712987f7079ab116abf2a33a0ce57',
				{
					paused: true,
				},
			),
			createSampleRule('71022ea172166893099f2c431a25f50c', 'allow', '3f3c0408605c141dee2af051f3cb0f54', {
				priority: 1,
			}),
		],
	},
	{
		zoneId: '6e23b63489e7241c0d871b10a397cebb',
		filters: [
			createSampleFilter(
				'35c52b05842b30a098e410d7f738ce9d',
				'ip.src in {198.51.100.64/26} and starts_with(http.request.uri.path, "/feed/")',
				{description: 'Price feed of partners'},
			),
			createSampleFilter(
				'e07fb7f8b8dc0051a9ee5be213fd5987',
				'http.request.uri.path eq "/checkout" and not http.referer contains "acme-shop.example"',
			),
			createSampleFilter(
				'010bef2c4b530d9e03efba2e0987e52b',
				'lower(http.request.uri.query) contains "union select"',
			),
		],
		rules: [
			createSampleRule('838bbbfb2d74753c5857ca6db214e846', 'bypass', '35c52b05842b30a098e410d7f738ce9d', {
				products: ['waf', 'bic'],
				description: 'Partners read the feed with old clients',
			}),
			createSampleRule(
				'a2ae8a536a5ffdd3da9f3d89219d36b0',
				'js_challenge',
				'e07fb7f8b8dc0051a9ee5be213fd5987',
				{
					priority: 5,
				},
			),
			createSampleRule('7c09d20200a1ec2e24d1f5ad52868182', 'block', '010bef2c4b530d9e03efba2e0987e52b', {
				priority: 1,
				description: 'SQL in the query',
			}),
		],
	},
	{
		zoneId: 'a947660370b0b679559176bf9d8aead4',
		filters: [
			createSampleFilter(
				'bf92434e5b7c6ffcffcb81f40c129ab6',
				'http.request.uri.path matches "^/pay/[a-f0-9]{32}$" and http.request.method ne "POST"',
			),
			createSampleFilter('691340f4eac81bff694fd490288ec306', 'ip.src in {203.0.113.128..203.0.113.143}', {
				description: 'Settlement servers of the bank',
			}),
		],
		rules: [
			createSampleRule('32bd80d757ed67f0eb9fc97bf911b1c0', 'allow', '691340f4eac81bff694fd490288ec306', {
				priority: 1,
			}),
			createSampleRule('c67919bdf8ca01d2ae5df33a7dfa63a8', 'block', 'bf92434e5b7c6ffcffcb81f40c129ab6', {
				priority: 2,
			}),
			createSampleRule('3fc22275279f5dcba3395a52e2bdab7b', 'challenge', 'f692d41930324585bc67e07d321923be', {
				paused: true,
				description: 'Its filter was deleted',
			}),
		],
	},
];

/** Writes the filters and firewall rules of a zone. */
export function addFirewallSamples(resources: Resources, zoneId: string): void {
	for (const {filters, rules} of firewallSamples.filter(sample => sample.zoneId === zoneId)) {
		for (const filter of filters) resources.set('filter', zoneId, filter.id, {paused: false, ...filter});
		for (const rule of rules)
			resources.set('firewall-rule', zoneId, rule.id, {paused: false, priority: null, ...rule});
	}
}
