import {createContext, useContext} from 'react';
import {useStore} from 'zustand';
import {Failure} from '../../failure.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {App} from './app.ts';

const AppContext = createContext<App | undefined>(undefined);

export const AppProvider = AppContext.Provider;

/** What actions act on; for menus and fields of Ink, which call back. */
export function useApp(): App {
	const app = useContext(AppContext);
	if (!app) throw new Failure('internal', 'A screen is outside of the app.');
	return app;
}

/** A part of the state; the component is drawn again when that part changes, and not otherwise. */
export const useLedge = <Part>(select: (state: LedgeState) => Part): Part => useStore(useApp().store, select);
