import type {Slice} from '../../store/slice.ts';
import {entriesOf, type Screens} from './screen.ts';
import type {Screen} from './screen-name.ts';

/** `isSpoken` where it is read aloud: then everything is below each other. */
export type Viewport = {readonly columns: number; readonly rows: number; readonly isSpoken?: boolean};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly navigation: NavigationSlice;
	}
}

type NavigationSlice = {
	readonly screens: Screens;
	/** Where the person is and how they came there; `home` is always the first. */
	readonly stack: readonly Screen[];
	readonly viewport: Viewport;
	/** What the cursor of Home was on last. */
	readonly homeEntry: string | undefined;
	setHomeEntry(entry: string): void;
	/** Goes to a screen; back to it where it is in the stack, so that the way back never grows in circles. */
	go(screen: Screen): void;
	/** Goes to a screen in place of the one in front. */
	replace(screen: Screen): void;
	/** Goes to the last of these screens; the way back leads through the others to Home. */
	openFromHome(...screens: readonly Screen[]): void;
	/** Takes screens out of the way back. */
	leaveScreens(isLeft: (screen: Screen) => boolean): void;
	/** Leaves the screen in front; at home nothing happens. */
	back(): void;
	resize(viewport: Viewport): void;
};

export const createNavigationSlice =
	(screens: Screens): Slice<NavigationSlice> =>
	(set, get) => ({
		screens,
		stack: ['home'],
		viewport: {columns: 80, rows: 24},
		homeEntry: undefined,
		setHomeEntry: homeEntry => set({homeEntry}),
		go: screen =>
			set(({stack}) => {
				const behind = stack.indexOf(screen);
				return {stack: behind === -1 ? [...stack, screen] : stack.slice(0, behind + 1)};
			}),
		replace: screen =>
			set(({stack}) => ({stack: [...stack.slice(0, -1).filter(one => one !== screen), screen]})),
		openFromHome: (...opened) => set({stack: ['home', ...opened]}),
		leaveScreens: isLeft => set(({stack}) => ({stack: stack.filter(screen => !isLeft(screen))})),
		back: () => set(({stack}) => ({stack: stack.length > 1 ? stack.slice(0, -1) : stack})),
		resize(viewport) {
			if (viewport.columns !== get().navigation.viewport.columns)
				for (const [, {resized}] of entriesOf(screens)) resized?.(get());
			set({viewport});
		},
	});
