import {asFailure, type Failure} from '../../failure.ts';
import {type Draft, dropDraft, listDrafts, setAside} from '../../state/drafts.ts';
import {takeOverEditorFolders} from '../../state/editor-folders.ts';
import type {Slice} from '../../store/slice.ts';
import {elsewhereInWords} from './elsewhere.ts';
import {type DraftForm, type DraftOffer, timeAgo, whyIn} from './form.ts';
import {createDraftKeeper} from './keeper.ts';
import {belongsHere, placeInShort, placeOrContext} from './place.ts';

/** A draft that can be resumed here. */
type LeftDraft = {
	readonly draft: Draft;
	readonly offer: DraftOffer;
	/** Where it was begun, in a word or two. Data as it is. */
	readonly place: string;
};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly drafts: DraftsSlice;
	}
}

type DraftsSlice = {
	/** The drafts of forms that are not open, the latest first, as they were when they were last listed. */
	readonly list: readonly LeftDraft[];
	/** Where each draft was begun that cannot be resumed here. */
	readonly elsewhere: readonly string[];
	/** Lists the drafts that an earlier run left, and says in one line how they are opened. Asks nothing. */
	announce(): void;
	/** Asks about the drafts of one thing before another form of it is opened; `otherwise` opens that. */
	offerAllOf(about: DraftsOf, otherwise: () => void): void;
	/** Asks about one draft. */
	offer(id: string): void;
	/** Lists the drafts again. */
	find(): void;
	/** Puts everything that is typed on disk at once. Returns why what could not be kept was not. */
	save(): Failure | undefined;
	/** Ends when what is being written in the background is on disk. */
	waitForWrites(): Promise<void>;
	/** A form is about to be closed by someone who may want it again: its draft stays. */
	release(formId: string): Failure | undefined;
	/** A draft belongs to a form that is open now. */
	adopt(formId: string, draft: Pick<Draft, 'id' | 'path'>): void;
	/** What becomes of what is typed when its form is closed now, as a sentence; it is kept before that. */
	whenClosed(): string;
	/** Something changed that may be a form. */
	noticeChange(): void;
};

/** Which drafts are meant: of a kind of form, at a place, with this key. */
type DraftsOf = {readonly kind: string; readonly zone: string; readonly key?: string};

/** The drafts of these forms; all features that have one import this folder, so the store passes their forms in. */
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

		/** Drafts that are being restored, and are no longer asked about. */
		const restoring = new Set<string>();

		/** Drafts of elsewhere are never restored here: what was begun there must not be sent here. */
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

		/** What only reads could not write them. */
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

		/** Asks about a draft. `keep` comes first where the question comes in between something else. */
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

		/** What an earlier run left, as a sentence; undefined if nothing. */
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
			// Where the person has just come to is not pushed away by it.
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
