/** What the rules of a phase look at: the request only, the response too, or network packets. */
type Side = 'request' | 'response' | 'packets';

type PhaseFacts = {
	/** The name of its rules in the plural: "custom rules". */
	readonly ruleNoun: string;
	readonly side: Side;
	/** Its name on the command line. */
	readonly shortName: string;
};

const createRequestPhase = (ruleNoun: string, shortName: string): PhaseFacts => ({
	ruleNoun,
	side: 'request',
	shortName,
});
const createResponsePhase = (ruleNoun: string, shortName: string): PhaseFacts => ({
	ruleNoun,
	side: 'response',
	shortName,
});
const createPacketPhase = (ruleNoun: string, shortName: string): PhaseFacts => ({
	ruleNoun,
	side: 'packets',
	shortName,
});

/**
 * The phases of expressions, in the order in which the service runs them. `….value` is the expression of an
 * action parameter (a header, an address, tags), which returns a text or a list and is not a condition.
 */
export const phases = {
	http_request_sanitize: createRequestPhase('URL normalization rules', 'normalization'),
	http_request_dynamic_redirect: createRequestPhase('single redirects', 'redirect'),
	'http_request_dynamic_redirect.value': createRequestPhase('single redirect targets', 'redirect-value'),
	http_request_transform: createRequestPhase('URL rewrites', 'rewrite'),
	'http_request_transform.value': createRequestPhase('URL rewrite values', 'rewrite-value'),
	http_request_api_gateway_early: createRequestPhase('API Shield rules', 'api-shield'),
	http_request_api_gateway_late: createRequestPhase('API Shield rules', 'api-shield-late'),
	http_config_settings: createRequestPhase('configuration rules', 'configuration'),
	http_request_origin: createRequestPhase('origin rules', 'origin'),
	ddos_l7: createRequestPhase('HTTP DDoS overrides', 'ddos'),
	http_request_firewall_custom: createRequestPhase('firewall and custom rules', 'custom'),
	http_ratelimit: createRequestPhase('rate limiting rules', 'ratelimit'),
	'http_ratelimit.counting_expression': createResponsePhase(
		'rate limiting counting expressions',
		'ratelimit-counting',
	),
	http_request_firewall_managed: createRequestPhase('managed rules', 'managed'),
	http_request_sbfm: createRequestPhase('super bot fight mode rules', 'bots'),
	http_request_redirect: createRequestPhase('bulk redirects', 'bulk-redirect'),
	http_request_late_transform: createRequestPhase('request header rules', 'request-headers'),
	'http_request_late_transform.value': createRequestPhase('request header values', 'request-headers-value'),
	http_request_cache_settings: createRequestPhase('cache rules', 'cache'),
	http_request_snippets: createRequestPhase('snippets', 'snippets'),
	http_request_cloud_connector: createRequestPhase('cloud connector rules', 'cloud-connector'),
	http_response_cache_settings: createResponsePhase('cache response rules', 'cache-response'),
	'http_response_cache_settings.value': createResponsePhase(
		'cache response rule tags',
		'cache-response-value',
	),
	http_custom_errors: createResponsePhase('custom error rules', 'errors'),
	http_response_headers_transform: createResponsePhase('response header rules', 'response-headers'),
	'http_response_headers_transform.value': createResponsePhase(
		'response header values',
		'response-headers-value',
	),
	http_response_compression: createResponsePhase('compression rules', 'compression'),
	http_response_firewall_managed: createResponsePhase('sensitive data rules', 'sensitive-data'),
	http_response_firewall_custom: createResponsePhase('response firewall rules', 'response-firewall'),
	http_log_custom_fields: createResponsePhase('custom log fields', 'log-fields'),
	ddos_l4: createPacketPhase('network DDoS overrides', 'network-ddos'),
	magic_transit: createPacketPhase('network firewall rules', 'network'),
	magic_transit_managed: createPacketPhase('network firewall managed rules', 'network-managed'),
	magic_transit_ratelimit: createPacketPhase('network firewall rate limiting rules', 'network-ratelimit'),
	magic_transit_ids_managed: createPacketPhase('intrusion detection rules', 'network-ids'),
} as const satisfies Readonly<Record<string, PhaseFacts>>;

export type Phase = keyof typeof phases;

/** Custom rules, and firewall rules with their filters. */
export const defaultPhase = 'http_request_firewall_custom' satisfies Phase;

/** True if expressions of the phase return a value and are not conditions. */
export const isValuePhase = (phase: Phase): boolean => phase.endsWith('.value');

/** Finds a phase by its name or its short name on the command line: `custom`, `http_ratelimit`. */
export const findPhase = (name: string): Phase | undefined =>
	(Object.keys(phases) as Phase[]).find(phase => phase === name || phases[phase].shortName === name);

/** Lists the short names of all phases, in order. */
export const listPhaseNames = (): readonly string[] => Object.values(phases).map(({shortName}) => shortName);

/**
 * Formats phases for a sentence, each kind of rules once: "custom error rules, response header rules and
 * compression rules".
 */
export function formatPhases(phaseList: readonly Phase[]): string {
	const phaseSet = new Set<Phase>(phaseList);
	// The value of an action belongs to the same rules as their condition, so the condition's phase is
	// enough.
	const distinctPhases = phaseList.filter(phase => {
		const [conditionPhase] = phase.split('.') as [Phase];
		return conditionPhase === phase || !phaseSet.has(conditionPhase);
	});
	const ruleNouns = [...new Set(distinctPhases.map(phase => phases[phase].ruleNoun))];
	const lastNoun = ruleNouns.pop() ?? '';
	return ruleNouns.length > 0 ? `${ruleNouns.join(', ')} and ${lastNoun}` : lastNoun;
}
