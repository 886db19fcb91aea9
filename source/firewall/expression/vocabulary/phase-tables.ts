import type {Phase} from './phases.ts';
import type {Plan} from './plan.ts';

/**
 * Fields and the phases they are valid in. The pattern `a.*` matches `a` and everything below it; `a*` any
 * name that starts with `a`.
 */
export type FieldPhases = {readonly match: string; readonly phases: readonly Phase[]};

/** Fields that are invalid in all other phases, in addition to those marked in the list of fields. */
export const exclusivePhases: readonly FieldPhases[] = [
	{
		match: 'http.response.*',
		phases: [
			'http_ratelimit.counting_expression',
			'http_response_cache_settings',
			'http_response_cache_settings.value',
			'http_custom_errors',
			'http_response_headers_transform',
			'http_response_headers_transform.value',
			'http_response_compression',
			'http_response_firewall_managed',
			'http_response_firewall_custom',
			'http_log_custom_fields',
		],
	},
	{
		match: 'raw.http.response.*',
		phases: [
			'http_custom_errors',
			'http_response_headers_transform',
			'http_response_headers_transform.value',
			'http_response_compression',
			'http_response_firewall_managed',
			'http_response_firewall_custom',
			'http_log_custom_fields',
		],
	},
];

const securityRules = ['http_request_firewall_custom', 'http_ratelimit'] as const satisfies readonly Phase[];

/** Fields that are documented only for these phases; elsewhere they cause a warning. */
export const documentedPhases: readonly FieldPhases[] = [
	{match: 'cf.intel.ip.*', phases: securityRules},
	{match: 'cf.llm.prompt.*', phases: securityRules},
	{match: 'cf.waf.signature.request.*', phases: ['http_request_firewall_custom']},
	{match: 'cf.api_gateway.graphql.*', phases: ['http_request_firewall_custom']},
	{
		match: 'http.request.jwt.claims*',
		phases: [...securityRules, 'http_request_late_transform', 'http_request_late_transform.value'],
	},
	{
		match: 'http.request.uri.path.basename',
		phases: ['http_response_cache_settings', 'http_response_cache_settings.value'],
	},
];

const commonRequestFields =
	'cf.edge.server_ip cf.edge.server_port cf.edge.client_port cf.edge.client_tcp cf.edge.l4.delivery_rate ' +
	'cf.hostname.metadata cf.zone.name cf.random_seed cf.ray_id cf.timings.client_quic_rtt_msec ' +
	'cf.timings.client_tcp_rtt_msec cf.tls_version cf.tls_cipher cf.tls_client_hello_length cf.tls_client_random ' +
	'cf.tls_client_extensions_sha1 cf.tls_client_extensions_sha1_le cf.tls_client_ciphers_sha1 cf.tls_ciphers_sha1 ' +
	'cf.tls_client_auth.* cf.worker.upstream_zone http.cookie http.host http.referer ' +
	'http.request.accepted_languages http.request.cookies http.request.headers.* http.request.method ' +
	'http.request.timestamp.sec http.request.timestamp.msec http.request.full_uri http.request.uri.* ' +
	'http.request.version raw.http.request.full_uri raw.http.request.headers.* raw.http.request.uri.* ' +
	'http.user_agent http.x_forwarded_for ip.src ip.src.lat ip.src.lon ip.src.asnum ip.src.city ip.src.country ' +
	'ip.src.continent ip.src.metro_code ip.src.postal_code ip.src.region ip.src.region_code ' +
	'ip.src.is_in_european_union ip.src.subdivision_1_iso_code ip.src.subdivision_2_iso_code ssl ';

const botAndBodyFields =
	'cf.bot_management.* cf.client.bot cf.verified_bot_category cf.fraud.email_risk http.request.body.form.* ' +
	'http.request.body.multipart.* http.request.body.raw http.request.body.size http.request.body.truncated ';

const requestHeaderRuleFields =
	`${commonRequestFields}${botAndBodyFields}cf.fraud_detection.disposable_email http.request.jwt.claims.* cf.sequence.* ` +
	'cf.waf.auth_detected cf.waf.credential_check.* cf.waf.score.* cf.appsec.request.failed_detections';

const responseHeaderRuleFields =
	`${commonRequestFields}${botAndBodyFields}http.response.code http.response.content_type.media_type http.response.headers.* ` +
	'raw.http.response.headers.* cf.response.1xxx_code cf.response.error_type cf.timings.edge_msec ' +
	'cf.timings.origin_ttfb_msec cf.timings.worker_msec';

const cacheResponseFields =
	'http.cookie http.host http.referer http.user_agent http.request.method http.request.uri http.request.uri.path ' +
	'http.request.uri.path.basename http.request.uri.path.extension http.request.uri.query http.request.uri.args.* ' +
	'http.request.full_uri http.request.headers http.request.headers.names http.request.headers.values ' +
	'http.request.cookies http.request.accepted_languages http.response.code http.response.headers ' +
	'http.response.headers.names http.response.headers.values';

/**
 * The fields that the documentation lists for a phase, as patterns; other phases have no list. The lists lag
 * behind the language, so a field missing from one causes only a warning. Those of header rules are
 * documented for values, and used for conditions too. In the response firewall, the fields of custom rules
 * are valid as well.
 */
export const listedFields: Readonly<Partial<Record<Phase, string>>> = {
	http_request_transform: commonRequestFields,
	'http_request_transform.value': 'http.request.uri.* http.request.headers.* http.request.accepted_languages',
	http_request_redirect: `${commonRequestFields}cf.sequence.*`,
	http_request_late_transform: requestHeaderRuleFields,
	'http_request_late_transform.value': requestHeaderRuleFields,
	http_response_headers_transform: responseHeaderRuleFields,
	'http_response_headers_transform.value': responseHeaderRuleFields,
	http_response_cache_settings: cacheResponseFields,
	'http_response_cache_settings.value': cacheResponseFields,
};

const cacheResponseFunctions =
	'all any concat decode_base64 ends_with len lookup_json_integer lookup_json_string lower regex_replace ' +
	'remove_bytes remove_query_args split starts_with substring to_string upper url_decode wildcard_replace';

/** The functions that the documentation lists for a phase, if it has a list; others cause a warning. */
export const listedFunctions: Readonly<Partial<Record<Phase, string>>> = {
	http_response_cache_settings: cacheResponseFunctions,
	'http_response_cache_settings.value': cacheResponseFunctions,
};

/** The lowest plan whose rate limiting rules can use a field; all other fields need Enterprise. */
export const rateLimitingPlans: ReadonlyMap<string, Plan> = new Map<string, Plan>([
	['http.request.uri.path', 'free'],
	['cf.bot_management.verified_bot', 'free'],
	['cf.client.bot', 'free'],
	['http.host', 'pro'],
	['http.request.uri', 'pro'],
	['http.request.full_uri', 'pro'],
	['http.request.uri.query', 'pro'],
	['http.request.method', 'business'],
	['ip.src', 'business'],
	['http.user_agent', 'business'],
]);

/** Further fields for counting expressions, from the Business plan up; lower plans have none. */
export const countedFields: ReadonlySet<string> = new Set([
	'http.response.code',
	'http.response.headers',
	'http.response.headers.names',
	'http.response.headers.values',
]);

/** Fields that need Advanced Rate Limiting in rate limiting rules, a paid add-on to Enterprise. */
export const advancedRateLimitingFields = 'http.request.body.*';
