import {nameKey} from '../../keyboard/named-keys.ts';
import type {BulkKind} from '../../kv/bulk/prepared.ts';
import {skipTrashQuestions} from '../../kv/trash/failures.ts';
import {trashLimits} from '../../kv/trash/limits.ts';
import {formatTrashCost} from '../../session/trash.ts';
import type {JobTarget} from '../../state/job-record.ts';
import {isLocalPlace} from '../../state/job-record.ts';
import type {ListedJob} from '../../state/jobs.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutMiddle} from '../../text/cut.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {askToResumeJob} from '../jobs/steering.ts';
import {getShownGroupPrefix} from '../keys/cursor-row.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import {getConfirmationText} from '../keys/namespace-rows.ts';
import {
	type BulkOrigin,
	createNamesOrigin,
	formatBulkOriginName,
	formatSelectedKeyCount,
} from '../keys/origin.ts';
import {countHiddenSelected} from '../keys/shown-keys.ts';
import type {KeysState} from '../keys/state.ts';
import type {App} from '../shell/app.ts';
import {askToConfirm, labelAsking} from '../shell/confirmation.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import {describeRecovery} from './facts.ts';
import {formatBulkLabel, isBulkUnderWay} from './state.ts';

/** Shows the run under way, or the checked plan that was not sent. Returns false if there is none. */
export function showRunningBulk({state}: App): boolean {
	const bulk = state().bulk.data;
	if (!isBulkUnderWay(bulk)) return false;
	state().navigation.go('bulk');
	state().messages.warn(
		bulk.stage.state === 'checked'
			? `An earlier plan for ${bulk.namespace.title}, not sent yet: esc drops it.`
			: 'Only one bulk run at a time: this one is not finished yet.',
	);
	return true;
}

/** Checks the input on the Bulk screen. Returns true if the check completed. */
async function checkBulkInput(
	app: App,
	kind: BulkKind,
	row: NamespaceRow,
	origin: BulkOrigin,
): Promise<boolean> {
	const {state} = app;
	const inputName = origin.kind === 'file' ? origin.path : formatBulkOriginName(origin);
	const checkCompletion = state().work.run(`checking ${inputName}`, 'read', signal =>
		state().bulk.check(kind, row, origin, signal),
	);
	if (isBulkUnderWay(state().bulk.data)) state().navigation.go('bulk');
	return checkCompletion;
}

/**
 * Sends the checked input. `usesTrash`: the user's choice; undefined if the number of keys decides. The run
 * continues when the screen is left.
 */
async function startCheckedBulk(app: App, usesTrash?: boolean): Promise<void> {
	const {state} = app;
	await state().work.run(formatBulkLabel(state().bulk.data), 'long', signal =>
		state().bulk.start(signal, usesTrash),
	);
	const bulk = state().bulk.data;
	if (bulk?.stage.state !== 'checked' || !bulk.stage.trashFailure) return;
	const {check, trashFailure} = bulk.stage;
	const {message, details} = trashFailure;
	const question = {
		title: skipTrashQuestions.deleted,
		lines: [message, ...(details.why ? [details.why] : []), describeRecovery('none')],
		actionLabel: `delete ${formatQuantity(check.keyCount, 'key')}`,
	};
	askToConfirm(
		state(),
		question,
		getBulkConfirmationText(bulk.namespace),
		() => void startCheckedBulk(app, false),
	);
}

const getBulkConfirmationText = ({
	title,
	target,
}: {
	readonly title: string;
	readonly target?: JobTarget;
}): string => getConfirmationText({title, id: target?.namespace});

/**
 * Asks whether to use the trash for more keys than go there automatically. That choice also confirms: what is in
 * the trash can be restored.
 */
function askWhetherToUseTrash(
	{state}: App,
	count: number,
	{title, where}: Pick<NamespaceRow, 'title' | 'where'>,
	lines: readonly string[],
	onChosen: (usesTrash: boolean) => void,
): void {
	const cost = formatTrashCost(count, state().connection.getQuotaLeft(where));
	state().dialog.open({
		kind: 'choice',
		title: `Delete ${formatQuantity(count, 'key')} from ${title}?`,
		lines: [...lines, describeRecovery('asked'), cost],
		choices: [
			{value: 'trash', label: 'Move to the trash'},
			{value: 'none', label: labelAsking('Delete permanently, without undo')},
		],
		choose: value => onChosen(value === 'trash'),
	});
}

