/** What the rules of a phase look at: the request only, the response too, or network packets. */
type Side = 'request' | 'response' | 'packets';

type PhaseFacts = {
	/** The name of its rules in the plural: "custom rules". */
	readonly rules: string;
	readonly side: Side;
	/** Its name on the command line. */
	readonly short: string;
};

const request = (rules: string, short: string): PhaseFacts => ({rules, side: 'request', short});
const response = (rules: string, short: string): PhaseFacts => ({rules, side: 'response', short});
const packets = (rules: string, short: string): PhaseFacts => ({rules, side: 'packets', short});

/**
 * The phases of expressions, in the order in which the service runs them. `….value` is the expression of an
 * action parameter (a header, an address, tags), which returns a text or a list and is not a condition.
 */
export const phases = {
	http_request_sanitize: request('URL normalization rules', 'normalization'),
	http_request_dynamic_redirect: request('single redirects', 'redirect'),
	'http_request_dynamic_redirect.value': request('targets of single redirects', 'redirect-value'),
	http_request_transform: request('URL rewrites', 'rewrite'),
	'http_request_transform.value': request('values of URL rewrites', 'rewrite-value'),
	http_request_api_gateway_early: request('API Shield rules', 'api-shield'),
	http_request_api_gateway_late: request('API Shield rules', 'api-shield-late'),
	http_config_settings: request('configuration rules', 'configuration'),
	http_request_origin: request('origin rules', 'origin'),
	ddos_l7: request('HTTP DDoS overrides', 'ddos'),
	http_request_firewall_custom: request('firewall and custom rules', 'custom'),
	http_ratelimit: request('rate limiting rules', 'ratelimit'),
	'http_ratelimit.counting_expression': response(
		'counting expressions of rate limiting rules',
		'ratelimit-counting',
	),
	http_request_firewall_managed: request('managed rules', 'managed'),
	http_request_sbfm: request('super bot fight mode rules', 'bots'),
	http_request_redirect: request('bulk redirects', 'bulk-redirect'),
	http_request_late_transform: request('request header rules', 'request-headers'),
	'http_request_late_transform.value': request('values of request headers', 'request-headers-value'),
	http_request_cache_settings: request('cache rules', 'cache'),
	http_request_snippets: request('snippets', 'snippets'),
	http_request_cloud_connector: request('cloud connector rules', 'cloud-connector'),
	http_response_cache_settings: response('cache response rules', 'cache-response'),
	'http_response_cache_settings.value': response('tags of cache response rules', 'cache-response-value'),
	http_custom_errors: response('custom error rules', 'errors'),
	http_response_headers_transform: response('response header rules', 'response-headers'),
	'http_response_headers_transform.value': response('values of response headers', 'response-headers-value'),
	http_response_compression: response('compression rules', 'compression'),
	http_response_firewall_managed: response('sensitive data rules', 'sensitive-data'),
	http_response_firewall_custom: response('response firewall rules', 'response-firewall'),
	http_log_custom_fields: response('custom log fields', 'log-fields'),
	ddos_l4: packets('network DDoS overrides', 'network-ddos'),
	magic_transit: packets('network firewall rules', 'network'),
	magic_transit_managed: packets('managed rules of the network firewall', 'network-managed'),
	magic_transit_ratelimit: packets('rate limiting rules of the network firewall', 'network-ratelimit'),
	magic_transit_ids_managed: packets('intrusion detection rules', 'network-ids'),
} as const satisfies Readonly<Record<string, PhaseFacts>>;

export type Phase = keyof typeof phases;

/** Custom rules, and firewall rules with their filters. */
export const usualPhase = 'http_request_firewall_custom' satisfies Phase;

/** True if expressions of the phase return a value and are not conditions. */
export const isValue = (phase: Phase): boolean => phase.endsWith('.value');

/** Finds a phase by its name or its short name on the command line: `custom`, `http_ratelimit`. */
export const phaseNamed = (name: string): Phase | undefined =>
	(Object.keys(phases) as Phase[]).find(phase => phase === name || phases[phase].short === name);

/** Lists the short names of all phases, in order. */
export const phaseNames = (): readonly string[] => Object.values(phases).map(({short}) => short);

/**
 * Formats phases for a sentence, each kind of rules once: "custom error rules, response header rules and
 * compression rules".
 */
export function phasesInWords(some: readonly Phase[]): string {
	const names = new Set<Phase>(some);
	// The value of an action belongs to the same rules as their condition, so the condition's phase is
	// enough.
	const told = some.filter(phase => {
		const [condition] = phase.split('.') as [Phase];
		return condition === phase || !names.has(condition);
	});
	const words = [...new Set(told.map(phase => phases[phase].rules))];
	const last = words.pop() ?? '';
	return words.length > 0 ? `${words.join(', ')} and ${last}` : last;
}
