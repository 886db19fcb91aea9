/**
 * Builds a map from each spelling to its meaning. `table` maps a meaning to its spellings, separated by
 * spaces.
 */
export const buildSpellings = (table: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
	new Map(
		Object.entries(table).flatMap(([meaning, words]) =>
			words.split(' ').map(word => [word, meaning] as const),
		),
	);

/** Fields by their names in other tools and in samples, and by shortened names. */
export const otherFieldNames: ReadonlyMap<string, string> = buildSpellings({
	'ip.src': 'ip ip.addr ip.address src.ip http.request.ip client_ip client.ip remote_addr cf.client.ip',
	'ip.src.country': 'ip.country ip.geo.country country ip.geoip.country_code ip.src.country_code',
	'ip.src.continent': 'ip.continent ip.geo.continent continent',
	'ip.src.asnum': 'ip.asn ip.src.asn ip.asnum ip.geoip.asn ip.geo.asn ip.geo.asnum asn',
	'http.request.method': 'http.method method',
	'http.request.uri': 'http.uri uri',
	'http.request.uri.path': 'http.path http.request.path path uri_path',
	'http.request.uri.query': 'http.query http.request.query http.request.query_string query query_string',
	'http.request.uri.args': 'http.request.args http.request.query.args',
	'http.request.full_uri': 'http.url http.request.url url full_uri',
	'http.request.version': 'http.version',
	'http.request.cookies': 'http.cookies cookies',
	'http.host': 'http.request.host hostname http.hostname host',
	'http.user_agent': 'http.request.user_agent user_agent useragent',
	'http.referer': 'http.request.referer http.referrer http.request.referrer referer referrer',
	'http.cookie': 'http.request.cookie cookie',
	'http.request.headers': 'http.headers http.header headers',
	'http.x_forwarded_for': 'http.request.x_forwarded_for x_forwarded_for',
	'http.request.jwt.claims': 'http.request.jwt.payload',
	ssl: 'https http.ssl http.https',
	'cf.tls_version': 'tls tls.version tls_version ssl.version',
	'cf.edge.server_port': 'tcp.port tcp.dstport port',
	'cf.client.bot': 'cf.verified_bot cf.is_bot',
	'cf.bot_management.score': 'cf.bot_score cf.bot.score bot_score',
	'cf.api_gateway.fallthrough_detected': 'cf.api_gateway.fallthrough_triggered',
});

/** Functions by their names in other languages. */
export const otherFunctionNames: ReadonlyMap<string, string> = buildSpellings({
	len: 'length size count strlen',
	lower: 'lowercase to_lower lcase lower_case',
	upper: 'uppercase to_upper ucase upper_case',
	concat: 'concatenate',
	substring: 'substr',
	decode_base64: 'base64_decode',
	encode_base64: 'base64_encode',
	url_decode: 'decode_url uri_decode',
	starts_with: 'begins_with',
	regex_replace: 'replace',
	to_string: 'string str',
});

/**
 * Advice for functions that do not exist, by name; shown if no equivalent can be suggested. `replace` has one
 * that only some phases allow.
 */
const functionAdvice: ReadonlyMap<string, string> = buildSpellings({
	'rate limiting rules count requests, outside the expression': 'rate rate_limit ratelimit rate_limiting',
	'use one rule per case, or coalesce(…) for a value that may be missing': 'if iif ifelse case',
	'has_key(…) checks for a key in a map; a string is present if it is ne ""':
		'exists isset is_set has is_present present defined is_defined',
	'use matches with \\s* at both ends of the pattern to allow spaces there': 'trim strip',
	'use regex_replace(…), in rules that rewrite': 'replace',
});

/** Advice for fields that occur in samples but have no equivalent, by name. */
const fieldAdvice: ReadonlyMap<string, string> = buildSpellings({
	'it has no equivalent': 'cf.api_gateway.volumetric_abuse_detected cf.api_gateway.jwt_claims_valid',
});

/** Finds advice for a name that does not exist, to show if no equivalent can be suggested. */
export const findAdvice = (name: string, kind: 'field' | 'function'): string | undefined =>
	(kind === 'field' ? fieldAdvice : functionAdvice).get(name);
