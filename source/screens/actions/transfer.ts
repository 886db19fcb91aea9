import type {ListedJob} from '../../config/jobs.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {isTransferring} from '../../store/transfer-state.ts';
import type {Action, App} from '../action.ts';
import {chooseStore} from './other-store.ts';

const here = ['transfer'] as const;
const inKeys = ['keys'] as const;

/** Goes to the transfer that there is already. Gives whether there is one. */
function showsOther({state}: App): boolean {
	if (!isTransferring(state().transfer)) return false;
	state().go('transfer');
	state().warn('One export or copy at a time: this one is not over yet.');
	return true;
}

/** Does it on the screen of its own; it goes on when that is left. */
function begin({state}: App, label: string, work: (signal: AbortSignal) => Promise<void>): void {
	const done = state().run(label, 'long', work);
	if (isTransferring(state().transfer)) state().go('transfer');
	void done;
}

/** Goes on with an export or copy that was interrupted. */
export function goOnTransferring(app: App, job: ListedJob): void {
	if (showsOther(app)) return;
	begin(app, `going on with the job ${job.id}`, signal => app.state().resumeTransferJob(job, signal));
}

function askForFile(app: App): void {
	const {keys, open, inputPath, completedInputPath} = app.state();
	if (!keys || showsOther(app)) return;
	const {namespace} = keys;
	open({
		kind: 'entry',
		title: `Export ${namespace.title}`,
		lines: ['The file to write, a key a line; compressed where its name ends in .gz.'],
		value: `${namespace.title.replaceAll(/[^\w.-]+/g, '_')}.ndjson`,
		does: 'export',
		complete: completedInputPath,
		check: typed => (typed.trim() === '' ? 'Name a file.' : undefined),
		submit(typed) {
			const path = inputPath(typed);
			begin(app, `exporting ${namespace.title}`, signal =>
				app.state().exportTo(namespace, path, undefined, signal),
			);
		},
	});
}

function copyInto(app: App, name: string): void {
	const {keys, open} = app.state();
	if (!keys) return;
	const {namespace} = keys;
	open({
		kind: 'choice',
		title: `Copy ${namespace.title} into ${name}`,
		lines: ['Keys that are only there stay.'],
		choices: [
			{value: 'missing', label: 'Only the keys that are missing there'},
			{value: 'all', label: 'All keys; what is there of the same name is written over'},
		],
		choose: value =>
			begin(app, `copying ${namespace.title} into ${name}`, signal =>
				app.state().copyTo(namespace, name, {prefix: undefined, onlyMissing: value === 'missing'}, signal),
			),
	});
}

const isPaused = ({transfer}: LedgeState): boolean | undefined =>
	transfer?.stage.state === 'running' ? transfer.stage.progress.paused : undefined;

export const transferActions: readonly Action[] = [
	{
		id: 'keys.export',
		keys: ['x'],
		title: 'export the namespace into a file',
		hint: 'export',
		group: 'Keys',
		where: inKeys,
		run: askForFile,
	},
	{
		id: 'keys.copy-to',
		keys: ['c'],
		title: 'copy the namespace into another store',
		hint: 'copy to…',
		group: 'Keys',
		where: inKeys,
		unavailable: ({connection}) => (connection?.readOnly ? 'ledge is read-only' : undefined),
		run(app) {
			if (!showsOther(app)) chooseStore(app, {does: 'Copy', into: true, chosen: copyInto});
		},
	},
	{
		id: 'transfer.pause',
		keys: ['p'],
		title: 'pause',
		hint: 'pause',
		group: 'Export and copy',
		where: here,
		unavailable: state => (isPaused(state) === false ? undefined : 'nothing runs'),
		run: ({state}) => state().pauseTransfer(),
	},
	{
		id: 'transfer.resume',
		keys: ['p'],
		title: 'go on after a pause',
		hint: 'go on',
		group: 'Export and copy',
		where: here,
		unavailable: state => (isPaused(state) ? undefined : 'it is not paused'),
		run: ({state}) => state().resumeTransfer(),
	},
	{
		id: 'transfer.cancel',
		keys: ['c'],
		title: 'cancel; what is done stays done',
		hint: 'cancel',
		group: 'Export and copy',
		where: here,
		unavailable: state => (isPaused(state) === undefined ? 'nothing runs' : undefined),
		run({state}) {
			state().open({
				kind: 'confirm',
				title: 'Cancel this run?',
				lines: ['What is done stays done.', 'The rest can be gone on with later, from the jobs (J).'],
				does: 'cancel it',
				confirm: () => state().cancelTransfer(),
			});
		},
	},
];
