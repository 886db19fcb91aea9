import type {LedgeState, StateWith} from '../../store/ledge-store.ts';
import type {MigrationState} from './state.ts';

/**
 * While drawing is delayed: the actual migration, and the earlier one that is still drawn. On a slow
 * connection, each frame takes long.
 */
export type MigrationThrottle = {
	readonly actualMigration: MigrationState;
	readonly drawnMigration: MigrationState;
};

type ThrottledState = StateWith<'migration', 'data' | 'throttle'>;

/** Returns the migration to draw. Keys act on the actual migration. */
export const getDrawnMigration = ({
	migration: {data: migration, throttle},
}: ThrottledState): LedgeState['migration']['data'] =>
	throttle?.actualMigration === migration ? throttle?.drawnMigration : migration;

/** Returns the state with the migration to draw. */
export function withDrawnMigration(state: LedgeState): LedgeState {
	const migration = getDrawnMigration(state);
	return migration === state.migration.data
		? state
		: {...state, migration: {...state.migration, data: migration}};
}

/** An operation is drawn only if it takes at least this time, in milliseconds. */
export const minDrawnMs = 150;

/**
 * Delay after the end of an operation, in milliseconds. Changes in this time are drawn together with the end.
 */
const settleDelayMs = 30;

type Throttle = {
	/** Takes the next state, and draws it now or later. */
	show(next: MigrationState): void;
};

/**
 * Delays drawing. An operation is drawn only if it takes some time, and its end is drawn together with the
 * changes that follow. `onThrottleEnd` is called when the actual migration is drawn again.
 */
export function createMigrationThrottle(
	set: (part: Partial<Pick<LedgeState['migration'], 'data' | 'throttle'>>) => void,
	get: () => LedgeState,
	now: () => number,
	onThrottleEnd: () => void,
): Throttle {
	let timer: NodeJS.Timeout | undefined;
	let throttleStartedAt = 0;
	const endThrottle = () => {
		timer = undefined;
		if (get().migration.throttle === undefined) return;
		set({throttle: undefined});
		onThrottleEnd();
	};
	const scheduleThrottleEnd = (delayMs: number) => {
		clearTimeout(timer);
		timer = setTimeout(endThrottle, Math.max(0, delayMs)).unref();
	};

	return {
		show(nextState) {
			const previousState = get().migration.data;
			const drawnMigration = getDrawnMigration(get());
			const wasWaiting = previousState !== undefined && isWaiting(previousState);
			const isNowWaiting = isWaiting(nextState);
			const isTransition = wasWaiting !== isNowWaiting || hasFinishedWatching(previousState, nextState);
			const isThrottling = timer !== undefined;
			if (!drawnMigration || drawnMigration.id !== nextState.id || (!isThrottling && !isTransition)) {
				clearTimeout(timer);
				timer = undefined;
				return set({data: nextState, throttle: undefined});
			}
			if (!isThrottling) throttleStartedAt = now();
			set({data: nextState, throttle: {actualMigration: nextState, drawnMigration}});
			if (isNowWaiting) {
				if (!isThrottling || !wasWaiting) scheduleThrottleEnd(throttleStartedAt + minDrawnMs - now());
			} else if (!isThrottling || wasWaiting) scheduleThrottleEnd(settleDelayMs);
		},
	};
}

const hasFinishedWatching = (before: MigrationState | undefined, {phase}: MigrationState): boolean =>
	before?.phase.name === 'watching' && phase.name === 'asking';

/** True while the user has to wait. Watching does not count. */
const isWaiting = ({phase}: MigrationState): boolean => phase.name !== 'asking' && phase.name !== 'watching';
