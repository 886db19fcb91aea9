import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {forms, getShownLength, restore, typeNext} from '../../screens/support/typing-ways.ts';
import {createScratchFolder} from '../../support/ledge.ts';
import {openScreen} from '../screen/open.ts';

// How far a draft may be behind, and other forms: test/screens/drafts.

const {open, name} = forms['a rule'];

/** Types each letter as soon as the one before is on the screen, until that holds of all that was typed. */
async function typeUntil(
	screen: Parameters<typeof typeNext>[0],
	isEnough: (typed: string) => boolean,
): Promise<string> {
	let typed = '';
	while (!isEnough(typed)) typed = await typeNext(screen, typed);
	return typed;
}

/** Whether a draft on disk holds at least the first alphabet of what is typed. */
function isDraftSaved(home: string, typed: string): boolean {
	const folder = join(home, '.local/state/ledge/drafts');
	if (typed.length < 26 || !existsSync(folder)) return false;
	return readdirSync(folder)
		.filter(file => file.endsWith('.json'))
		.some(file => readFileSync(join(folder, file), 'utf8').includes(typed.slice(0, 26)));
}

test('a rule typed without a pause survives SIGKILL and is restored by the next start', async () => {
	const home = createScratchFolder();
	const first = await openScreen(['--simulate'], {home});
	await open(first);
	const typed = await typeUntil(first, typedText => isDraftSaved(home, typedText));
	first.kill('SIGKILL');
	await first.ended;
	const next = await openScreen(['--simulate'], {home});
	await next.waitFor(name);
	expect(next.text()).toContain('just now');
	await restore(next);
	expect(getShownLength(next)).toBeLessThanOrEqual(typed.length);
	expect(next.text()).toContain(typed.slice(0, 26));
});

test('a typed rule survives SIGHUP and is completely restored by the next start', async () => {
	const home = createScratchFolder();
	const first = await openScreen(['--simulate'], {home});
	await open(first);
	const typed = await typeUntil(first, typedText => typedText.length === 30);
	first.kill('SIGHUP');
	expect(await first.waitForEnd()).toMatchObject({code: 129});
	expect(first.changedModes()).toEqual([]);
	const next = await openScreen(['--simulate'], {home});
	await next.waitFor(name);
	expect(next.text()).toContain('just now');
	await restore(next);
	expect(getShownLength(next)).toBe(typed.length);
	expect(next.text()).toContain(typed.slice(0, 26));
});
