/** What a security event comes from, by the word of the service. Deployments have others. */
const sources: Readonly<Record<string, string>> = {
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
	ip: 'address access rules',
	ipRange: 'address access rules',
	asn: 'network access rules',
	l7ddos: 'DDoS protection',
	botFight: 'bot fight mode',
	botManagement: 'bot management',
	sanitycheck: 'request validation',
	validation: 'request validation',
	uriTransform: 'request validation',
	apiShield: 'API protection',
};

const actions: Readonly<Record<string, string>> = {
	jschallenge: 'JS challenge',
	js_challenge: 'JS challenge',
};

/** What an event comes from, in words, in the plural: "managed rules". What is not known stays the word of the service. */
export const sourceInWords = (source: string): string =>
	Object.hasOwn(sources, source) ? (sources[source] ?? source) : source;

/** The words of the service for what events come from, with those of a person. */
export const knownSources: readonly string[] = Object.keys(sources);

/** The words of the service behind a word of a person: `custom rules` is firewallCustom. What is not known stays as it is. */
export function sourcesCalled(word: string): readonly string[] {
	const wanted = word.trim().toLowerCase();
	const found = Object.keys(sources).filter(
		source => source.toLowerCase() === wanted || sources[source]?.toLowerCase() === wanted,
	);
	return found.length > 0 ? found : [word];
}

/** The same for an action: `managed challenge` is managed_challenge. */
export function actionsCalled(word: string): readonly string[] {
	const wanted = word.trim().toLowerCase();
	const found = [...knownActions, ...Object.keys(actions)].filter(
		action => action === wanted || eventActionInWords(action).toLowerCase() === wanted,
	);
	return found.length > 0 ? [...new Set(found)] : [word];
}

/** What was done with a request, in words: "managed challenge". */
export const eventActionInWords = (action: string): string =>
	Object.hasOwn(actions, action) ? (actions[action] ?? action) : action.replaceAll('_', ' ');

/** Actions that events can have, by the words of the service. */
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
