import {nameKey} from '../../keyboard/named-keys.ts';
import type {ListedJob} from '../../state/jobs.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {shortenKeyName} from '../../text/short-name.ts';
import {askToResumeJob, createSteeringActions} from '../jobs/steering.ts';
import {type ChosenKeys, formatChosenKeys} from '../keys/chosen-keys.ts';
import {countChosenKeys, listFirstChosenNames} from '../keys/chosen-names.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import {listOriginNames} from '../keys/origin.ts';
import {promptForKeys} from '../keys/prompt-for-keys.ts';
import {putFirstIfSelected} from '../keys/shown-keys.ts';
import {buildLongWorkLines, getMeasuredKeyCount} from '../keys/work-time.ts';
import {createActionFactory, getReadOnlyReason, withClipboardCopy} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {askToConfirm, labelAsking} from '../shell/confirmation.ts';
import {askForStore} from './choose-store.ts';
import {describeLocalStore, formatOtherStoreTitle} from './other-store.ts';
import type {CopyChoice} from './slice.ts';
import {isTransferring} from './state.ts';

const defineTransferAction = createActionFactory('Export, copy and rename', ['transfer']);
const defineKeysAction = createActionFactory('Keys', ['keys']);

/** Shows the transfer under way. Returns false if none is. */
export function showRunningTransfer({state}: App): boolean {
	if (!isTransferring(state().transfer.data)) return false;
	state().navigation.go('transfer');
	state().messages.warn('Only one export, copy or rename at a time: this one is not finished yet.');
	return true;
}

/** Runs a transfer on its screen; it continues when the screen is left. */
export function beginTransfer(
	{state}: App,
	label: string,
	work: (signal: AbortSignal) => Promise<void>,
): void {
	const completion = state().work.run(label, 'long', work);
	if (isTransferring(state().transfer.data)) state().navigation.go('transfer');
	void completion;
}

/** Returns why a job cannot be resumed in read-only mode; an export writes only a file. */
export const getResumeBlockedReason = (state: StateWith<'connection'>, job: ListedJob): string | undefined =>
	'record' in job && job.record.header.kind === 'export' ? undefined : getReadOnlyReason(state);

export function resumeTransferJob(app: App, job: ListedJob): void {
	if (showRunningTransfer(app)) return;
	const label = 'record' in job ? job.record.header.title : `job ${job.id}`;
	askToResumeJob(app.state(), job, () =>
		beginTransfer(app, label, signal => app.state().transfer.resume(job, signal)),
	);
}

function askForExportFile(app: App, chosenKeys: ChosenKeys): void {
	const keys = app.state().keys.data;
	const {openField} = app.state().dialog;
	const {resolveInputPath, formatInputPath, checkNewPath, findFreeName, completeInputPath} =
		app.state().paths;
	if (!keys) return;
	const {namespace} = keys;
	const description = formatChosenKeys(chosenKeys, namespace.title);
	openField({
		title: `Export ${description}`,
		lines: [
			'The output file: NDJSON, one key per line; compressed if its name ends in .gz.',
			...buildLongWorkLines(keys, chosenKeys, {content: 'both'}, getMeasuredKeyCount(app.state())),
		],
		value: findFreeName(namespace.title.replaceAll(/[^\w.-]+/g, '_'), '.ndjson'),
		actionLabel: 'export',
		describe: path => `writes ${formatInputPath(path)}`,
		complete: completeInputPath,
		check: checkNewPath,
		submit(typedPath) {
			const path = resolveInputPath(typedPath);
			beginTransfer(app, `exporting ${description}`, signal =>
				app.state().transfer.exportTo(namespace, chosenKeys, path, signal),
			);
		},
	});
}

/** Estimates how long a copy takes, before the other store is chosen. The keys cannot be changed there. */
function buildCopyTimeLines({state}: App, chosenKeys: ChosenKeys): readonly string[] {
	const keys = state().keys.data;
	if (!keys) return [];
	return buildLongWorkLines(keys, chosenKeys, {content: 'both'}, getMeasuredKeyCount(state())).slice(0, 1);
}

/** Copies keys; selected ones are no longer selected once all of them are copied. */
async function copyAndDeselect(
	{state}: App,
	namespace: NamespaceRow,
	chosenKeys: ChosenKeys,
	copyChoice: CopyChoice,
	signal: AbortSignal,
): Promise<void> {
	await state().transfer.copyTo(namespace, chosenKeys, copyChoice, signal);
	const stage = state().transfer.data?.stage;
	if (chosenKeys.kind !== 'selected' || stage?.state !== 'done' || stage.result.refused > 0) return;
	const keys = state().keys.data;
	if (keys?.namespace.name !== namespace.name) return;
	const copiedNames = new Set(listOriginNames(chosenKeys.names));
	state().keys.selectOnly(keys.index.listSelectedNames().filter(name => !copiedNames.has(name)));
}

/** Maximum keys that the question before a copy names. */
const maxNamesShown = 4;

