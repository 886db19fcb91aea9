import {expect, test} from 'vitest';
import {serveSimulator} from '../../../support/serve-simulator.ts';
import {elsewhere, enterMember, openLimits} from '../../support/edit-ways.ts';
import {drawnScreen} from '../../support/screen.tsx';
import {drawnHome} from '../../support/served-screens.ts';
import {lookAndEnterAt} from '../../support/ways.ts';

test('one field is changed, compared, saved and undone using only keys', async () => {
	const screen = await drawnScreen({simulate: true});
	await openLimits(screen);
	await enterMember(screen, '700');
	await screen.waitFor('Write the key');
	expect(screen.row(/- +"member": 600.*\+ +"member": 700/)).toBeDefined();
	await screen.waitFor('nothing has been sent');
	await lookAndEnterAt(screen, 'Write the key');
	await screen.waitFor(/Wrote \d+ bytes to limits\/api/);
	screen.press('u');
	await screen.waitFor('Undone');
	expect(screen.text()).toContain('"member": 600');
});

test('someone else changes another field meanwhile: three versions are shown, and the merge keeps both changes', async () => {
	const service = await serveSimulator();
	const screen = await drawnHome(service);
	await openLimits(screen);
	const before = await elsewhere(service, 'get', 'limits/api');
	await elsewhere(service, 'put', 'limits/api', before.replace('6000', '9000'));
	await enterMember(screen, '700');
	await screen.waitFor('Changed by someone else since you opened it.');
	expect(screen.text()).toMatch(/9000/);
	expect(screen.selectedRow().text).toMatch(/Merge/);
	await lookAndEnterAt(screen, 'Merge');
	// What both come to is shown before it is sent.
	await screen.waitFor('Write the key');
	expect(screen.row(/"member": 600.*"member": 700/)).toBeDefined();
	await lookAndEnterAt(screen, 'Write the key');
	await screen.waitFor(/Wrote \d+ bytes/);
	const after = await elsewhere(service, 'get', 'limits/api');
	expect(JSON.parse(after)).toMatchObject({member: 700, partner: 9000});
});

test('someone else changes the same field: nothing is overwritten silently', async () => {
	const service = await serveSimulator();
	const screen = await drawnHome(service);
	await openLimits(screen);
	const before = await elsewhere(service, 'get', 'limits/api');
	const theirs = before.replace('600,', '650,');
	await elsewhere(service, 'put', 'limits/api', theirs);
	await enterMember(screen, '700');
	await screen.waitFor('Changed by someone else since you opened it.');
	expect(screen.text()).not.toMatch(/Merge/);
	// The first choice destroys nothing.
	expect(screen.selectedRow().text).not.toMatch(/Overwrite with mine/);
	await screen.answerTo('esc');
	expect(await elsewhere(service, 'get', 'limits/api')).toBe(theirs);
});

test('a write that is rejected or never answered loses no typed text', async () => {
	const service = await serveSimulator();
	const screen = await drawnHome(service, {env: {LEDGE_TIME_SCALE: '0.01'}});
	await openLimits(screen);
	await enterMember(screen, '700');
	await screen.waitFor('Write the key');
	await service.setFaults('method=PUT status=500');
	await lookAndEnterAt(screen, 'Write the key');
	await screen.waitFor('may or may not have been written');
	await service.setFaults('');
	expect(JSON.parse(await elsewhere(service, 'get', 'limits/api'))).toMatchObject({member: 600});
	await screen.answerTo('down');
	await lookAndEnterAt(screen, '▸ Back to the editor');
	await screen.waitFor('ctrl-s');
	expect(screen.text()).toContain('"member": 700');
	await screen.answerTo('esc');
	await screen.waitFor('is kept: e continues it');
	screen.press('e');
	await screen.waitFor('"member": 700');
});
