/** Ids of the actions that undo changes of rules and show their earlier versions, by the screen of the rules. */
export const rulesetActionIds = {
	customRules: {undo: 'custom.undo', versions: 'custom.versions'},
	managed: {undo: 'managed.undo-sent', versions: 'managed.versions'},
	rateLimits: {undo: 'limits.undo', versions: 'limits.versions'},
} as const;
