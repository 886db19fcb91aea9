import type {Key} from '../../keyboard/key.ts';
import type {SteppedForm} from '../stepped-form/engine.ts';
import type {Choice} from './endings.ts';
import type {EmergencyStages} from './stages.ts';
import type {EmergencyState} from './state.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly emergency: EmergencySlice;
	}
}

export type EmergencySlice = EmergencyStages & {
	readonly data: EmergencyState | undefined;
	readonly form: SteppedForm;
	/** Begins in the zone that is open; what is being sent or has just ended there is shown instead. */
	begin(): void;
	/** Drops the one in front, so that another can begin. */
	forget(): void;
	/** Opens what has begun with what a draft holds. */
	resume(restore: (begun: EmergencyState) => EmergencyState): void;
	/** A key in the expression. Returns whether it means anything there. */
	type(key: Key): boolean;
	/** Sends what the last stage shows, if there was time to look at it. */
	send(): Promise<void>;
	/** Undoes what was made, if there was time to look at what that is. */
	undo(): Promise<void>;
	/** Shows the same as one custom rule, also where there are firewall rules: it does not count as one of them. */
	customRuleInstead(): void;
	decide(choice: Choice): Promise<void>;
};
