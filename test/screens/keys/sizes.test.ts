import {expect, test} from 'vitest';
import {KnownSizes} from '../../../source/screens/keys/sizes.ts';
import {createLocalProject} from '../../support/local-project.ts';
import {drawAtKeys, drawAtLocalKeys} from '../support/sample-screens.ts';

test('a size is known only for values that were read or written', () => {
	const sizes = new KnownSizes({});
	expect(sizes.getSize('a')).toBeUndefined();
	sizes.set('a', 0);
	expect(sizes.getSize('a')).toBe(0);
	sizes.forget('a');
	expect(sizes.getSize('a')).toBeUndefined();
});

test('a store that knows sizes is asked once for each key, and again after a write', () => {
	const askedKeys: string[] = [];
	const sizes = new KnownSizes({
		size(key) {
			askedKeys.push(key);
			return key === 'absent' ? undefined : 7;
		},
	});
	expect([sizes.getSize('a'), sizes.getSize('a'), sizes.getSize('absent'), sizes.getSize('absent')]).toEqual([
		7,
		7,
		undefined,
		undefined,
	]);
	expect(askedKeys).toEqual(['a', 'absent']);
	sizes.forget('a');
	sizes.getSize('a');
	expect(askedKeys).toEqual(['a', 'absent', 'a']);
});

test('an opened value has its size in the list; the others have none', async () => {
	const screen = await drawAtKeys({columns: 120});
	await screen.settled('SIZE');
	expect(screen.text()).not.toMatch(/\d B\b/);
	screen.press('enter');
	await screen.settled(/(\d+) bytes/);
	const [, bytes] = /(\d+) bytes/.exec(screen.text()) ?? [];
	screen.press('esc');
	await screen.settled('SIZE');
	expect(screen.text().match(/\d B\b/g)).toHaveLength(1);
	expect(screen.selectedRow().text).toContain(`${bytes} B`);
});

test('sizes are hidden if there is no room', async () => {
	const screen = await drawAtKeys({columns: 95});
	expect(screen.text()).not.toContain('SIZE');
});

test('local data has the size of each value without loading it, and the new size of an edited one', async () => {
	const cwd = await createLocalProject({empty: '', large: Buffer.alloc(5 * 1024 * 1024), small: 'abc'});
	const screen = await drawAtLocalKeys(cwd, {columns: 120});
	await screen.settled('SIZE');
	expect(screen.row('empty')).toContain('0 B');
	expect(screen.row('large')).toContain('5 MB');
	expect(screen.row('small')).toContain('3 B');
	await screen
		.state()
		.keys.data?.opened.store.put('small', Buffer.from('longer'), {}, AbortSignal.timeout(20_000));
	screen.press('ctrl-r');
	await screen.waitFor(/small +6 B/);
});
