import {isCaseSensitive} from '../../text/smart-case.ts';
import type {KeyIndex} from './key-index.ts';
import type {Records} from './records.ts';

/** Names searched between two checks of the deadline. */
const runLength = 512;
/** Records farther apart than this many bytes are not searched together. */
const longestStep = 4096;
const regexpSigns = /[\\^$.*+?()[\]{}|/]/g;

/** Searches some of the keys between two positions, reports hits in order, and returns where to continue. */
export type NameSearch = (
	index: KeyIndex,
	from: number,
	to: number,
	found: (position: number) => void,
) => number;

/**
 * Creates a smart-case search for names that contain a text. For ASCII text, only the letters A to Z ignore
 * case.
 */
export function nameSearch(query: string): NameSearch {
	const text = query.toWellFormed();
	const ignoreCase = !isCaseSensitive(text) && text !== text.toUpperCase();
	const ascii = /^[\0-\x7f]*$/.test(text);
	if (ignoreCase && !ascii) return decodedSearch(new RegExp(text.replace(regexpSigns, '\\$&'), 'iu'));
	return packedSearch(Buffer.from(text).toString('latin1'), ignoreCase);
}

/** Searches bytes as Latin-1 characters: many adjacent names in one pass. Hits between names are skipped. */
function packedSearch(pattern: string, ignoreCase: boolean): NameSearch {
	return (index, from, to, found) => {
		const {records} = index;
		const end = endOfRun(index, from, to);
		const first = index.addressAt(from);
		const last = index.addressAt(end - 1);
		const base = records.nameStart(first);
		const bytes = records.chunkOf(first).toString('latin1', base, endOfName(records, last));
		const text = ignoreCase ? bytes.toLowerCase() : bytes;
		let position = from;
		let hit = text.indexOf(pattern);
		while (hit !== -1) {
			while (position < end && endOfName(records, index.addressAt(position)) < base + hit + pattern.length)
				position++;
			if (position === end) break;
			const start = records.nameStart(index.addressAt(position)) - base;
			if (hit >= start) found(position++);
			if (position === end) break;
			hit = text.indexOf(pattern, Math.max(start, records.nameStart(index.addressAt(position)) - base));
		}
		return end;
	};
}

function decodedSearch(pattern: RegExp): NameSearch {
	return (index, from, to, found) => {
		const end = Math.min(to, from + runLength);
		for (let position = from; position < end; position++)
			if (pattern.test(index.nameAt(position))) found(position);
		return end;
	};
}

/** Returns the end of a run of keys stored in order in one chunk: keys inserted later lie elsewhere. */
function endOfRun(index: KeyIndex, from: number, to: number): number {
	const most = Math.min(to, from + runLength);
	let address = index.addressAt(from);
	let end = from + 1;
	while (end < most) {
		const next = index.addressAt(end);
		if (next < address || next - address > longestStep || next >>> 16 !== address >>> 16) break;
		address = next;
		end++;
	}
	return end;
}

const endOfName = (records: Records, address: number): number =>
	records.nameStart(address) + records.nameLength(address);
