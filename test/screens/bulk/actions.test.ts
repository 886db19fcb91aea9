import {execFileSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {buildBulkFacts} from '../../../source/screens/bulk/facts.ts';
import type {BulkState} from '../../../source/screens/bulk/state.ts';
import {formatBulkStatus} from '../../../source/screens/bulk/view.tsx';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {buildHomeEntries} from '../../../source/screens/home/entries.ts';
import {buildJobRows} from '../../../source/screens/jobs/slice.ts';
import {formatKeysStatus} from '../../../source/screens/keys/view.tsx';
import {getScreenPath, listBadges} from '../../../source/screens/path.ts';
import {listHintedActions} from '../../../source/screens/shell/action-lists.ts';
import type {App} from '../../../source/screens/shell/app.ts';
import type {Dialog} from '../../../source/screens/shell/dialog-slice.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {anyJobCodec} from '../../../source/state/job-record.ts';
import {openJob} from '../../../source/state/jobs.ts';
import type {LedgeState, StateWith} from '../../../source/store/ledge-store.ts';
import {eventually} from '../../support/eventually.ts';
import {createEntries, createTestNamespace, createTickingClock} from '../support/bulk.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

/** Opens the key list of the new namespace LOAD, and writes `load.json` with entries for it. */
async function openLoadNamespace(entryCount: number, faults = '') {
	const testStore = createTestStore({simulate: true}, {now: createTickingClock(), faults});
	const app = createTestApp(testStore);
	await testStore.state().connection.loadConnection();
	await createTestNamespace(testStore, 'LOAD');
	await testStore.openNamespace('LOAD');
	testStore.state().navigation.go('namespaces');
	testStore.state().navigation.go('keys');
	writeFileSync(join(testStore.folder, 'load.json'), JSON.stringify(createEntries(entryCount)));
	return {...testStore, app};
}

const press = (app: App, ...names: readonly string[]) => {
	for (const name of names) dispatch(app, {name, text: '', sequence: ''});
};

/** Expects an open dialog of this kind, and returns it. */
function expectDialog<Kind extends Dialog['kind']>(
	state: LedgeState,
	kind: Kind,
): Extract<Dialog, {kind: Kind}> {
	expect(state.dialog.current?.kind).toBe(kind);
	return state.dialog.current as Extract<Dialog, {kind: Kind}>;
}

/** Chooses an entry of the open menu. */
function choose(app: App, value: string): void {
	const dialog = expectDialog(app.state(), 'choice');
	expect(dialog.choices.map(one => one.value)).toContain(value);
	app.state().dialog.close();
	dialog.choose(value);
}

/** Chooses the file with B, the menu and the path, and waits until it is checked. */
async function checkLoadFile({app, until}: Awaited<ReturnType<typeof openLoadNamespace>>): Promise<void> {
	press(app, 'B');
	choose(app, 'bulk-put');
	app.state().dialog.setText('lo');
	press(app, 'tab');
	expect(expectDialog(app.state(), 'entry').value).toBe('load.json');
	press(app, 'enter');
	await until(({bulk: {data: bulk}}) => bulk?.stage.state === 'checked');
}

/** Types the title of the namespace, which a write of many keys asks for. */
function answerWithTitle(app: App): void {
	expect(expectDialog(app.state(), 'field').requiredInput).toBe('LOAD');
	app.state().dialog.setText('LOAD');
	press(app, 'enter');
}

function sendLoadFile(app: App): void {
	press(app, 'y');
	answerWithTitle(app);
}

const isIdle = ({work: {list: work}}: StateWith<'work', 'list'>) =>
	work.every(({kind}) => kind === 'background');

const isDone = ({bulk: {data: bulk}, work: {list: work}}: LedgeState) =>
	bulk?.stage.state === 'done' && work.every(({kind}) => kind !== 'long');

test('the last line of the keys screen lists the most frequent actions first', async () => {
	const {app, state, until, openNamespace} = await openLoadNamespace(0);
	await openNamespace('SESSIONS');
	await until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
	const hints = listHintedActions(app.actions, state()).map(({hint}) => hint);
	expect(hints.slice(0, 8)).toEqual([
		'open',
		'edit',
		'new',
		'delete',
		'filter',
		'select',
		'export',
		'copy to…',
	]);
});

test('B leads from the keys to a file and its check, and esc leads back', async () => {
	const testStore = await openLoadNamespace(3);
	const {app, state, until} = testStore;
	await checkLoadFile(testStore);
	expect(getCurrentScreen(state())).toBe('bulk');
	expect(getScreenPath(state())).toEqual(['ledge', 'LOAD', 'bulk put', 'load.json']);
	expect(listBadges(state())).toEqual(['SIMULATED']);
	expect(listHintedActions(app.actions, state()).map(({id}) => id)).toContain('bulk.send');
	sendLoadFile(app);
	await until(isDone);
	press(app, 'esc');
	expect(getCurrentScreen(state())).toBe('keys');
	expect(state().bulk.data).toBeUndefined();
	press(app, 'ctrl-r');
	await until(({keys: {data: keys}}) => keys?.index.count === 3);
});

test('a path that leads nowhere is reported while it can still be corrected', async () => {
	const {app, state} = await openLoadNamespace(1);
	press(app, 'B');
	choose(app, 'bulk-delete');
	state().dialog.setText('nowhere.json');
	press(app, 'enter');
	expect(expectDialog(state(), 'entry')).toMatchObject({
		value: 'nowhere.json',
		problem: 'No such file.',
	});
});

test.skipIf(process.platform === 'win32')(
	'a pipe is refused, since nobody may ever write to it',
	async () => {
		const {app, state, folder} = await openLoadNamespace(1);
		execFileSync('mkfifo', [join(folder, 'pipe')]);
		press(app, 'B');
		choose(app, 'bulk-put');
		state().dialog.setText('pipe');
		press(app, 'enter');
		expect(expectDialog(state(), 'entry').problem).toMatch(/^Not a regular file\./);
		expect(state().bulk.data).toBeUndefined();
	},
);

test('before the first response, the job is not called resumable; once stopped, it is recorded', async () => {
	const testStore = await openLoadNamespace(3, 'hang method=PUT path=/bulk');
	const {app, state, until, simulator} = testStore;
	const arrivedRequests = vi.spyOn(simulator.faults, 'match');
	await checkLoadFile(testStore);
	sendLoadFile(app);
	await eventually(() => expect(arrivedRequests.mock.calls.map(([method]) => method)).toContain('PUT'));
	expect(formatBulkStatus(state())).toBe('starting; not resumable yet');
	press(app, 'ctrl-x');
	expect(expectDialog(state(), 'confirm').lines.join(' ')).toContain('Progress is not recorded yet');
	press(app, 'y');
	await until(
		({bulk: {data: bulk}, jobs: {data: jobs}}) =>
			bulk?.stage.state === 'stopped' && jobs.recordedJobs.length === 1,
	);
	expect(formatBulkStatus(state())).toBe('progress is recorded');
});

test('a second ctrl-c quits at once without waiting', async () => {
	const testStore = await openLoadNamespace(3, 'hang method=PUT path=/bulk');
	const {state, until} = testStore;
	let quitCount = 0;
	const app = {...testStore.app, terminal: {...testStore.app.terminal, quit: () => void quitCount++}};
	await checkLoadFile({...testStore, app});
	sendLoadFile(app);
	await until(({bulk: {data: bulk}}) => bulk?.stage.state === 'sending');
	press(app, 'q', 'y');
	expect(quitCount).toBe(0);
	press(app, 'ctrl-c');
	expect(quitCount).toBe(1);
	expect(state().dialog.current).toBeUndefined();
	await until(({bulk: {data: bulk}}) => bulk?.stage.state === 'stopped');
});

test('a job that another process no longer holds can be forgotten or resumed without a refresh', async () => {
	const testStore = await openLoadNamespace(30_000, 'status=403 path=/bulk after=1');
	const {app, state, env, until, simulator} = testStore;
	await checkLoadFile(testStore);
	sendLoadFile(app);
	await until(
		({bulk: {data: bulk}, jobs: {data: jobs}}) =>
			bulk?.stage.state === 'stopped' && jobs.recordedJobs.length === 1,
	);
	const [job] = state().jobs.data.recordedJobs;
	if (!job) throw new Error('There is no job.');
	const heldJob = await openJob(env, job.id, anyJobCodec);
	press(app, '7');
	await until(state => buildJobRows(state)[0]?.state === 'running' && isIdle(state));
	press(app, 'd');
	await until(
		({messages: {latest: message}, work: {list: work}}) =>
			message?.kind === 'warned' && isIdle({work: {list: work}}),
	);
	expect(state().messages.latest?.text).toMatch(/^Still running: this ledge is working on it\.$/);
	expect(state().dialog.current).toBeUndefined();
	await heldJob.journal.close();
	press(app, 'd');
	await until(({dialog: {current: dialog}}) => dialog?.kind === 'confirm');
	press(app, 'esc');

	const reopenedJob = await openJob(env, job.id, anyJobCodec);
	press(app, 'ctrl-r');
	await until(state => buildJobRows(state)[0]?.state === 'running' && isIdle(state));
	await reopenedJob.journal.close();
	simulator.faults.clear();
	press(app, 'enter');
	await until(({dialog: {current: dialog}}) => dialog?.kind === 'confirm');
	press(app, 'y');
	await until(isDone);
	expect(state().bulk.data?.stage).toMatchObject({result: {done: 30_000}});
});

test('bad entries: nothing is sent unless the person chooses to send the good ones', async () => {
	const testStore = await openLoadNamespace(1);
	const {app, state, folder, until} = testStore;
	writeFileSync(join(folder, 'load.json'), JSON.stringify([...createEntries(2), {key: ''}]));
	await checkLoadFile(testStore);
	press(app, 'y');
	expect(expectDialog(state(), 'confirm').title).toBe("1 of 3 entries can't be sent");
	press(app, 'esc');
	expect(state().bulk.data?.stage.state).toBe('checked');
	press(app, 'y', 'y');
	answerWithTitle(app);
	await until(isDone);
	expect(state().bulk.data?.stage).toMatchObject({result: {done: 2, skipped: 1}});
	press(app, 'u');
	expect(expectDialog(state(), 'failure').failure.message).toBe(
		"u can't undo the last write: bulk put load.json, LOAD.",
	);
});

test('the keys listed in a file are deleted after y', async () => {
	const testStore = await openLoadNamespace(12);
	const {app, state, folder, until} = testStore;
	await checkLoadFile(testStore);
	sendLoadFile(app);
	await until(isDone);
	press(app, 'esc', 'ctrl-r');
	await until(({keys: {data: keys}}) => keys?.index.count === 12);
	const names = [...createEntries(10).map(({key}) => key), 'never'];
	writeFileSync(join(folder, 'names.json'), JSON.stringify(names));
	press(app, 'B');
	choose(app, 'bulk-delete');
	state().dialog.setText('names.json');
	press(app, 'enter');
	await until(({bulk: {data: bulk}}) => bulk?.stage.state === 'checked');
	press(app, 'y');
	expect(expectDialog(state(), 'confirm').lines).toContain(
		'They stay in the trash for 7 days: u restores them.',
	);
	press(app, 'y');
	await until(isDone);
	expect(state().keys.data?.index.count).toBe(2);
	expect(getCurrentScreen(state())).toBe('bulk');
	const bulk = state().bulk.data;
	expect(bulk && buildBulkFacts(bulk, [], 0).map(({text}) => text)).toEqual(
		expect.arrayContaining([
			'Deleted 10 of 11 keys',
			'1 did not exist',
			expect.stringMatching(/^10 keys kept for 7 days/),
		]),
	);
	await until(({messages: {latest}}) => latest?.text.startsWith('Deleted') === true);
	expect(state().messages.latest?.text).toMatch(
		/^Deleted 10 of 11 keys in namespace LOAD \(1 did not exist\)\./,
	);
	press(app, 'u');
	await until(next => next.bulk.data?.restored === 'all');
	expect(buildBulkFacts(state().bulk.data as BulkState, [], 0).map(({text}) => text)).toContain(
		'10 keys, all of this deletion; the trash no longer has them',
	);
	expect((await state().trash.read()).batches).toEqual([]);
});

test('d then y deletes the selected keys and returns to the list', async () => {
	const testStore = await openLoadNamespace(30);
	const {app, state, until} = testStore;
	await checkLoadFile(testStore);
	sendLoadFile(app);
	await until(isDone);
	press(app, 'esc', 'ctrl-r');
	await until(({keys: {data: keys}}) => keys?.listing.state === 'complete' && keys.index.count === 30);
	const index = state().keys.data?.index;
	index?.selectRange(0, 25, true);
	press(app, 'd');
	const {title, lines} = expectDialog(state(), 'confirm');
	expect(title).toBe('Delete 25 selected keys from LOAD?');
	expect(lines).toContain('load:1');
	expect(lines).toContain('and 17 more');
	expect(lines).toContain('They stay in the trash for 7 days: u restores them.');
	press(app, 'y');
	await until(
		({bulk: {data: bulk}, messages: {latest: message}}) =>
			bulk === undefined && message?.text.startsWith('Deleted') === true,
	);
	expect(state().messages.latest?.text).toBe(
		'Deleted 25 keys in namespace LOAD. u restores them; V opens the trash.',
	);
	expect(getCurrentScreen(state())).toBe('keys');
	expect(index?.count).toBe(5);
	expect(index?.selectedCount).toBe(0);
});

/** Sends the file, and lists its keys as the tree, with the cursor on their group. */
async function showLoadedGroup(testStore: Awaited<ReturnType<typeof openLoadNamespace>>, count: number) {
	const {app, until} = testStore;
	await checkLoadFile(testStore);
	sendLoadFile(app);
	await until(isDone);
	press(app, 'esc', 'ctrl-r');
	await until(({keys: {data: keys}}) => keys?.listing.state === 'complete' && keys.index.count === count);
	await until(({keys: {data: keys}}) => keys?.rows.isDone === true && keys.rows.at(0)?.kind === 'group');
}

test('d on a group counts its keys and asks; esc leaves the count, and y there asks again', async () => {
	const testStore = await openLoadNamespace(30);
	const {app, state, until} = testStore;
	await showLoadedGroup(testStore, 30);
	press(app, 'd');
	await until(({dialog: {current: dialog}}) => dialog?.kind === 'confirm');
	expect(expectDialog(state(), 'confirm').title).toBe('Delete 30 keys from LOAD?');
	press(app, 'esc');
	expect([getCurrentScreen(state()), state().bulk.data?.stage.state]).toEqual(['bulk', 'checked']);
	press(app, 'y', 'y');
	await until(isDone);
	expect(state().bulk.data?.stage).toMatchObject({result: {done: 30}});
});

test('the choice of the trash for many keys is not asked again; deleting for good is', async () => {
	const testStore = await openLoadNamespace(1);
	const {app, state, folder, until} = testStore;
	const names = createEntries(10_001).map(({key}) => key);
	writeFileSync(join(folder, 'names.json'), JSON.stringify(names));
	press(app, 'B');
	choose(app, 'bulk-delete');
	state().dialog.setText('names.json');
	press(app, 'enter');
	await until(({bulk: {data: bulk}}) => bulk?.stage.state === 'checked');
	press(app, 'y');
	choose(app, 'none');
	expect(expectDialog(state(), 'field')).toMatchObject({title: 'Delete 10,001 keys from LOAD?'});
	press(app, 'esc', 'y');
	choose(app, 'trash');
	expect(state().dialog.current).toBeUndefined();
	await until(({bulk: {data: bulk}}) => bulk?.stage.state === 'keeping' || bulk?.stage.state === 'done');
});

test('without a selection, deleting selected keys is unavailable', async () => {
	const {app, state} = await openLoadNamespace(1);
	const action = app.actions.find(({id}) => id === 'keys.delete-selected');
	expect(action?.getUnavailableReason?.(state())).toBe('no keys selected');
});

test('a read-only ledge opens no menu for B', async () => {
	const testStore = createTestStore({simulate: true, readOnly: true});
	const app = createTestApp(testStore);
	await testStore.state().connection.loadConnection();
	await testStore.openNamespace('CONFIG');
	testStore.state().navigation.go('keys');
	press(app, 'B');
	expect(testStore.state().dialog.current).toBeUndefined();
	expect(testStore.state().messages.latest?.text).toBe('ledge is read-only.');
});

test('a plan that was left is shown again as one for its own namespace, and esc drops it', async () => {
	const testStore = await openLoadNamespace(3);
	const {app, state, openNamespace} = testStore;
	await checkLoadFile(testStore);
	press(app, '1');
	await openNamespace('CONFIG');
	state().navigation.go('keys');
	press(app, 'B');
	expect(getScreenPath(state())).toEqual(['ledge', 'LOAD', 'bulk put', 'load.json']);
	expect(state().messages.latest?.text).toBe('An earlier plan for LOAD, not sent yet: esc drops it.');
	expect(listHintedActions(app.actions, state()).map(({keys: [key], hint}) => `${key} ${hint}`)).toContain(
		'esc drop',
	);
	press(app, 'esc');
	expect(state().bulk.data).toBeUndefined();
	expect(getScreenPath(state())).toEqual(['ledge', 'CONFIG']);
	press(app, 'B');
	expect(expectDialog(state(), 'choice').title).toBe('Bulk changes to CONFIG, from a file');
});

test('a running job can be paused, left, reopened from the jobs, cancelled after a question, and resumed', async () => {
	const testStore = await openLoadNamespace(30_000, 'hang method=PUT path=/bulk after=1');
	const {app, state, until, simulator} = testStore;
	await checkLoadFile(testStore);
	sendLoadFile(app);
	await until(
		({bulk: {data: bulk}}) => bulk?.stage.state === 'sending' && bulk.stage.progress.done === 10_000,
	);
	press(app, 'p');
	expect(state().bulk.data?.stage).toMatchObject({progress: {paused: true}});
	expect(listHintedActions(app.actions, state()).find(({keys}) => keys[0] === 'p')?.id).toBe('bulk.resume');
	press(app, 'p');
	expect(state().bulk.data?.stage).toMatchObject({progress: {paused: false}});

	press(app, 'esc');
	expect(getCurrentScreen(state())).toBe('keys');
	press(app, 'B');
	expect(getCurrentScreen(state())).toBe('bulk');
	expect(state().messages.latest?.text).toBe('Only one bulk run at a time: this one is not finished yet.');
	press(app, '7');
	expect(buildHomeEntries(state()).find(({value}) => value === 'jobs')?.label).toMatch(
		/running, 33%: bulk put load/,
	);
	press(app, 'p');
	expect(buildJobRows(state())[0]).toMatchObject({isPaused: true, about: 'paused'});
	expect(listHintedActions(app.actions, state()).find(({keys}) => keys[0] === 'p')?.id).toBe('jobs.unpause');
	press(app, 'p');
	expect(state().bulk.data?.stage).toMatchObject({progress: {paused: false}});
	press(app, 'enter');
	expect(getCurrentScreen(state())).toBe('bulk');

	press(app, 'q');
	expect(expectDialog(state(), 'confirm').lines[0]).toBe('Still running: bulk put load.json, LOAD.');
	press(app, 'esc', 'ctrl-x');
	expect(expectDialog(state(), 'confirm').title).toBe('Cancel this run?');
	press(app, 'y');
	await until(
		({bulk: {data: bulk}, work: {list: work}, jobs: {data: jobs}}) =>
			bulk?.stage.state === 'stopped' && work.length <= 1 && jobs.recordedJobs.length === 1,
	);
	expect(buildHomeEntries(state()).find(({value}) => value === 'jobs')?.label).toMatch(
		/1 unfinished: bulk put load\.json, Acme/,
	);

	simulator.faults.clear();
	press(app, 'enter');
	await until(({dialog: {current: dialog}}) => dialog?.kind === 'confirm');
	press(app, 'y');
	await until(isDone);
	expect(state().bulk.data?.stage).toMatchObject({result: {done: 30_000}});
});

test('a job is forgotten only after a question', async () => {
	const testStore = await openLoadNamespace(30_000, 'status=403 path=/bulk after=1');
	const {app, state, until} = testStore;
	await checkLoadFile(testStore);
	sendLoadFile(app);
	await until(
		({bulk: {data: bulk}, jobs: {data: jobs}}) =>
			bulk?.stage.state === 'stopped' && jobs.recordedJobs.length === 1,
	);
	press(app, '7');
	await until(({work: {list: work}}) => work.every(({kind}) => kind === 'background'));
	press(app, 'd');
	expect(expectDialog(state(), 'confirm').lines).toContain(
		'Changes made so far are kept, but the job can no longer be resumed.',
	);
	press(app, 'y');
	await until(({jobs: {data: jobs}}) => jobs.recordedJobs.length === 0);
	await until(({work: {list: work}}) => work.every(({kind}) => kind === 'background'));
	press(app, 'd');
	expect(state().messages.latest?.text).toBe("Can't forget: no job selected.");
});

test('the hint for enter says delete for a deletion, not send', async () => {
	const {app, state, until, folder} = await openLoadNamespace(3);
	const hints = () => listHintedActions(app.actions, state()).map(({hint}) => hint);
	press(app, 'B');
	choose(app, 'bulk-put');
	const fileDialog = expectDialog(state(), 'entry');
	state().dialog.close();
	fileDialog.submit(join(folder, 'load.json'));
	await until(({bulk: {data: bulk}}) => bulk?.stage.state === 'checked');
	expect(hints()).toContain('send');
	state().bulk.leave();
	writeFileSync(join(folder, 'names.json'), '["a"]');
	state().navigation.go('keys');
	state().dialog.close();
	press(app, 'B');
	choose(app, 'bulk-delete');
	const namesDialog = expectDialog(state(), 'entry');
	state().dialog.close();
	namesDialog.submit(join(folder, 'names.json'));
	await until(({bulk: {data: bulk}}) => bulk?.kind === 'bulk-delete' && bulk.stage.state === 'checked');
	expect(hints()).toContain('delete');
	expect(hints()).not.toContain('send');
});

test('the status of a key says what the bytes refer to, and uses the singular for one key', async () => {
	const testStore = await openLoadNamespace(1);
	const {app, state, until} = testStore;
	await checkLoadFile(testStore);
	sendLoadFile(app);
	await until(isDone);
	press(app, 'esc', 'ctrl-r');
	await until(({keys: {data: keys}}) => keys?.listing.state === 'complete' && keys.index.count === 1);
	expect(formatKeysStatus(state())).toBe('load:1  name 6 bytes  1 key');
});

test('the hint of undo is left out while a run is checked, and back in the list of keys', async () => {
	const testStore = await openLoadNamespace(3);
	const {app, state, openNamespace, until} = testStore;
	await openNamespace('CONFIG');
	await until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
	const target = state().keys.data?.opened.target;
	if (!target) throw new Error('No namespace is open.');
	const before = {bytes: Buffer.from('on'), metadata: null};
	state().review.rememberWrites('CONFIG', [{target, key: 'features', before, after: undefined}]);
	const listHints = () => listHintedActions(app.actions, state()).map(({id}) => id);
	expect(listHints()).toContain('edit.undo');
	await checkLoadFile(testStore);
	expect(listHints()).not.toContain('edit.undo');
	press(app, 'esc');
	expect(listHints()).toContain('edit.undo');
});
