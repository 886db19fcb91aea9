import type {AnyScreen} from './ways.ts';

/** The name of a zone with firewall rules, on the Enterprise plan. */
export const ruleZone = 'acme.example';

/** Goes from the first frame to the rules of the given zone, or to its empty list of custom rules. */
export async function goToRules(screen: AnyScreen): Promise<void> {
	await screen.waitFor(/Account +Acme/);
	screen.press('2');
	await screen.waitFor(/rule 1 of \d+|has no custom rules yet/);
}

/** Opens the wizard for a new rule. */
export async function goToRuleWizard(screen: AnyScreen): Promise<void> {
	screen.press('a');
	await screen.waitFor('0 of 4,096 characters');
}

/** Opens the emergency. */
export async function goToEmergency(screen: AnyScreen): Promise<void> {
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

/** Goes to the review of a new rule with this expression and the first action. */
export async function goToRuleReview(screen: AnyScreen, expression: string): Promise<void> {
	await goToRuleWizard(screen);
	await typeExpression(screen, expression);
	screen.press('enter');
	await screen.waitFor('lower numbers run first');
	screen.press('enter');
	await screen.waitFor('exactly as');
}

/** Goes from an emergency to the question whether to send a block of this expression. */
export async function goToBlockQuestion(screen: AnyScreen, expression: string): Promise<void> {
	await typeExpression(screen, expression);
	screen.press('enter');
}
