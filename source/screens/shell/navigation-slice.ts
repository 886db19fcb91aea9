import type {Slice} from '../../store/slice.ts';
import {entriesOf, type Screen, type Screens} from './screen.ts';

/** `isSpoken` where it is read aloud: then everything is below each other. */
export type Viewport = {readonly columns: number; readonly rows: number; readonly isSpoken?: boolean};

export type NavigationSlice = {
	readonly screens: Screens;
	/** Where the person is and how they came there; `home` is always the first. */
	readonly stack: readonly Screen[];
	readonly viewport: Viewport;
	/** What the cursor of Home was on last. */
	readonly homeEntry: string | undefined;
	onHomeEntry(entry: string): void;
	/** Goes to a screen; back to it where it is in the stack, so that the way back never grows in circles. */
	go(screen: Screen): void;
	/** Goes to a screen in place of the one in front. */
	replace(screen: Screen): void;
	/** Leaves the screen in front; at home nothing happens. */
	back(): void;
	resized(viewport: Viewport): void;
};

export const createNavigationSlice =
	(screens: Screens): Slice<NavigationSlice> =>
	set => ({
		screens,
		stack: ['home'],
		viewport: {columns: 80, rows: 24},
		homeEntry: undefined,
		onHomeEntry: homeEntry => set({homeEntry}),
		go: screen =>
			set(({stack}) => {
				const behind = stack.indexOf(screen);
				return {stack: behind === -1 ? [...stack, screen] : stack.slice(0, behind + 1)};
			}),
		replace: screen =>
			set(({stack}) => ({stack: [...stack.slice(0, -1).filter(one => one !== screen), screen]})),
		back: () => set(({stack}) => ({stack: stack.length > 1 ? stack.slice(0, -1) : stack})),
		resized: viewport =>
			set(state => ({
				...(viewport.columns !== state.viewport.columns &&
					Object.assign({}, ...entriesOf(screens).map(([, {resized}]) => resized?.(state)))),
				viewport,
			})),
	});

/** The screen in front. */
export const screenOf = ({stack}: NavigationSlice): Screen => stack.at(-1) ?? 'home';
