import {type Failure, toFailure} from '../../failure.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {type Draft, dropDraft, listDrafts, setDraftAside} from '../../state/drafts.ts';
import {recoverEditorFolders} from '../../state/editor-folders.ts';
import type {Slice} from '../../store/slice.ts';
import {listUnfinishedForms} from './actions.ts';
import {type DraftFormKind, type DraftOffer, formatTimeAgo, getFailureReason} from './form.ts';
import {createDraftKeeper} from './keeper.ts';
import {describeDraftsElsewhere} from './other-drafts.ts';
import {belongsToSession, formatPlaceOrContext, formatShortPlace} from './place.ts';

type StoredDraft = {
	readonly draft: Draft;
	readonly offer: DraftOffer;
	/** A short label for its service or account. Not escaped for the terminal. */
	readonly placeLabel: string;
};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly drafts: DraftsSlice;
	}
}

type DraftsSlice = {
	/** Drafts of forms that are not open, latest first, as of the last `refresh`. */
	readonly list: readonly StoredDraft[];
	/** The service or account of each draft that cannot be resumed here. */
	readonly placesElsewhere: readonly string[];
	/**
	 * Recovers editor folders, sets unreadable drafts aside, and says in one line how to open the drafts of
	 * earlier runs. Does not ask. Does nothing in a read-only session.
	 */
	announce(): void;
	/** Asks about existing drafts before a new form opens. `openNew` opens the new form. */
	offerAll(query: DraftQuery, openNew: () => void): void;
	/** Drops the drafts of something that is done. */
	dropAll(query: DraftQuery): void;
	/** Asks about one draft. */
	offer(id: string): void;
	/** Lists the drafts again. */
	refresh(): void;
	/** Saves all input at once. Returns the first failure. */
	save(): Failure | undefined;
	/** Resolves when the background write is on disk. */
	waitForWrites(): Promise<void>;
	/** Must be called before a form is closed whose draft should stay. */
	release(formId: string): Failure | undefined;
	/** Assigns a draft to a form that is open now. */
	adopt(formId: string, draft: Pick<Draft, 'id' | 'path'>): void;
	/** Saves all input. Returns a sentence about what closing the form does with it. */
	saveBeforeClosing(): string;
	/** Must be called after any change that may concern a form. */
	noticeChange(): void;
};

/** Selects drafts by kind of form, zone and key. */
type DraftQuery = {readonly kind: string; readonly zone: string; readonly key?: string};

