import type {Has, LedgeState} from '../../store/ledge-store.ts';
import type {MigrationState} from './state.ts';

/** What is drawn in place of the migration as it stands, for a moment: on a slow line each frame takes long. */
export type MigrationThrottle = {readonly hides: MigrationState; readonly shows: MigrationState};

type Throttleed = Has<'migration', 'data' | 'throttle'>;

/** The migration as it is drawn. Keys act on the one in the state. */
export const drawnMigration = ({
	migration: {data: migration, throttle},
}: Throttleed): LedgeState['migration']['data'] =>
	throttle?.hides === migration ? throttle?.shows : migration;

/** The state as it is drawn. */
export function asDrawn(state: LedgeState): LedgeState {
	const migration = drawnMigration(state);
	return migration === state.migration.data
		? state
		: {...state, migration: {...state.migration, data: migration}};
}

/** What takes no longer than so many milliseconds is not drawn at all. */
export const worthDrawing = 150;

/** Milliseconds in which what follows on the end of something comes too, and is drawn with it. */
const following = 30;

type Throttle = {
	/** Takes in how the migration stands now, and draws it when it is worth a frame. */
	show(next: MigrationState): void;
};

/**
 * Between the screen and the work: what is under way is drawn only once it lasts, and its end together
 * with what comes right after it. `onLift` reports that another migration is in front.
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

/** Whether something keeps the person waiting. What is watched does not. */
const isUnderWay = ({phase}: MigrationState): boolean => phase.name !== 'asking' && phase.name !== 'watching';
