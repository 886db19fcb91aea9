import type {RunningService} from '../../support/service.ts';
import {ruleZone, toRules} from './rule-ways.ts';
import {type DrawnScreen, drawnScreen, type ScreenOptions} from './screen.tsx';

/** A person on Home, with what that service holds. */
export async function drawnHome(
	service: RunningService,
	{env, ...options}: ScreenOptions = {},
): Promise<DrawnScreen> {
	const screen = await drawnScreen({}, {env: {...service.env, ...env}, ...options});
	await screen.waitFor(/Account +Acme/);
	return screen;
}

/** A person on the rules of its zone on the Enterprise plan. */
export async function drawnRules(
	service: RunningService,
	{env, ...options}: ScreenOptions = {},
): Promise<DrawnScreen> {
	const screen = await drawnScreen({zone: ruleZone}, {env: {...service.env, ...env}, ...options});
	await toRules(screen);
	return screen;
}
