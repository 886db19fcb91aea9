import type {Has, LedgeState} from '../../store/ledge-store.ts';
import type {MigrationState} from './state.ts';

/** A state to draw for a moment instead of the actual one: on a slow connection each frame takes long. */
export type MigrationThrottle = {readonly hides: MigrationState; readonly shows: MigrationState};

type ThrottledState = Has<'migration', 'data' | 'throttle'>;

/** Returns the migration to draw. Keys act on the actual one. */
export const getDrawnMigration = ({
	migration: {data: migration, throttle},
}: ThrottledState): LedgeState['migration']['data'] =>
	throttle?.hides === migration ? throttle?.shows : migration;

/** Returns the state to draw. */
export function withDrawnMigration(state: LedgeState): LedgeState {
	const migration = getDrawnMigration(state);
	return migration === state.migration.data
		? state
		: {...state, migration: {...state.migration, data: migration}};
}

/** Minimum duration of work that is drawn, in milliseconds. */
export const minDrawnMs = 150;

/** Time after the end of work; changes during it are drawn together, in milliseconds. */
const settleMs = 30;

type Throttle = {
	/** Takes the next state and draws it when it is worth a frame. */
	show(next: MigrationState): void;
};

/**
 * Delays drawing: work is drawn only if it lasts, and its end together with what follows. `onLift` is called
 * when the actual migration is drawn again.
 */
export function createThrottle(
	set: (part: Partial<Pick<LedgeState['migration'], 'data' | 'throttle'>>) => void,
	get: () => LedgeState,
	now: () => number,
	onLift: () => void,
): Throttle {
	let timer: NodeJS.Timeout | undefined;
	let startedAt = 0;
	const lift = () => {
		timer = undefined;
		if (get().migration.throttle === undefined) return;
		set({throttle: undefined});
		onLift();
	};
	const scheduleLift = (milliseconds: number) => {
		clearTimeout(timer);
		timer = setTimeout(lift, Math.max(0, milliseconds)).unref();
	};

	return {
		show(next) {
			const before = get().migration.data;
			const shows = getDrawnMigration(get());
			const wasUnderWay = before !== undefined && isUnderWay(before);
			const isNowUnderWay = isUnderWay(next);
			const isTransition = wasUnderWay !== isNowUnderWay || hasFinishedWatching(before, next);
			const isHiding = timer !== undefined;
			if (!shows || shows.id !== next.id || (!isHiding && !isTransition)) {
				clearTimeout(timer);
				timer = undefined;
				return set({data: next, throttle: undefined});
			}
			if (!isHiding) startedAt = now();
			set({data: next, throttle: {hides: next, shows}});
			if (isNowUnderWay) {
				if (!isHiding || !wasUnderWay) scheduleLift(startedAt + minDrawnMs - now());
			} else if (!isHiding || wasUnderWay) scheduleLift(settleMs);
		},
	};
}

const hasFinishedWatching = (before: MigrationState | undefined, {phase}: MigrationState): boolean =>
	before?.phase.name === 'watching' && phase.name === 'asking';

/** True while the user has to wait; watching does not count. */
const isUnderWay = ({phase}: MigrationState): boolean => phase.name !== 'asking' && phase.name !== 'watching';
