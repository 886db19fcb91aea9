import {expect, test} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import type {Key} from '../../../source/keyboard/key.ts';
import {createSplitter} from '../../../source/keyboard/splitter.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {describeUnavailable} from '../../../source/screens/shell/action.ts';
import type {Action, App} from '../../../source/screens/shell/app.ts';
import {dialogActions} from '../../../source/screens/shell/dialog-actions.ts';
import {globalActions} from '../../../source/screens/shell/global-actions.ts';
import {createTestApp} from '../support/drawn.tsx';
import {openShopFirewall} from '../support/firewall.ts';
import {createTestStore} from '../support/store.ts';

/** An app with these actions. Records the ids of actions that ran, and the keys that were forwarded. */
function createAppWith(...actions: readonly Partial<Action>[]) {
	const {store, state} = createTestStore();
	const runIds: string[] = [];
	const forwarded: string[] = [];
	const completeActions = actions.map(
		(action): Action => ({
			id: 'one',
			keys: ['x'],
			title: 'does it',
			group: 'Everywhere',
			where: 'everywhere',
			run: () => void runIds.push(action.id ?? 'one'),
			...action,
		}),
	);
	const terminal = {forward: ({name, text}: Key) => void forwarded.push(text || name)};
	return {
		app: {store, state, actions: completeActions, terminal} as unknown as App,
		done: runIds,
		forwarded,
		state,
	};
}

const splitKeys = (bytes: string): readonly Key[] => {
	const splitter = createSplitter();
	return [...splitter.push(Buffer.from(bytes)), ...splitter.flush()];
};
const press = (app: App, bytes: string) => {
	for (const key of splitKeys(bytes)) dispatch(app, key);
};

test('a burst triggers each key once', () => {
	const {app, done} = createAppWith({});
	press(app, 'xxx');
	expect(done).toEqual(['one', 'one', 'one']);
});

test('of two actions with one key, the first available one runs', () => {
	const {app, done, state} = createAppWith(
		{id: 'first', getUnavailableReason: () => 'not now'},
		{id: 'second'},
	);
	press(app, 'x');
	expect(done).toEqual(['second']);
	expect(state().messages.latest).toBeUndefined();
});

test('a key of the screen never triggers its global action, even if it is unavailable', () => {
	const {app, done, state} = createAppWith(
		{id: 'everywhere'},
		{id: 'of the screen', where: ['home'], getUnavailableReason: () => 'not now'},
	);
	press(app, 'x');
	expect(done).toEqual([]);
	expect(state().messages.latest?.text).toContain('not now');
});

test('an unavailable action says why', () => {
	const {app, done, state} = createAppWith({title: 'delete', getUnavailableReason: () => 'no rule selected'});
	press(app, 'x');
	expect(done).toEqual([]);
	expect(state().messages.latest).toMatchObject({kind: 'warned', text: "Can't delete: no rule selected."});
});

test.each([
	[{title: 'edit the key (all of it); again to stop', hint: 'edit'}, "Can't edit: not now."],
	[{title: 'copy to another store', hint: 'copy to…'}, "Can't copy to another store: not now."],
	[{title: 'open the trash: restore keys'}, "Can't open the trash: not now."],
	[{title: 'resume after a pause', hint: 'go on'}, "Can't resume after a pause: not now."],
	[{title: 'statistics: keys by prefix', hint: 'statistics'}, 'Not now.'],
	[{title: 'one row down'}, 'Not now.'],
])('an unavailable action is named by its verb: %o', (action, text) => {
	expect(describeUnavailable(action, 'not now')).toBe(text);
});

test('an action of another step does not run', () => {
	const {app, done} = createAppWith({
		id: 'first',
		isActive: () => false,
		getUnavailableReason: () => 'not now',
	});
	press(app, 'x');
	expect(done).toEqual([]);
});

test('esc and a letter in one burst both count if alt is not bound', () => {
	const {app, done} = createAppWith({id: 'back', keys: ['esc']}, {});
	press(app, '\u001bx');
	expect(done).toEqual(['back', 'one']);
});

test('esc and a letter are one key if alt is bound', () => {
	const {app, done} = createAppWith({id: 'alt', keys: ['alt-x']}, {id: 'back', keys: ['esc']});
	press(app, '\u001bx');
	expect(done).toEqual(['alt']);
});

test('letters are text while a filter is typed, and a paste becomes one line without control characters', () => {
	const {app, done, forwarded, state} = createAppWith({});
	state().navigation.go('namespaces');
	state().dialog.beginFilter();
	press(app, 'x\u001b[200~a\nb c\u001b[201~\u007f');
	expect(done).toEqual([]);
	expect(forwarded).toEqual([]);
	expect(state().namespaces.data.filter).toBe('xa b ');
});

