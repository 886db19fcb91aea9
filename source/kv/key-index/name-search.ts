import {isCaseSensitive} from '../../text/smart-case.ts';
import type {KeyIndex} from './key-index.ts';
import type {Records} from './records.ts';

/** Names looked at between two looks at the clock. */
const runLength = 512;
/** Bytes from one record to the next above which they are not searched as one. */
const longestStep = 4096;
const regexpSigns = /[\\^$.*+?()[\]{}|/]/g;

/** Looks at a few of the keys from `from` to before `to`, hands on those it finds, in order, and returns where to continue. */
export type NameSearch = (
	index: KeyIndex,
	from: number,
	to: number,
	found: (position: number) => void,
) => number;

/**
 * A search for names that hold a text, by smart case: of a text of ASCII only the letters A to Z have two cases.
 */
export function nameSearch(query: string): NameSearch {
	const text = query.toWellFormed();
	const ignoreCase = !isCaseSensitive(text) && text !== text.toUpperCase();
	const ascii = /^[\0-\x7f]*$/.test(text);
	if (ignoreCase && !ascii) return decodedSearch(new RegExp(text.replace(regexpSigns, '\\$&'), 'iu'));
	return packedSearch(Buffer.from(text).toString('latin1'), ignoreCase);
}

/**
 * On the bytes, each taken as one character: many names that lie one behind the other are searched at once. What
 * lies between the names may be hit, too, and is passed over.
 */
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

/** The position behind keys that are in one chunk in their order: keys that were put in later lie elsewhere. */
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
