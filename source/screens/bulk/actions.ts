import {nameKey} from '../../keyboard/named-keys.ts';
import {isBulkKind} from '../../kv/bulk/prepared.ts';
import type {RecordState} from '../../kv/job/recorder.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {getBufferText} from '../../text/buffer/buffer.ts';
import {formatNameList} from '../../text/closest-name.ts';
import {createSteeringActions} from '../jobs/steering.ts';
import {getCurrentKeyRow} from '../keys/cursor-row.ts';
import {promptForSelectedKeys} from '../keys/prompt-for-keys.ts';
import {hasSelectedKeys, putFirstIfSelected} from '../keys/shown-keys.ts';
import {createActionFactory, getReadOnlyReason, withClipboardCopy} from '../shell/action.ts';
import type {Action} from '../shell/app.ts';
import {goBack} from '../shell/global-actions.ts';
import {askForBulkFile, deleteKeysInGroup, deleteSelectedKeys, sendBulk, showRunningBulk} from './start.ts';
import {countRefused} from './state.ts';

const defineBulkAction = createActionFactory('Bulk', ['bulk']);
const defineKeysAction = createActionFactory('Keys', ['keys']);

/**
 * These come before the actions on keys, because the selection takes precedence over the key at the cursor.
 */
export const selectionActions: readonly Action[] = [
	defineKeysAction('keys.delete-selected', ['d'], 'delete the selected keys', {
		effect: 'writes',
		paletteMode: 'never',
		hint: 'delete selected',
		getHintPlace: putFirstIfSelected,
		searchTerms: ['delete all selected', 'remove', 'delete selected', 'delete many keys', 'delete marked'],
		isDestructive: true,
		getUnavailableReason: state => (hasSelectedKeys(state) ? getReadOnlyReason(state) : 'no keys selected'),
		run: app => promptForSelectedKeys(app, 'Delete', () => deleteSelectedKeys(app)),
	}),
];

/** These come after the actions on keys and before the deletion of a single key. */
export const groupActions: readonly Action[] = [
	defineKeysAction('keys.delete-below', ['d'], 'delete all keys in the group, after counting them', {
		effect: 'prepares a write',
		hint: 'delete group',
		searchTerms: [
			'delete everything under a prefix',
			'delete prefix',
			'remove',
			'delete by prefix',
			'delete prefix',
			'delete group',
			'delete keys under',
			'delete folder',
		],
		isDestructive: true,
		getUnavailableReason: state =>
			state.keys.data && getCurrentKeyRow(state.keys.data)?.kind === 'group'
				? getReadOnlyReason(state)
				: 'the cursor is not on a group',
		run: app => void deleteKeysInGroup(app),
	}),
];

/** Returns why nothing can be sent. */
function getNothingToSendReason({bulk: {data: bulk}}: StateWith<'bulk'>): string | undefined {
	if (bulk?.stage.state !== 'checked') return 'nothing is ready to send';
	return bulk.stage.check.validCount === 0 ? 'no valid entries to send' : undefined;
}

const getFailedFilePath = ({bulk: {data: bulk}}: StateWith<'bulk'>): string | undefined =>
	bulk?.stage.state === 'done' ? bulk.stage.result.failedFile : undefined;

/** Sentences on the effects of cancelling, by whether the run is recorded. */
const listCancelEffects = (record: RecordState): readonly string[] =>
	({
		made: [
			'Changes made so far are kept, and progress is recorded.',
			`Resume the rest later from Jobs (${nameKey('go.jobs', '7')}).`,
		],
		coming: [
			'Changes made so far are kept.',
			'Progress is not recorded yet: ledge records it when it stops, then shows how to resume the rest.',
		],
		none: ['Changes made so far are kept, but progress is not recorded: the rest has to be started over.'],
	})[record];

