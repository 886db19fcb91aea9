import type {AnyScreen} from './ways.ts';

/** The zone on the Enterprise plan. */
export const ruleZone = 'acme.example';

/** From the first frame to the rules of the zone that was named, or to that they are gone. */
export async function toRules(screen: AnyScreen): Promise<void> {
	await screen.waitFor(/Account +Acme/);
	screen.press('F');
	await screen.waitFor(/rule 1 of \d+|has no custom rules yet/);
}

/** Begins a rule. */
export async function toWizard(screen: AnyScreen): Promise<void> {
	screen.press('n');
	await screen.waitFor('0 of 4,096 characters');
}

/** Begins an emergency. */
export async function toEmergency(screen: AnyScreen): Promise<void> {
	screen.press('!');
	await screen.waitFor('EMERGENCY');
}

/** Types an expression, and continues to the actions; the cursor is on the first one. */
export async function typeExpression(screen: AnyScreen, expression: string): Promise<void> {
	screen.type(expression);
	await screen.waitFor('can be sent as is');
	screen.press('enter');
	await screen.waitFor('▸ block');
}

/** From a new rule with that expression, and the first action, to its review. */
export async function toReview(screen: AnyScreen, expression: string): Promise<void> {
	await toWizard(screen);
	await typeExpression(screen, expression);
	screen.press('enter');
	await screen.waitFor('lower numbers run first');
	screen.press('enter');
	await screen.waitFor('exactly as');
}

/** From an emergency to the question whether to send the block of that expression. */
export async function toBlock(screen: AnyScreen, expression: string): Promise<void> {
	await typeExpression(screen, expression);
	screen.press('enter');
}
