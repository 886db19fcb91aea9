import type {BulkKind} from '../../kv/bulk/prepared.ts';
import {withoutTrashTitle} from '../../kv/trash/failures.ts';
import {trashLimits} from '../../kv/trash/limits.ts';
import {keepingCost} from '../../session/trash.ts';
import {isLocalPlace} from '../../state/job-record.ts';
import type {ListedJob} from '../../state/jobs.ts';
import {drawable} from '../../text/columns.ts';
import {cutMiddle} from '../../text/cut.ts';
import {counted, grouped} from '../../text/figures.ts';
import {keyRowHere} from '../keys/here.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import {type BulkOrigin, nameOf, namesOrigin, selectedKeys} from '../keys/origin.ts';
import {hiddenSelected} from '../keys/shown.ts';
import type {KeysState} from '../keys/state.ts';
import type {App} from '../shell/app.ts';
import {screenOf} from '../shell/screen-name.ts';
import {wayBackSentences} from './facts.ts';
import {bulkLabel, isUnderWay} from './state.ts';

/** Shows the run under way. Returns false if none is. */
export function showsOther({state}: App): boolean {
	if (!isUnderWay(state().bulk.data)) return false;
	state().navigation.go('bulk');
	state().messages.warn('One bulk run at a time: this one is not over yet.');
	return true;
}

/** Checks the input on the Bulk screen. Returns true if the check completed. */
async function check(app: App, kind: BulkKind, row: NamespaceRow, origin: BulkOrigin): Promise<boolean> {
	const {state} = app;
	const what = origin.kind === 'file' ? origin.path : nameOf(origin);
	const checked = state().work.run(`checking ${what}`, 'read', signal =>
		state().bulk.check(kind, row, origin, signal),
	);
	if (isUnderWay(state().bulk.data)) state().navigation.go('bulk');
	return checked;
}

/** Sends the checked input. The run continues when the screen is left. */
async function start(app: App, trash?: boolean): Promise<void> {
	const {state} = app;
	await state().work.run(bulkLabel(state().bulk.data), 'long', signal => state().bulk.start(signal, trash));
	const bulk = state().bulk.data;
	if (bulk?.stage.state !== 'checked' || !bulk.stage.notKept) return;
	const {check, notKept} = bulk.stage;
	const {message, details} = notKept;
	askToDelete(app, {
		title: withoutTrashTitle.deleted,
		lines: [message, ...(details.why ? [details.why] : []), wayBackSentences.none],
		count: check.valid,
		comesBack: false,
		act: () => void start(app, false),
	});
}

/** Confirms a deletion: with `y` if it can be restored, else by typing the number of keys. */
function askToDelete(
	{state}: App,
	{
		title,
		lines,
		count,
		comesBack,
		act,
	}: {title: string; lines: readonly string[]; count: number; comesBack: boolean; act(): void},
): void {
	const {open, openField} = state().dialog;
	if (comesBack) open({kind: 'confirm', title, lines, does: 'delete', confirm: act});
	else openField({title, lines, value: '', typed: count, does: 'delete', submit: act});
}

/** Asks whether to keep keys in the trash when they are too many to go there automatically. */
function chooseTrash(
	{state}: App,
	count: number,
	{title, where}: Pick<NamespaceRow, 'title' | 'where'>,
	next: (trash: boolean) => void,
): void {
	const cost = keepingCost(count, state().connection.quotaFor(where));
	state().dialog.open({
		kind: 'choice',
		title: `Delete ${counted(count, 'key')} from ${title}`,
		lines: [wayBackSentences.asked, cost],
		choices: [
			{value: 'trash', label: 'Keep them in the trash first'},
			{value: 'none', label: 'Delete without the trash: this cannot be undone'},
		],
		choose: value => next(value === 'trash'),
	});
}

/** Resumes an interrupted job on the Bulk screen. */
export async function goOnWith(app: App, job: ListedJob): Promise<void> {
	const {state} = app;
	const taken = state().work.run(`resuming the job ${job.id}`, 'read', signal =>
		state().bulk.resume(job, signal),
	);
	if (isUnderWay(state().bulk.data)) state().navigation.go('bulk');
	if (await taken) await start(app);
}

/** The verb of each kind of run, and the content of its file. */
const asked: Readonly<Record<BulkKind, readonly [does: string, what: string]>> = {
	'bulk-put': ['Write', 'entries with key and value'],
	'bulk-delete': ['Delete', 'names of keys'],
	import: ['Import', 'entries, as an export has them, also compressed'],
};

