import {limits} from '../../kv/limits.ts';
import {loadValueFile, saveValueFile} from '../../state/value-file.ts';
import type {Slice} from '../../store/slice.ts';
import {showInPager} from '../../terminal/pager.ts';
import {TextLines} from '../../text/byte-lines.ts';
import {grouped} from '../../text/figures.ts';
import {hexGroupColumns, hexRow, hexRowCount} from '../../text/hex-lines.ts';
import {safeLines} from '../../text/safe-text.ts';
import {shownPath} from '../shell/paths.ts';
import {type Edit, isChanged, valueEntry} from './edit.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly files: FilesSlice;
	}
}

/** Moves values to files and the pager, and from files. */
type FilesSlice = {
	/**
	 * Writes a value to a file with owner-only permissions; replaces an existing one only if `overwrites`.
	 */
	save(key: string, bytes: Uint8Array, path: string, over: boolean): void;
	/**
	 * Loads a file of at most 25 MiB as the new value, and opens the review. If the user continues a draft
	 * instead, opens that.
	 */
	load(edit: Edit, path: string): void;
	/** Shows the open value in `$PAGER`, in its current form; `lendTerminal` hands over the terminal. */
	page(lend: <T>(work: () => Promise<T>) => Promise<T>): Promise<void>;
};

export const createFilesSlice: Slice<FilesSlice> = (_set, get, {session: {env}}) => ({
	save(key, bytes, path, over) {
		saveValueFile(path, bytes, over);
		get().messages.say(`Saved ${countedBytes(bytes)} of ${key} to ${shownPath(path, env.HOME)}.`);
	},
	load(edit, path) {
		const bytes = loadValueFile(path, limits.valueBytes);
		const from = shownPath(path, env.HOME);
		if (Buffer.compare(bytes, edit.value) === 0)
			return get().messages.say(`${from} holds the stored value: there is nothing to write.`);
		get().edits.begin(edit, () => {
			const begun = get().edits.list.find(({id}) => id === edit.id);
			if (!begun) return;
			get().navigation.go('editor');
			if (isChanged(begun))
				return get().messages.warn(`The edit that was begun is continued; ${from} is not loaded.`);
			get().edits.fill(edit.id, valueEntry(bytes));
			get().drafts.save();
			void get()
				.review.begin()
				.then(
					() =>
						get().navigation.stack.at(-1) === 'review' &&
						get().messages.say(`Loaded ${countedBytes(bytes)} of ${from}.`),
				);
		});
	},
	async page(lend) {
		const view = get().key.data?.view;
		if (!view) return;
		const pages = view.form === 'hex' ? hexPages : textPages;
		await lend(() => showInPager(() => pages(view.bytes), env));
	},
});

const countedBytes = ({length}: Uint8Array): string => (length === 1 ? '1 byte' : `${grouped(length)} bytes`);

/** Rows per chunk of output. */
const rowsAtOnce = 256;

/** Formats the text of a value, safe for a terminal. */
function* textPages(bytes: Uint8Array): Generator<string> {
	const lines = new TextLines(bytes);
	for (let first = 0; lines.at(first); first += rowsAtOnce) {
		let page = '';
		for (let row = first; row < first + rowsAtOnce; row++) {
			const line = lines.at(row);
			if (line) page += `${row === 0 || line.continued ? '' : '\n'}${safeLines(line.text)}`;
		}
		yield page;
	}
	yield '\n';
}

const bytesInRow = 16;

/** Formats the bytes of a value as the hex view does. */
function* hexPages(bytes: Uint8Array): Generator<string> {
	const width = hexGroupColumns(bytesInRow);
	for (let first = 0; first < hexRowCount(bytes.length, bytesInRow); first += rowsAtOnce) {
		let page = '';
		for (let row = first; row < Math.min(first + rowsAtOnce, hexRowCount(bytes.length, bytesInRow)); row++) {
			const {offset, groups, ascii} = hexRow(bytes, row, bytesInRow);
			page += `${offset}  ${groups.map(group => group.padEnd(width)).join('  ')}  ${ascii}\n`;
		}
		yield page;
	}
}
