import {isBulkKind} from '../../kv/bulk/prepared.ts';
import type {RecordState} from '../../kv/job/recorder.ts';
import type {ListedJob} from '../../state/jobs.ts';
import type {Has} from '../../store/ledge-store.ts';
import {textOf} from '../../text/buffer/buffer.ts';
import {steeringActions, stoppedJob} from '../jobs/steering.ts';
import {chooseSelected} from '../keys/choose.ts';
import {keyRowHere} from '../keys/here.ts';
import {actionsOf, copying, readOnly} from '../shell/action.ts';
import type {Action} from '../shell/app.ts';
import {askForFile, deleteBelow, deleteSelected, goOnWith, send, showsOther} from './start.ts';
import {refusedCount} from './state.ts';

const action = actionsOf('Bulk', ['bulk']);
const ofKeys = actionsOf('Keys', ['keys']);

/** Comes before the actions on keys: the selection takes precedence over the key under the cursor. */
export const selectionActions: readonly Action[] = [
	ofKeys('keys.delete-selected', ['d'], 'delete the selected keys', {
		elsewhere: 'never',
		hint: 'delete selected',
		words: ['remove', 'delete selected', 'delete many keys', 'delete marked'],
		destroys: true,
		unavailable: state =>
			state.keys.data && state.keys.data.index.selectedCount > 0 ? readOnly(state) : 'no key is selected',
		run: app => chooseSelected(app, 'Delete', () => deleteSelected(app)),
	}),
];

/** Comes after the actions on keys and before the deletion of a single key. */
export const groupActions: readonly Action[] = [
	ofKeys('keys.delete-below', ['d'], 'delete all keys of the group, once they were counted', {
		hint: 'delete group',
		words: [
			'remove',
			'delete by prefix',
			'delete prefix',
			'delete group',
			'delete keys below',
			'delete folder',
		],
		destroys: true,
		unavailable: state =>
			state.keys.data && keyRowHere(state.keys.data)?.kind === 'group'
				? readOnly(state)
				: 'the cursor is not on a group',
		run: deleteBelow,
	}),
];

const isPaused = ({bulk: {data: bulk}}: Has<'bulk'>): boolean | undefined =>
	bulk?.stage.state === 'sending' ? bulk.stage.progress.paused : undefined;

const stopped = (
	state: Has<'bulk' | 'jobs' | 'migration' | 'transfer'> & Has<'navigation', 'screens'>,
): ListedJob | undefined => stoppedJob(state, state.bulk.data?.stage);

/** Returns why nothing can be sent. */
function nothingToSend({bulk: {data: bulk}}: Has<'bulk'>): string | undefined {
	if (bulk?.stage.state !== 'checked') return 'nothing waits to be sent';
	return bulk.stage.check.valid === 0 ? 'there is nothing that could be sent' : undefined;
}

const failedFile = ({bulk: {data: bulk}}: Has<'bulk'>): string | undefined =>
	bulk?.stage.state === 'done' ? bulk.stage.result.failedFile : undefined;

/** What cancelling leaves, by whether the run is recorded. */
const afterCancel: Readonly<Record<RecordState, readonly string[]>> = {
	made: ['What is done stays done, and is recorded.', 'The rest can be resumed later, from the jobs (J).'],
	coming: [
		'What is done stays done.',
		'It is not recorded yet: ledge records it when it stops, and then shows how to do the rest.',
	],
	none: ['What is done stays done. It is not recorded: the rest has to be begun again.'],
};

export const bulkActions: readonly Action[] = [
	ofKeys('keys.bulk', ['B'], 'write, import or delete many keys, from a file', {
		elsewhere: 'at once',
		hint: 'bulk',
		words: [
			'upload',
			'load',
			'bulk put',
			'bulk delete',
			'bulk upload',
			'import file',
			'upload keys',
			'restore an export',
			'restore backup',
			'bulk',
			'mass upload',
			'csv',
			'delete keys of a file',
		],
		unavailable: readOnly,
		run(app) {
			const keys = app.state().keys.data;
			const {open} = app.state().dialog;
			if (!keys || showsOther(app)) return;
			const {namespace} = keys;
			open({
				kind: 'choice',
				title: `Many keys of ${namespace.title}, from a file`,
				lines: [],
				choices: [
					{value: 'bulk-put', label: 'Write the entries of a file'},
					{value: 'import', label: 'Import an export: what has expired since is left out'},
					{value: 'bulk-delete', label: 'Delete the keys that a file names'},
				],
				choose: value => isBulkKind(value) && askForFile(app, value, namespace),
			});
		},
	}),
	action('bulk.send', ['enter'], 'send what was checked', {
		hint: 'send',
		destroys: true,
		isHere: ({bulk: {data: bulk}}) => bulk?.kind !== 'bulk-delete',
		unavailable: nothingToSend,
		run: send,
	}),
	action('bulk.delete', ['enter'], 'delete the keys that were checked, once their number was typed', {
		hint: 'delete',
		isHere: ({bulk: {data: bulk}}) => bulk?.kind === 'bulk-delete',
		unavailable: nothingToSend,
		run: send,
	}),
	action('bulk.go-on', ['enter'], 'resume a run that has stopped', {
		hint: 'resume',
		words: ['resume', 'continue', 'retry'],
		unavailable: state => (stopped(state) ? readOnly(state) : 'no job to resume'),
		run(app) {
			const job = stopped(app.state());
			if (job) void goOnWith(app, job);
		},
	}),
	action('bulk.cancel-keeping', ['c'], 'cancel; nothing is deleted', {
		hint: 'cancel',
		isHere: ({bulk: {data: bulk}}) => bulk?.stage.state === 'keeping',
		run: ({state}) => state().bulk.cancel(),
	}),
	...steeringActions({
		id: 'bulk',
		action,
		isPaused,
		idle: 'nothing is being sent',
		steer: (state, paused) => state.bulk.pause(paused),
		left: ({bulk: {data: bulk}}) =>
			bulk?.stage.state === 'sending' ? afterCancel[bulk.stage.progress.record] : [],
		cancel: state => state.bulk.cancel(),
	}),
	action('bulk.refused', ['v'], 'show what was refused, or close that', {
		words: ['errors', 'failed keys', 'rejected'],
		hint: 'refused',
		unavailable: ({bulk: {data: bulk}}) =>
			bulk && refusedCount(bulk.stage) > 0 ? undefined : 'nothing was refused',
		run: app => app.state().bulk.showRefused(),
	}),
	action('bulk.copy', ['y'], 'copy the path of the file with what the service refused', {
		...copying(failedFile, 'there is no such file'),
	}),
	action('dialog.complete', ['tab'], 'complete the path', {
		hint: 'complete',
		group: 'Dialogs',
		where: ['field', 'entry'],
		isHere: ({dialog: {current: dialog}}) =>
			(dialog?.kind === 'field' || dialog?.kind === 'entry') && dialog.complete !== undefined,
		run(app) {
			const {current: dialog, enter, open} = app.state().dialog;
			if (dialog?.kind === 'field' && dialog.complete) enter(dialog.complete(textOf(dialog.buffer)));
			if (dialog?.kind !== 'entry' || !dialog.complete) return;
			const {value, completions = 0} = dialog;
			open({...dialog, value: dialog.complete(value), completions: completions + 1, problem: undefined});
		},
	}),
];
