import {asFailure, type Failure} from '../../failure.ts';
import {type Draft, dropDraft, listDrafts, setAside} from '../../state/drafts.ts';
import {takeOverEditorFolders} from '../../state/editor-folders.ts';
import type {Slice} from '../../store/slice.ts';
import {elsewhereInWords} from './elsewhere.ts';
import {type DraftForm, type DraftOffer, timeAgo, whyIn} from './form.ts';
import {createDraftKeeper} from './keeper.ts';
import {belongsHere, placeInShort, placeOrContext} from './place.ts';

type LeftDraft = {
	readonly draft: Draft;
	readonly offer: DraftOffer;
	/** Where it was begun, briefly. Not escaped for the terminal. */
	readonly place: string;
};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly drafts: DraftsSlice;
	}
}

type DraftsSlice = {
	/** Drafts of forms that are not open, latest first, as of the last `refresh`. */
	readonly list: readonly LeftDraft[];
	/** Where each draft that cannot be resumed here was begun. */
	readonly elsewhere: readonly string[];
	/** Lists drafts of earlier runs and says in one line how to open them. Asks nothing. */
	announce(): void;
	/** Asks about existing drafts before a new form opens; `openNew` opens that. */
	offerAllOf(about: DraftsOf, otherwise: () => void): void;
	/** Asks about one draft. */
	offer(id: string): void;
	/** Lists the drafts again. */
	find(): void;
	/** Saves all input at once. Returns the first failure. */
	save(): Failure | undefined;
	/** Resolves when the background write is on disk. */
	waitForWrites(): Promise<void>;
	/** Call before a form closes but may be wanted again: its draft stays. */
	release(formId: string): Failure | undefined;
	/** Assigns a draft to a form that is open now. */
	adopt(formId: string, draft: Pick<Draft, 'id' | 'path'>): void;
	/** Saves all input and describes, in a sentence, what closing the form does with it. */
	whenClosed(): string;
	/** Call after any change that may concern a form. */
	noticeChange(): void;
};

/** Selects drafts by kind of form, zone and key. */
type DraftsOf = {readonly kind: string; readonly zone: string; readonly key?: string};

