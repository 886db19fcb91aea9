import type {RunningService} from '../../support/service.ts';
import {goToRules, ruleZone} from './rule-ways.ts';
import {type DrawnScreen, drawScreen, type ScreenOptions} from './screen.tsx';

/** Draws Home of a ledge on this service. */
export async function drawHome(
	service: RunningService,
	{env, ...options}: ScreenOptions = {},
): Promise<DrawnScreen> {
	const screen = await drawScreen({}, {env: {...service.env, ...env}, ...options});
	await screen.waitFor(/Account +Acme/);
	return screen;
}

/** Draws the rules of the service's zone on the Enterprise plan. */
export async function drawRulesScreen(
	service: RunningService,
	{env, ...options}: ScreenOptions = {},
): Promise<DrawnScreen> {
	const screen = await drawScreen({zone: ruleZone}, {env: {...service.env, ...env}, ...options});
	await goToRules(screen);
	return screen;
}
