import {expect, test} from 'vitest';
import {lookingTime} from '../../../source/screens/review/state.ts';
import {ledge, scratch} from '../../support/ledge.ts';
import {type RunningService, startService} from '../../support/service.ts';
import {openScreen, type Screen} from '../screen/open.ts';

/** The namespace CONFIG of the samples. */
const config = 'f406ca271a253d6e7fe341d7a1faa59c';

/** Goes from the first frame to the key `limits/api` of CONFIG, by its name. */
async function openLimits(screen: Screen): Promise<void> {
	await screen.waitFor(/Account +Acme/);
	screen.press('enter');
	await screen.waitFor('catalogue');
	screen.press('enter');
	await screen.waitFor('limits/api');
	screen.press('/');
	screen.type('api');
	await screen.waitFor(shown => !shown.text().includes('motd'));
	screen.press('enter');
	await screen.settled();
	screen.press('enter');
	await screen.waitFor('"member": 600');
	await screen.answerTo('down');
	await screen.answerTo('down');
}

/** Enters another number for the field under the cursor, and goes to the review. */
async function enterMember(screen: Screen, number: string): Promise<void> {
	screen.press('e');
	await screen.waitFor('ctrl-s');
	screen.press('ctrl-u');
	screen.type(number);
	await screen.settled(`"member": ${number}`);
	screen.press('ctrl-s');
}

/** Looks at what is asked, as a person does, before the first choice is taken: what comes at once does not count. */
async function lookAndChoose(screen: Screen, asked: string): Promise<void> {
	await screen.settled(asked, {quiet: lookingTime + 100});
	screen.press('enter');
}

/** What someone else does to the key meanwhile. */
const elsewhere = async (service: RunningService, ...words: string[]) => {
	const done = await ledge(['kv', 'key', ...words, '--namespace-id', config], {env: service.env});
	if (done.code !== 0) throw new Error(done.stderr);
	return done.stdout;
};

test('one field is changed, the difference seen, saved and undone, by keys alone', async () => {
	const home = scratch();
	const screen = await openScreen(['--simulate'], {home});
	await openLimits(screen);
	await enterMember(screen, '700');
	await screen.waitFor('Write it');
	expect(screen.row(/- +"member": 600.*\+ +"member": 700/)).toBeDefined();
	expect(screen.text()).toContain('nothing has been sent');
	await lookAndChoose(screen, 'Write it');
	await screen.waitFor(/Wrote \d+ bytes to limits\/api/);
	screen.press('u');
	await screen.waitFor('Undo');
	expect(screen.row(/- +"member": 700.*\+ +"member": 600/)).toBeDefined();
	await lookAndChoose(screen, 'Undo');
	await screen.waitFor('Undone');
	expect(screen.text()).toContain('"member": 600');
	screen.press('q');
	expect(await screen.waitForEnd()).toMatchObject({code: 0});
});

test('someone else changes another field meanwhile: three versions are shown, and the merge keeps both', async () => {
	const service = await startService();
	const screen = await openScreen([], {env: service.env});
	await openLimits(screen);
	const before = await elsewhere(service, 'get', 'limits/api');
	await elsewhere(service, 'put', 'limits/api', before.replace('6000', '9000'));
	await enterMember(screen, '700');
	await screen.waitFor('changed since you opened it');
	expect(screen.text()).toMatch(/9000/);
	expect(screen.selectedRow().text).toMatch(/Merge/);
	await lookAndChoose(screen, 'Merge');
	// What both come to is shown before it is sent.
	await screen.waitFor('Write it');
	expect(screen.row(/"member": 600.*"member": 700/)).toBeDefined();
	await lookAndChoose(screen, 'Write it');
	await screen.waitFor(/Wrote \d+ bytes/);
	const after = await elsewhere(service, 'get', 'limits/api');
	expect(JSON.parse(after)).toMatchObject({member: 700, partner: 9000});
});

