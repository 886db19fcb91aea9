import type {SessionOptions} from '../../../source/session/parts.ts';
import {goToConfigKeys, goToFirewall, goToLocalKeys, goToNamespaces, waitForHome} from './sample-ways.ts';
import {type DrawnScreen, drawScreen, type ScreenOptions} from './screen.tsx';

/** Draws ledge in this process, on the simulated service by default, and waits for Home. */
export async function drawAtHome(
	options: ScreenOptions = {},
	session: SessionOptions = {simulate: true},
): Promise<DrawnScreen> {
	const screen = await drawScreen(session, options);
	await waitForHome(screen);
	return screen;
}

export async function drawAtNamespaces(...args: Parameters<typeof drawAtHome>): Promise<DrawnScreen> {
	const screen = await drawAtHome(...args);
	await goToNamespaces(screen);
	return screen;
}

export async function drawAtKeys(...args: Parameters<typeof drawAtHome>): Promise<DrawnScreen> {
	const screen = await drawAtNamespaces(...args);
	await goToConfigKeys(screen);
	return screen;
}

export async function drawAtFirewall(...args: Parameters<typeof drawAtHome>): Promise<DrawnScreen> {
	const screen = await drawAtHome(...args);
	await goToFirewall(screen);
	return screen;
}

/** Opens ledge in a project folder, on the keys of its local binding DATA. */
export async function drawAtLocalKeys(cwd: string, options: ScreenOptions = {}): Promise<DrawnScreen> {
	const screen = await drawScreen({local: true}, {cwd, ...options});
	await goToLocalKeys(screen);
	return screen;
}
