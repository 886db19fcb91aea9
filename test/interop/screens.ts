import assert from 'node:assert/strict';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {minReviewMs} from '../../source/screens/write-flow/review-timer.ts';
import {Screen} from '../terminal/screen/screen.ts';
import type {Checks} from './checks.ts';
import {Namespace} from './namespace.ts';
import {builtLedge, createInteropEnvironment, type Program} from './programs.ts';

const before =
	'{\n  "name": "Ada",\n  "limits": {"member": 600, "partner": 6000},\n  "seen": 1795311245\n}\n';
const after = before.replace('600,', '700,');

/**
 * What wrangler wrote into local data is found in the screens, one field of it is changed there by keys alone, and
 * wrangler reads the change, with all the rest as it was.
 */
export async function checkScreens(checks: Checks, wrangler: Program, folder: string): Promise<void> {
	const project = join(folder, 'screens');
	mkdirSync(project);
	writeFileSync(
		join(project, 'wrangler.toml'),
		'name = "screens"\ncompatibility_date = "2026-01-01"\n\n[[kv_namespaces]]\nbinding = "CONFIG"\nid = "0f2a"\n',
	);
	const stateFolder = join(project, '.wrangler', 'state');
	const namespace = new Namespace(wrangler, project, [
		'--local',
		'--persist-to',
		stateFolder,
		'--namespace-id',
		'0f2a',
	]);
	await checks.check('wrangler writes JSON with metadata and an expiry, for the screens', async () => {
		await namespace.put({
			key: 'user:1',
			value: Buffer.from(before),
			metadata: {v: 2},
			expiration: 2_147_483_647,
		});
		await namespace.put({key: 'user:2', value: Buffer.from('text')});
	});
	await checks.check('the screens change one field of it, by keys alone', () => changeField(project));
	await checks.check('wrangler reads the change, and nothing else has changed', async () => {
		assert.equal((await namespace.get('user:1')).toString(), after);
		const listed = await namespace.list();
		assert.deepEqual(
			listed.find(({name}) => name === 'user:1'),
			{name: 'user:1', expiration: 2_147_483_647, metadata: {v: 2}},
		);
	});
	await checks.check('wrangler reads what undo brought back', async () => {
		await undoField(project);
		assert.equal((await namespace.get('user:1')).toString(), before);
	});
}

/** Opens the screens on the local data of the project, and goes to the keys of its one binding. */
async function openKeys(project: string): Promise<Screen> {
	const {NO_COLOR: _, CI: __, ...env} = createInteropEnvironment(project);
	const screen = new Screen({
		command: [process.execPath, builtLedge, '--local'],
		cwd: project,
		env: {...env, LANG: 'C.UTF-8'},
	});
	await screen.waitFor('Local data');
	screen.press('enter');
	await screen.waitFor('wrangler.toml:4');
	screen.press('enter');
	await screen.waitFor('user:2');
	return screen;
}

async function changeField(project: string): Promise<void> {
	await using screen = await openKeys(project);
	screen.press('/');
	screen.type('user:1');
	await screen.waitFor(shown => !shown.text().includes('user:2'));
	screen.press('enter');
	await screen.settled();
	screen.press('enter');
	await screen.waitFor('"member": 600');
	await editMember(screen, '700');
	screen.press('q');
	await screen.waitForEnd();
}

/** Changes the field, and takes it back in the same session. */
async function undoField(project: string): Promise<void> {
	await using screen = await openKeys(project);
	await screen.waitFor('user:1');
	screen.press('home', 'enter');
	await screen.waitFor('"member": 700');
	await editMember(screen, '800');
	await editMember(screen, '600');
	screen.press('u');
	await screen.waitFor('Undone');
	await screen.waitFor('"member": 800');
	await editMember(screen, '600');
	screen.press('q');
	await screen.waitForEnd();
}

async function editMember(screen: Screen, value: string): Promise<void> {
	for (let row = 0; row < 20 && !screen.selectedRow().text.includes('"member"'); row++)
		await screen.pressAndAwaitFrame('down');
	screen.press('e');
	await screen.waitFor('ctrl-s');
	screen.press('ctrl-u');
	screen.type(value);
	await screen.settled(`"member": ${value}`);
	screen.press('ctrl-s');
	// Keys that come before the review was visible long enough do not count.
	await screen.settled('y write the key', {quiet: minReviewMs + 100});
	screen.press('y');
	await screen.waitFor(/Wrote \d+ bytes to user:1/);
}
