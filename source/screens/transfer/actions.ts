import type {ListedJob} from '../../state/jobs.ts';
import type {Has} from '../../store/ledge-store.ts';
import {steeringActions, stoppedJob} from '../jobs/steering.ts';
import {chooseKeys} from '../keys/choose.ts';
import {type ChosenKeys, chosenText} from '../keys/chosen.ts';
import {longTimeLines, measuredKeys} from '../keys/long-time.ts';
import {actionsOf, copying, readOnly} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {chooseStore} from './choose-store.ts';
import {titleBeside} from './other-store.ts';
import {isTransferring} from './state.ts';

const action = actionsOf('Export, copy and rename', ['transfer']);
const ofKeys = actionsOf('Keys', ['keys']);

/** Shows the transfer under way. Returns false if none is. */
export function showsOtherTransfer({state}: App): boolean {
	if (!isTransferring(state().transfer.data)) return false;
	state().navigation.go('transfer');
	state().messages.warn('One export, copy or rename at a time: this one is not over yet.');
	return true;
}

/** Runs a transfer on its screen; it continues when the screen is left. */
export function beginTransfer(
	{state}: App,
	label: string,
	work: (signal: AbortSignal) => Promise<void>,
): void {
	const done = state().work.run(label, 'long', work);
	if (isTransferring(state().transfer.data)) state().navigation.go('transfer');
	void done;
}

/** Returns why a job cannot be resumed in read-only mode; an export writes only a file. */
export const refusedReadOnly = (state: Has<'connection'>, job: ListedJob): string | undefined =>
	'record' in job && job.record.header.kind === 'export' ? undefined : readOnly(state);

export function goOnTransferring(app: App, job: ListedJob): void {
	if (showsOtherTransfer(app)) return;
	const label = 'record' in job ? job.record.header.title : `job ${job.id}`;
	beginTransfer(app, label, signal => app.state().transfer.resume(job, signal));
}

function askForFile(app: App, chosen: ChosenKeys): void {
	const keys = app.state().keys.data;
	const {openField} = app.state().dialog;
	const {inputPath, newPathProblem, freeName, completedInputPath} = app.state().paths;
	if (!keys) return;
	const {namespace} = keys;
	const what = chosenText(chosen, namespace.title);
	openField({
		title: `Export ${what}`,
		lines: [
			'The file to write, a key a line; compressed where its name ends in .gz.',
			...longTimeLines(keys, chosen, {reads: 'both'}, measuredKeys(app.state())),
		],
		value: freeName(namespace.title.replaceAll(/[^\w.-]+/g, '_'), '.ndjson'),
		does: 'export',
		complete: completedInputPath,
		check: newPathProblem,
		submit(typed) {
			const path = inputPath(typed);
			beginTransfer(app, `exporting ${what}`, signal =>
				app.state().transfer.exportTo(namespace, chosen, path, signal),
			);
		},
	});
}

/** Estimates how long a copy takes, before the other store is chosen. */
function linesBefore({state}: App, chosen: ChosenKeys): readonly string[] {
	const keys = state().keys.data;
	return keys ? longTimeLines(keys, chosen, {reads: 'both'}, measuredKeys(state())) : [];
}

function copyInto(app: App, chosen: ChosenKeys, into: string): void {
	const keys = app.state().keys.data;
	const namespaces = app.state().namespaces.data;
	const {open} = app.state().dialog;
	if (!keys) return;
	const {namespace} = keys;
	const what = chosenText(chosen, namespace.title);
	const title = titleBeside(namespace, into, namespaces);
	open({
		kind: 'choice',
		title: `Copy ${what} into ${title}`,
		lines: ['Keys that are only there stay.'],
		choices: [
			{value: 'missing', label: 'Only the keys that are missing there'},
			{value: 'all', label: 'All of them, over those of the same name'},
		],
		choose: value =>
			beginTransfer(app, `copying ${what} into ${title}`, signal =>
				app.state().transfer.copyTo(namespace, chosen, {into, onlyMissing: value === 'missing'}, signal),
			),
	});
}

const isPaused = ({transfer: {data: transfer}}: Has<'transfer'>): boolean | undefined =>
	transfer?.stage.state === 'running' ? transfer.stage.progress.paused : undefined;

const stopped = (
	state: Has<'transfer' | 'jobs' | 'migration' | 'bulk'> & Has<'navigation', 'screens'>,
): ListedJob | undefined => stoppedJob(state, state.transfer.data?.stage);

/** Returns the path of a finished export. */
const writtenFile = ({transfer: {data: transfer}}: Has<'transfer'>): string | undefined =>
	transfer?.kind === 'export' && transfer.stage.state === 'done' ? transfer.to : undefined;

export const keysTransferActions: readonly Action[] = [
	ofKeys('keys.export', ['x'], 'export keys into a file: the selected ones, those below a prefix, or all', {
		elsewhere: 'at once',
		hint: 'export',
		words: [
			'download',
			'save',
			'dump',
			'backup',
			'backup namespace',
			'download keys',
			'export namespace',
			'export to file',
			'ndjson',
		],
		run(app) {
			if (!showsOtherTransfer(app)) chooseKeys(app, 'Export', chosen => askForFile(app, chosen));
		},
	}),
	ofKeys('keys.copy-to', ['c'], 'copy to another store', {
		elsewhere: 'at once',
		hint: 'copy to…',
		words: [
			'transfer',
			'copy to another namespace',
			'sync namespaces',
			'copy keys',
			'migrate keys',
			'copy namespace',
			'replicate',
		],
		unavailable: readOnly,
		run(app) {
			if (showsOtherTransfer(app)) return;
			chooseKeys(app, 'Copy', keys =>
				chooseStore(app, keys, {
					does: 'Copy',
					into: true,
					lines: linesBefore(app, keys),
					chosen: name => copyInto(app, keys, name),
				}),
			);
		},
	}),
];

export const transferActions: readonly Action[] = [
	action('transfer.go-on', ['enter'], 'resume what has stopped', {
		hint: 'resume',
		words: ['resume', 'continue', 'retry'],
		unavailable(state) {
			const job = stopped(state);
			return job ? refusedReadOnly(state, job) : 'no job to resume';
		},
		run(app) {
			const job = stopped(app.state());
			if (job) goOnTransferring(app, job);
		},
	}),
	action('transfer.copy-path', ['y'], 'copy the path of the file that was written', {
		hint: 'copy path',
		...copying(writtenFile, 'no file was written'),
	}),
	...steeringActions({
		id: 'transfer',
		action,
		isPaused,
		idle: 'nothing runs',
		steer: (state, paused) => state.transfer.pause(paused),
		left: () => ['What is done stays done.', 'The rest can be resumed later, from the jobs (J).'],
		cancel: state => state.transfer.cancel(),
	}),
];
