import {expect, test} from 'vitest';
import {minReviewMs} from '../../../../source/screens/write-flow/review-timer.ts';
import {commandIn, startFirewallService} from '../../../support/firewall.ts';
import {ledge} from '../../../support/run.ts';
import {goToRuleReview, goToRuleWizard} from '../../support/rule-ways.ts';
import {drawRulesScreen} from '../../support/served-screens.ts';
import {confirmAfterReading, pressEnterAfterReading, pressEnterWhenShown} from '../../support/ways.ts';

test('a rule is created in two calls, using a correction and a completion, by keyboard alone', async () => {
	const service = await startFirewallService();
	const screen = await drawRulesScreen(service);
	await goToRuleWizard(screen);
	screen.type('ip.src == 10.0.0.0/8');
	await screen.waitFor('~~~~~~~~~~');
	expect(screen.text()).toContain('not sent yet');
	screen.press('tab');
	await screen.waitFor('ip.src in {10.0.0.0/8}');
	screen.type(' and http.hos');
	await screen.waitFor('▸ http.host');
	screen.press('tab');
	screen.type(' eq "a.example"');
	await pressEnterWhenShown(screen, 'can be sent as is');
	await screen.waitFor('▸ block');
	screen.press('down', 'enter');
	await screen.waitFor('lower numbers run first');
	screen.type('15');
	await pressEnterWhenShown(screen, 'position 2 of');
	await screen.waitFor('POST /zones/');
	await service.takeWrites();
	await confirmAfterReading(screen, 'nothing has been sent');
	await screen.waitFor(/✓ Rule .+ \(/);
	const sent = (await service.takeWrites()).map(
		({method, path}) => `${method} ${path.replace(/^.*zones\/\w+/, '')}`,
	);
	expect(sent).toEqual(['POST /filters', 'POST /firewall/rules']);
	const createdRule = (await service.rules()).find(({priority}) => priority === 15);
	expect(createdRule).toMatchObject({
		action: 'managed_challenge',
		filter: {expression: 'ip.src in {10.0.0.0/8} and http.host eq "a.example"'},
	});
	await pressEnterAfterReading(screen, '▸ Done');
	// The cursor is on the created rule.
	await screen.waitFor('rule 2 of 13');
});

test('a second rule shares the filter of the first', async () => {
	const service = await startFirewallService();
	const screen = await drawRulesScreen(service);
	await goToRuleReview(screen, 'http.host eq "shared.example"');
	await confirmAfterReading(screen, 'nothing has been sent');
	await pressEnterAfterReading(screen, '▸ Done');
	await screen.waitFor(/rule \d+ of 13/);
	// The expression is the same: the wizard offers the filter before anything is sent.
	await goToRuleWizard(screen);
	screen.type('http.host eq "shared.example"');
	await pressEnterWhenShown(screen, 'can be sent as is');
	await pressEnterWhenShown(screen, 'Use that filter for the rule');
	await screen.waitFor('▸ block');
	screen.press('down', 'enter');
	await pressEnterWhenShown(screen, 'lower numbers run first');
	await screen.waitFor('The request, exactly as it will be sent');
	await confirmAfterReading(screen, 'nothing has been sent');
	await screen.waitFor('shared with 1 rule');
	const ids = (await service.rules())
		.filter(({filter}) => filter.expression === 'http.host eq "shared.example"')
		.map(({filter}) => filter.id);
	expect(ids).toHaveLength(2);
	expect(new Set(ids).size).toBe(1);
});

test('the same filter created meanwhile by someone else is used for the rule', async () => {
	const service = await startFirewallService();
	const screen = await drawRulesScreen(service);
	await goToRuleReview(screen, 'http.host eq "twice.example"');
	const id = await service.addFilter('http.host eq "twice.example"');
	await confirmAfterReading(screen, 'nothing has been sent');
	await screen.waitFor(`Nothing was created: filter ${id}`);
	await pressEnterAfterReading(screen, '▸ Use filter');
	await screen.waitFor('The request, exactly as it will be sent');
	await confirmAfterReading(screen, 'nothing has been sent');
	await screen.waitFor('existing, unused');
	expect((await service.rules()).filter(({filter}) => filter.id === id)).toHaveLength(1);
});

test('if the second call fails, the filter exists, and the command shown creates the rule', async () => {
	const service = await startFirewallService();
	const screen = await drawRulesScreen(service, {columns: 200, rows: 60, env: {LEDGE_TIME_SCALE: '0.01'}});
	await goToRuleReview(screen, 'http.host eq "half.example"');
	await screen.settled('nothing has been sent', {quiet: minReviewMs + 100});
	await service.setFaults('method=POST path=firewall/rules status=500');
	screen.press('y');
	await screen.waitFor('the rule was not');
	await service.setFaults('');
	screen.press('y');
	await screen.waitFor('opied');
	const words = commandIn(screen.copied.join(''));
	expect(words[0]).toBe('rule');
	const done = await ledge(['firewall', ...words, '--yes'], {env: service.env});
	expect(done.code, done.stderr).toBe(0);
	const rules = (await service.rules()).filter(({filter}) => filter.expression.includes('half.example'));
	expect(rules).toHaveLength(1);
	expect(
		(await service.filters()).filter(({expression}) => expression.includes('half.example')),
	).toHaveLength(1);
});

test('esc goes back through the steps, and no typed text is lost', async () => {
	const service = await startFirewallService();
	const screen = await drawRulesScreen(service);
	await goToRuleReview(screen, 'http.host eq "kept.example"');
	await screen.pressAndAwaitFrame('esc');
	await screen.pressAndAwaitFrame('esc');
	await screen.pressAndAwaitFrame('esc');
	await screen.waitFor('kept.example');
	screen.press('esc');
	await screen.waitFor('Close the wizard?');
	screen.press('esc');
	await screen.waitFor('kept.example');
	expect(await service.takeWrites()).toEqual([]);
});
