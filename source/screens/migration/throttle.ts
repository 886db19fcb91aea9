import type {Has, LedgeState} from '../../store/ledge-store.ts';
import type {MigrationState} from './state.ts';

/** A state to draw for a moment instead of the actual one: on a slow connection each frame takes long. */
export type MigrationThrottle = {readonly hides: MigrationState; readonly shows: MigrationState};

type Throttleed = Has<'migration', 'data' | 'throttle'>;

/** Returns the migration to draw. Keys act on the actual one. */
export const drawnMigration = ({
	migration: {data: migration, throttle},
}: Throttleed): LedgeState['migration']['data'] =>
	throttle?.hides === migration ? throttle?.shows : migration;

/** Returns the state to draw. */
export function asDrawn(state: LedgeState): LedgeState {
	const migration = drawnMigration(state);
	return migration === state.migration.data
		? state
		: {...state, migration: {...state.migration, data: migration}};
}

/** Minimum duration of work that is drawn, in milliseconds. */
export const worthDrawing = 150;

/** Time after the end of work; changes during it are drawn together, in milliseconds. */
const following = 30;

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
	let fell = 0;
	const lift = () => {
		timer = undefined;
		if (get().migration.throttle === undefined) return;
		set({throttle: undefined});
		onLift();
	};
	const liftIn = (milliseconds: number) => {
		clearTimeout(timer);
		timer = setTimeout(lift, Math.max(0, milliseconds)).unref();
	};

	return {
		show(next) {
			const before = get().migration.data;
			const shows = drawnMigration(get());
			const wasUnderWay = before !== undefined && isUnderWay(before);
			const isNowUnderWay = isUnderWay(next);
			const isTurn = wasUnderWay !== isNowUnderWay || isWatchedToItsEnd(before, next);
			const isDown = timer !== undefined;
			if (!shows || shows.id !== next.id || (!isDown && !isTurn)) {
				clearTimeout(timer);
				timer = undefined;
				return set({data: next, throttle: undefined});
			}
			if (!isDown) fell = now();
			set({data: next, throttle: {hides: next, shows}});
			if (isNowUnderWay) {
				if (!isDown || !wasUnderWay) liftIn(fell + worthDrawing - now());
			} else if (!isDown || wasUnderWay) liftIn(following);
		},
	};
}

const isWatchedToItsEnd = (before: MigrationState | undefined, {phase}: MigrationState): boolean =>
	before?.phase.name === 'watching' && phase.name === 'asking';

/** True while the user has to wait; watching does not count. */
const isUnderWay = ({phase}: MigrationState): boolean => phase.name !== 'asking' && phase.name !== 'watching';
