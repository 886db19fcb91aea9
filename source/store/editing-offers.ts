import {type Draft, dropDraft, listDrafts} from '../config/drafts.ts';
import {takeOverEditorFolders} from '../config/editor-folders.ts';
import {type JobTarget, sameTarget} from '../config/job-record.ts';
import {asFailure, Failure} from '../failure.ts';
import {editOf, type UnsavedEdit} from '../kv/change/edit-draft.ts';
import {isSame, readWhole, type WholeKey} from '../kv/change/whole-key.ts';
import {type OpenedNamespace, reopenNamespace} from '../session/namespaces.ts';
import {grouped} from '../text/figures.ts';
import {belongsHere, placeInWords} from './draft-place.ts';
import {editFromDraft, editId, type KeyPlace} from './editing-edit.ts';
import {localRows, type NamespaceRow, remoteRows} from './namespace-rows.ts';
import type {Slice} from './slice.ts';

/** A draft that can be gone on with. */
export type OpenableDraft = {readonly draft: Draft; readonly unsaved: UnsavedEdit};

export type DraftOffers = {
	/** Asks what to do with each edit that an earlier run left, the latest first. */
	offerDrafts(): void;
	/** Goes to the key of a draft, and into the editor with what was typed. */
	openDraft(offer: OpenableDraft, signal: AbortSignal): Promise<void>;
	/** Goes back into the editor with an edit of this session, whether or not its key is there, wherever it was begun. */
	goOnWithEdit(id: string, signal: AbortSignal): Promise<void>;
};

