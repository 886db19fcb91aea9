import {bisect} from '../../text/bisect.ts';
import type {KeyIndex} from './key-index.ts';

const colon = 0x3a;
const slash = 0x2f;

/**
 * Returns the length in bytes of the shortest prefix that ends in `:` or `/` and is longer than `behind`; 0
 * if none.
 */
export function findShortestPrefix(index: KeyIndex, position: number, behind: number): number {
	const address = index.getAddress(position);
	const bytes = index.records.getChunk(address);
	const start = index.records.getNameStart(address);
	const end = start + index.records.getNameLength(address);
	for (let at = start + behind; at < end; at++) {
		const byte = bytes[at];
		if (byte === colon || byte === slash) return at + 1 - start;
	}
	return 0;
}

/**
 * Returns the length in bytes of the longest such prefix shared by two names, and by all names between them.
 */
export function findSharedPrefix(index: KeyIndex, one: number, other: number): number {
	const {records} = index;
	const address = index.getAddress(one);
	const otherAddress = index.getAddress(other);
	const bytes = records.getChunk(address);
	const otherBytes = records.getChunk(otherAddress);
	const start = records.getNameStart(address);
	const otherStart = records.getNameStart(otherAddress);
	const most = Math.min(records.getNameLength(address), records.getNameLength(otherAddress));
	let length = 0;
	for (let at = 0; at < most && bytes[start + at] === otherBytes[otherStart + at]; at++) {
		const byte = bytes[start + at];
		if (byte === colon || byte === slash) length = at + 1;
	}
	return length;
}

/**
 * Returns the position after the last key, before `end`, that shares the first `length` bytes of the name at
 * `position`. Uses galloping search. All names share the first `known` bytes.
 */
export function findPrefixEnd(
	index: KeyIndex,
	position: number,
	end: number,
	known: number,
	length: number,
): number {
	const {records} = index;
	const address = index.getAddress(position);
	const start = records.getNameStart(address);
	const sharesPrefix = (other: number): boolean => {
		const otherAddress = index.getAddress(other);
		if (records.getNameLength(otherAddress) < length) return false;
		const bytes = records.getChunk(address);
		const otherBytes = records.getChunk(otherAddress);
		const otherStart = records.getNameStart(otherAddress);
		for (let at = known; at < length; at++)
			if (otherBytes[otherStart + at] !== bytes[start + at]) return false;
		return true;
	};
	let shared = position;
	let step = 1;
	while (shared + step < end && sharesPrefix(shared + step)) {
		shared += step;
		step *= 2;
	}
	return bisect(shared + 1, Math.min(shared + step, end), sharesPrefix);
}

/**
 * Lists the delimiter-terminated prefixes of a prefix, from the shortest one longer than `behind` bytes to
 * itself.
 */
export function listPrefixes(prefix: string, behind: number): string[] {
	const bytes = Buffer.from(prefix);
	const prefixes: string[] = [];
	for (let at = behind; at < bytes.length; at++)
		if (bytes[at] === colon || bytes[at] === slash) prefixes.push(bytes.toString('utf8', 0, at + 1));
	return prefixes;
}
