import {Failure} from '../../failure.ts';
import {parseEditDraft, toEditDraft, type UnsavedEdit} from '../../kv/change/edit-draft.ts';
import {isSameState, readWholeKey, type WholeKey} from '../../kv/change/whole-key.ts';
import {type OpenedNamespace, reopenNamespace} from '../../session/namespaces.ts';
import {keyForm} from '../../state/drafts.ts';
import {isLocalPlace, isSameTarget, type JobTarget} from '../../state/job-record.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import type {Ports, Slice} from '../../store/slice.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {FormCreator} from '../drafts/form.ts';
import {formatTargetPlace} from '../drafts/place.ts';
import {
	buildLocalNamespaceRows,
	buildRemoteNamespaceRows,
	type NamespaceRow,
} from '../keys/namespace-rows.ts';
import {
	createEditFromDraft,
	getContentIdentity,
	isEditChanged,
	type TargetKey,
	toUnsavedEdit,
} from './edit.ts';

export type EditReopening = {
	/** Opens an edit of this session in the editor. Works on any screen, even if the key is gone. */
	reopen(id: string, signal: AbortSignal): Promise<void>;
};

/** The editor as a form that keeps drafts. */
export const createEditingForm: FormCreator = (get, ports) => {
	const {session} = ports;
	const {openEditTarget} = createEditNavigation(get, ports);

	/** Fails unless the draft belongs to the current account. */
	async function checkAccount({place, account}: JobTarget, signal: AbortSignal): Promise<void> {
		if (account === undefined || session.simulated) return;
		const currentAccount = await session.account(signal);
		if (currentAccount.id === account) return;
		throw new Failure('journal_invalid', `This draft belongs to account ${account} at ${place}.`, {
			why: `The current account is ${currentAccount.label}.`,
			next: 'Set the account it was started with: --account-id, or CLOUDFLARE_ACCOUNT_ID.',
		});
	}

	return {
		kind: keyForm.kind,
		getTrackedState: state => state.edits.list,
		listOpenForms: state =>
			state.edits.list.length === 0
				? []
				: state.edits.listEditsForDrafts().map(edit => ({
						id: edit.id,
						getContent: () => getContentIdentity(edit),
						isWorthKeeping: () => isEditChanged(edit),
						buildDraft: () => toEditDraft(toUnsavedEdit(edit)),
					})),
		offer(draft) {
			const unsavedEdit = parseEditDraft(draft);
			if (!unsavedEdit) return 'It does not contain an edit that this version of ledge can read.';
			const {target, label, key, path} = draft;
			const {origin, content, base} = unsavedEdit;
			return {
				name: `${key} in ${label}`,
				title: `Unsaved edit of ${key} in ${label}`,
				lines: [
					`${contentNames[origin]}, ${formatQuantity(content.length, 'byte')}; ${formatTargetPlace(target, session.cwd)}`,
				],
				restoreLabel: 'Open in the editor',
				async restore(signal) {
					await checkAccount(target, signal);
					const opened = await reopenNamespace(session, target, {write: true}, signal);
					const stored = await readKeyOrClose(opened, key, signal);
					const edit = createEditFromDraft(unsavedEdit, stored);
					if (!edit) {
						opened.store[Symbol.dispose]();
						throw new Failure(
							'key_not_found',
							`The key ${key} no longer exists, so its ${origin === 'expiry' ? 'expiration' : origin} can't be changed.`,
							{
								why: 'It was deleted, or it expired.',
								left: `Your input is kept in ${path}`,
							},
						);
					}
					await openEditTarget(opened, draft, stored !== undefined, signal);
					get().edits.resume(edit, draft);
					const isChangedMeanwhile = base ? !stored || !isSameState(base, stored) : stored !== undefined;
					if (isChangedMeanwhile)
						get().messages.warn('The key has changed since then: the review will show both versions.');
				},
			};
		},
	};
};

function createEditNavigation(
	get: () => StateWith<'keys', 'data' | 'open' | 'list'> &
		StateWith<'key', 'open'> &
		StateWith<'namespaces'> &
		StateWith<'navigation', 'go' | 'openFromHome'> &
		StateWith<'work', 'run'> &
		StateWith<'edits', 'list' | 'begin'>,
	{session}: Ports,
) {
	/** Opens the namespace of an edit, and its key if that exists, before the editor is opened. */
	async function openEditTarget(
		opened: OpenedNamespace,
		targetKey: TargetKey,
		exists: boolean,
		signal: AbortSignal,
	): Promise<void> {
		const row = await getNamespaceRow(targetKey);
		await get().keys.open(row, signal, opened);
		void get().work.run(`listing ${row.title}`, 'background', listSignal => get().keys.list(listSignal));
		get().navigation.openFromHome('keys');
		if (!exists) return;
		await get().key.open(targetKey.key, signal);
		get().navigation.go('key');
	}

	async function getNamespaceRow({target, label}: TargetKey): Promise<NamespaceRow> {
		const {place, namespace = ''} = target;
		const where = isLocalPlace(place) ? 'local' : 'remote';
		const configuration = session.simulated ? undefined : await session.configuration();
		const rows =
			where === 'local'
				? buildLocalNamespaceRows([], configuration)
				: buildRemoteNamespaceRows([{id: namespace, title: label}], configuration);
		const row = [...get().namespaces.data.rows, ...rows].find(
			one => one.where === where && one.id === namespace,
		);
		return row ?? {name: `${where}:${namespace}`, where, id: namespace, title: label, bindings: []};
	}

	return {openEditTarget};
}

export const createEditReopening: Slice<EditReopening> = (_set, get, ports) => {
	const {session} = ports;
	const {openEditTarget} = createEditNavigation(get, ports);
	return {
		async reopen(id, signal) {
			const edit = get().edits.list.find(one => one.id === id);
			if (!edit) return;
			const keys = get().keys.data;
			if (!keys || !isSameTarget(keys.opened.target, edit.target)) {
				const opened = await reopenNamespace(session, edit.target, {write: true}, signal);
				const stored = await readKeyOrClose(opened, edit.key, signal);
				await openEditTarget(opened, edit, stored !== undefined, signal);
			}
			get().edits.begin(edit);
		},
	};
};

/** Reads a key; closes the namespace if that fails. */
async function readKeyOrClose(
	{store}: OpenedNamespace,
	key: string,
	signal: AbortSignal,
): Promise<WholeKey | undefined> {
	try {
		return await readWholeKey(store, key, signal);
	} catch (error) {
		store[Symbol.dispose]();
		throw error;
	}
}

const contentNames: Readonly<Record<UnsavedEdit['origin'], string>> = {
	edit: 'Its value',
	create: 'A new key',
	metadata: 'Its metadata',
	expiry: 'Its expiration',
};
