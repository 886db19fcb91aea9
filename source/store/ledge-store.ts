import type {StoreApi} from 'zustand/vanilla';

/**
 * The whole state: one object per feature, changed only by that feature. Each feature declares its object
 * beside its slice, so that no file imports all features to name the state.
 */
// biome-ignore lint/suspicious/noEmptyInterface: each feature adds its object
export interface LedgeState {}

/** The state, reduced to some members of some features; `data` by default. */
export type StateWith<Feature extends keyof LedgeState, Member extends string = 'data'> = {
	readonly [Name in Feature]: Pick<LedgeState[Name], Extract<Member, keyof LedgeState[Name]>>;
};

export type LedgeStore = StoreApi<LedgeState>;
