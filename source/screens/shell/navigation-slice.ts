import type {Slice} from '../../store/slice.ts';
import {listScreens, type Screens} from './screen.ts';
import type {Screen} from './screen-name.ts';

/** Size of the terminal. `isSpoken`: a screen reader is used, so everything is stacked vertically. */
export type Viewport = {readonly columns: number; readonly rows: number; readonly isSpoken?: boolean};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly navigation: NavigationSlice;
	}
}

type NavigationSlice = {
	readonly screens: Screens;
	/** Open screens, from `home` to the current one. */
	readonly stack: readonly Screen[];
	readonly viewport: Viewport;
	/** Entry of Home last under the cursor. */
	readonly homeEntry: string | undefined;
	setHomeEntry(entry: string): void;
	/** Goes to a screen, or back to it if it is in the stack, so that the stack never repeats. */
	go(screen: Screen): void;
	/** Opens a screen so that back leads to the current one, even if it is in the stack already. */
	goOnTop(screen: Screen): void;
	/** Replaces the current screen. */
	replace(screen: Screen): void;
	/** Goes to the last of these screens; back leads through the others to Home. */
	openFromHome(...screens: readonly Screen[]): void;
	/** Removes screens from the stack. */
	leaveScreens(shouldLeave: (screen: Screen) => boolean): void;
	/** Leaves the current screen; does nothing on Home. */
	back(): void;
	resize(viewport: Viewport): void;
};

export const createNavigationSlice =
	(screens: Screens): Slice<NavigationSlice> =>
	(set, get) => {
		/** Changes the open screens, and tells those that were not open before. */
		function openScreens(stack: readonly Screen[]): void {
			const {stack: previousStack} = get().navigation;
			set({stack});
			for (const screen of stack) if (!previousStack.includes(screen)) screens[screen].onOpen?.(get());
		}

		return {
			screens,
			stack: ['home'],
			viewport: {columns: 80, rows: 24},
			homeEntry: undefined,
			setHomeEntry: homeEntry => set({homeEntry}),
			go(screen) {
				const {stack} = get().navigation;
				const index = stack.indexOf(screen);
				openScreens(index === -1 ? [...stack, screen] : stack.slice(0, index + 1));
			},
			goOnTop: screen => openScreens([...get().navigation.stack.filter(one => one !== screen), screen]),
			replace: screen =>
				openScreens([
					...get()
						.navigation.stack.slice(0, -1)
						.filter(one => one !== screen),
					screen,
				]),
			openFromHome: (...screensFromHome) => openScreens(['home', ...screensFromHome]),
			leaveScreens: shouldLeave => set(({stack}) => ({stack: stack.filter(screen => !shouldLeave(screen))})),
			back: () => set(({stack}) => ({stack: stack.length > 1 ? stack.slice(0, -1) : stack})),
			resize(viewport) {
				if (viewport.columns !== get().navigation.viewport.columns)
					for (const [, {onResize}] of listScreens(screens)) onResize?.(get());
				set({viewport});
			},
		};
	};
