import type {Slice} from '../../store/slice.ts';
import {unseen} from '../migration/moving.ts';

/** The screens there are. What each shows stands in the slice of its area. */
export type Screen =
	| 'home'
	| 'namespaces'
	| 'keys'
	| 'key'
	| 'editor'
	| 'review'
	| 'bulk'
	| 'transfer'
	| 'compare'
	| 'zones'
	| 'accounts'
	| 'firewall'
	| 'wizard'
	| 'emergency'
	| 'migration'
	| 'jobs'
	| 'activity';

export type Viewport = {readonly columns: number; readonly rows: number};

export type NavigationSlice = {
	/** Where the person is and how they came there; `home` is always the first. */
	readonly stack: readonly Screen[];
	readonly viewport: Viewport;
	/** What the cursor of Home was on last. */
	readonly homeEntry: string | undefined;
	onHomeEntry(entry: string): void;
	/** Goes to a screen. One that lies behind is gone back to, so that the way back never grows in circles. */
	go(screen: Screen): void;
	/** One level back; at home nothing happens. */
	back(): void;
	resized(viewport: Viewport): void;
};

export const createNavigationSlice: Slice<NavigationSlice> = set => ({
	stack: ['home'],
	viewport: {columns: 80, rows: 24},
	homeEntry: undefined,
	onHomeEntry: homeEntry => set({homeEntry}),
	go: screen =>
		set(({stack}) => {
			const behind = stack.indexOf(screen);
			return {stack: behind === -1 ? [...stack, screen] : stack.slice(0, behind + 1)};
		}),
	back: () => set(({stack}) => ({stack: stack.length > 1 ? stack.slice(0, -1) : stack})),
	resized: viewport =>
		set(({viewport: before, migration}) => ({
			viewport,
			// In another width rows are other rows: how many of a review were read says nothing of them.
			...(migration && before.columns !== viewport.columns && {migration: {...migration, seen: unseen}}),
		})),
});

/** The screen in front. */
export const screenOf = ({stack}: NavigationSlice): Screen => stack.at(-1) ?? 'home';
