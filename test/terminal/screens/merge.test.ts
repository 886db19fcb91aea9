import {expect, test} from 'vitest';
import {confirmAfterReading} from '../../screens/support/ways.ts';
import {startFirewallService} from '../../support/firewall.ts';
import {openScreen} from '../screen/open.ts';

// What else it does: test/screens/merge.

test('a command found by name turns the firewall rules of a zone into active custom rules in one request', async () => {
	const service = await startFirewallService();
	const zone = 'acme-shop.example';
	const screen = await openScreen(['--zone', zone], {
		columns: 80,
		rows: 24,
		env: {...service.env, LEDGE_TIME_SCALE: '0.01'},
	});
	await screen.waitFor(/Account +Acme/);
	screen.press('2');
	await screen.waitFor('rule 1 of 3');
	await service.takeWrites();
	screen.press(':');
	screen.type('convert');
	await screen.waitFor('create custom rules from firewall rules');
	screen.press('enter');
	await screen.waitFor('3 custom rules to create, nothing has been sent');
	expect(screen.text()).toMatch(/new +1 +block +SQL in the query/);
	screen.press('enter');
	await screen.waitFor('The request, exactly as it will be sent:');
	await confirmAfterReading(screen, 'y send');
	await screen.waitFor('Created 3 custom rules: 3 in total, version 1.');
	expect((await service.takeWrites()).map(({method}) => method)).toEqual(['PUT']);
	await screen.settled('delete old rules');
	screen.press('d');
	await screen.waitFor('Delete 3 firewall rules from acme-shop.example.');
	screen.press('esc');
	await screen.waitFor('all 3 rules already exist as custom rules');
	expect(await service.takeWrites()).toEqual([]);
});