/** The store passes in `formKinds`, because features with forms import this folder. */
export const createDraftsSlice =
	(formKinds: readonly DraftFormKind[]): Slice<DraftsSlice> =>
	(set, get, {session, now}) => {
		const keeper = createDraftKeeper(
			session.env,
			now,
			() => formKinds.flatMap(formKind => formKind.listOpenForms(get())),
			{
				onSavedElsewhere: path =>
					get().messages.warn(`Drafts are saved in ${path}, where ledge won't look the next time it starts.`),
				onFailure: failure => get().messages.fail(failure),
				onDraftsChanged: refreshDrafts,
			},
		);

		type ClassifiedDrafts = {
			readonly available: readonly StoredDraft[];
			readonly elsewhere: readonly Draft[];
			readonly unreadable: readonly {readonly path: string; readonly why: string}[];
		};

		/** Drafts being restored, which are not offered again. */
		const restoringIds = new Set<string>();

		/**
		 * Classifies the drafts on disk. Drafts from elsewhere are not restored: their content must not be
		 * sent here.
		 */
		function classifyDrafts(): ClassifiedDrafts {
			const available: StoredDraft[] = [];
			const elsewhere: Draft[] = [];
			const unreadable: {path: string; why: string}[] = [];
			for (const entry of listDrafts(session.env, now())) {
				if (entry.type === 'damaged') unreadable.push(entry);
				if (entry.type !== 'draft' || entry.draft.isHeld) continue;
				const {draft} = entry;
				if (keeper.isOpen(draft.id) || restoringIds.has(draft.id)) continue;
				const formKind = formKinds.find(({kind}) => kind === draft.form.kind);
				const offer = formKind?.offer(draft) ?? `This version of ledge has no form "${draft.form.kind}".`;
				if (typeof offer === 'string') unreadable.push({path: draft.path, why: offer});
				else if (belongsToSession(draft.target, session, get().connection.data))
					available.push({draft, offer, placeLabel: formatShortPlace(draft.target, session)});
				else elsewhere.push(draft);
			}
			return {available, elsewhere, unreadable};
		}

		/** Drafts are not offered in a read-only session, which could not send them. */
		const isReadOnly = (): boolean => get().connection.data?.readOnly === true;

		function refreshDrafts(): ClassifiedDrafts | undefined {
			if (isReadOnly()) return undefined;
			const classifiedDrafts = classifyDrafts();
			const currentList = get().drafts.list;
			const isSame =
				currentList.length === classifiedDrafts.available.length &&
				currentList.every(({draft}, index) => draft.path === classifiedDrafts.available[index]?.draft.path);
			if (!isSame) set({list: classifiedDrafts.available});
			const placesElsewhere = classifiedDrafts.elsewhere.map(({target}) =>
				formatPlaceOrContext(target, session),
			);
			if (placesElsewhere.join('\n') !== get().drafts.placesElsewhere.join('\n')) set({placesElsewhere});
			return classifiedDrafts;
		}

		const findDrafts = ({kind, zone, key}: DraftQuery): readonly StoredDraft[] =>
			(refreshDrafts()?.available ?? []).filter(
				({draft}) =>
					draft.form.kind === kind && draft.target.zone === zone && (key === undefined || draft.key === key),
			);

		function discardDraft({draft, offer}: StoredDraft): void {
			try {
				dropDraft(session.env, draft.id);
				get().messages.say(`Discarded the draft: ${offer.name}.`);
			} catch (error) {
				get().messages.fail(toFailure(error));
			}
			refreshDrafts();
		}

		async function restoreDraft({draft, offer}: StoredDraft): Promise<void> {
			restoringIds.add(draft.id);
			await get().work.run(`restoring ${offer.name}`, 'read', signal => offer.restore(signal));
			restoringIds.delete(draft.id);
			refreshDrafts();
		}

		/** Asks about a draft. `next` continues if it is not resumed. */
		function askAboutStoredDraft({draft, offer}: StoredDraft, next: () => void): void {
			get().dialog.open({
				kind: 'choice',
				title: `${offer.title} (${formatTimeAgo(now() - draft.saved)})`,
				lines: offer.lines,
				choices: [
					{value: 'open', label: offer.restoreLabel},
					{value: 'later', label: 'Keep the draft for later'},
					{value: 'discard', label: 'Discard the draft'},
				],
				choose(value) {
					const storedDraft = get().drafts.list.find(one => one.draft.id === draft.id);
					if (value === 'open' && storedDraft) {
						void restoreDraft(storedDraft);
						return;
					}
					if (value === 'discard' && storedDraft) discardDraft(storedDraft);
					next();
				},
			});
		}

		/** Formats a sentence about the drafts of earlier runs; undefined if there are none. */
		function formatAnnouncement(): string | undefined {
			const {list, placesElsewhere} = get().drafts;
			const [first] = list;
			// As many as `U` lists.
			const count = listUnfinishedForms(get(), now()).length;
			const draftsText =
				first &&
				(count > 1
					? `${count} drafts: ${nameKey('edits.unsaved', 'U')} opens them.`
					: `1 draft, ${nameKey('edits.unsaved', 'U')} opens it: ${first.offer.name} (${first.placeLabel}).`);
			return (
				[draftsText, describeDraftsElsewhere(placesElsewhere)].filter(one => one !== undefined).join(' ') ||
				undefined
			);
		}

		function announceDrafts(): void {
			const {latest: message, say, warn} = get().messages;
			const placesElsewhere = get().drafts.placesElsewhere;
			const sentence = formatAnnouncement();
			if (sentence === undefined || message?.kind === 'failed') return;
			// The text is appended to the message that says where the user has just arrived.
			const text = message?.kind === 'said' ? `${message.text} ${sentence}` : sentence;
			if (placesElsewhere.length > 0) warn(text);
			else say(text);
		}

		return {
			list: [],
			placesElsewhere: [],
			announce() {
				if (isReadOnly()) return;
				try {
					const [failure] = recoverEditorFolders(session.env, now());
					const classifiedDrafts = refreshDrafts();
					// Reviews that were not sent count as drafts.
					if (get().drafts.list.length > 0) get().jobs.refreshMigrations();
					announceDrafts();
					const asideFailures = (classifiedDrafts?.unreadable ?? []).flatMap(one => setDraftAside(one) ?? []);
					const problem = failure ?? asideFailures[0];
					if (problem) get().messages.fail(problem);
				} catch (error) {
					get().messages.fail(toFailure(error));
				}
			},
			offerAll(query, openNew) {
				const askNext = ([first, ...others]: readonly StoredDraft[]): void => {
					if (!first) openNew();
					else askAboutStoredDraft(first, () => askNext(others));
				};
				askNext(findDrafts(query));
			},
			dropAll(query) {
				try {
					for (const {draft} of findDrafts(query)) dropDraft(session.env, draft.id);
				} catch (error) {
					get().messages.fail(toFailure(error));
				}
				refreshDrafts();
			},
			offer(id) {
				const storedDraft = refreshDrafts()?.available.find(({draft}) => draft.id === id);
				if (storedDraft) askAboutStoredDraft(storedDraft, () => {});
				else get().messages.warn('That draft no longer exists, or another ledge process is using it.');
			},
			refresh: () => void refreshDrafts(),
			save: () => keeper.saveNow()[0],
			waitForWrites: keeper.waitForWrites,
			release: keeper.release,
			adopt: keeper.adopt,
			saveBeforeClosing() {
				const [failure] = keeper.saveNow();
				return failure
					? `Your input can't be kept as a draft and will be lost: ${getFailureReason(failure)}`
					: `Your input is kept as a draft: ${nameKey('edits.unsaved', 'U')} opens it.`;
			},
			noticeChange: keeper.noticeChange,
		};
	};
