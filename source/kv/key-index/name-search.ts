import {isCaseSensitive} from '../../text/smart-case.ts';
import type {KeyIndex} from './key-index.ts';
import type {Records} from './records.ts';

/** Names searched between two checks of the deadline. */
const namesPerRun = 512;
/** Records farther apart than this many bytes are not searched together. */
const maxRecordGap = 4096;
const regexpCharacters = /[\\^$.*+?()[\]{}|/]/g;

/** Searches some of the keys between two positions, reports hits in order, and returns where to continue. */
export type NameSearch = (
	index: KeyIndex,
	from: number,
	to: number,
	onMatch: (position: number) => void,
) => number;

/**
 * Creates a smart-case search for names that contain a text. For ASCII text, only the letters A to Z ignore
 * case.
 */
export function createNameSearch(query: string): NameSearch {
	const text = query.toWellFormed();
	const ignoreCase = !isCaseSensitive(text) && text !== text.toUpperCase();
	const isAscii = /^[\0-\x7f]*$/.test(text);
	if (ignoreCase && !isAscii)
		return createDecodedSearch(new RegExp(text.replace(regexpCharacters, '\\$&'), 'iu'));
	return createPackedSearch(Buffer.from(text).toString('latin1'), ignoreCase);
}

/** Creates a search for the names that another one does not find. */
export const invertNameSearch =
	(search: NameSearch): NameSearch =>
	(index, from, to, onMatch) => {
		let position = from;
		const end = search(index, from, to, match => {
			for (; position < match; position++) onMatch(position);
			position = match + 1;
		});
		for (; position < end; position++) onMatch(position);
		return end;
	};

/**
 * Searches bytes as Latin-1 characters: many adjacent names in one pass. Matches that span two names are
 * skipped.
 */
function createPackedSearch(pattern: string, ignoreCase: boolean): NameSearch {
	return (index, from, to, onMatch) => {
		const {records} = index;
		const end = findRunEnd(index, from, to);
		const first = index.getAddress(from);
		const last = index.getAddress(end - 1);
		const baseOffset = records.getNameStart(first);
		const bytes = records.getChunk(first).toString('latin1', baseOffset, getNameEnd(records, last));
		const text = ignoreCase ? bytes.toLowerCase() : bytes;
		let position = from;
		let matchStart = text.indexOf(pattern);
		while (matchStart !== -1) {
			while (
				position < end &&
				getNameEnd(records, index.getAddress(position)) < baseOffset + matchStart + pattern.length
			)
				position++;
			if (position === end) break;
			const start = records.getNameStart(index.getAddress(position)) - baseOffset;
			if (matchStart >= start) onMatch(position++);
			if (position === end) break;
			matchStart = text.indexOf(
				pattern,
				Math.max(start, records.getNameStart(index.getAddress(position)) - baseOffset),
			);
		}
		return end;
	};
}

function createDecodedSearch(pattern: RegExp): NameSearch {
	return (index, from, to, onMatch) => {
		const end = Math.min(to, from + namesPerRun);
		for (let position = from; position < end; position++)
			if (pattern.test(index.getName(position))) onMatch(position);
		return end;
	};
}

/** Returns the end of a run of keys stored in order in one chunk: keys inserted later lie elsewhere. */
function findRunEnd(index: KeyIndex, from: number, to: number): number {
	const maxEnd = Math.min(to, from + namesPerRun);
	let address = index.getAddress(from);
	let end = from + 1;
	while (end < maxEnd) {
		const nextAddress = index.getAddress(end);
		if (
			nextAddress < address ||
			nextAddress - address > maxRecordGap ||
			nextAddress >>> 16 !== address >>> 16
		)
			break;
		address = nextAddress;
		end++;
	}
	return end;
}

const getNameEnd = (records: Records, address: number): number =>
	records.getNameStart(address) + records.getNameLength(address);
