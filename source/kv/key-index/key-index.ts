import {Failure} from '../../failure.ts';
import type {KeyEntry} from '../store.ts';
import {inMemoryPages, type Pages} from './pages.ts';
import {findFirstMovedPosition, noPositions, type PositionShift} from './position-shift.ts';
import {Records} from './records.ts';
import {Selection} from './selection.ts';
import {Uint32List} from './uint32-list.ts';

/**
 * Limits of the history for rows that have not caught up: the number of shifts, and of positions per shift.
 * Beyond them, rows start over.
 */
const maxShifts = 16;
const maxShiftedPositions = 65_536;
/** Unused bytes are reclaimed when they exceed this and half of all bytes. */
const maxUnusedBytes = 4_194_304;

/**
 * The keys of a namespace in byte order of their names, packed: about nine bytes per key besides name,
 * expiration and metadata. Positions count from 0 and are valid until keys before them are inserted or
 * removed; the selection follows the keys. An invalid position is a bug of the caller (`internal`).
 */
export class KeyIndex {
	/** Pages that hold the keys, and the rows' data. */
	readonly pages: Pages;
	#records: Records;
	readonly #addresses: Uint32List;
	readonly #selection: Selection;
	#isComplete = false;
	/** End of the listed keys; unseen keys may exist after it. */
	#listedEnd = 0;
	#revision = 0;
	#replacementCount = 0;
	#shifts: readonly PositionShift[] = [];

	constructor(pages: Pages = inMemoryPages) {
		this.pages = pages;
		this.#records = new Records(pages);
		this.#addresses = new Uint32List(pages);
		this.#selection = new Selection(pages);
	}

	get count(): number {
		return this.#addresses.length;
	}

	get bytesUsed(): number {
		return this.#records.totalBytes + this.#addresses.bytesUsed + this.#selection.positions.bytesUsed;
	}

	get complete(): boolean {
		return this.#isComplete;
	}

	finish(): void {
		this.#isComplete = true;
	}

	/** True if the listing may still add keys at or after a position. */
	mayGrow(position: number): boolean {
		return !this.#isComplete && position >= this.#listedEnd;
	}

	/**
	 * Appends a sorted page of a listing. Pages may overlap, and keys may be written during the listing, so
	 * an entry that does not sort after the last key is inserted at its place, replacing a key of the same
	 * name.
	 */
	append(entries: readonly KeyEntry[]): void {
		const lateEntries: KeyEntry[] = [];
		for (const entry of entries) {
			const address = this.#records.add(entry);
			if (this.count > 0 && this.#records.compare(address, this.getAddress(this.count - 1)) <= 0) {
				this.#records.undoAdd(address);
				lateEntries.push(entry);
			} else {
				this.#addresses.push(address);
				this.#listedEnd = this.count;
			}
		}
		const lastEntry = lateEntries.at(-1);
		if (lastEntry === undefined) return;
		this.putAll(lateEntries);
		this.#listedEnd = Math.max(this.#listedEnd, this.find(lastEntry.name).position + 1);
	}

	getName(position: number): string {
		return this.#records.readName(this.getAddress(position), 0);
	}

	/** Returns UNIX seconds; undefined if the key does not expire. */
	getExpiration(position: number): number | undefined {
		return this.#records.getExpiration(this.getAddress(position));
	}

	/** Returns metadata as compact JSON, not yet safe for a terminal; undefined if the key has none. */
	getMetadata(position: number): string | undefined {
		return this.#records.getMetadata(this.getAddress(position));
	}

	getEntry(position: number): KeyEntry {
		return this.#records.getEntry(this.getAddress(position));
	}

	/** Finds the position of a name, or where it would be inserted. */
	find(name: string): {position: number; isFound: boolean} {
		return this.#findBytes(Buffer.from(name));
	}

	/** Inserts a key, or replaces the one with its name. Returns its position. */
	put(entry: KeyEntry): number {
		this.putAll([entry]);
		return this.find(entry.name).position;
	}

