import {expect, test} from 'vitest';
import {lookingTime} from '../../../source/screens/review/state.ts';
import {commandIn, type FirewallService, startFirewallService} from '../../support/firewall.ts';
import {ledge} from '../../support/ledge.ts';
import {type OpenOptions, openScreen, type Screen} from '../screen/open.ts';

/** The rules of the Enterprise zone of a running service. */
async function atRules(service: FirewallService, options: OpenOptions = {}): Promise<Screen> {
	const screen = await openScreen(['--zone', 'acme.example'], {env: service.env, ...options});
	await screen.waitFor(/Account +Acme/);
	screen.press('F');
	await screen.waitFor(/rule 1 of \d+/);
	return screen;
}

/** Types an expression into a new wizard, and goes on to the actions. */
async function typeExpression(screen: Screen, expression: string): Promise<void> {
	screen.press('n');
	await screen.waitFor('0 of 4,096 characters');
	screen.type(expression);
	await screen.waitFor('it can be sent as it is');
	screen.press('enter');
	await screen.waitFor('▸ block');
}

/** From the actions with the first one to the review. */
async function toReview(screen: Screen): Promise<void> {
	screen.press('enter');
	await screen.waitFor('smaller goes first');
	screen.press('enter');
	await screen.waitFor('exactly as');
}

/** Looks at what is asked, as a person does, before enter counts. */
async function lookAndSend(screen: Screen, asked: string): Promise<void> {
	await screen.settled(asked, {quiet: lookingTime + 100});
	screen.press('enter');
}

test('a rule is made in two calls, with a correction taken and a completion, by keys alone', async () => {
	const service = await startFirewallService();
	const screen = await atRules(service);
	screen.press('n');
	await screen.waitFor('0 of 4,096 characters');
	screen.type('ip.src == 10.0.0.0/8');
	await screen.waitFor('~~~~~~~~~~');
	expect(screen.text()).toContain('not sent to anyone yet');
	screen.press('tab');
	await screen.waitFor('ip.src in {10.0.0.0/8}');
	screen.type(' and http.hos');
	await screen.waitFor('▸ http.host');
	screen.press('tab');
	screen.type(' eq "a.example"');
	await screen.waitFor('it can be sent as it is');
	screen.press('enter');
	await screen.waitFor('▸ block');
	screen.press('down', 'enter');
	await screen.waitFor('smaller goes first');
	screen.type('15');
	await screen.waitFor('number 2 of');
	screen.press('enter');
	await screen.waitFor('POST /zones/');
	await service.writes();
	await lookAndSend(screen, 'nothing has been sent');
	await screen.waitFor(/✓ Rule [0-9a-f]{32} created/);
	const sent = (await service.writes()).map(
		({method, path}) => `${method} ${path.replace(/^.*zones\/\w+/, '')}`,
	);
	expect(sent).toEqual(['POST /filters', 'POST /firewall/rules']);
	const made = (await service.rules()).find(({priority}) => priority === 15);
	expect(made).toMatchObject({
		action: 'managed_challenge',
		filter: {expression: 'ip.src in {10.0.0.0/8} and http.host eq "a.example"'},
	});
	await lookAndSend(screen, '▸ Done');
	// The cursor is on the rule that was made.
	await screen.waitFor('rule 2 of 13');
});

test('the filter of a first rule is shared by a second one', async () => {
	const service = await startFirewallService();
	const screen = await atRules(service);
	await typeExpression(screen, 'http.host eq "shared.example"');
	await toReview(screen);
	await lookAndSend(screen, 'nothing has been sent');
	await screen.waitFor('▸ Done');
	await lookAndSend(screen, '▸ Done');
	await screen.waitFor(/rule \d+ of 13/);
	// The expression is the same: the wizard offers the filter before anything is sent.
	screen.press('n');
	await screen.waitFor('0 of 4,096 characters');
	screen.type('http.host eq "shared.example"');
	await screen.waitFor('it can be sent as it is');
	screen.press('enter');
	await screen.waitFor('Use that filter for the rule');
	screen.press('enter');
	await screen.waitFor('▸ block');
	screen.press('down', 'enter');
	await screen.waitFor('smaller goes first');
	screen.press('enter');
	await screen.waitFor('The request, exactly as it will be sent');
	await lookAndSend(screen, 'nothing has been sent');
	await screen.waitFor('shared with 1 rule');
	const ids = (await service.rules())
		.filter(({filter}) => filter.expression === 'http.host eq "shared.example"')
		.map(({filter}) => filter.id);
	expect(ids).toHaveLength(2);
	expect(new Set(ids).size).toBe(1);
});

