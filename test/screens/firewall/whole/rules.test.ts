import {expect, test} from 'vitest';
import {drawAtFirewall, drawAtHome} from '../../support/sample-screens.ts';
import {drawScreen} from '../../support/screen.tsx';

test('the menu leads from Home to the rules of a zone, and esc leads back', async () => {
	const screen = await drawAtHome();
	screen.press('down', 'enter');
	await screen.waitFor('acme-shop.example');
	screen.press('enter');
	await screen.waitFor(/rule 1 of \d+/);
	expect(screen.line(0)).toMatch(/firewall rules › acme-blog\.example +Acme \(simulated\) · free/);
	screen.press('esc');
	await screen.waitFor('acme-shop.example');
	screen.press('esc');
	await screen.waitFor(/Firewall rules +zone acme-blog\.example · \d+ rules, \d+ filters/);
});

test('a zone given by name is opened at once', async () => {
	const screen = await drawScreen({simulate: true, zone: 'acme-shop.example'});
	await screen.waitFor(/Account +Acme/);
	screen.press('2');
	await screen.waitFor(/rule 1 of \d+/);
	expect(screen.line(0)).toContain('firewall rules › acme-shop.example');
	screen.press('esc');
	await screen.waitFor('Nothing you do here reaches a real account.');
});

test('a rule is paused after the effect is explained, and resumed', async () => {
	const screen = await drawAtFirewall();
	screen.press('p');
	await screen.waitFor(/Pause rule \d+\?/);
	expect(screen.text()).toContain('immediately');
	screen.press('y');
	await screen.waitFor(/The rule is paused: .+ \(/);
	expect(screen.selectedRow().text).toContain('paused');
	screen.press('p');
	await screen.waitFor(/Resume rule \d+\?/);
	screen.press('y');
	await screen.waitFor('is active again');
	expect(screen.selectedRow().text).not.toContain('paused');
});

test('a new priority moves a rule between two others, as announced', async () => {
	const screen = await drawAtFirewall();
	screen.press('O');
	await screen.waitFor('Priority of rule 1');
	screen.press('backspace', 'backspace', '6', '0', 'enter');
	await screen.waitFor('It moves to position 3');
	screen.press('y');
	await screen.waitFor(/now has priority 60/);
	await screen.waitFor(shown => / 3 allow +60 /.test(shown.selectedRow().text));
});

test('deleting one of two rules of a filter keeps the filter for the other', async () => {
	const screen = await drawAtFirewall();
	screen.press('/');
	screen.type('BadBot');
	await screen.waitFor(/2 of 12 rules/);
	screen.press('enter', 'd');
	await screen.waitFor('Its filter stays: it is also used by rule 4.');
	screen.press('y');
	await screen.waitFor('its filter stays, used by');
	await screen.waitFor(/rule 3 of 11/);
	screen.press('d');
	await screen.waitFor(/y delete rule \d+ and its filter/);
	screen.press('y');
	await screen.waitFor(/Deleted rule .* and its/);
	await screen.waitFor('No rules match');
	screen.press('esc');
	await screen.waitFor(/10 of 1,000 rules \(Enterprise\), 11 filters/);
});

test('a wide terminal marks the filter of the selected rule beside it', async () => {
	const screen = await drawAtFirewall({columns: 200, rows: 60});
	const listMarkedLines = () => screen.lines().filter(line => line.includes('◆ its filter'));
	expect(listMarkedLines()).toHaveLength(1);
	expect(listMarkedLines()[0]).toContain('203.0.113.0/24');
	screen.press('down');
	await screen.waitFor(/rule 2 of/);
	expect(listMarkedLines()).toHaveLength(1);
	expect(listMarkedLines()[0]).toContain('198.51.100.7');
});

test('a zone with retired firewall rules shows its custom rules', async () => {
	const screen = await drawAtHome({env: {LEDGE_SIMULATE_FAULTS: 'path=/firewall/rules status=410'}});
	screen.press('2');
	await screen.waitFor('acme-shop.example');
	screen.press('enter');
	await screen.waitFor('has no custom rules yet');
	screen.press('tab');
	await screen.waitFor(/the service has retired firewall rules and\s+filters here/);
	screen.press('a');
	await screen.waitFor('0 of 4,096 characters');
});
