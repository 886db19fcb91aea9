import type {Slice} from './slice.ts';

export type EmergencySlice = {
	readonly emergency: unknown;
	/** Begins anew in the zone that is open. */
	beginEmergency(): void;
};

export const createEmergencySlice: Slice<EmergencySlice> = () => ({
	emergency: undefined,
	beginEmergency() {},
});