export const createDraftOffers: Slice<DraftOffers> = (set, get, {session, now}) => {
	/** Drafts of elsewhere are never opened here: what was begun there must not be written here (decision 37). */
	function offerable(): {readonly here: readonly OpenableDraft[]; readonly elsewhere: readonly Draft[]} {
		const left = listDrafts(session.env, now()).flatMap(listed => {
			if (listed.type !== 'draft' || listed.draft.isHeld) return [];
			const {draft} = listed;
			const unsaved = editOf(draft);
			const isOpen = get().edits.some(({id}) => id === editId(draft.target, draft.key));
			return unsaved && !isOpen ? [{draft, unsaved}] : [];
		});
		const isHere = ({draft}: OpenableDraft) => belongsHere(draft.target, session, get().connection);
		return {
			here: left.filter(isHere),
			elsewhere: left.filter(one => !isHere(one)).map(({draft}) => draft),
		};
	}

	function tellOfElsewhere(drafts: readonly Draft[]): void {
		if (drafts.length === 0) return;
		const places = [...new Set(drafts.map(({target}) => placeInWords(target, session.cwd)))];
		const belong = drafts.length === 1 ? '1 draft belongs' : `${drafts.length} drafts belong`;
		get().warn(`${belong} elsewhere: ${places.join('; ')}`);
	}

	/** Fails unless the account in force is the one of the draft. */
	async function checkAccount({place, account}: JobTarget, signal: AbortSignal): Promise<void> {
		if (account === undefined || session.simulated) return;
		const inForce = await session.account(signal);
		if (inForce.id === account) return;
		throw new Failure('journal_invalid', `This belongs to account ${account} at ${place}.`, {
			why: `The account in force is ${inForce.label}.`,
			next: 'Name the account it was begun with: --account-id, or CLOUDFLARE_ACCOUNT_ID.',
		});
	}

	/** Opens the namespace of an edit, and the key where it is there; then the editor may open. */
	async function arriveAt(
		opened: OpenedNamespace,
		place: KeyPlace,
		isThere: boolean,
		signal: AbortSignal,
	): Promise<void> {
		const row = await rowOf(place);
		await get().openKeys(row, signal, opened);
		void get().run(`listing ${row.title}`, 'background', listing => get().listKeys(listing));
		set({stack: ['home']});
		get().go('keys');
		if (!isThere) return;
		await get().openKey(place.key, signal);
		get().go('key');
	}

	function offer([first, ...others]: readonly OpenableDraft[]): void {
		if (!first) return;
		const {draft, unsaved} = first;
		const {key, label, saved} = draft;
		get().open({
			kind: 'choice',
			title: `An edit of ${key} in ${label} was not saved, ${timeAgo(now() - saved)}`,
			lines: [
				`${contentNames[unsaved.origin]}, ${grouped(unsaved.content.length)} bytes; ${placeInWords(draft.target, session.cwd)}`,
				...(others.length > 0 ? [`${others.length} more after this one`] : []),
			],
			choices: [
				{value: 'open', label: 'Open it in the editor'},
				{value: 'later', label: 'Keep it for later'},
				{value: 'discard', label: 'Discard it'},
			],
			choose(value) {
				if (value === 'open')
					return void get().run(`opening ${key}`, 'read', signal => get().openDraft(first, signal));
				try {
					if (value === 'discard') dropDraft(session.env, draft.id);
				} catch (error) {
					get().fail(asFailure(error));
				}
				offer(others);
			},
		});
	}

	async function rowOf({target, label}: KeyPlace): Promise<NamespaceRow> {
		const {place, namespace = ''} = target;
		const where = place.startsWith('local:') ? 'local' : 'remote';
		const configuration = session.simulated ? undefined : await session.configuration();
		const rows =
			where === 'local'
				? localRows([], configuration)
				: remoteRows([{id: namespace, title: label}], configuration);
		const row = [...get().namespaces.rows, ...rows].find(one => one.where === where && one.id === namespace);
		return row ?? {name: `${where}:${namespace}`, where, id: namespace, title: label, bindings: []};
	}

	return {
		offerDrafts() {
			// What only reads could not write them.
			if (get().connection?.readOnly) return;
			try {
				const [failure] = takeOverEditorFolders(session.env, now());
				const {here, elsewhere} = offerable();
				tellOfElsewhere(elsewhere);
				offer(here);
				if (failure) get().fail(failure);
			} catch (error) {
				get().fail(asFailure(error));
			}
		},
		async openDraft({draft, unsaved}, signal) {
			const {target, key, path} = draft;
			await checkAccount(target, signal);
			const opened = await reopenNamespace(session, target, {write: true}, signal);
			const stored = await readFrom(opened, key, signal);
			const edit = editFromDraft(unsaved, stored);
			if (!edit) {
				opened.store[Symbol.dispose]();
				throw new Failure('key_not_found', `The key ${key} is gone, so it can have no ${unsaved.origin}.`, {
					why: 'It was deleted, or it expired.',
					left: `What you typed is kept in ${path}`,
				});
			}
			await arriveAt(opened, draft, stored !== undefined, signal);
			get().resumeEdit(edit, draft);
			const {base} = unsaved;
			const isChangedMeanwhile = base ? !stored || !isSame(base, stored) : stored !== undefined;
			if (isChangedMeanwhile)
				get().warn('The key was changed meanwhile: the review will show both versions.');
		},
		async goOnWithEdit(id, signal) {
			const edit = get().edits.find(one => one.id === id);
			if (!edit) return;
			const {keys} = get();
			if (!keys || !sameTarget(keys.opened.target, edit.target)) {
				const opened = await reopenNamespace(session, edit.target, {write: true}, signal);
				const stored = await readFrom(opened, edit.key, signal);
				await arriveAt(opened, edit, stored !== undefined, signal);
			}
			get().beginEdit(edit);
		},
	};
};

/** Reads a key of a namespace, which is closed again when that fails. */
async function readFrom(
	{store}: OpenedNamespace,
	key: string,
	signal: AbortSignal,
): Promise<WholeKey | undefined> {
	try {
		return await readWhole(store, key, signal);
	} catch (error) {
		store[Symbol.dispose]();
		throw error;
	}
}

const contentNames: Readonly<Record<UnsavedEdit['origin'], string>> = {
	edit: 'Its value',
	create: 'A new key',
	metadata: 'Its metadata',
	expiry: 'Its expiry',
};

/** How long ago something was, in milliseconds: `just now`, `3 min ago`, `2 d ago`. */
export function timeAgo(milliseconds: number): string {
	const minutes = Math.floor(milliseconds / 60_000);
	if (minutes < 1) return 'just now';
	if (minutes < 120) return `${minutes} min ago`;
	const hours = Math.floor(minutes / 60);
	return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} d ago`;
}
