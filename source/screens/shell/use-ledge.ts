import {createContext, useContext} from 'react';
import {useStore} from 'zustand';
import {Failure} from '../../failure.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {App} from './app.ts';

const AppContext = createContext<App | undefined>(undefined);

export const AppProvider = AppContext.Provider;

/** Returns the app, for Ink menus and fields that call back. */
export function useApp(): App {
	const app = useContext(AppContext);
	if (!app) throw new Failure('internal', 'A screen is outside of the app.');
	return app;
}

/** Selects a part of the state; redraws the component only when it changes. */
export const useLedge = <Part>(select: (state: LedgeState) => Part): Part => useStore(useApp().store, select);