test('someone else makes the same filter meanwhile: it is used for the rule', async () => {
	const service = await startFirewallService();
	const screen = await atRules(service);
	await typeExpression(screen, 'http.host eq "twice.example"');
	await toReview(screen);
	const id = await service.addFilter('http.host eq "twice.example"');
	await lookAndSend(screen, 'nothing has been sent');
	await screen.waitFor(`Nothing was created: filter ${id}`);
	await lookAndSend(screen, '▸ Use that filter');
	await screen.waitFor('The request, exactly as it will be sent');
	await lookAndSend(screen, 'nothing has been sent');
	await screen.waitFor('was there, unused');
	expect((await service.rules()).filter(({filter}) => filter.id === id)).toHaveLength(1);
});

test('the second call fails: the filter is there, and the command that is shown makes the rule', async () => {
	const service = await startFirewallService();
	const screen = await atRules(service, {columns: 200, rows: 60});
	await typeExpression(screen, 'http.host eq "half.example"');
	await toReview(screen);
	await screen.settled('nothing has been sent', {quiet: lookingTime + 100});
	await service.setFaults('method=POST path=firewall/rules status=500');
	screen.press('enter');
	await screen.waitFor('the rule was not');
	await service.setFaults('');
	screen.press('y');
	await screen.waitFor(shown => shown.text().includes('opied'));
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

test('who quits between the two calls is asked, and told on the ordinary screen which filter is left', async () => {
	const service = await startFirewallService();
	const screen = await atRules(service, {columns: 200});
	await typeExpression(screen, 'http.host eq "left.example"');
	await toReview(screen);
	await screen.settled('nothing has been sent', {quiet: lookingTime + 100});
	await service.setFaults('method=POST path=firewall/rules status=500');
	screen.press('enter');
	await screen.waitFor('the rule was not');
	const left = (await service.filters()).find(({expression}) => expression.includes('left.example'));
	screen.press('ctrl-c');
	await screen.waitFor('Quit ledge?');
	expect(screen.text()).toContain(`Filter ${left?.id} exists without its rule.`);
	screen.press('y');
	await screen.waitForEnd();
	await screen.flushed();
	expect(screen.text()).toContain(`Filter ${left?.id} exists without its rule. To continue: ledge firewall`);
});

test('esc leads back through the steps, and nothing that was typed is lost', async () => {
	const service = await startFirewallService();
	const screen = await atRules(service);
	await typeExpression(screen, 'http.host eq "kept.example"');
	await toReview(screen);
	await screen.answerTo('esc');
	await screen.answerTo('esc');
	await screen.answerTo('esc');
	await screen.waitFor('kept.example');
	screen.press('esc');
	await screen.waitFor('Leave the wizard?');
	screen.press('esc');
	await screen.waitFor('kept.example');
	expect(await service.writes()).toEqual([]);
});

test('hostile pastes do nothing to the terminal, and the cursor stays in its row', async () => {
	const service = await startFirewallService();
	const screen = await atRules(service, {columns: 60, rows: 15});
	screen.press('n');
	await screen.waitFor('0 of 4,096 characters');
	screen.paste('ssl\t\nand http.host eq "\u0007\u009b2J\u202e\u001b]0;evil\u0007"\n');
	await screen.waitFor('\\x9b2J');
	expect(screen.title).toBe('');
	expect(screen.line(0)).toContain('ledge › firewal');
	screen.paste('x'.repeat(100_000));
	await screen.waitFor('Not taken in: 100000 characters');
	expect(screen.text()).toContain('\\x9b2J');
});
