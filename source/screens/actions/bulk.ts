import type {ListedJob} from '../../config/jobs.ts';
import type {BulkKind} from '../../kv/bulk/prepared.ts';
import {type BulkOrigin, namesOrigin, selectedKeys} from '../../store/bulk-origin.ts';
import {bulkLabel, isUnderWay, refusedCount} from '../../store/bulk-state.ts';
import {unfinishedJobs} from '../../store/jobs-slice.ts';
import type {KeysState} from '../../store/keys-slice.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {NamespaceRow} from '../../store/namespace-rows.ts';
import {screenOf} from '../../store/navigation-slice.ts';
import {drawable} from '../../text/columns.ts';
import {cutMiddle} from '../../text/cut.ts';
import {grouped} from '../../text/figures.ts';
import type {Action, App} from '../action.ts';

const here = ['bulk'] as const;
const inKeys = ['keys'] as const;

const readOnly = ({connection}: LedgeState): string | undefined =>
	connection?.readOnly ? 'ledge is read-only' : undefined;

/** Goes to the run that there is already. Gives whether there is one. */
function showsOther({state}: App): boolean {
	if (!isUnderWay(state().bulk)) return false;
	state().go('bulk');
	state().warn('One bulk run at a time: this one is not over yet.');
	return true;
}

/** Goes to the Bulk screen, where the input is checked. Gives whether it came to the end of it. */
async function check(app: App, kind: BulkKind, row: NamespaceRow, origin: BulkOrigin): Promise<boolean> {
	const {state} = app;
	const what = origin.kind === 'file' ? origin.path : selectedKeys(origin.count);
	const checked = state().run(`checking ${what}`, 'read', signal =>
		state().checkBulk(kind, row, origin, signal),
	);
	if (isUnderWay(state().bulk)) state().go('bulk');
	return checked;
}

/** Sends what was checked. The run is the store's: it goes on when the screen is left. */
async function start({state}: App): Promise<void> {
	await state().run(bulkLabel(state().bulk), 'long', signal => state().startBulk(signal));
}

/** Goes on with a job that was interrupted, on the Bulk screen. */
export async function goOnWith(app: App, job: ListedJob): Promise<void> {
	const {state} = app;
	const taken = state().run(`taking up the job ${job.id}`, 'read', signal => state().takeUpJob(job, signal));
	if (isUnderWay(state().bulk)) state().go('bulk');
	if (await taken) await start(app);
}

function askForFile(app: App, kind: BulkKind, row: NamespaceRow): void {
	const {state} = app;
	const {inputPath, inputPathProblem, completedInputPath} = state();
	const [does, what] =
		kind === 'bulk-put' ? ['Write', 'entries with key and value'] : ['Delete', 'names of keys'];
	state().open({
		kind: 'entry',
		title: `${does} many keys in ${row.title}`,
		lines: [`The file: a JSON array or NDJSON of ${what}.`, 'It is checked whole before anything is sent.'],
		value: '',
		does: 'check it',
		complete: completedInputPath,
		check: inputPathProblem,
		async submit(typed) {
			const checked = await check(app, kind, row, {kind: 'file', path: inputPath(typed)});
			if (checked && screenOf(state()) !== 'bulk')
				state().say(`${bulkLabel(state().bulk)}: it is checked. J shows it.`);
		},
	});
}

/** Before anything is sent: what cannot be sent is left out only when the person says so (decision 13). */
function send(app: App): void {
	const {bulk, open} = app.state();
	if (bulk?.stage.state !== 'checked') return;
	const {valid, problemCount} = bulk.stage.check;
	const go = () => {
		if (bulk.kind === 'bulk-delete') confirmDelete(app, valid);
		else void start(app);
	};
	if (problemCount === 0) {
		go();
		return;
	}
	open({
		kind: 'choice',
		title: `${grouped(problemCount)} of the ${grouped(valid + problemCount)} entries cannot be used.`,
		lines: [],
		choices: [
			{value: 'good', label: `Send the ${grouped(valid)} good ones`},
			{value: 'nothing', label: 'Send nothing'},
		],
		choose(value) {
			if (value === 'good') {
				go();
				return;
			}
			app.state().leaveBulk();
			app.state().back();
		},
	});
}

const noWayBack = 'This cannot be undone: u does not bring them back.';

function confirmDelete(app: App, count: number): void {
	const {bulk, openField} = app.state();
	if (!bulk) return;
	openField({
		title: `Delete ${count} keys from ${bulk.namespace.title}?`,
		lines: [`All that ${bulk.from} names.`, noWayBack],
		value: '',
		typed: `${count}`,
		does: 'delete',
		submit: () => void start(app),
	});
}

/** Deletes what is selected, as a bulk run like any other: with a journal, and a way to pause it. */
function deleteSelected(app: App): void {
	const {keys, viewport, openField} = app.state();
	if (!keys || showsOther(app)) return;
	const count = keys.index.selectedCount;
	const shown = firstSelected(keys, Math.max(1, Math.min(8, viewport.rows - 14)));
	openField({
		title: `Delete ${selectedKeys(count)} from ${keys.namespace.title}?`,
		lines: [
			...shown.map(name => cutMiddle(drawable(name), viewport.columns - 6)),
			...(count > shown.length ? [`and ${count - shown.length} more`] : []),
			noWayBack,
		],
		value: '',
		typed: `${count}`,
		does: 'delete',
		async submit() {
			const {state} = app;
			const origin = namesOrigin(keys.index.selectedNames());
			if (origin.count !== count)
				return state().warn('Nothing was deleted: the selection has changed meanwhile.');
			if (!(await check(app, 'bulk-delete', keys.namespace, origin))) return;
			await start(app);
			const {bulk} = state();
			if (screenOf(state()) !== 'bulk' || bulk?.stage.state !== 'done' || bulk.stage.result.refused > 0)
				return;
			state().leaveBulk();
			state().back();
		},
	});
}

