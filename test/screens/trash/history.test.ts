import {expect, test} from 'vitest';
import {readWholeKey} from '../../../source/kv/change/whole-key.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createEditingPerson, createOtherPerson} from '../support/editing.ts';
import {isComplete} from '../support/listed-keys.ts';
import {createTestStore} from '../support/store.ts';

/** Opens CONFIG with the cursor on the key `site`. */
async function openAtSite() {
	const testStore = createTestStore();
	const {state, signal} = testStore;
	const app = createTestApp(testStore);
	await testStore.openNamespace('CONFIG');
	state().navigation.go('keys');
	state().keys.arrange('flat');
	await testStore.until(isComplete);
	const other = createOtherPerson(testStore);
	await other.put('site', 'first');
	state().keys.move((state().keys.data?.index.find('site').position ?? 0) - (state().keys.data?.cursor ?? 0));
	return {
		...testStore,
		other,
		press(...names: readonly string[]) {
			for (const name of names) dispatch(app, {name, text: '', sequence: ''});
		},
		/** Writes the value of `site` after the review; `meanwhile` runs before the review. */
		async overwrite(text: string, meanwhile?: () => Promise<unknown>): Promise<void> {
			const keys = state().keys.data;
			if (!keys) throw new TypeError('No namespace is open.');
			const {store, target} = keys.opened;
			const base = await readWholeKey(store, 'site', signal);
			await meanwhile?.();
			const mine = {bytes: Buffer.from(text), metadata: null};
			const proposal = {kind: 'put', key: 'site', base, mine, lifetime: 'never', origin: 'edit'} as const;
			await state().review.beginProposal({target, label: 'CONFIG', key: 'site', proposal});
			const person = createEditingPerson(testStore);
			if (meanwhile) await person.choose('overwrite');
			await person.choose('write');
			await testStore.until(({work: {list: work}}) => work.every(({kind}) => kind !== 'write'));
		},
		/** Opens the history with `H`, and returns its rows without their times and ages. */
		async openHistory(): Promise<readonly string[]> {
			dispatch(app, {name: 'H', text: 'H', sequence: 'H'});
			await testStore.until(
				({dialog: {current: dialog}, messages: {latest: message}}) =>
					dialog?.kind === 'choice' || message?.text.startsWith('No earlier version') === true,
			);
			const dialog = state().dialog.current;
			const time = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}.{11} {2}/;
			return dialog?.kind === 'choice' ? dialog.choices.map(({label}) => label.replace(time, '')) : [];
		},
	};
}

test('H lists the versions of a key; one is compared with what is stored, and restored', async () => {
	const {state, overwrite, openHistory, until, other, ...testStore} = await openAtSite();
	await overwrite('second one');
	await overwrite('third');
	expect(await openHistory()).toEqual(['overwritten  10 bytes', 'overwritten  5 bytes']);
	const dialog = state().dialog.current;
	if (dialog?.kind !== 'choice') throw new TypeError('There is no choice.');
	state().dialog.close();
	dialog.choose(dialog.choices[1]?.value ?? '');
	await until(next => getCurrentScreen(next) === 'review' && next.review.data?.phase === 'asking');
	expect(Buffer.from(state().review.data?.finding?.check.stored?.bytes ?? []).toString()).toBe('third');
	await createEditingPerson({...testStore, state, until}).choose('write');
	await until(({work: {list: work}}) => work.every(({kind}) => kind !== 'write'));
	expect((await other.read('site'))?.value).toBe('first');
	// What the restore replaced is a version, too.
	expect(await openHistory()).toHaveLength(3);
});

test('H on a value shows the same, and says so if there is no version', async () => {
	const {overwrite, openHistory, press, state, until} = await openAtSite();
	expect(await openHistory()).toEqual([]);
	await overwrite('second');
	press('enter');
	await until(({key: {data: key}}) => key?.reading === 'read');
	expect(getCurrentScreen(state())).toBe('key');
	state().messages.leave();
	expect(await openHistory()).toEqual(['overwritten  5 bytes']);
});

test('without a history, only what someone else wrote meanwhile is kept', async () => {
	const {overwrite, openHistory, other, state} = await openAtSite();
	state().connection.setPreferences({
		file: '',
		shownAs: '',
		defaults: {history: {value: false, from: ''}},
		keys: {settings: []},
		theme: {roles: {}},
		commands: [],
		problems: [],
	});
	await overwrite('second');
	expect(await openHistory()).toEqual([]);
	state().messages.leave();
	await overwrite('third', () => other.put('site', 'written by someone else'));
	expect(await openHistory()).toEqual(['overwritten  23 bytes']);
});