function askForCopyMode(
	app: App,
	chosenKeys: ChosenKeys,
	storeName: string,
	warning: string | undefined,
): void {
	const keys = app.state().keys.data;
	const namespaces = app.state().namespaces.data;
	const {open} = app.state().dialog;
	if (!keys) return;
	const {namespace} = keys;
	const localStore = describeLocalStore(storeName, namespaces, app.state().paths.formatInputPath);
	const description = formatChosenKeys(chosenKeys, namespace.title);
	const title = formatOtherStoreTitle(namespace, storeName, namespaces);
	const copy = (onlyMissing: boolean) =>
		beginTransfer(app, `copying ${description} into ${title}`, signal =>
			copyAndDeselect(app, namespace, chosenKeys, {storeName, onlyMissing}, signal),
		);
	const warningLines = warning === undefined ? [] : [warning];
	const count = countChosenKeys(keys, chosenKeys);
	const keysText = count.isTotal ? formatQuantity(count.count, 'key') : description;
	const firstNames = listFirstChosenNames(keys, chosenKeys, maxNamesShown);
	const hiddenCount = count.count - firstNames.length;
	const missingQuestion = {
		title: `Copy ${keysText} to ${title}?`,
		lines: [
			...warningLines,
			...firstNames.map(name => shortenKeyName(name)),
			...(hiddenCount > 0
				? [`and ${formatInteger(hiddenCount)} more${count.isTotal ? '' : ' listed so far'}`]
				: []),
			`From ${namespace.title} to ${title}. Keys that exist there are not changed.`,
		],
		actionLabel: count.isTotal ? `copy ${keysText}` : 'copy',
	};
	const question = {
		title: `Overwrite keys in ${title}?`,
		lines: [
			...warningLines,
			`Copies ${description}. Existing keys with these names are overwritten. That cannot be undone.`,
		],
		actionLabel: 'copy',
	};
	open({
		kind: 'choice',
		title: `Copy ${description} into ${title}`,
		lines: [
			...warningLines,
			...(localStore === undefined ? [] : [localStore]),
			'Keys that exist only there are kept.',
		],
		choices: [
			{value: 'missing', label: labelAsking('Copy only keys that are missing there')},
			{value: 'all', label: labelAsking('Copy, and overwrite keys that exist there')},
		],
		choose: value =>
			value === 'missing'
				? askToConfirm(app.state(), missingQuestion, undefined, () => copy(true))
				: askToConfirm(app.state(), question, title, () => copy(false)),
	});
}

/** Returns the path of a finished export. */
const getExportPath = ({transfer: {data: transfer}}: StateWith<'transfer'>): string | undefined =>
	transfer?.kind === 'export' && transfer.stage.state === 'done' ? transfer.to : undefined;

export const keysTransferActions: readonly Action[] = [
	defineKeysAction('keys.export', ['x'], 'export keys to a file: selected, below a prefix, or all', {
		paletteMode: 'at once',
		hint: 'export',
		getHintPlace: putFirstIfSelected,
		searchTerms: [
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
			if (!showRunningTransfer(app))
				promptForKeys(app, 'Export', chosenKeys => askForExportFile(app, chosenKeys));
		},
	}),
	defineKeysAction('keys.copy-to', ['c'], 'copy to another store: the key, the selected keys, or all', {
		effect: 'writes',
		paletteMode: 'at once',
		hint: 'copy to…',
		getHintPlace: putFirstIfSelected,
		searchTerms: [
			'clone to',
			'cp prod',
			'transfer',
			'copy to another namespace',
			'sync namespaces',
			'copy keys',
			'migrate keys',
			'copy namespace',
			'replicate',
		],
		getUnavailableReason: getReadOnlyReason,
		run(app) {
			if (showRunningTransfer(app)) return;
			promptForKeys(
				app,
				'Copy',
				keys =>
					askForStore(app, keys, {
						verb: 'Copy',
						writesStore: true,
						lines: buildCopyTimeLines(app, keys),
						onChosen: (name, warning) => askForCopyMode(app, keys, name, warning),
					}),
				{startsAtCursor: true},
			);
		},
	}),
];

export const transferActions: readonly Action[] = [
	defineTransferAction('transfer.copy-path', ['y'], 'copy the path of the exported file', {
		hint: 'copy path',
		...withClipboardCopy(getExportPath, 'no file was written'),
	}),
	defineTransferAction('transfer.cancel-opening', ['ctrl-x'], 'cancel; nothing is written', {
		hint: 'cancel',
		isActive: ({transfer: {data: transfer}}) => transfer?.stage.state === 'opening',
		run: ({state}) => state().transfer.cancel(),
	}),
	...createSteeringActions({
		id: 'transfer',
		defineAction: defineTransferAction,
		idleReason: 'nothing is running',
		listCancelEffects: ({transfer: {data: transfer}}) => [
			'Changes made so far are kept.',
			transfer?.stage.state === 'running' && transfer.stage.progress.isRecorded
				? `Resume the rest later from Jobs (${nameKey('go.jobs', '7')}).`
				: `It is only starting: once it is recorded, the rest can be resumed from Jobs (${nameKey('go.jobs', '7')}).`,
		],
	}),
];
