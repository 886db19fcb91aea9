import {describe, expect, test} from 'vitest';
import type {Rule} from '../../../source/firewall/rules/rule.ts';
import {createKey, createTextKey} from '../../../source/keyboard/key.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {describeUndoEnd, quit} from '../../../source/screens/shell/leaving.ts';
import {migratedSampleZone} from '../support/custom-rules.ts';
import {createTestApp} from '../support/drawn.tsx';
import {shop} from '../support/firewall.ts';
import {createTestStore} from '../support/store.ts';

test.each([
	['', []],
	[', also in a dialog', ['a']],
])('ctrl-c quits%s', async (_where, keys) => {
	const testStore = createTestStore();
	await testStore.state().connection.loadConnection();
	const plain = createTestApp(testStore);
	let quitCount = 0;
	const app = {...plain, terminal: {...plain.terminal, quit: () => void quitCount++}};
	await testStore.state().namespaces.load('remote', testStore.signal);
	testStore.state().navigation.go('namespaces');
	for (const key of keys) dispatch(app, createTextKey(key));
	expect(quitCount).toBe(0);
	dispatch(app, createKey('ctrl-c', '\u0003'));
	expect(quitCount).toBe(1);
});

describe('what only this session can undo', () => {
	async function changeRules() {
		const testStore = createTestStore();
		await testStore.state().connection.loadConnection();
		const {firewall, customRules, managed} = testStore.state();
		const rule: Rule = {
			id: 'r1',
			paused: false,
			action: 'block',
			products: [],
			priority: null,
			description: '',
			ref: undefined,
			filter: {id: 'f1', deleted: true},
		};
		for (const paused of [true, false])
			firewall.noteEdits(shop, [{kind: 'rule', before: rule, after: {...rule, paused}}]);
		firewall.noteIrreversibleChange(shop, 'the rules are custom rules now');
		const change = {effect: 'Changed.', rulesBefore: [], createdVersion: '3'};
		customRules.noteLastChange(migratedSampleZone, change);
		managed.noteLastChange({...migratedSampleZone, sessionOptions: ' --context prod'}, change);
		const {id} = migratedSampleZone;
		const lines = [
			`The undo of 2 changes to the firewall rules of ${shop.name} ends with this session.`,
			`The undo of 1 change to the custom rules of done.acme.example ends with this session. Earlier versions: ledge rules versions --zone-id ${id}`,
			`The undo of 1 change to the managed rules of done.acme.example ends with this session. Earlier versions: ledge managed versions --zone-id ${id} --context prod`,
		];
		return {testStore, lines};
	}

	test('is said with the commands that show earlier versions', async () => {
		const {testStore, lines} = await changeRules();
		expect(describeUndoEnd(testStore.state()).toSorted()).toEqual(lines.toSorted());
	});

	test('is no reason to ask, but named if ledge asks', async () => {
		const {testStore} = await changeRules();
		let quitCount = 0;
		const plain = createTestApp(testStore);
		const app = {...plain, terminal: {...plain.terminal, quit: () => void quitCount++}};
		quit(app);
		expect(quitCount).toBe(1);
		expect(testStore.state().dialog.current).toBeUndefined();
		const {promise: written, resolve: endWrite} = Promise.withResolvers<void>();
		const work = testStore.state().work.run('pausing rule 1', 'write', () => written);
		quit(app);
		expect(quitCount).toBe(1);
		const dialog = testStore.state().dialog.current;
		expect(dialog?.kind === 'confirm' && dialog.lines).toEqual([
			'Still running: pausing rule 1.',
			...describeUndoEnd(testStore.state()),
		]);
		endWrite();
		await work;
	});
});
