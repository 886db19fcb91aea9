/** The names by which events identify the two versions of the managed rules. */
export const versionSources = {new: 'firewallManaged', previous: 'waf'} as const;

export type ManagedRulesVersion = keyof typeof versionSources;

/** Returns the version that caused an event. Undefined for other products. */
export const getEventVersion = (source: string | undefined): ManagedRulesVersion | undefined =>
	(Object.keys(versionSources) as ManagedRulesVersion[]).find(version => versionSources[version] === source);

/** Actions that keep a request from the origin. After a challenge, the request may still pass. */
export const stoppingActions = [
	'block',
	'challenge',
	'jschallenge',
	'js_challenge',
	'managed_challenge',
	'drop',
] as const;

const stoppingSet: ReadonlySet<string> = new Set(stoppingActions);

/** True if an action stops a request, instead of logging or allowing it. */
export const isStoppingAction = (action: string | undefined): boolean => stoppingSet.has(action ?? '');

export const isLoggingAction = (action: string): boolean => action === 'log' || action === 'simulate';
