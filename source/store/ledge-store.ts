import type {StoreApi} from 'zustand/vanilla';

/**
 * All of the state: an object for each feature, which alone changes it. A feature declares its own object beside its
 * slice, so that no file has to import all features to name the state.
 */
// biome-ignore lint/suspicious/noEmptyInterface: each feature adds its object
export interface LedgeState {}

/** A part of the state, for what needs no more of it: of these features, these members. */
export type Has<Feature extends keyof LedgeState, Member extends string = 'data'> = {
	readonly [Name in Feature]: Pick<LedgeState[Name], Extract<Member, keyof LedgeState[Name]>>;
};

export type LedgeStore = StoreApi<LedgeState>;