/** Resumes an interrupted job on the Bulk screen, after a question. */
export const resumeBulkJob = (app: App, job: ListedJob): void =>
	askToResumeJob(app.state(), job, () => void resumeConfirmedJob(app, job));

async function resumeConfirmedJob(app: App, job: ListedJob): Promise<void> {
	const {state} = app;
	const preparation = state().work.run(`resuming job ${job.id}`, 'read', signal =>
		state().bulk.resume(job, signal),
	);
	if (isBulkUnderWay(state().bulk.data)) state().navigation.go('bulk');
	if (await preparation) await startCheckedBulk(app);
}

/** The verb for each kind of run, and what its file contains. */
const inputTexts: Readonly<Record<BulkKind, readonly [does: string, what: string]>> = {
	'bulk-put': ['Write', 'entries with key and value'],
	'bulk-delete': ['Delete', 'key names'],
	import: ['Import', 'entries from an export, optionally compressed'],
};

export function askForBulkFile(app: App, kind: BulkKind, row: NamespaceRow): void {
	const {state} = app;
	const {resolveInputPath, checkInputPath, completeInputPath} = state().paths;
	const [verb, contents] = inputTexts[kind];
	state().dialog.open({
		kind: 'entry',
		title: `${verb} keys in bulk: ${row.title}`,
		lines: [
			`A JSON array or NDJSON file of ${contents}.`,
			'The whole file is checked before anything is sent.',
		],
		value: '',
		actionLabel: 'check the file',
		complete: completeInputPath,
		check: checkInputPath,
		async submit(typedPath) {
			const isChecked = await checkBulkInput(app, kind, row, {
				kind: 'file',
				path: resolveInputPath(typedPath),
			});
			if (isChecked && getCurrentScreen(state()) !== 'bulk')
				state().messages.say(
					`${formatBulkLabel(state().bulk.data)}: checked. It is on the jobs screen (${nameKey('go.jobs', '7')}).`,
				);
		},
	});
}

/** Sends the checked input; if some entries are invalid, asks whether to send the valid ones. */
export function sendBulk(app: App): void {
	const bulk = app.state().bulk.data;
	if (bulk?.stage.state !== 'checked') return;
	const {validCount, keyCount, problemCount} = bulk.stage.check;
	const proceed =
		bulk.kind === 'bulk-delete' ? () => confirmDelete(app, keyCount) : () => confirmPut(app, keyCount);
	if (problemCount === 0) {
		proceed();
		return;
	}
	const question = {
		title: `${formatInteger(problemCount)} of ${formatQuantity(validCount + problemCount, 'entry', 'entries')} can't be sent`,
		actionLabel: `continue with ${formatQuantity(validCount, 'valid entry', 'valid entries')}`,
	};
	askToConfirm(app.state(), question, undefined, proceed);
}

function confirmPut(app: App, count: number): void {
	const bulk = app.state().bulk.data;
	if (bulk?.stage.state !== 'checked') return;
	const question = {
		title: `Write ${formatQuantity(count, 'key')} to ${bulk.namespace.title}?`,
		lines: [bulk.inputName, 'Existing keys with these names are overwritten. That cannot be undone.'],
		actionLabel: `write ${formatQuantity(count, 'key')}`,
	};
	askToConfirm(
		app.state(),
		question,
		getBulkConfirmationText(bulk.namespace),
		() => void startCheckedBulk(app),
	);
}

function confirmDelete(app: App, count: number): void {
	const bulk = app.state().bulk.data;
	if (bulk?.stage.state !== 'checked') return;
	const {recovery} = bulk.stage.check;
	const {title, target} = bulk.namespace;
	const confirm = (effectiveRecovery: typeof recovery, usesTrash?: boolean) => {
		const question = {
			title: `Delete ${formatQuantity(count, 'key')} from ${title}?`,
			lines: [bulk.inputName, describeRecovery(effectiveRecovery)],
			actionLabel: `delete ${formatQuantity(count, 'key')}`,
		};
		const nameToType = effectiveRecovery === 'trash' ? undefined : getBulkConfirmationText(bulk.namespace);
		askToConfirm(app.state(), question, nameToType, () => void startCheckedBulk(app, usesTrash));
	};
	const where = target && isLocalPlace(target.place) ? 'local' : 'remote';
	// `asked`: the user must choose.
	if (recovery === 'asked')
		askWhetherToUseTrash(app, count, {title, where}, [bulk.inputName], usesTrash =>
			usesTrash ? void startCheckedBulk(app, true) : confirm('none', false),
		);
	else confirm(recovery);
}