test('a screen without a field ignores unbound keys', () => {
	const {app, done, forwarded} = createAppWith({});
	press(app, 'zzz\u001b[25~');
	expect(done).toEqual([]);
	expect(forwarded).toEqual([]);
});

test('esc and enter in one burst both count and leave a field; alt with a letter does not affect it', () => {
	const {app, done, state} = createAppWith(
		{id: 'close', keys: ['esc'], where: ['field'], run: () => state().dialog.close()},
		{id: 'open', keys: ['enter']},
	);
	state().dialog.openField({title: 'title', lines: [], value: '', actionLabel: 'continue', submit() {}});
	press(app, '\u001bx');
	expect(state().dialog.current?.kind).toBe('field');
	press(app, '\u001b\r');
	expect(state().dialog.current).toBeUndefined();
	expect(done).toEqual(['open']);
});

test('below the minimum size, only quitting works', () => {
	const {app, done, state} = createAppWith({}, {id: 'leave', keys: ['ctrl-c'], where: ['too small']});
	state().navigation.resize({columns: 39, rows: 24});
	press(app, 'x\u0003');
	expect(done).toEqual(['leave']);
	state().navigation.resize({columns: 80, rows: 24});
	press(app, 'x');
	expect(done).toEqual(['leave', 'one']);
});

test('esc and a letter in one burst both count in a search line', () => {
	const {app, done, state} = createAppWith(
		{id: 'close', keys: ['esc'], where: ['palette'], run: () => state().dialog.close()},
		{},
	);
	state().dialog.open({kind: 'palette', query: '', cursor: 0});
	press(app, '\u001bx');
	expect(state().dialog.current).toBeUndefined();
	expect(done).toEqual(['one']);
});

test('a character, space or enter that does nothing is reported, but not in place of a warning or failure', () => {
	const {app, state} = createAppWith(
		{where: ['home'], title: 'turn it on', isActive: () => false},
		{keys: ['?'], hint: 'help'},
		{keys: ['o'], where: ['home'], hint: 'open'},
	);
	const getText = () => state().messages.latest?.text;
	press(app, 'z');
	expect(state().messages.latest).toMatchObject({
		kind: 'said',
		text: 'z does nothing here; ? shows the keys',
	});
	press(app, ' ');
	expect(getText()).toBe('space does nothing here; ? shows the keys');
	press(app, '\r');
	expect(getText()).toBe('enter does nothing here; ? shows the keys');
	press(app, 'x');
	expect(getText()).toBe('x does nothing now. Keys here: o open');
	press(app, '\u001b[200~two words\u001b[201~\u001b[99~');
	expect(getText()).toBe('x does nothing now. Keys here: o open');
	state().messages.warn('Beware.');
	press(app, 'z');
	expect(getText()).toBe('Beware.');
	state().messages.fail(new Failure('usage', 'No.'));
	press(app, 'z');
	expect(getText()).toBe('No.');
});

test.each([
	'shift-down',
	'ctrl-space',
	'ctrl-d',
	'ctrl-u',
	'tab',
	'backspace',
	'delete',
	'f5',
	'insert',
	'left',
])('%s is reported where it does nothing', name => {
	const {app, state} = createAppWith({keys: ['?'], hint: 'help'});
	dispatch(app, {name, text: '', sequence: ''});
	expect(state().messages.latest?.text).toBe(`${name} does nothing here; ? shows the keys`);
});

test('a key of another program names the action that is meant', async () => {
	const testStore = createTestStore();
	const {state} = testStore;
	const app = createTestApp(testStore);
	const pressNamed = (name: string) => {
		dispatch(app, {name, text: '', sequence: ''});
		return state().messages.latest?.text;
	};
	await state().connection.loadConnection();
	expect(pressNamed('v')).toBe('v does nothing here; ? shows the keys');
	await state().namespaces.load('remote', testStore.signal);
	state().navigation.go('namespaces');
	expect(pressNamed('r')).toBe('r does nothing here. ctrl-r: refresh');
	expect(pressNamed('n')).toMatch(/^n does nothing here\. a: create /);
	expect(pressNamed('ctrl-d')).toMatch(/^ctrl-d does nothing here\. d: delete .*, pagedown: one page down$/);
	await openShopFirewall(testStore);
	state().navigation.go('firewall');
	expect(pressNamed('V')).toBe(
		'V does nothing here. ctrl-space: select from the row selected last to the cursor',
	);
	expect(pressNamed('x')).toBe('x does nothing here. d: delete the selected rules or the rule');
	expect(pressNamed('n')).toBe('n does nothing here. a: create a rule with its own filter');
});