function firstSelected({index}: KeysState, most: number): string[] {
	const names: string[] = [];
	for (const name of index.selectedNames()) {
		if (names.length === most) break;
		names.push(name);
	}
	return names;
}

/** Stands before the actions of the keys: what is selected goes before the key under the cursor. */
export const selectionActions: readonly Action[] = [
	{
		id: 'keys.delete-selected',
		keys: ['d'],
		title: 'delete the selected keys',
		hint: 'delete selected',
		group: 'Keys',
		where: inKeys,
		unavailable: state =>
			state.keys && state.keys.index.selectedCount > 0 ? readOnly(state) : 'no key is selected',
		run: deleteSelected,
	},
];

const isPaused = ({bulk}: LedgeState): boolean | undefined =>
	bulk?.stage.state === 'sending' ? bulk.stage.progress.paused : undefined;

const notSending = 'nothing is being sent';

/** The job of a run that has stopped, if it is recorded. */
const stoppedJob = (state: LedgeState): ListedJob | undefined => {
	const stage = state.bulk?.stage;
	return stage?.state === 'stopped' ? unfinishedJobs(state).find(({id}) => id === stage.id)?.job : undefined;
};

const failedFile = ({bulk}: LedgeState): string | undefined =>
	bulk?.stage.state === 'done' ? bulk.stage.result.failedFile : undefined;

export const bulkActions: readonly Action[] = [
	{
		id: 'keys.bulk',
		keys: ['B'],
		title: 'write or delete many keys, from a file',
		hint: 'bulk',
		group: 'Keys',
		where: inKeys,
		unavailable: readOnly,
		run(app) {
			const {keys, open} = app.state();
			if (!keys || showsOther(app)) return;
			const {namespace} = keys;
			open({
				kind: 'choice',
				title: `Many keys of ${namespace.title}, from a file`,
				lines: [],
				choices: [
					{value: 'bulk-put', label: 'Write the entries of a file'},
					{value: 'bulk-delete', label: 'Delete the keys that a file names'},
				],
				choose: value => askForFile(app, value === 'bulk-put' ? 'bulk-put' : 'bulk-delete', namespace),
			});
		},
	},
	{
		id: 'bulk.send',
		keys: ['enter'],
		title: 'send what was checked',
		hint: 'send',
		group: 'Bulk',
		where: here,
		unavailable({bulk}) {
			if (bulk?.stage.state !== 'checked') return 'nothing waits to be sent';
			return bulk.stage.check.valid === 0 ? 'there is nothing that could be sent' : undefined;
		},
		run: send,
	},
	{
		id: 'bulk.go-on',
		keys: ['enter'],
		title: 'go on with a run that has stopped',
		hint: 'go on',
		group: 'Bulk',
		where: here,
		unavailable: state => (stoppedJob(state) ? readOnly(state) : 'there is no job to go on with'),
		run(app) {
			const job = stoppedJob(app.state());
			if (job) void goOnWith(app, job);
		},
	},
	{
		id: 'bulk.pause',
		keys: ['p'],
		title: 'pause',
		hint: 'pause',
		group: 'Bulk',
		where: here,
		unavailable: state => (isPaused(state) === false ? undefined : notSending),
		run: app => app.state().pauseBulk(),
	},
	{
		id: 'bulk.resume',
		keys: ['p'],
		title: 'go on after a pause',
		hint: 'go on',
		group: 'Bulk',
		where: here,
		unavailable: state => (isPaused(state) ? undefined : 'it is not paused'),
		run: app => app.state().resumeBulk(),
	},
	{
		id: 'bulk.cancel',
		keys: ['c'],
		title: 'cancel; what is done stays done',
		hint: 'cancel',
		group: 'Bulk',
		where: here,
		unavailable: ({bulk}) => (bulk?.stage.state === 'sending' ? undefined : notSending),
		run: app =>
			app.state().open({
				kind: 'confirm',
				title: 'Cancel this run?',
				lines: [
					'What is done stays done, and is recorded.',
					'The rest can be gone on with later, from the jobs (J).',
				],
				does: 'cancel it',
				confirm: app.state().cancelBulk,
			}),
	},
	{
		id: 'bulk.refused',
		keys: ['v'],
		title: 'show what was refused, or close that',
		hint: 'refused',
		group: 'Bulk',
		where: here,
		unavailable: ({bulk}) => (bulk && refusedCount(bulk.stage) > 0 ? undefined : 'nothing was refused'),
		run: app => app.state().showRefused(),
	},
	{
		id: 'bulk.copy',
		keys: ['y'],
		title: 'copy the path of the file with what the service refused',
		group: 'Bulk',
		where: here,
		unavailable: state => (failedFile(state) === undefined ? 'there is no such file' : undefined),
		run(app) {
			const path = failedFile(app.state());
			if (path !== undefined) app.state().say(app.terminal.copy(path));
		},
	},
	{
		id: 'dialog.complete',
		keys: ['tab'],
		title: 'complete the path',
		hint: 'complete',
		group: 'Dialogs',
		where: ['entry'],
		unavailable: ({dialog}) =>
			dialog?.kind === 'entry' && dialog.complete ? undefined : 'there is nothing to complete here',
		run(app) {
			const {dialog, open} = app.state();
			if (dialog?.kind !== 'entry' || !dialog.complete) return;
			const {value, completions = 0} = dialog;
			open({...dialog, value: dialog.complete(value), completions: completions + 1, problem: undefined});
		},
	},
];
