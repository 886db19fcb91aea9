import {limits} from '../../kv/limits.ts';
import {loadValueFile, saveValueFile} from '../../state/value-file.ts';
import type {Slice} from '../../store/slice.ts';
import {showInPager} from '../../terminal/pager.ts';
import {TextLines} from '../../text/byte-lines.ts';
import {formatInteger} from '../../text/figures.ts';
import {buildHexRow, countHexRows, getHexGroupColumns} from '../../text/hex-lines.ts';
import {capitalize} from '../../text/one-line.ts';
import {escapeLines} from '../../text/safe-text.ts';
import {abbreviateHome} from '../shell/paths.ts';
import {createValueEntry, type Edit, isEditChanged} from './edit.ts';

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
	save(key: string, bytes: Uint8Array, path: string, overwrites: boolean): void;
	/**
	 * Loads a file of at most 25 MiB as the new value and opens the review. If the user prefers to continue a
	 * draft, opens the draft and loads nothing.
	 */
	load(edit: Edit, path: string): void;
	/** Makes bytes the new value and opens the review, like `load`; `source` names in a sentence where they are from. */
	propose(edit: Edit, bytes: Uint8Array, source: string): void;
	/** Shows the open value in `$PAGER`, in its current form; `lendTerminal` hands over the terminal. */
	openPager(lendTerminal: <T>(work: () => Promise<T>) => Promise<T>): Promise<void>;
};

export const createFilesSlice: Slice<FilesSlice> = (_set, get, {session: {env}}) => ({
	save(key, bytes, path, overwrites) {
		saveValueFile(path, bytes, overwrites);
		get().messages.say(`Saved ${formatByteCount(bytes)} of ${key} to ${abbreviateHome(path, env.HOME)}.`);
	},
	load: (edit, path) =>
		get().files.propose(edit, loadValueFile(path, limits.valueBytes), abbreviateHome(path, env.HOME)),
	propose(edit, bytes, source) {
		if (Buffer.compare(bytes, edit.value) === 0)
			return get().messages.say(`${capitalize(source)} already matches the stored value: nothing to write.`);
		get().edits.begin(edit, () => {
			const begunEdit = get().edits.list.find(({id}) => id === edit.id);
			if (!begunEdit) return;
			get().navigation.go('editor');
			if (isEditChanged(begunEdit))
				return get().messages.warn(`Continuing the existing edit; ${source} was not loaded.`);
			get().edits.replaceEntry(edit.id, createValueEntry(bytes));
			get().drafts.save();
			void get()
				.review.begin()
				.then(
					() =>
						get().navigation.stack.at(-1) === 'review' &&
						get().messages.say(`Loaded ${formatByteCount(bytes)} from ${source}.`),
				);
		});
	},
	async openPager(lendTerminal) {
		const key = get().key.data;
		// The pager shows the bytes of an image.
		const view = key?.view?.form === 'image' ? key.otherView : key?.view;
		if (!view) return;
		const formatPages = view.form === 'hex' ? formatHexPages : formatTextPages;
		await lendTerminal(() => showInPager(() => formatPages(view.bytes), env));
	},
});

const formatByteCount = ({length}: Uint8Array): string =>
	length === 1 ? '1 byte' : `${formatInteger(length)} bytes`;

/** Rows per chunk of output. */
const rowsPerPage = 256;

/** Formats the text of a value, safe for a terminal. */
export function* formatTextPages(bytes: Uint8Array): Generator<string> {
	const lines = new TextLines(bytes);
	for (let firstRow = 0; lines.at(firstRow); firstRow += rowsPerPage) {
		let page = '';
		for (let row = firstRow; row < firstRow + rowsPerPage; row++) {
			const line = lines.at(row);
			if (line) page += `${row === 0 || line.isContinuation ? '' : '\n'}${escapeLines(line.text)}`;
		}
		yield page;
	}
	yield '\n';
}

const bytesPerRow = 16;

/** Formats the bytes of a value as the hex view does. */
function* formatHexPages(bytes: Uint8Array): Generator<string> {
	const width = getHexGroupColumns(bytesPerRow);
	for (let firstRow = 0; firstRow < countHexRows(bytes.length, bytesPerRow); firstRow += rowsPerPage) {
		let page = '';
		for (
			let row = firstRow;
			row < Math.min(firstRow + rowsPerPage, countHexRows(bytes.length, bytesPerRow));
			row++
		) {
			const {offset, groups, ascii} = buildHexRow(bytes, row, bytesPerRow);
			page += `${offset}  ${groups.map(group => group.padEnd(width)).join('  ')}  ${ascii}\n`;
		}
		yield page;
	}
}