export const bulkActions: readonly Action[] = [
	defineKeysAction('keys.bulk', ['B'], 'bulk write, import or delete: using a file', {
		effect: 'prepares a write',
		paletteMode: 'at once',
		hint: 'bulk',
		searchTerms: [
			'upload',
			'load',
			'bulk put',
			'bulk delete',
			'bulk upload',
			'import file',
			'upload keys',
			'upload many keys',
			'restore an export',
			'restore backup',
			'bulk',
			'mass upload',
			'csv',
			'delete keys of a file',
		],
		getUnavailableReason: getReadOnlyReason,
		run(app) {
			const keys = app.state().keys.data;
			const {open} = app.state().dialog;
			if (!keys || showRunningBulk(app)) return;
			const {namespace} = keys;
			open({
				kind: 'choice',
				title: `Bulk changes to ${namespace.title}, from a file`,
				lines: [],
				choices: [
					{value: 'bulk-put', label: 'Write keys from a file…'},
					{value: 'import', label: 'Import an export, skipping keys that have expired since…'},
					{value: 'bulk-delete', label: 'Delete the keys listed in a file…'},
				],
				choose: value => isBulkKind(value) && askForBulkFile(app, value, namespace),
			});
		},
	}),
	defineBulkAction('bulk.send', ['y'], 'send the checked entries', {
		effect: 'writes',
		hint: 'send',
		isDestructive: true,
		isActive: ({bulk: {data: bulk}}) => bulk?.kind !== 'bulk-delete',
		getUnavailableReason: getNothingToSendReason,
		run: sendBulk,
	}),
	defineBulkAction('bulk.delete', ['y'], 'delete the checked keys', {
		effect: 'writes',
		hint: 'delete',
		isActive: ({bulk: {data: bulk}}) => bulk?.kind === 'bulk-delete',
		getUnavailableReason: getNothingToSendReason,
		run: sendBulk,
	}),
	defineBulkAction('bulk.drop', ['esc'], 'drop the plan; nothing is sent', {
		paletteMode: 'never',
		hint: 'drop',
		isActive: ({bulk: {data: bulk}}) => bulk?.stage.state === 'checked' && !bulk.refusedList,
		run: goBack,
	}),
	defineBulkAction('bulk.cancel-keeping', ['ctrl-x'], 'cancel; nothing is deleted', {
		hint: 'cancel',
		isActive: ({bulk: {data: bulk}}) => bulk?.stage.state === 'keeping',
		run: ({state}) => state().bulk.cancel(),
	}),
	...createSteeringActions({
		id: 'bulk',
		defineAction: defineBulkAction,
		idleReason: 'nothing is being sent',
		listCancelEffects: ({bulk: {data: bulk}}) =>
			bulk?.stage.state === 'sending' ? listCancelEffects(bulk.stage.progress.record) : [],
	}),
	defineBulkAction('bulk.facts', ['v'], 'hide the rejected entries', {
		hint: 'hide rejected',
		isActive: ({bulk: {data: bulk}}) => bulk?.refusedList !== undefined,
		run: app => app.state().bulk.toggleRefused(),
	}),
	defineBulkAction('bulk.refused', ['v'], 'show the rejected entries', {
		searchTerms: ['errors', 'failed keys', 'rejected'],
		hint: 'show rejected',
		isActive: ({bulk: {data: bulk}}) => bulk?.refusedList === undefined,
		getUnavailableReason: ({bulk: {data: bulk}}) =>
			bulk && countRefused(bulk.stage) > 0 ? undefined : 'no entries were rejected',
		run: app => app.state().bulk.toggleRefused(),
	}),
	defineBulkAction('bulk.copy', ['y'], 'copy the path of the file with the rejected entries', {
		...withClipboardCopy(getFailedFilePath, 'no file of rejected entries'),
	}),
	defineBulkAction('dialog.complete', ['tab'], 'complete the path or field', {
		hint: 'complete',
		group: 'Dialogs',
		where: ['field', 'entry'],
		isActive: ({dialog: {current: dialog}}) =>
			(dialog?.kind === 'field' || dialog?.kind === 'entry') && dialog.complete !== undefined,
		run(app) {
			const {
				dialog: {current: dialog, setText, open},
				messages,
			} = app.state();
			if (dialog?.kind !== 'field' && dialog?.kind !== 'entry') return;
			const completion = dialog.complete?.(
				dialog.kind === 'field' ? getBufferText(dialog.buffer) : dialog.value,
			);
			if (!completion) return;
			const {text, matches} = completion;
			if (dialog.kind === 'field') setText(text);
			else
				open({
					...dialog,
					value: text,
					completionCount: (dialog.completionCount ?? 0) + 1,
					problem: undefined,
				});
			if (matches.length === 0) messages.say('Nothing begins with this.');
			if (matches.length > 1) messages.say(`${matches.length} matches: ${formatNameList(matches)}.`);
		},
	}),
];
