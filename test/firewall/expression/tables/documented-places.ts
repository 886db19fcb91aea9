import type {Phase} from '../../../../source/firewall/expression/expressions.ts';

/**
 * Where fields can be used, transcribed from the documentation a second time. A pattern is a name, or `a.b.*`
 * for `a.b` and all names below it.
 */
type NamePattern = string;

const splitWords = (text: string): string[] => text.split(/\s+/).filter(word => word !== '');

/** Parses a list of phases: `x!` is the phase x and its value, `x.value` only the value. */
const parsePhases = (text: string): Phase[] =>
	splitWords(text).flatMap(word =>
		word.endsWith('!') ? [word.slice(0, -1), `${word.slice(0, -1)}.value`] : [word],
	) as Phase[];

/** Fields that are an error in any other phase. The first entry that matches a name counts. */
export const allowedOnlyIn: readonly (readonly [NamePattern, readonly Phase[]])[] = [
	[
		'cf.appsec.request.failed_detections',
		parsePhases('http_request_firewall_custom http_ratelimit http_request_late_transform!'),
	],
	['cf.schema_validation.*', parsePhases('http_request_firewall_custom')],
	[
		'cf.sequence.*',
		parsePhases(
			'http_request_firewall_custom http_ratelimit http_request_redirect http_request_late_transform!',
		),
	],
	[
		'ip.src.timezone.name',
		parsePhases(
			'http_request_transform.value http_request_late_transform.value http_response_headers_transform.value',
		),
	],
	['cf.response.*', parsePhases('http_response_headers_transform! http_custom_errors')],
	['http.response.set_cookies', parsePhases('http_response_firewall_custom')],
	['raw.http.response.set_cookies', parsePhases('http_response_firewall_custom')],
	[
		'http.response.*',
		parsePhases(
			'http_ratelimit.counting_expression http_response_cache_settings! http_custom_errors ' +
				'http_response_headers_transform! http_response_compression http_response_firewall_managed ' +
				'http_response_firewall_custom http_log_custom_fields',
		),
	],
	[
		'raw.http.response.*',
		parsePhases(
			'http_custom_errors http_response_headers_transform! http_response_compression ' +
				'http_response_firewall_managed http_response_firewall_custom http_log_custom_fields',
		),
	],
];

/** Fields that are documented only for these phases, but not as refused by others: a warning elsewhere. */
export const documentedOnlyFor: readonly (readonly [NamePattern, readonly Phase[]])[] = [
	['cf.intel.ip.*', parsePhases('http_request_firewall_custom http_ratelimit')],
	['cf.llm.prompt.*', parsePhases('http_request_firewall_custom http_ratelimit')],
	['cf.waf.signature.request.*', parsePhases('http_request_firewall_custom')],
	['cf.api_gateway.graphql.*', parsePhases('http_request_firewall_custom')],
	[
		'http.request.jwt.claims.*',
		parsePhases('http_request_firewall_custom http_ratelimit http_request_late_transform!'),
	],
	['http.request.uri.path.basename', parsePhases('http_response_cache_settings!')],
	['cf.zone.plan', []],
];

/** Fields of rules that change requests or responses: a warning elsewhere. */
export const transformsOnly: Readonly<Record<string, readonly Phase[]>> = {
	'http.request.accepted_languages': parsePhases(
		'http_request_transform! http_request_late_transform! http_response_headers_transform! ' +
			'http_request_redirect http_response_cache_settings!',
	),
	'cf.zone.name': parsePhases(
		'http_request_transform http_request_redirect http_request_late_transform! ' +
			'http_response_headers_transform!',
	),
};

const commonFieldNames = splitWords(`
	cf.edge.server_ip cf.edge.server_port cf.edge.client_port cf.edge.client_tcp cf.edge.l4.delivery_rate
	cf.hostname.metadata cf.zone.name cf.random_seed cf.ray_id cf.timings.client_quic_rtt_msec
	cf.timings.client_tcp_rtt_msec cf.tls_version cf.tls_cipher cf.tls_client_hello_length cf.tls_client_random
	cf.tls_client_extensions_sha1 cf.tls_client_extensions_sha1_le cf.tls_client_ciphers_sha1 cf.tls_ciphers_sha1
	cf.tls_client_auth.* cf.worker.upstream_zone http.cookie http.host http.referer http.request.accepted_languages
	http.request.cookies http.request.headers.* http.request.method http.request.timestamp.sec
	http.request.timestamp.msec http.request.full_uri http.request.uri.* http.request.version
	raw.http.request.full_uri raw.http.request.headers.* raw.http.request.uri.* http.user_agent
	http.x_forwarded_for ip.src ip.src.lat ip.src.lon ip.src.asnum ip.src.city ip.src.country ip.src.continent
	ip.src.metro_code ip.src.postal_code ip.src.region ip.src.region_code ip.src.is_in_european_union
	ip.src.subdivision_1_iso_code ip.src.subdivision_2_iso_code ssl`);

const requestHeaderFields = [
	...commonFieldNames,
	...splitWords(`
	cf.bot_management.* cf.client.bot cf.verified_bot_category cf.fraud.email_risk
	cf.fraud_detection.disposable_email http.request.body.form.* http.request.body.multipart.*
	http.request.body.raw http.request.body.size http.request.body.truncated http.request.jwt.claims.*
	cf.sequence.* cf.waf.auth_detected cf.waf.credential_check.* cf.waf.score.*
	cf.appsec.request.failed_detections`),
];

const responseHeaderFields = [
	...commonFieldNames,
	...splitWords(`
	cf.bot_management.* cf.client.bot cf.verified_bot_category cf.fraud.email_risk http.request.body.form.*
	http.request.body.multipart.* http.request.body.raw http.request.body.size http.request.body.truncated
	http.response.code http.response.content_type.media_type http.response.headers.* raw.http.response.headers.*
	cf.response.1xxx_code cf.response.error_type cf.timings.edge_msec cf.timings.origin_ttfb_msec
	cf.timings.worker_msec`),
];

const cacheResponseFields = splitWords(`
	http.cookie http.host http.referer http.user_agent http.request.method http.request.uri http.request.uri.path
	http.request.uri.path.basename http.request.uri.path.extension http.request.uri.query http.request.uri.args.*
	http.request.full_uri http.request.headers http.request.headers.names http.request.headers.values
	http.request.cookies http.request.accepted_languages http.response.code http.response.headers
	http.response.headers.names http.response.headers.values`);

/** The documented fields of the phases that have a list; any other field is a warning. */
export const documentedFieldsByPhase: Partial<Record<Phase, readonly NamePattern[]>> = {
	http_request_transform: commonFieldNames,
	'http_request_transform.value': [
		'http.request.uri.*',
		'http.request.headers.*',
		'http.request.accepted_languages',
	],
	http_request_redirect: [...commonFieldNames, 'cf.sequence.*'],
	http_request_late_transform: requestHeaderFields,
	'http_request_late_transform.value': requestHeaderFields,
	http_response_headers_transform: responseHeaderFields,
	'http_response_headers_transform.value': responseHeaderFields,
	http_response_cache_settings: cacheResponseFields,
	'http_response_cache_settings.value': cacheResponseFields,
};

export const matchesNamePattern = (pattern: NamePattern, name: string): boolean =>
	pattern.endsWith('.*') ? `${name}.`.startsWith(pattern.slice(0, -1)) : name === pattern;
