/** Names of sources of security events, by the service's word. The service may report other words, too. */
const sourceNames: Readonly<Record<string, string>> = {
	waf: 'previous managed rules',
	firewallManaged: 'managed rules',
	firewallCustom: 'custom rules',
	firewallRules: 'firewall rules',
	ratelimit: 'rate limits',
	firewallRatelimit: 'rate limits',
	bic: 'browser integrity check',
	hot: 'hotlink protection',
	securityLevel: 'security level',
	uaBlock: 'user agent blocking',
	zoneLockdown: 'zone lockdown',
	country: 'country access rules',
	ip: 'IP access rules',
	ipRange: 'IP access rules',
	asn: 'ASN access rules',
	l7ddos: 'DDoS protection',
	botFight: 'bot fight mode',
	botManagement: 'bot management',
	sanitycheck: 'request validation',
	validation: 'request validation',
	uriTransform: 'request validation',
	apiShield: 'API protection',
};

/** Names of actions that are more than the service's word without underscores. */
const specialActionNames: Readonly<Record<string, string>> = {
	jschallenge: 'JS challenge',
	js_challenge: 'JS challenge',
};

/** Formats a source in the plural: "managed rules". Unknown ones stay as they are. */
export const formatEventSource = (source: string): string =>
	Object.hasOwn(sourceNames, source) ? (sourceNames[source] ?? source) : source;

/** The service's words for sources. */
export const knownSources: readonly string[] = Object.keys(sourceNames);

/**
 * Converts a person's word to the service's: `custom rules` is firewallCustom. Unknown words stay as they
 * are.
 */
export function parseSourceWord(word: string): readonly string[] {
	const normalized = word.trim().toLowerCase();
	const matches = Object.keys(sourceNames).filter(
		source => source.toLowerCase() === normalized || sourceNames[source]?.toLowerCase() === normalized,
	);
	return matches.length > 0 ? matches : [word];
}

/** Like `parseSourceWord`, for actions: `managed challenge` is managed_challenge. */
export function parseActionWord(word: string): readonly string[] {
	const normalized = word.trim().toLowerCase();
	const matches = [...knownActions, ...Object.keys(specialActionNames)].filter(
		action => action === normalized || formatEventAction(action).toLowerCase() === normalized,
	);
	return matches.length > 0 ? [...new Set(matches)] : [word];
}

/** Formats an action: "managed challenge". */
export const formatEventAction = (action: string): string =>
	Object.hasOwn(specialActionNames, action)
		? (specialActionNames[action] ?? action)
		: action.replaceAll('_', ' ');

/** The service's words for actions. */
export const knownActions: readonly string[] = [
	'block',
	'challenge',
	'jschallenge',
	'managed_challenge',
	'log',
	'skip',
	'allow',
	'bypass',
];
