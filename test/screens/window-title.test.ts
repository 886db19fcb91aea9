import {expect, test} from 'vitest';
import type {App} from '../../source/screens/shell/app.ts';
import {createWindowTitle} from '../../source/screens/window-title.ts';
import {createTestStore} from './support/store.ts';

test('the title follows the path of the screen, each once', async () => {
	const {state, store, openNamespace} = createTestStore();
	const sent: string[] = [];
	const follow = createWindowTitle(sequence => sent.push(sequence));
	follow({state, store} as unknown as App);
	expect(sent).toEqual(['\u001b]2;ledge\u0007']);
	await openNamespace('CONFIG');
	state().navigation.go('keys');
	state().keys.move(1);
	expect(sent.slice(1)).toEqual(['\u001b]2;ledge › CONFIG\u0007']);
	follow();
	expect(sent.slice(2)).toEqual(['\u001b]2;ledge › CONFIG\u0007']);
});

test('the name of a key cannot end the title or send anything else', async () => {
	const {state, store, openNamespace, signal} = createTestStore();
	await openNamespace('CONFIG');
	const name = 'a\u0007\u001b]52;c;x\u001b\\\u009c\u202eb\n';
	await state().keys.data?.opened.store.put(name, Buffer.from('x'), {}, signal);
	state().navigation.go('keys');
	await state().key.open(name, signal);
	state().navigation.go('key');
	const sent: string[] = [];
	createWindowTitle(sequence => sent.push(sequence))({state, store} as unknown as App);
	expect(sent).toHaveLength(1);
	expect(sent[0]?.slice(4, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
});

test('a session that was left no longer sets it', () => {
	const one = createTestStore();
	const other = createTestStore();
	const sent: string[] = [];
	const follow = createWindowTitle(sequence => sent.push(sequence));
	follow({state: one.state, store: one.store} as unknown as App);
	follow({state: other.state, store: other.store} as unknown as App);
	one.state().navigation.go('jobs');
	expect(sent).toHaveLength(2);
});
