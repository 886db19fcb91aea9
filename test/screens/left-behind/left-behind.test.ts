import {describe, expect, test} from 'vitest';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {buildItemRows, formatItemState} from '../../../source/screens/left-behind/rows.ts';
import {getLeftBehindItem, type LeftItem} from '../../../source/screens/left-behind/slice.ts';
import {formatLeftBehindStatus} from '../../../source/screens/left-behind/view.tsx';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {migrated, watchWrites} from '../support/custom-rules.ts';
import {backedUpBefore} from '../support/left-behind.ts';
import {atManaged} from '../support/managed.ts';

const {owasp} = managedRulesets;

/** A person at what the migration of the zone left behind; `kept`: whether its backup is on this machine. */
async function atLeftBehind({kept = true} = {}) {
	const person = await atManaged();
	const {space, state} = person;
	if (kept) await backedUpBefore(space);
	person.press('L');
	expect(getCurrentScreen(state())).toBe('leftBehind');
	await person.idle();
	const rows = () => state().leftBehind.data?.rows ?? [];
	/** Puts the cursor on an item. */
	const on = (id: string): LeftItem => {
		const at = rows().findIndex(({leftover}) => leftover.id === id);
		state().leftBehind.move(-rows().length);
		state().leftBehind.move(at);
		const found = getLeftBehindItem(state());
		if (found?.leftover.id !== id) throw new Error(`${id} is not listed.`);
		return found;
	};
	const words = (id: string) => formatItemState(on(id), state());
	const detail = (id: string) => {
		on(id);
		return buildItemRows(state(), 70, {warning: '!', done: '+'})
			.map(row => row.map(({text}) => text).join(''))
			.join('\n');
	};
	return {...person, rows, on, words, detail};
}

describe('settings that a migration left behind', () => {
	test('are listed with the steps to recreate each', async () => {
		const {rows, words, detail, state} = await atLeftBehind();
		expect(rows().map(({leftover}) => leftover.id)).toEqual(['g1', 'r1', 'b1']);
		expect(['g1', 'r1', 'b1'].map(words)).toEqual(['choose rules', 'choose rules', 'one change']);
		expect(detail('b1')).toContain('ip.src eq 192.0.2.1');
		expect(formatLeftBehindStatus(state())).toBe('3 items   3 to recreate');
	});

	test('become an exception with one key, are undone with one, and are sent after a review', async () => {
		const {on, words, press, state, managed, send, answers, idle, space, said} = await atLeftBehind();
		const writes = watchWrites(space);
		on('b1');
		press('enter');
		expect(words('b1')).toBe('not sent yet');
		expect(said()).toContain('Added to the unsent changes');
		press('enter');
		expect(managed().edits).toHaveLength(1);
		press('u');
		expect(words('b1')).toBe('one change');
		expect(managed().edits).toHaveLength(0);
		press('enter', 's');
		expect(getCurrentScreen(state())).toBe('managed');
		expect(managed().step).toBe('review');
		expect(writes).toEqual([]);
		send();
		answers(migrated.name);
		await idle();
		expect(writes).toHaveLength(1);
		expect(writes[0]).toMatchObject({
			method: 'POST',
			body: {action: 'skip', expression: 'ip.src eq 192.0.2.1', action_parameters: {ruleset: 'current'}},
		});
		press('L');
		await idle();
		expect(words('b1')).toBe('recreated');
		expect(formatLeftBehindStatus(state())).toBe('3 items   2 to recreate');
	});

	test('let the user choose rules in the browser if the IDs are not found', async () => {
		const {on, press, state, managed} = await atLeftBehind();
		on('g1');
		press('enter');
		expect(getCurrentScreen(state())).toBe('catalogue');
		const held = managed().activeRules?.catalogue?.find(({id}) => id === owasp.id)?.rules ?? [];
		const chosen = held.find(({categories}) => categories.includes('paranoia-level-1'))?.id ?? '';
		for (const _ of state().catalogue.data?.request.query ?? '') press('backspace');
		for (const character of chosen) press(character);
		press('ctrl-t', 'enter');
		expect(getCurrentScreen(state())).toBe('leftBehind');
		expect(managed().edits.map(({edit}) => edit)).toEqual([
			{kind: 'managed rule override', ruleset: owasp.id, id: chosen, enabled: false},
		]);
	});

	test('are unknown without a backup, never empty', async () => {
		const {state, rows} = await atLeftBehind({kept: false});
		await expect.poll(() => state().leftBehind.data?.reading).toBe('failed');
		expect(rows()).toEqual([]);
		expect(state().leftBehind.data?.failure?.message).toContain('It is unknown here what the migration of');
	});

	test('can be recreated even if the managed rules are marked stale', async () => {
		const {on, press, managed, state} = await atLeftBehind();
		state().managed.markStale();
		on('b1');
		press('enter');
		expect(managed().edits).toHaveLength(1);
	});
});
