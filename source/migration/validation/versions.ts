/** Products of both versions, as named in events. */
export const versionSources = {new: 'firewallManaged', previous: 'waf'} as const;

export type Version = keyof typeof versionSources;

/** Returns the version of an event. Undefined for other products. */
export const versionOf = (source: string | undefined): Version | undefined =>
	(Object.keys(versionSources) as Version[]).find(version => versionSources[version] === source);

/** Actions that keep a request from the origin; a request may pass after a challenge. */
export const stoppingActions = [
	'block',
	'challenge',
	'jschallenge',
	'js_challenge',
	'managed_challenge',
	'drop',
] as const;

const stopping: ReadonlySet<string> = new Set(stoppingActions);

/** True if an action stops a request, rather than logs or allows it. */
export const stops = (action: string | undefined): boolean => stopping.has(action ?? '');

export const logs = (action: string): boolean => action === 'log' || action === 'simulate';
