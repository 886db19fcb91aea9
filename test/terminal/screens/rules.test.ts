import {expect, test} from 'vitest';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {
	goToBlockQuestion,
	goToEmergency,
	goToRuleReview,
	goToRules,
	goToRuleWizard,
	ruleZone,
} from '../../screens/support/rule-ways.ts';
import {confirmAfterReading} from '../../screens/support/ways.ts';
import {type FirewallService, startFirewallService} from '../../support/firewall.ts';
import {type OpenOptions, openScreen, type Screen} from '../screen/open.ts';

// What else the wizard and the emergency do: test/screens/wizard/whole and test/screens/emergency/whole.

async function atRules(service: FirewallService, options: OpenOptions): Promise<Screen> {
	const env = {...service.env, LEDGE_TIME_SCALE: '0.01'};
	const screen = await openScreen(['--zone', ruleZone], {env, ...options});
	await goToRules(screen);
	return screen;
}

test('quitting between the two calls asks first, and the normal screen reports the remaining filter', async () => {
	const service = await startFirewallService();
	const screen = await atRules(service, {columns: 200});
	await goToRuleReview(screen, 'http.host eq "left.example"');
	await screen.settled('nothing has been sent', {quiet: minReviewMs + 100});
	await service.setFaults('method=POST path=firewall/rules status=500');
	screen.press('y');
	await screen.waitFor('but the rule was not');
	const remainingFilter = (await service.filters()).find(({expression}) =>
		expression.includes('left.example'),
	);
	screen.press('ctrl-c');
	await screen.waitFor('Quit ledge?');
	expect(screen.text()).toContain(`Filter ${remainingFilter?.id} exists without its rule.`);
	screen.press('y');
	await screen.waitForEnd();
	await screen.waitUntilParsed();
	expect(screen.text()).toContain(
		`Filter ${remainingFilter?.id} exists without its rule. To continue: ledge firewall`,
	);
});

test('hostile pastes do not affect the terminal, and the cursor stays in its row', async () => {
	const service = await startFirewallService();
	const screen = await atRules(service, {columns: 60, rows: 15});
	await goToRuleWizard(screen);
	screen.paste('ssl\t\nand http.host eq "\u0007\u009b2J\u202e\u001b]0;evil\u0007"\n');
	await screen.waitFor('\\x9b2J');
	expect(screen.title).toBe('');
	expect(screen.line(0)).toMatch(/^ acme\.example › new rule +Acme/);
	screen.paste('x'.repeat(100_000));
	await screen.waitFor('Not inserted: 100000 characters');
	expect(screen.text()).toContain('\\x9b2J');
});

test('from Home, a block is active three keys after its expression, with one call', async () => {
	const service = await startFirewallService();
	const screen = await atRules(service, {columns: 60, rows: 15});
	await goToEmergency(screen);
	await service.takeWrites();
	await goToBlockQuestion(screen, 'ip.src eq 192.0.2.9');
	await confirmAfterReading(screen, 'y send');
	await screen.waitFor('Active: rule');
	expect(
		(await service.takeWrites()).map(({method, path}) => `${method} ${path.replace(/^.*zones\/\w+/, '')}`),
	).toEqual(['POST /firewall/rules']);
});

test('an address is blocked by five keys from Home and unblocked by one', async () => {
	const service = await startFirewallService();
	const env = {...service.env, LEDGE_TIME_SCALE: '0.01'};
	const screen = await openScreen(['--zone', ruleZone], {env});
	await screen.waitFor(/Account +Acme/);
	await service.takeWrites();
	const before = await service.rules();
	screen.press('!');
	await screen.waitFor('EMERGENCY');
	screen.type('192.0.2.66');
	await screen.waitFor('enter reads it as: ip.src eq 192.0.2.66');
	screen.press('enter');
	await screen.waitFor('▸ block');
	screen.press('enter');
	await confirmAfterReading(screen, 'y send');
	await screen.settled('Active: rule', {quiet: minReviewMs + 100});
	expect(await service.rulesOf('ip.src eq 192.0.2.66')).toMatchObject([{action: 'block', paused: false}]);
	screen.press('u');
	await screen.waitFor('Undone. Rule');
	expect((await service.takeWrites()).map(({method}) => method)).toEqual(['POST', 'DELETE', 'DELETE']);
	expect(await service.rules()).toEqual(before);
});

test('in a full zone nothing is sent, and one key turns the block into a custom rule, which one key undoes', async () => {
	const service = await startFirewallService();
	const plan = 'free';
	await service.addRule(await service.addFilter('ip.src eq 192.0.2.1', plan), {}, plan);
	const before = await service.rules(plan);
	expect(before).toHaveLength(5);
	const env = {...service.env, LEDGE_TIME_SCALE: '0.01'};
	const screen = await openScreen(['--zone', 'acme-blog.example'], {env});
	await screen.waitFor(/Account +Acme/);
	screen.press('!');
	await screen.waitFor('EMERGENCY');
	screen.type('192.0.2.66');
	await screen.waitFor('enter reads it as');
	screen.press('enter');
	await screen.waitFor('▸ block');
	screen.press('enter');
	await screen.waitFor("can't have another firewall rule");
	expect(await service.takeWrites()).toEqual([]);
	screen.press('t');
	await confirmAfterReading(screen, 'y send');
	await screen.settled('Active: custom rule', {quiet: minReviewMs + 100});
	expect(await service.takeWrites()).toMatchObject([
		{method: 'POST', path: expect.stringContaining('/rulesets')},
	]);
	screen.press('u');
	await screen.waitFor('Undone. Custom rule');
	expect(await service.rules(plan)).toEqual(before);
});
