import type {SessionOptions} from '../../../source/session/parts.ts';
import {homeOf, toFirewall, toKeys, toLocalKeys, toNamespaces} from './sample-ways.ts';
import {type DrawnScreen, drawnScreen, type ScreenOptions} from './screen.tsx';

/** Ledge on the simulated service (or on what the options say), drawn in this process. */
export async function drawnAtHome(
	options: ScreenOptions = {},
	session: SessionOptions = {simulate: true},
): Promise<DrawnScreen> {
	const screen = await drawnScreen(session, options);
	await homeOf(screen);
	return screen;
}

export async function drawnAtNamespaces(...from: Parameters<typeof drawnAtHome>): Promise<DrawnScreen> {
	const screen = await drawnAtHome(...from);
	await toNamespaces(screen);
	return screen;
}

export async function drawnAtKeys(...from: Parameters<typeof drawnAtHome>): Promise<DrawnScreen> {
	const screen = await drawnAtNamespaces(...from);
	await toKeys(screen);
	return screen;
}

export async function drawnAtFirewall(...from: Parameters<typeof drawnAtHome>): Promise<DrawnScreen> {
	const screen = await drawnAtHome(...from);
	await toFirewall(screen);
	return screen;
}

/** Ledge on the project of a folder, on the keys of DATA. */
export async function drawnAtLocalKeys(cwd: string, options: ScreenOptions = {}): Promise<DrawnScreen> {
	const screen = await drawnScreen({local: true}, {cwd, ...options});
	await toLocalKeys(screen);
	return screen;
}
