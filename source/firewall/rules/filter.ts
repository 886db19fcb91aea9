/** A filter: a named expression that firewall rules and others refer to. */
export type Filter = {
	readonly id: string;
	readonly expression: string;
	readonly paused: boolean;
	readonly description?: string | undefined;
	readonly ref?: string | undefined;
};

/** Settings of a new filter. */
export type FilterDraft = {
	readonly expression: string;
	readonly paused?: boolean | undefined;
	readonly description?: string | undefined;
	readonly ref?: string | undefined;
};
