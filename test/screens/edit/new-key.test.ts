import {expect, test} from 'vitest';
import {createKey, createTextKey} from '../../../source/keyboard/key.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {formatEditorStatus} from '../../../source/screens/edit/assessment.ts';
import {buildReviewParts} from '../../../source/screens/review/parts.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {getBufferText} from '../../../source/text/buffer/buffer.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createEditingPerson} from '../support/editing.ts';
import {createTestStore} from '../support/store.ts';

/** Opens the list of `assets` and types the name of a new key. */
async function nameNewKey(store = createTestStore()) {
	await store.openNamespace('assets');
	const app = createTestApp(store);
	const press = (...names: readonly string[]) => {
		for (const name of names)
			dispatch(app, Array.from(name).length === 1 ? createTextKey(name) : createKey(name, ''));
	};
	store.state().navigation.go('keys');
	press('a', ...'fresh', 'enter');
	return {...store, press, person: createEditingPerson(store)};
}

test('a new key without a lifetime never expires', async () => {
	const {press, state, person, signal} = await nameNewKey();
	expect(state().dialog.current).toMatchObject({kind: 'field', title: 'Expiration of fresh (2 of 4)'});
	press('enter', 'v');
	await state().review.begin();
	await person.choose('write');
	const {data: keys} = state().keys;
	expect(await keys?.opened.store.get('fresh', signal)).toMatchObject({bytes: new Uint8Array([118])});
	expect(keys?.index.getExpiration(keys.index.find('fresh').position)).toBeUndefined();
});

test.each([
	['90', 90, 'in 90 s'],
	['15m', 900, 'in 15 min'],
	['3d', 259_200, 'in 3 d'],
] as const)('the lifetime %s is shown in the editor and the review, and written', async (typed, seconds, timeLeft) => {
	const {press, state, person} = await nameNewKey();
	press(...typed, 'enter', 'v');
	expect(formatEditorStatus(state())).toContain(`expires ${timeLeft}`);
	await state().review.begin();
	const review = state().review.data;
	if (!review) throw new Error('Nothing is reviewed.');
	expect(review.proposal).toMatchObject({lifetime: {ttl: seconds}});
	const {facts} = buildReviewParts(review, {columns: 80, rows: 24}, Date.now(), {warning: '!', failed: 'x'});
	expect(facts.join(' ')).toContain(`(${timeLeft})`);
	const before = Math.floor(Date.now() / 1000);
	await person.choose('write');
	const {data: keys} = state().keys;
	const expiration = keys?.index.getExpiration(keys.index.find('fresh').position) ?? 0;
	expect(expiration).toBeGreaterThanOrEqual(before + seconds);
	expect(expiration).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + seconds);
});

test('a date is a lifetime, too', async () => {
	const {press, state} = await nameNewKey();
	press(...'2099-01-31', 'enter');
	expect(state().edits.list[0]?.lifetime).toEqual({expiration: Date.UTC(2099, 0, 31) / 1000});
	expect(formatEditorStatus(state())).toContain('expires 2099-01-31 00:00 UTC (in ');
});

test.each([
	['59', /60/],
	['59s', /60/],
	['2020-01-01', /passed/],
	['soon', /"soon" is not an expiration/],
])('the lifetime %s is refused before anything is typed', async (typed, problem) => {
	const {press, state} = await nameNewKey();
	press(...typed, 'enter');
	expect(state().dialog.current).toMatchObject({kind: 'field', problem: expect.stringMatching(problem)});
	expect(getCurrentScreen(state())).toBe('keys');
	press('esc');
	expect(state().edits.hasUnsavedEdits()).toBe(false);
});

test('ctrl-t changes the lifetime of a new key, and the draft keeps it', async () => {
	const {press, state} = await nameNewKey();
	press(...'15m', 'enter', 'v', 'ctrl-t');
	const field = state().dialog.current;
	expect(field).toMatchObject({title: 'Expiration of fresh'});
	expect(field?.kind === 'field' && getBufferText(field.buffer)).toBe('15m');
	press(...'1h', 'enter');
	expect(getCurrentScreen(state())).toBe('editor');
	expect(state().edits.list[0]).toMatchObject({lifetime: {ttl: 3600}});
	press('ctrl-t', 'ctrl-u', 'enter');
	expect(state().edits.list[0]).toMatchObject({lifetime: 'never'});
	press('ctrl-t', ...'2h', 'enter', 'esc');
	// Continuing the unsaved edit asks for no second lifetime.
	press('a', ...'fresh', 'enter');
	expect(state().dialog.current).toBeUndefined();
	expect(getCurrentScreen(state())).toBe('editor');
	expect(state().edits.list[0]).toMatchObject({lifetime: {ttl: 7200}});
});

test('a new key without a value is kept with its name and expiration, as the editor says', async () => {
	const {press, state} = await nameNewKey();
	press(...'1h', 'enter', 'esc');
	expect(state().messages.latest?.text).toContain('The edit of fresh in assets is kept');
	expect(state().edits.list).toMatchObject([{key: 'fresh', lifetime: {ttl: 3600}}]);
	expect(state().edits.hasUnsavedEdits()).toBe(true);
	press('a', ...'fresh', 'enter');
	expect(getCurrentScreen(state())).toBe('editor');
});

test('ctrl-t means nothing in the editor of an existing key', async () => {
	const store = createTestStore();
	await store.openNamespace('CONFIG');
	const person = createEditingPerson(store);
	await person.openKey('motd');
	person.editValue();
	dispatch(createTestApp(store), createKey('ctrl-t', ''));
	expect(store.state().dialog.current).toBeUndefined();
});