test('a key of another program names the key that the user has set, and no action that is unavailable', () => {
	const {app, state} = createAppWith(
		{keys: ['D'], defaultKeys: ['d'], title: 'delete the key'},
		{id: 'two', keys: [], defaultKeys: ['ctrl-r'], title: 'refresh'},
		{id: 'three', keys: ['a'], title: 'create a key', getUnavailableReason: () => 'ledge is read-only'},
	);
	press(app, 'x');
	expect(state().messages.latest?.text).toBe('x does nothing here. D: delete the key');
	press(app, 'r');
	expect(state().messages.latest?.text).toBe('r does nothing here');
	press(app, 'n');
	expect(state().messages.latest?.text).toBe('n does nothing here');
});

test('what a terminal sends by itself is not reported', () => {
	const {app, state} = createAppWith({});
	press(
		app,
		'\u001b[I\u001b[O\u001b[<64;3;3M\u001b[<0;3;3M\u001b[B\u001b[A\u001b[200~x\u001b[201~\u001b[99~',
	);
	expect(state().messages.latest).toBeUndefined();
});

test('a key that does nothing is reported in place of why the previous key was unavailable', () => {
	const {app, state} = createAppWith({getUnavailableReason: () => 'no reason'});
	press(app, 'x');
	expect(state().messages.latest).toMatchObject({kind: 'warned', text: "Can't does it: no reason."});
	press(app, 'z');
	expect(state().messages.latest).toMatchObject({kind: 'said', text: 'z does nothing here'});
});

test('a key that does nothing in a question or review names the key that answers it', () => {
	const {app, state, done} = createAppWith(
		{id: 'yes', keys: ['y'], where: ['confirm'], effect: 'prepares a write'},
		{id: 'send', keys: ['y'], where: ['home'], title: 'send the request', effect: 'writes'},
	);
	press(app, 'z');
	expect(state().messages.latest?.text).toBe('Press y to send the request, or esc.');
	state().dialog.open({
		kind: 'confirm',
		title: 'Delete?',
		lines: [],
		actionLabel: 'delete the key',
		confirm() {},
	});
	press(app, '\r');
	expect(state().messages.latest?.text).toBe('Press y to delete the key, or esc.');
	expect(done).toEqual([]);
});

test('a key that does nothing in a question with choices names the keys that answer it', () => {
	const {app, state} = createAppWith(...dialogActions);
	state().dialog.open({kind: 'choice', title: 'Which?', lines: [], choices: [], choose() {}});
	press(app, '?');
	expect(state().messages.latest?.text).toBe('? does nothing here. Keys here: esc back, enter choose');
});

test('a key that does nothing in a review does not name the answer while that is not offered', () => {
	const {app, state} = createAppWith({
		id: 'send',
		keys: ['y'],
		where: ['home'],
		title: 'send the request',
		hint: 'send',
		getHintPlace: () => 'none',
		effect: 'writes',
	});
	press(app, 'z');
	expect(state().messages.latest?.text).toBe('z does nothing here');
});

test('a key typed ahead of what a read or write opens is not reported', async () => {
	const {app, state} = createAppWith({});
	const {promise, resolve} = Promise.withResolvers<void>();
	const reading = state().work.run('read the key', 'read', () => promise);
	press(app, 'z');
	expect(state().messages.latest).toBeUndefined();
	resolve();
	await reading;
	press(app, 'z');
	expect(state().messages.latest?.text).toBe('z does nothing here');
});

test('i shows the last warning in full, also after another key, and says when there is none', () => {
	const {app, state} = createAppWith({getUnavailableReason: () => 'a long reason'}, ...globalActions);
	press(app, 'i');
	expect(state().dialog.current).toBeUndefined();
	expect(state().messages.latest).toMatchObject({kind: 'said', text: 'No errors.'});
	press(app, 'x');
	state().messages.clear();
	press(app, 'i');
	expect(state().dialog.current).toMatchObject({
		kind: 'failure',
		failure: {message: 'Last warning', details: {why: "Can't does it: a long reason."}},
	});
	state().dialog.close();
	state().messages.forgetWarning();
	press(app, 'i');
	expect(state().messages.latest).toMatchObject({kind: 'said', text: 'No errors.'});
});

test('i explains a wait for the quota, which is no error', () => {
	const {app, state} = createAppWith({}, ...globalActions);
	state().work.holdQuota(180_000);
	press(app, 'i');
	expect(state().dialog.current).toMatchObject({
		kind: 'failure',
		failure: {
			message: expect.stringMatching(/^Waiting for the quota of the service until \d\d:\d\d UTC$/),
			next: expect.stringContaining('continues by itself'),
			details: {why: expect.stringContaining('1,200 calls in 5 minutes')},
		},
	});
});

test('a warning is forgotten when its screen is left', () => {
	const {app, state} = createAppWith({getUnavailableReason: () => 'a long reason'}, ...globalActions);
	press(app, 'x');
	state().navigation.go('jobs');
	state().navigation.go('home');
	state().messages.clear();
	press(app, 'i');
	expect(state().messages.latest).toMatchObject({kind: 'said', text: 'No errors.'});
});
