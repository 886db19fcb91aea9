import {bisect} from '../../text/bisect.ts';
import type {KeyIndex} from './key-index.ts';

const colon = 0x3a;
const slash = 0x2f;

/**
 * Returns the length of the shortest prefix that ends in `:` or `/` and is longer than `parentBytes`, in
 * bytes; 0 if there is none.
 */
export function findShortestPrefix(index: KeyIndex, position: number, parentBytes: number): number {
	const address = index.getAddress(position);
	const bytes = index.records.getChunk(address);
	const start = index.records.getNameStart(address);
	const end = start + index.records.getNameLength(address);
	for (let offset = start + parentBytes; offset < end; offset++) {
		const byte = bytes[offset];
		if (byte === colon || byte === slash) return offset + 1 - start;
	}
	return 0;
}

/**
 * Returns the length of the longest prefix that ends in `:` or `/` and is shared by two names, and so by all
 * names between them, in bytes.
 */
export function findSharedPrefix(index: KeyIndex, one: number, other: number): number {
	const {records} = index;
	const address = index.getAddress(one);
	const otherAddress = index.getAddress(other);
	const bytes = records.getChunk(address);
	const otherBytes = records.getChunk(otherAddress);
	const start = records.getNameStart(address);
	const otherStart = records.getNameStart(otherAddress);
	const maxLength = Math.min(records.getNameLength(address), records.getNameLength(otherAddress));
	let length = 0;
	for (
		let offset = 0;
		offset < maxLength && bytes[start + offset] === otherBytes[otherStart + offset];
		offset++
	) {
		const byte = bytes[start + offset];
		if (byte === colon || byte === slash) length = offset + 1;
	}
	return length;
}

/**
 * Returns the position after the last key, before `end`, that shares the first `length` bytes of the name at
 * `position`. Uses galloping search. All names share the first `sharedBytes` bytes.
 */
export function findPrefixEnd(
	index: KeyIndex,
	position: number,
	end: number,
	sharedBytes: number,
	length: number,
): number {
	const {records} = index;
	const address = index.getAddress(position);
	const start = records.getNameStart(address);
	const sharesPrefix = (otherPosition: number): boolean => {
		const otherAddress = index.getAddress(otherPosition);
		if (records.getNameLength(otherAddress) < length) return false;
		const bytes = records.getChunk(address);
		const otherBytes = records.getChunk(otherAddress);
		const otherStart = records.getNameStart(otherAddress);
		for (let offset = sharedBytes; offset < length; offset++)
			if (otherBytes[otherStart + offset] !== bytes[start + offset]) return false;
		return true;
	};
	let lastSharing = position;
	let step = 1;
	while (lastSharing + step < end && sharesPrefix(lastSharing + step)) {
		lastSharing += step;
		step *= 2;
	}
	return bisect(lastSharing + 1, Math.min(lastSharing + step, end), sharesPrefix);
}

/**
 * Lists the delimiter-terminated prefixes of a prefix, from the shortest one that is longer than
 * `parentBytes` to the prefix itself.
 */
export function listPrefixes(prefix: string, parentBytes: number): string[] {
	const bytes = Buffer.from(prefix);
	const prefixes: string[] = [];
	for (let offset = parentBytes; offset < bytes.length; offset++)
		if (bytes[offset] === colon || bytes[offset] === slash)
			prefixes.push(bytes.toString('utf8', 0, offset + 1));
	return prefixes;
}
