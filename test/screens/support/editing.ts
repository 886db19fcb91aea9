import {createKey, createTextKey, type Key} from '../../../source/keyboard/key.ts';
import type {KvStore} from '../../../source/kv/store.ts';
import {
	createExpiryEdit,
	createFieldEdit,
	createMetadataEdit,
	createNewKeyEdit,
	createValueEdit,
	type Edit,
	getEntryBuffer,
} from '../../../source/screens/edit/edit.ts';
import {getKeyPlace} from '../../../source/screens/edit/slice.ts';
import type {NamespaceRow} from '../../../source/screens/keys/namespace-rows.ts';
import {listReviewChoices, type ReviewChoice} from '../../../source/screens/review/choices.ts';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import type {JsonPath} from '../../../source/text/json/tree-nodes.ts';
import {readJsonNodes} from '../../../source/text/json/tree-reading.ts';
import type {TestStore} from './store.ts';

/** A person who changes keys. Each function is one step. */
export type Person = ReturnType<typeof createEditingPerson>;

const decodeText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

export function createEditingPerson(testStore: TestStore) {
	const {state, signal} = testStore;

	const getOpenKey = () => {
		const keys = state().keys.data;
		const key = state().key.data;
		if (!keys || !key?.wholeKey) throw new Error('No key is open.');
		return {place: getKeyPlace(keys, key.name), whole: key.wholeKey};
	};

	/** Presses keys: names of keys in angle brackets, everything else as text. */
	const press = (keys: string): void => {
		for (const [, name, character] of keys.matchAll(/<([^>]+)>|([^<])/gsu))
			state().edits.type(name === undefined ? createTextKey(character ?? '') : createKey(name, ''));
	};

	const begin = (edit: Edit) => state().edits.begin(edit);

	const person = {
		press,
		paste: (pasted: string) =>
			state().edits.type({name: 'paste', text: pasted, sequence: pasted} satisfies Key),
		/** Opens a key of the namespace that is open. */
		async openKey(name: string) {
			if (!state().navigation.stack.includes('keys')) state().navigation.go('keys');
			state().key.close();
			await state().key.open(name, signal);
			state().navigation.go('key');
		},
		editValue: () => begin(createValueEdit(getOpenKey().place, getOpenKey().whole)),
		editField(path: JsonPath) {
			const {place, whole} = getOpenKey();
			const nodes = readJsonNodes(decodeText(whole.bytes));
			const node = nodes?.find(path);
			if (!nodes || node === undefined) throw new Error('There is no such field.');
			begin(createFieldEdit(place, whole, nodes, node));
		},
		editMetadata: () => begin(createMetadataEdit(getOpenKey().place, getOpenKey().whole)),
		editExpiry: () => begin(createExpiryEdit(getOpenKey().place, getOpenKey().whole)),
		create(name: string) {
			const keys = state().keys.data;
			if (!keys) throw new Error('No namespace is open.');
			state().navigation.go('keys');
			begin(createNewKeyEdit(getKeyPlace(keys, name)));
		},
		/** Replaces the text in the editor. */
		retype(value: string) {
			press('<ctrl-end>');
			for (;;) {
				const before = person.getEditorText();
				press('<ctrl-u><backspace>');
				if (person.getEditorText() === before) break;
			}
			person.paste(value);
		},
		getEditorText(): string | undefined {
			const edit = state().edits.list.find(({id}) => id === state().edits.currentId);
			return edit && getEntryBuffer(edit.entry)?.lines.join('\n');
		},
		choices: (): readonly ReviewChoice[] => {
			const review = state().review.data;
			return review ? listReviewChoices(review, Math.floor(Date.now() / 1000)) : [];
		},
		/** Waits until the review counts as read, and takes an offered choice of this kind. */
		async choose(kind: ReviewChoice['kind'], choiceIndex = 0) {
			const choice = person.choices().filter(one => one.kind === kind)[choiceIndex];
			if (!choice) {
				const offeredKinds = person.choices().map(one => one.kind);
				throw new Error(
					`"${kind}" is no choice here: ${offeredKinds.join(', ')} (${state().review.data?.phase})`,
				);
			}
			testStore.advanceClock(minReviewMs);
			await state().review.decide(choice);
		},
	};
	return person;
}

/** Someone else, who writes to the namespace that is open. */
export function createOtherPerson(testStore: TestStore) {
	const store = (): KvStore => {
		const keys = testStore.state().keys.data;
		if (!keys) throw new Error('No namespace is open.');
		return keys.opened.store;
	};
	return {
		put: (key: string, value: string, options: Parameters<KvStore['put']>[2] = {}) =>
			store().put(key, Buffer.from(value), options, testStore.signal),
		remove: (key: string) => store().delete(key, testStore.signal),
		async read(key: string) {
			const found = await store().get(key, testStore.signal);
			const metadata = await store().metadata(key, testStore.signal);
			return (
				found && {value: decodeText(found.bytes), metadata: metadata ?? null, expiration: found.expiration}
			);
		},
	};
}

/** Opens a namespace of the local data. The first write creates it. */
export async function openLocal(testStore: TestStore, id = 'LOCAL'): Promise<void> {
	const row: NamespaceRow = {name: `local:${id}`, where: 'local', id, title: id, bindings: []};
	await testStore.state().keys.open(row, testStore.signal);
}