test('someone else changes the same field: nothing is written over silently', async () => {
	const service = await startService();
	const screen = await openScreen([], {env: service.env});
	await openLimits(screen);
	const before = await elsewhere(service, 'get', 'limits/api');
	const theirs = before.replace('600,', '650,');
	await elsewhere(service, 'put', 'limits/api', theirs);
	await enterMember(screen, '700');
	await screen.waitFor('changed since you opened it');
	expect(screen.text()).not.toMatch(/Merge/);
	// The first choice destroys nothing.
	expect(screen.selectedRow().text).not.toMatch(/Write mine/);
	screen.press('esc');
	await screen.settled();
	expect(await elsewhere(service, 'get', 'limits/api')).toBe(theirs);
});

test('a write that the service refuses, or never answers, loses nothing that was typed', async () => {
	const service = await startService();
	const screen = await openScreen([], {env: {...service.env, LEDGE_TIME_SCALE: '0.05'}});
	await openLimits(screen);
	await enterMember(screen, '700');
	await screen.waitFor('Write it');
	await service.setFaults('method=PUT status=500');
	await lookAndChoose(screen, 'Write it');
	await screen.waitFor('may or may not have been written', {within: 20_000});
	await service.setFaults('');
	expect(JSON.parse(await elsewhere(service, 'get', 'limits/api'))).toMatchObject({member: 600});
	await screen.answerTo('down');
	await lookAndChoose(screen, '▸ Back to the editor');
	await screen.waitFor('ctrl-s');
	expect(screen.text()).toContain('"member": 700');
	await screen.answerTo('esc');
	await screen.waitFor('is kept: e continues it');
	screen.press('e');
	await screen.waitFor('"member": 700');
});

test('killed while an edit is typed: the next start offers it, and it can be saved', async () => {
	const service = await startService();
	const home = scratch();
	const first = await openScreen([], {env: service.env, home});
	await openLimits(first);
	first.press('e');
	await first.waitFor('ctrl-s');
	first.press('ctrl-u');
	first.type('777');
	await first.settled('"member": 777');
	await waitForDraft(home);
	first.kill('SIGKILL');
	await first.ended;
	const second = await openScreen([], {env: service.env, home});
	await second.waitFor(/edit of limits\/api.*not saved/i);
	second.press('enter');
	await second.waitFor('"member": 777');
	second.press('ctrl-s');
	await lookAndChoose(second, 'Write it');
	await second.waitFor(/Wrote \d+ bytes/);
	expect(JSON.parse(await elsewhere(service, 'get', 'limits/api'))).toMatchObject({member: 777});
	second.press('q');
	await second.waitForEnd();
	const third = await openScreen([], {env: service.env, home});
	await third.waitFor(/Account +Acme/);
	expect(third.text()).not.toMatch(/not saved/);
});

test.each([
	'SIGHUP',
	'SIGTERM',
] as const)('%s while an edit is typed: the terminal is restored, the edit kept at once', async signal => {
	const home = scratch();
	const screen = await openScreen(['--simulate'], {home});
	await openLimits(screen);
	screen.press('e');
	await screen.waitFor('ctrl-s');
	screen.press('ctrl-u');
	screen.type('777');
	await screen.settled('"member": 777');
	screen.kill(signal);
	await screen.waitForEnd();
	expect(screen.changedModes()).toEqual([]);
	const next = await openScreen(['--simulate'], {home});
	await next.waitFor(/edit of limits\/api.*not saved/i);
});

/** The draft comes a moment after the last key: waits until it is on the disk. */
async function waitForDraft(home: string): Promise<void> {
	const {existsSync, readdirSync, watch} = await import('node:fs');
	const {join} = await import('node:path');
	const folder = join(home, '.local/state/ledge/drafts');
	const there = () => existsSync(folder) && readdirSync(folder).some(name => !name.endsWith('.new'));
	if (there()) return;
	await new Promise<void>(resolve => {
		const watcher = watch(home, {recursive: true}, () => {
			if (!there()) return;
			watcher.close();
			resolve();
		});
		if (there()) {
			watcher.close();
			resolve();
		}
	});
}
