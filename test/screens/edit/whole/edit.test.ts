import {expect, test} from 'vitest';
import {serveSimulator} from '../../../support/serve-simulator.ts';
import {enterMember, openLimits, runKeyCommand} from '../../support/edit-ways.ts';
import {drawAtKeys} from '../../support/sample-screens.ts';
import {drawScreen} from '../../support/screen.tsx';
import {drawHome} from '../../support/served-screens.ts';
import {confirmAfterReading, pressEnterAfterReading} from '../../support/ways.ts';

test('a problem of a field is shown in full, even over the current row', async () => {
	const screen = await drawAtKeys();
	screen.press('G');
	await screen.settled(/▸ +site/);
	screen.press('a', 'x', 'enter');
	await screen.settled(/2 of 4/);
	screen.press('2', '4', 'enter');
	await screen.settled(/The ttl is too short/);
	expect(screen.text()).not.toContain('more lines');
	expect(screen.text()).toMatch(/this one is[│\s]*24\./);
});

test('one field is changed, compared, saved and undone using only keys', async () => {
	const screen = await drawScreen({simulate: true});
	await openLimits(screen);
	await enterMember(screen, '700');
	await screen.waitFor('y write the key');
	expect(screen.row(/- +"member": 600.*\+ +"member": 700/)).toBeDefined();
	await screen.waitFor('nothing has been sent');
	await confirmAfterReading(screen, 'y write the key');
	await screen.waitFor(/Wrote \d+ bytes to limits\/api/);
	screen.press('u');
	await screen.waitFor('Undone');
	expect(screen.text()).toContain('"member": 600');
});

test('someone else changes another field meanwhile: three versions are shown, and the merge keeps both changes', async () => {
	const service = await serveSimulator();
	const screen = await drawHome(service);
	await openLimits(screen);
	const valueBefore = await runKeyCommand(service, 'get', 'limits/api');
	await runKeyCommand(service, 'put', 'limits/api', valueBefore.replace('6000', '9000'));
	await enterMember(screen, '700');
	await screen.waitFor('Changed since you opened it.');
	expect(screen.text()).toMatch(/9000/);
	expect(screen.selectedRow().text).toMatch(/Merge/);
	await pressEnterAfterReading(screen, 'Merge');
	// The merged value is shown before it is sent.
	await screen.waitFor('y write the key');
	expect(screen.row(/"member": 600.*"member": 700/)).toBeDefined();
	await confirmAfterReading(screen, 'y write the key');
	await screen.waitFor(/Wrote \d+ bytes/);
	const mergedValue = await runKeyCommand(service, 'get', 'limits/api');
	expect(JSON.parse(mergedValue)).toMatchObject({member: 700, partner: 9000});
});

test('someone else changes the same field: nothing is overwritten silently', async () => {
	const service = await serveSimulator();
	const screen = await drawHome(service);
	await openLimits(screen);
	const valueBefore = await runKeyCommand(service, 'get', 'limits/api');
	const theirValue = valueBefore.replace('600,', '650,');
	await runKeyCommand(service, 'put', 'limits/api', theirValue);
	await enterMember(screen, '700');
	await screen.waitFor('Changed since you opened it.');
	expect(screen.text()).not.toMatch(/Merge/);
	// The first choice destroys nothing.
	expect(screen.selectedRow().text).not.toMatch(/Overwrite with mine/);
	await screen.pressAndAwaitFrame('esc');
	expect(await runKeyCommand(service, 'get', 'limits/api')).toBe(theirValue);
});

test('a write with an unknown outcome loses no typed text', async () => {
	const service = await serveSimulator();
	const screen = await drawHome(service, {env: {LEDGE_TIME_SCALE: '0.01'}});
	await openLimits(screen);
	await enterMember(screen, '700');
	await screen.waitFor('y write the key');
	await service.setFaults('method=PUT status=500');
	await confirmAfterReading(screen, 'y write the key');
	await screen.waitFor('may or may not have been written');
	await service.setFaults('');
	expect(JSON.parse(await runKeyCommand(service, 'get', 'limits/api'))).toMatchObject({member: 600});
	await screen.pressAndAwaitFrame('down');
	await pressEnterAfterReading(screen, '▸ Back to the editor');
	await screen.waitFor('ctrl-s');
	expect(screen.text()).toContain('"member": 700');
	await screen.pressAndAwaitFrame('esc');
	await screen.waitFor('is kept: e continues it');
	screen.press('e');
	await screen.waitFor('"member": 700');
});