	/** Inserts or replaces many keys in one pass. Of duplicate names the last entry wins. */
	putAll(entries: readonly KeyEntry[]): void {
		const sorted = entries.map(entry => ({entry, bytes: Buffer.from(entry.name)}));
		sorted.sort((one, other) => Buffer.compare(one.bytes, other.bytes));
		const insertIndexes: number[] = [];
		const addresses: number[] = [];
		let listedEnd = this.#listedEnd;
		for (const [index, {entry, bytes}] of sorted.entries()) {
			if (sorted[index + 1]?.bytes.equals(bytes)) continue;
			const {position, isFound} = this.#findBytes(bytes);
			if (isFound) {
				this.#addresses.set(position, this.#records.replace(this.getAddress(position), entry));
				this.#replacementCount++;
				continue;
			}
			if (position < this.#listedEnd) listedEnd++;
			insertIndexes.push(position + insertIndexes.length);
			addresses.push(this.#records.add(entry));
		}
		if (insertIndexes.length > 0) {
			const inserted = Uint32Array.from(insertIndexes);
			this.#addresses.insert(inserted, Uint32Array.from(addresses));
			this.#listedEnd = listedEnd;
			this.#applyShift({removed: noPositions, inserted});
		}
		this.#repackIfSparse();
	}

	/** Removes a key. Returns its former position; undefined if it was missing. */
	remove(name: string): number | undefined {
		const {position, isFound} = this.find(name);
		if (isFound) this.#removePositions(Uint32Array.of(position));
		return isFound ? position : undefined;
	}

	/** Removes many keys in one pass. */
	removeAll(names: Iterable<string>): void {
		const positions = new Set<number>();
		for (const name of names) {
			const {position, isFound} = this.find(name);
			if (isFound) positions.add(position);
		}
		if (positions.size > 0) this.#removePositions(Uint32Array.from(positions).sort());
	}

	/**
	 * Removes the keys between two positions that the listing has not reached yet, except selected ones. They
	 * come back as the listing reaches them.
	 */
	removeUnlisted(from: number, to: number): void {
		const positions: number[] = [];
		for (let position = Math.max(from, this.#listedEnd); position < to && !this.#isComplete; position++)
			if (!this.isSelected(position)) positions.push(position);
		if (positions.length > 0) this.#removePositions(Uint32Array.from(positions));
	}

	select(position: number, isSelected: boolean): void {
		this.selectRange(position, position + 1, isSelected);
	}

	selectRange(from: number, to: number, isSelected: boolean): void {
		const first = Math.max(from, 0);
		const end = Math.min(to, this.count);
		if (first < end) this.#selection.set(first, end, isSelected);
	}

	isSelected(position: number): boolean {
		return this.#selection.has(position);
	}

	get selectedCount(): number {
		return this.#selection.positions.length;
	}

	/** Counts selected keys between two positions, such as those of a group. */
	countSelected(from: number, to: number): number {
		return this.#selection.countBetween(from, to);
	}

	clearSelection(): void {
		this.#selection.clear();
	}

	/** Lists selected names in order. Must be consumed before keys change. */
	*listSelectedNames(): Generator<string, void, undefined> {
		for (let index = 0; index < this.selectedCount; index++)
			yield this.getName(this.#selection.positions.at(index));
	}

	/** Number of insertions and removals so far, without appended pages; rows compare it with theirs. */
	get revision(): number {
		return this.#revision;
	}

	/** Number of replacements of keys so far; each may have changed an expiry. */
	get replacementCount(): number {
		return this.#replacementCount;
	}

	/** Returns the shifts since a revision, oldest first; undefined if there are too many to follow. */
	getShiftsSince(revision: number): readonly PositionShift[] | undefined {
		const missedCount = this.#revision - revision;
		return missedCount > this.#shifts.length
			? undefined
			: this.#shifts.slice(this.#shifts.length - missedCount);
	}

	/** Returns the first position that may have changed since a revision. */
	findFirstMoved(revision: number): number {
		const shifts = this.getShiftsSince(revision);
		return shifts === undefined ? 0 : findFirstMovedPosition(shifts);
	}

	/**
	 * Returns the address of a key in `records`, for rows and searches that read packed names. Valid until
	 * keys change.
	 */
	getAddress(position: number): number {
		if (position >= 0 && position < this.count) return this.#addresses.at(position);
		throw new Failure('internal', `There is no key at the position ${position} of ${this.count}.`);
	}

	get records(): Records {
		return this.#records;
	}

	#findBytes(bytes: Buffer): {position: number; isFound: boolean} {
		let low = 0;
		let high = this.count;
		while (low < high) {
			const middle = (low + high) >>> 1;
			const order = this.#records.compareBytes(this.#addresses.at(middle), bytes, 0, bytes.length);
			if (order === 0) return {position: middle, isFound: true};
			if (order < 0) low = middle + 1;
			else high = middle;
		}
		return {position: low, isFound: false};
	}

	#removePositions(removed: Uint32Array): void {
		let listedEnd = this.#listedEnd;
		for (const position of removed) {
			this.#records.unusedBytes += this.#records.getSize(this.getAddress(position));
			if (position < this.#listedEnd) listedEnd--;
		}
		this.#addresses.remove(removed);
		this.#listedEnd = listedEnd;
		this.#applyShift({removed, inserted: noPositions});
		this.#repackIfSparse();
	}

	#applyShift(shift: PositionShift): void {
		this.#selection.applyShift(shift);
		this.#revision++;
		const isLarge = shift.removed.length + shift.inserted.length > maxShiftedPositions;
		this.#shifts = isLarge ? [] : [...this.#shifts, shift].slice(-maxShifts);
	}

	#repackIfSparse(): void {
		const {unusedBytes, totalBytes} = this.#records;
		if (unusedBytes < maxUnusedBytes || unusedBytes < totalBytes / 2) return;
		const packedRecords = new Records(this.pages);
		for (let position = 0; position < this.count; position++)
			this.#addresses.set(position, packedRecords.copy(this.#records, this.getAddress(position)));
		this.#records = packedRecords;
	}
}
