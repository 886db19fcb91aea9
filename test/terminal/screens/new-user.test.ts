import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {createScratchFolder, ledge} from '../../support/ledge.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';
import type {Condition} from '../screen/open.ts';
import {atHome} from './ways.ts';

/** The most keys that the new user may press; typed names and values are not counted. */
const maxKeyPresses = 45;

test('at 80×24 a new user finds a key among 100,000, changes, saves, duplicates and renames it, deletes both and undoes that', async () => {
	const service = await serveSimulator();
	const cwd = createScratchFolder();
	const screen = await atHome({env: service.env, cwd, columns: 80, rows: 24}, []);
	let pressCount = 0;
	const press = async (keys: readonly string[], condition: Condition) => {
		for (const key of keys) {
			pressCount++;
			screen.press(key);
		}
		await screen.waitFor(condition);
	};
	const isCursorOn = (name: string) => () =>
		screen
			.text()
			.split('\n')
			.some(row => row.includes('▸') && row.includes(name));
	const get = (key: string) =>
		ledge(['kv', 'key', 'get', key, '--namespace', 'catalogue'], {env: service.env});

	await press([':'], 'search actions');
	screen.type('catalogue');
	await screen.waitFor('go to namespace: catalogue');
	await press(['enter'], 'audio/article:');
	await press(['/'], '⏎ done');
	screen.type('04711');
	await press(['enter'], /\/04711 · 10 of 100,000 ─/);
	await press(['end'], isCursorOn('toys/article:04711'));

	await press(['enter'], '"stock": 41');
	await press(['down', 'down', 'down'], isCursorOn('"stock"'));
	await press(['e', 'ctrl-u'], 'Nothing was entered.');
	screen.type('40');
	await press(['enter'], 'y write the key');
	await screen.settled('y write the key', {quiet: minReviewMs + 100});
	await press(['y'], 'Wrote 50 bytes to toys/article:04711.');
	expect((await get('toys/article:04711')).stdout).toContain('"stock":40');

	await press(['w'], 'Save the value of toys/article:04711');
	await press(['enter'], 'Saved 50 bytes of toys/article:04711 to');
	expect(readFileSync(join(cwd, 'toys_article_04711.json'), 'utf8')).toContain('"stock":40');

	await press(['D'], 'Duplicate toys/article:04711');
	screen.press('end');
	screen.type('-copy');
	await press(['enter'], 'Duplicated as toys/article:04711-copy. u undoes it.');
	await press(['esc'], isCursorOn('toys/article:04711-copy'));
	await press(['R'], 'Rename toys/article:04711-copy');
	screen.press('end');
	screen.type('2');
	await press(['enter'], 'Renamed to toys/article:04711-copy2. u undoes it.');
	expect(screen.selectedRow().text).toContain('toys/article:04711-copy2');
	expect((await get('toys/article:04711-copy')).code).toBe(3);

	await press(['up', 'space', 'down', 'space', 'd'], 'Delete 2 selected keys from catalogue?');
	await press(['y'], 'Deleted 2 keys in namespace catalogue. u restores them; V opens the trash.');
	expect((await get('toys/article:04711')).code).toBe(3);
	expect((await get('toys/article:04711-copy2')).code).toBe(3);
	await press(['u'], 'Restored 2 keys into Acme (simulated) › catalogue.');
	await screen.waitFor(/\/04711 · 11 of 100,001 ─/);
	await screen.waitFor(isCursorOn('toys/article:04711'));
	const restoredValue = await get('toys/article:04711');
	expect(restoredValue.stdout).toContain('"stock":40');
	expect((await get('toys/article:04711-copy2')).stdout).toBe(restoredValue.stdout);
	expect(pressCount).toBeLessThanOrEqual(maxKeyPresses);
	screen.press('q');
	expect(await screen.waitForEnd()).toMatchObject({code: 0});
});