/** `forms` are passed in by the store: features with forms import this folder. */
export const createDraftsSlice =
	(forms: readonly DraftForm[]): Slice<DraftsSlice> =>
	(set, get, {session, now}) => {
		const keeper = createDraftKeeper(session.env, now, () => forms.flatMap(form => form.open(get())), {
			elsewhere: path =>
				get().messages.warn(`What you type is kept in ${path}, where the next start does not look.`),
			failed: failure => get().messages.fail(failure),
			written: find,
		});

		type Found = {
			readonly here: readonly LeftDraft[];
			readonly elsewhere: readonly Draft[];
			readonly unreadable: readonly {readonly path: string; readonly why: string}[];
		};

		/** Drafts being restored, which are not offered again. */
		const restoring = new Set<string>();

		/** Drafts from elsewhere are never restored here: their content must not be sent here. */
		function listed(): Found {
			const here: LeftDraft[] = [];
			const elsewhere: Draft[] = [];
			const unreadable: {path: string; why: string}[] = [];
			for (const one of listDrafts(session.env, now())) {
				if (one.type === 'damaged') unreadable.push(one);
				if (one.type !== 'draft' || one.draft.isHeld) continue;
				const {draft} = one;
				if (keeper.isOpen(draft.id) || restoring.has(draft.id)) continue;
				const form = forms.find(({kind}) => kind === draft.form.kind);
				const offer = form?.offer(draft) ?? `This ledge has no form "${draft.form.kind}".`;
				if (typeof offer === 'string') unreadable.push({path: draft.path, why: offer});
				else if (belongsHere(draft.target, session, get().connection.data))
					here.push({draft, offer, place: placeInShort(draft.target, session)});
				else elsewhere.push(draft);
			}
			return {here, elsewhere, unreadable};
		}

		/** A read-only session could not write them. */
		const isReadOnly = (): boolean => get().connection.data?.readOnly === true;

		function find(): Found | undefined {
			if (isReadOnly()) return undefined;
			const found = listed();
			const before = get().drafts.list;
			const isSame =
				before.length === found.here.length &&
				before.every(({draft}, at) => draft.path === found.here[at]?.draft.path);
			if (!isSame) set({list: found.here});
			const draftsElsewhere = found.elsewhere.map(({target}) => placeOrContext(target, session));
			if (draftsElsewhere.join('\n') !== get().drafts.elsewhere.join('\n')) set({elsewhere: draftsElsewhere});
			return found;
		}

		function discard({draft}: LeftDraft): void {
			try {
				dropDraft(session.env, draft.id);
			} catch (error) {
				get().messages.fail(asFailure(error));
			}
			find();
		}

		async function restore({draft, offer}: LeftDraft): Promise<void> {
			restoring.add(draft.id);
			await get().work.run(`restoring ${offer.name}`, 'read', signal => offer.restore(signal));
			restoring.delete(draft.id);
			find();
		}

		/** Asks about a draft; `keep` labels the choice that leaves it, listed first if `isFirst`. */
		function ask(
			{draft, offer}: LeftDraft,
			{keep, isFirst = false, next}: {keep: string; isFirst?: boolean; next: () => void},
		): void {
			const open = {value: 'open', label: offer.restores};
			const later = {value: 'later', label: keep};
			get().dialog.open({
				kind: 'choice',
				title: `${offer.title}, ${timeAgo(now() - draft.saved)}`,
				lines: offer.lines,
				choices: [...(isFirst ? [later, open] : [open, later]), {value: 'discard', label: 'Discard it'}],
				choose(value) {
					const left = get().drafts.list.find(one => one.draft.id === draft.id);
					if (value === 'open' && left) {
						void restore(left);
						return;
					}
					if (value === 'discard' && left) discard(left);
					next();
				},
			});
		}

		/** Formats what earlier runs left, in a sentence; undefined if nothing. */
		function announcement(): string | undefined {
			const {list: drafts, elsewhere: draftsElsewhere} = get().drafts;
			const [first, ...others] = drafts;
			const here =
				first &&
				(others.length > 0
					? `${drafts.length} drafts: U opens them.`
					: `1 draft, U opens it: ${first.offer.name} (${first.place}).`);
			return (
				[here, elsewhereInWords(draftsElsewhere)].filter(one => one !== undefined).join(' ') || undefined
			);
		}

		function announce(): void {
			const {latest: message, say, warn} = get().messages;
			const draftsElsewhere = get().drafts.elsewhere;
			const sentence = announcement();
			if (sentence === undefined || message?.kind === 'failed') return;
			// Keeps the message about where the user has just arrived.
			const text = message?.kind === 'said' ? `${message.text} ${sentence}` : sentence;
			if (draftsElsewhere.length > 0) warn(text);
			else say(text);
		}

		return {
			list: [],
			elsewhere: [],
			announce() {
				if (isReadOnly()) return;
				try {
					const [failure] = takeOverEditorFolders(session.env, now());
					const found = find();
					announce();
					const moved = (found?.unreadable ?? []).flatMap(one => setAside(one) ?? []);
					const problem = failure ?? moved[0];
					if (problem) get().messages.fail(problem);
				} catch (error) {
					get().messages.fail(asFailure(error));
				}
			},
			offerAllOf({kind, zone, key}, otherwise) {
				const found = find()?.here.filter(
					({draft}) =>
						draft.form.kind === kind &&
						draft.target.zone === zone &&
						(key === undefined || draft.key === key),
				);
				const ofEach = ([first, ...others]: readonly LeftDraft[]): void => {
					if (!first) otherwise();
					else
						ask(first, {
							keep: 'Keep it for later, and start over',
							isFirst: true,
							next: () => ofEach(others),
						});
				};
				ofEach(found ?? []);
			},
			offer(id) {
				const left = find()?.here.find(({draft}) => draft.id === id);
				if (left) ask(left, {keep: 'Keep it for later', next() {}});
				else get().messages.warn('That draft is gone, or another ledge uses it.');
			},
			find: () => void find(),
			save: () => keeper.now()[0],
			waitForWrites: keeper.written,
			release: keeper.release,
			adopt: keeper.adopt,
			whenClosed() {
				const [failure] = keeper.now();
				return failure
					? `What you typed cannot be kept as a draft, and is gone then: ${whyIn(failure)}`
					: 'What you typed is kept as a draft: U opens it.';
			},
			noticeChange: keeper.changed,
		};
	};
