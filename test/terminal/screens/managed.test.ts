import {expect, test} from 'vitest';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {confirmAfterReading} from '../../screens/support/ways.ts';
import {startFirewallService} from '../../support/firewall.ts';
import {openScreen} from '../screen/open.ts';

// What else the screen does: test/screens/managed.

const {owasp, credentials} = managedRulesets;
const zone = 'done.acme.example';
const entryPoint =
	/\/zones\/7b3a9d2e6c5f4e1a8d7b0c1d2e3f4a74\/rulesets\/phases\/http_request_firewall_managed\/entrypoint$/;

test('an exception, a threshold and another ruleset are one request, which one key undoes', async () => {
	const service = await startFirewallService();
	const env = {...service.env, LEDGE_TIME_SCALE: '0.01'};
	const screen = await openScreen(['--zone', zone], {env});
	await screen.waitFor(/Account +Acme/);
	screen.press('4');
	await screen.waitFor('execute OWASP Core Ruleset');
	expect(screen.text()).toContain('score threshold Medium, 40 or higher');
	expect(screen.text()).toContain('Not deployed: Exposed Credentials Check');
	await service.takeWrites();

	screen.press('a');
	await screen.waitFor('What does the exception skip?');
	while (!screen.text().includes('▸ Some rules of OWASP')) await screen.pressAndAwaitFrame('down');
	screen.press('enter');
	await screen.waitFor('Which rules to skip?');
	screen.type('942100');
	await screen.waitFor(/ 1 of 197 rules.*id +97012238/s);
	const skippedRuleId = /id +([0-9a-f]{32})/.exec(screen.text())?.[1];
	screen.press('enter');
	await screen.waitFor('Which requests?');
	screen.type('http.host eq "import.example"');
	screen.press('enter');
	await screen.waitFor('What is it for?');
	screen.type('the importer');
	screen.press('enter');
	await screen.waitFor('Unsent change: Add exception');

	screen.press('T');
	await screen.waitFor('Tune the OWASP ruleset');
	screen.press('down', 'enter');
	await screen.waitFor('Which score threshold?');
	screen.press('down', 'enter');
	await screen.waitFor(/Unsent change: (?!Add exception)/);

	screen.press('D');
	await screen.waitFor('Deploy which managed ruleset?');
	screen.press('enter');
	await screen.waitFor(/Unsent change: Deploy/);
	expect(screen.text()).toContain('execute Exposed Credentials Check');

	screen.press('enter');
	await screen.waitFor('exactly as it will be sent');
	expect(screen.text()).toMatch(/OWASP Core Ruleset: score +Medium/);
	expect(await service.takeWrites()).toEqual([]);
	await confirmAfterReading(screen, 'y send');
	await screen.waitFor('Changed managed rules, version 2');

	const sent = await service.takeWrites();
	expect(sent).toMatchObject([{method: 'PUT', path: expect.stringMatching(entryPoint)}]);
	expect(sent[0]?.body).toEqual({
		rules: [
			expect.objectContaining({id: '8f3e9c2a6d5b4e4f9c8a7d6e5b4c3f01', action: 'execute'}),
			{
				action: 'skip',
				action_parameters: {rules: {[owasp.id]: [skippedRuleId]}},
				description: 'the importer',
				enabled: true,
				expression: 'http.host eq "import.example"',
				logging: {enabled: true},
			},
			expect.objectContaining({
				id: '8f3e9c2a6d5b4e4f9c8a7d6e5b4c3f02',
				action_parameters: expect.objectContaining({
					id: owasp.id,
					overrides: expect.objectContaining({
						rules: [expect.objectContaining({score_threshold: 25, action: 'managed_challenge'})],
					}),
				}),
			}),
			{
				action: 'execute',
				action_parameters: {id: credentials.id},
				description: '',
				enabled: true,
				expression: 'true',
			},
		],
	});

	screen.press('u');
	// Undoing removes a managed ruleset, so the name of the zone is asked for.
	await screen.waitFor('Exposed Credentials Check: log → removed, logs nothing.');
	screen.type(zone);
	// The first enter shows the rest of the question.
	screen.press('enter');
	await screen.waitFor('40 or higher');
	await screen.settled();
	screen.press('enter');
	await screen.waitFor('Undone: ');
	const undoWrites = await service.takeWrites();
	expect(undoWrites).toMatchObject([{method: 'PUT', path: expect.stringMatching(entryPoint)}]);
	expect(undoWrites[0]?.body).toMatchObject({
		rules: [{id: '8f3e9c2a6d5b4e4f9c8a7d6e5b4c3f01'}, {id: '8f3e9c2a6d5b4e4f9c8a7d6e5b4c3f02'}],
	});
	expect(screen.text()).toContain('score threshold Medium, 40 or higher');
	expect(screen.text()).not.toContain('execute Exposed Credentials Check');
});
