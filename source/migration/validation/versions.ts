/** The products of both versions of the managed rules, as events name them. */
export const versionSources = {new: 'firewallManaged', previous: 'waf'} as const;

export type Version = keyof typeof versionSources;

/** The version that an event is of; `undefined` for other products. */
export const versionOf = (source: string | undefined): Version | undefined =>
	(Object.keys(versionSources) as Version[]).find(version => versionSources[version] === source);

/** Actions that keep a request from the origin; after a challenge it may follow. */
export const stoppingActions = [
	'block',
	'challenge',
	'jschallenge',
	'js_challenge',
	'managed_challenge',
	'drop',
] as const;

const stopping: ReadonlySet<string> = new Set(stoppingActions);

/** Whether an action stops a request: the others log it, or let it through. */
export const stops = (action: string | undefined): boolean => stopping.has(action ?? '');

/** Whether an action only logs a request. */
export const logs = (action: string): boolean => action === 'log' || action === 'simulate';