export function askForFile(app: App, kind: BulkKind, row: NamespaceRow): void {
	const {state} = app;
	const {inputPath, inputPathProblem, completedInputPath} = state().paths;
	const [does, what] = asked[kind];
	state().dialog.open({
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
				state().messages.say(`${bulkLabel(state().bulk.data)}: it is checked. J shows it.`);
		},
	});
}

/** Sends the checked input; if some entries are invalid, asks whether to send the valid ones. */
export function send(app: App): void {
	const bulk = app.state().bulk.data;
	const {open} = app.state().dialog;
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
			app.state().bulk.leave();
			app.state().navigation.back();
		},
	});
}

function confirmDelete(app: App, count: number): void {
	const bulk = app.state().bulk.data;
	if (bulk?.stage.state !== 'checked') return;
	const {wayBack} = bulk.stage.check;
	const {title, target} = bulk.namespace;
	const confirm = (trash?: boolean) => {
		const back = trash === undefined ? wayBack : trash ? 'trash' : 'none';
		askToDelete(app, {
			title: `Delete ${counted(count, 'key')} from ${title}?`,
			lines: [bulk.from, wayBackSentences[back]],
			count,
			comesBack: back === 'trash',
			act: () => void start(app, trash),
		});
	};
	const where = target && isLocalPlace(target.place) ? 'local' : 'remote';
	if (wayBack === 'asked') chooseTrash(app, count, {title, where}, confirm);
	else confirm();
}

/** Lists the keys below the prefix under the cursor, to review and delete them on the Bulk screen. */
export function deleteBelow(app: App): void {
	const keys = app.state().keys.data;
	const row = keys && keyRowHere(keys);
	if (!keys || row?.kind !== 'group' || showsOther(app)) return;
	void check(app, 'bulk-delete', keys.namespace, {kind: 'prefix', prefix: row.prefix});
}

/**
 * Deletes the selection as a bulk run, with a journal and pausing. A single key gets a review instead, and
 * can be undone.
 */
export function deleteSelected(app: App): void {
	const keys = app.state().keys.data;
	if (!keys || showsOther(app)) return;
	const count = keys.index.selectedCount;
	if (count === 1) {
		const [name] = keys.index.selectedNames();
		if (name !== undefined) void app.state().review.beginDeletion(name, undefined);
		return;
	}
	const confirm = (trash?: boolean) => confirmSelected(app, keys, count, trash);
	if (count > trashLimits.keys) chooseTrash(app, count, keys.namespace, confirm);
	else confirm();
}

function confirmSelected(app: App, keys: KeysState, count: number, trash: boolean | undefined): void {
	const {viewport} = app.state().navigation;
	const hidden = hiddenSelected(keys);
	const shown = firstSelected(keys, Math.max(1, Math.min(8, viewport.rows - 15)));
	askToDelete(app, {
		title: `Delete ${selectedKeys(count)} from ${keys.namespace.title}?`,
		lines: [
			...shown.map(name => cutMiddle(drawable(name), viewport.columns - 6)),
			...(count > shown.length ? [`and ${grouped(count - shown.length)} more`] : []),
			...(hidden > 0 ? [`The filter hides ${hidden} of them.`] : []),
			wayBackSentences[trash === false ? 'none' : 'trash'],
		],
		count,
		comesBack: trash !== false,
		act: () => void deleteAsked(app, keys, count, trash),
	});
}

async function deleteAsked(
	app: App,
	keys: KeysState,
	count: number,
	trash: boolean | undefined,
): Promise<void> {
	const {state} = app;
	const origin = namesOrigin(keys.index.selectedNames());
	if (origin.count !== count)
		return state().messages.warn('Nothing was deleted: the selection has changed meanwhile.');
	if (!(await check(app, 'bulk-delete', keys.namespace, origin))) return;
	await start(app, trash);
	const bulk = state().bulk.data;
	if (screenOf(state()) !== 'bulk' || bulk?.stage.state !== 'done' || bulk.stage.result.refused > 0) return;
	state().bulk.leave();
	state().navigation.back();
}

function firstSelected({index}: KeysState, most: number): string[] {
	const names: string[] = [];
	for (const name of index.selectedNames()) {
		if (names.length === most) break;
		names.push(name);
	}
	return names;
}