/** Lists the shown keys of the group at the cursor on the Bulk screen, and asks there before it deletes them. */
export async function deleteKeysInGroup(app: App): Promise<void> {
	const keys = app.state().keys.data;
	const prefix = keys && getShownGroupPrefix(keys);
	if (!keys || prefix === undefined || showRunningBulk(app)) return;
	const isChecked = await checkBulkInput(app, 'bulk-delete', keys.namespace, {kind: 'prefix', prefix});
	const isInFront = getCurrentScreen(app.state()) === 'bulk' && !app.state().dialog.current;
	if (isChecked && isInFront) sendBulk(app);
}

/**
 * Deletes the selection as a bulk run, with a journal and pausing. A single key gets a review instead, and
 * can be undone.
 */
export function deleteSelectedKeys(app: App): void {
	const keys = app.state().keys.data;
	if (!keys || showRunningBulk(app)) return;
	const count = keys.index.selectedCount;
	if (count === 1) {
		const [name] = keys.index.listSelectedNames();
		if (name !== undefined) void app.state().review.beginDeletion(name, undefined);
		return;
	}
	const lines = listSelectedForQuestion(app, keys, count);
	const confirm = (usesTrash?: boolean) => confirmDeleteSelected(app, keys, count, lines, usesTrash);
	if (count > trashLimits.maxDefaultKeys)
		askWhetherToUseTrash(app, count, keys.namespace, lines, usesTrash =>
			usesTrash ? void deleteConfirmedKeys(app, keys, count, true) : confirm(false),
		);
	else confirm();
}

/** Lists the first selected keys, then how many there are besides and how many the filter hides. */
function listSelectedForQuestion(app: App, keys: KeysState, count: number): readonly string[] {
	const {viewport} = app.state().navigation;
	const hiddenCount = countHiddenSelected(keys);
	const shownNames = listFirstSelected(keys, Math.max(1, Math.min(8, viewport.rows - 15)));
	return [
		...shownNames.map(name => cutMiddle(toDrawable(name), viewport.columns - 6)),
		...(count > shownNames.length ? [`and ${formatInteger(count - shownNames.length)} more`] : []),
		...(hiddenCount > 0 ? [`The filter hides ${hiddenCount} of them.`] : []),
	];
}

function confirmDeleteSelected(
	app: App,
	keys: KeysState,
	count: number,
	lines: readonly string[],
	usesTrash: boolean | undefined,
): void {
	const question = {
		title: `Delete ${formatSelectedKeyCount(count)} from ${keys.namespace.title}?`,
		lines: [...lines, describeRecovery(usesTrash === false ? 'none' : 'trash')],
		actionLabel: `delete ${formatQuantity(count, 'key')}`,
	};
	const nameToType = usesTrash === false ? getConfirmationText(keys.namespace) : undefined;
	askToConfirm(
		app.state(),
		question,
		nameToType,
		() => void deleteConfirmedKeys(app, keys, count, usesTrash),
	);
}

async function deleteConfirmedKeys(
	app: App,
	keys: KeysState,
	count: number,
	usesTrash: boolean | undefined,
): Promise<void> {
	const {state} = app;
	const origin = createNamesOrigin(keys.index.listSelectedNames());
	if (origin.count !== count) return state().messages.warn('Nothing was deleted: the selection has changed.');
	if (!(await checkBulkInput(app, 'bulk-delete', keys.namespace, origin))) return;
	await startCheckedBulk(app, usesTrash);
	const bulk = state().bulk.data;
	if (getCurrentScreen(state()) !== 'bulk' || bulk?.stage.state !== 'done' || bulk.stage.result.refused > 0)
		return;
	state().bulk.leave();
	state().navigation.back();
}

function listFirstSelected({index}: KeysState, maxNames: number): string[] {
	const names: string[] = [];
	for (const name of index.listSelectedNames()) {
		if (names.length === maxNames) break;
		names.push(name);
	}
	return names;
}
