import {createKey, createTextKey, type Key} from '../../../source/keyboard/key.ts';
import type {KvStore} from '../../../source/kv/store.ts';
import {
	createExpiryEdit,
	createFieldEdit,
	createMetadataEdit,
	createNewKeyEdit,
	createValueEdit,
	type Edit,
} from '../../../source/screens/edit/edit.ts';
import {getKeyPlace} from '../../../source/screens/edit/slice.ts';
import type {NamespaceRow} from '../../../source/screens/keys/namespace-rows.ts';
import {listReviewChoices, type ReviewChoice} from '../../../source/screens/review/choices.ts';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import type {JsonPath} from '../../../source/text/json/tree-nodes.ts';
import {readJsonNodes} from '../../../source/text/json/tree-reading.ts';
import type {TestStore} from './store.ts';

/** What a person does to a key, one step a function, and what others do meanwhile. */
export type Person = ReturnType<typeof personAt>;

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

export function personAt(test: TestStore) {
	const {state, signal} = test;

	const open = () => {
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
		editValue: () => begin(createValueEdit(open().place, open().whole)),
		editField(path: JsonPath) {
			const {place, whole} = open();
			const nodes = readJsonNodes(text(whole.bytes));
			const node = nodes?.find(path);
			if (!nodes || node === undefined) throw new Error('There is no such field.');
			begin(createFieldEdit(place, whole, nodes, node));
		},
		editMetadata: () => begin(createMetadataEdit(open().place, open().whole)),
		editExpiry: () => begin(createExpiryEdit(open().place, open().whole)),
		create(name: string) {
			const keys = state().keys.data;
			if (!keys) throw new Error('No namespace is open.');
			state().navigation.go('keys');
			begin(createNewKeyEdit(getKeyPlace(keys, name)));
		},
		/** Takes everything out of the editor and types this. */
		retype(value: string) {
			press('<ctrl-end>');
			for (;;) {
				const before = person.inEditor();
				press('<ctrl-u><backspace>');
				if (person.inEditor() === before) break;
			}
			person.paste(value);
		},
		inEditor(): string | undefined {
			const edit = state().edits.list.find(({id}) => id === state().edits.currentId);
			return edit && edit.entry.kind !== 'bytes' ? edit.entry.buffer.lines.join('\n') : undefined;
		},
		choices: (): readonly ReviewChoice[] => {
			const review = state().review.data;
			return review ? listReviewChoices(review, Math.floor(Date.now() / 1000)) : [];
		},
		/** Looks, and chooses what does this, as the choice stands there. */
		async choose(does: ReviewChoice['kind'], which = 0) {
			const choice = person.choices().filter(one => one.kind === does)[which];
			if (!choice) {
				const there = person.choices().map(one => one.kind);
				throw new Error(`"${does}" is no choice here: ${there.join(', ')} (${state().review.data?.phase})`);
			}
			test.passes(minReviewMs);
			await state().review.decide(choice);
		},
	};
	return person;
}

/** Someone else, who writes to the namespace that is open. */
export function someoneElse(test: TestStore) {
	const store = (): KvStore => {
		const keys = test.state().keys.data;
		if (!keys) throw new Error('No namespace is open.');
		return keys.opened.store;
	};
	return {
		put: (key: string, value: string, options: Parameters<KvStore['put']>[2] = {}) =>
			store().put(key, Buffer.from(value), options, test.signal),
		remove: (key: string) => store().delete(key, test.signal),
		async read(key: string) {
			const found = await store().get(key, test.signal);
			const metadata = await store().metadata(key, test.signal);
			return found && {value: text(found.bytes), metadata: metadata ?? null, expiration: found.expiration};
		},
	};
}

/** Opens a namespace of the local data, which is made by the first write. */
export async function openLocal(test: TestStore, id = 'LOCAL'): Promise<void> {
	const row: NamespaceRow = {name: `local:${id}`, where: 'local', id, title: id, bindings: []};
	await test.state().keys.open(row, test.signal);
}
