import {bisect} from '../../text/bisect.ts';
import {Groups} from './groups.ts';
import type {KeyIndex} from './key-index.ts';
import type {Pages} from './pages.ts';
import type {PositionRange} from './position-shift.ts';

/** Content of a tree row: a group or a key of a level. */
export type TreeRowItem =
	| {readonly kind: 'group'; readonly level: TreeLevel; readonly group: number}
	| {readonly kind: 'key'; readonly level: TreeLevel; readonly position: number};

/** Called for each level whose group no longer exists. */
type OnDropped = (level: TreeLevel) => void;

/**
 * The keys and groups directly below a prefix, with the levels of opened groups. A closed level is kept but
 * shows no rows. Rows count from 0 within the level.
 */
export class TreeLevel {
	readonly prefix: string;
	readonly depth: number;
	isOpen = true;
	/** Rows shown, including open levels below, as of the last layout. */
	rowCount = 0;
	/** Bytes of the prefix. */
	readonly #prefixLength: number;
	#start: number;
	#end: number;
	/** Keys before this position have been grouped. */
	#builtEnd: number;
	#groups: Groups;
	/** Opened groups, in order. */
	#children: TreeLevel[] = [];
	/** Row of this level's group in the parent level. */
	#row = 0;

	constructor(prefix: string, depth: number, range: PositionRange, pages: Pages) {
		this.prefix = prefix;
		this.depth = depth;
		this.#prefixLength = Buffer.byteLength(prefix);
		this.#start = range.from;
		this.#end = range.to;
		this.#builtEnd = range.from;
		this.#groups = new Groups(this.#prefixLength, pages);
	}

	get children(): readonly TreeLevel[] {
		return this.#children;
	}

	/** Sets where the level's keys end. */
	extend(end: number): void {
		this.#end = end;
	}

	/**
	 * Groups more keys, here and in open levels below, until done or the deadline. Returns true when done.
	 */
	build(index: KeyIndex, deadline: number, onDropped: OnDropped): boolean {
		if (this.#builtEnd < this.#end) {
			this.#scan(index, deadline);
			this.#reassignChildren(onDropped);
		}
		let isDone = this.#builtEnd === this.#end;
		for (const child of this.#children) {
			if (!child.isOpen) continue;
			if (!child.build(index, deadline, onDropped)) isDone = false;
			if (!isDone && performance.now() >= deadline) return false;
		}
		return isDone;
	}

	/** True if all keys before `end` are grouped, including those of open levels below. */
	isBuiltTo(end: number): boolean {
		return (
			this.#builtEnd === end && this.#children.every(child => !child.isOpen || child.isBuiltTo(child.#end))
		);
	}

	/** Discards everything from a position on, where keys changed. Levels that began there are dropped. */
	restartFrom(position: number, onDropped: OnDropped): void {
		if (position >= this.#builtEnd) return;
		this.#builtEnd = this.#groups.truncateAfter(position);
		this.#children = this.#children.filter(child => {
			const isKept = child.#start < position;
			if (isKept) child.restartFrom(position, onDropped);
			else onDropped(child);
			return isKept;
		});
	}

	/** Updates the row numbers and row counts of this and open levels below; call it after any change. */
	layOut(): void {
		let rowsBelow = 0;
		for (const child of this.#children) {
			child.#row = this.#getClosedRow(this.#groups.findGroup(child.#start)) + rowsBelow;
			if (!child.isOpen) continue;
			child.layOut();
			rowsBelow += child.rowCount;
		}
		this.rowCount =
			this.#builtEnd - this.#start - this.#groups.countHiddenRows(this.#groups.count) + rowsBelow;
	}

	/** Returns the content of an existing row. */
	findItem(row: number): TreeRowItem {
		const child = this.#findLastChild(candidate => candidate.#row < row);
		const childRow = child === undefined ? -1 : row - child.#row - 1;
		if (child?.isOpen && childRow < child.rowCount) return child.findItem(childRow);
		const closedRow = row - this.#countRowsBelow(child);
		const group = this.#groups.countUpToRow(closedRow, this.#start) - 1;
		if (group >= 0 && this.#getClosedRow(group) === closedRow) return {kind: 'group', level: this, group};
		return {
			kind: 'key',
			level: this,
			position: closedRow + this.#start + this.#groups.countHiddenRows(group + 1),
		};
	}

	/**
	 * Returns the row that shows a key: its own, that of a closed group around it, or that of the group with
	 * a prefix of `prefixBytes` bytes; the last row for a key that is not grouped yet.
	 */
	findRow(position: number, prefixBytes = Number.POSITIVE_INFINITY): number {
		if (position >= this.#builtEnd) return Math.max(0, this.rowCount - 1);
		const group = this.#groups.findGroup(position);
		const previousChild = this.#findLastChild(
			child => child.#start < (group < 0 ? position : this.#groups.getStart(group)),
		);
		if (group < 0) {
			const hidden = this.#groups.countHiddenRows(this.#groups.countStarted(position));
			return position - this.#start - hidden + this.#countRowsBelow(previousChild);
		}
		const row = this.#getClosedRow(group) + this.#countRowsBelow(previousChild);
		const child = this.findChild(group);
		if (!child?.isOpen || child.rowCount === 0 || this.#groups.getPrefixByteLength(group) >= prefixBytes)
			return row;
		return row + 1 + child.findRow(position, prefixBytes);
	}

	/** Returns the group that contains a key; undefined if it is ungrouped or not scanned yet. */
	findGroup(position: number): number | undefined {
		const group = position < this.#builtEnd ? this.#groups.findGroup(position) : -1;
		return group < 0 ? undefined : group;
	}

	getRange(group: number): PositionRange {
		return {from: this.#groups.getStart(group), to: this.#groups.getEnd(group)};
	}

	getPrefix(index: KeyIndex, group: number): string {
		return index.records.readName(
			index.getAddress(this.#groups.getStart(group)),
			0,
			this.#groups.getPrefixByteLength(group),
		);
	}

	getPrefixByteLength(group: number): number {
		return this.#groups.getPrefixByteLength(group);
	}

	/** Returns the name of a key or group without this level's prefix. */
	getLabel(index: KeyIndex, position: number, prefixBytes?: number): string {
		return index.records.readName(index.getAddress(position), this.#prefixLength, prefixBytes);
	}

	/** Returns the level of a group, if it was ever opened. */
	findChild(group: number): TreeLevel | undefined {
		const child = this.#findLastChild(candidate => candidate.#start <= this.#groups.getStart(group));
		return child !== undefined && child.#start === this.#groups.getStart(group) ? child : undefined;
	}

	/** Opens a group; its rows are built incrementally. */
	openGroup(index: KeyIndex, group: number): void {
		const child = this.findChild(group);
		if (child !== undefined) {
			child.isOpen = true;
			return;
		}
		const newLevel = new TreeLevel(
			this.getPrefix(index, group),
			this.depth + 1,
			this.getRange(group),
			index.pages,
		);
		const nextIndex = this.#children.findIndex(sibling => sibling.#start > newLevel.#start);
		this.#children.splice(nextIndex < 0 ? this.#children.length : nextIndex, 0, newLevel);
	}

	#scan(index: KeyIndex, deadline: number): void {
		const start = this.#groups.reopenLast(this.#start, this.#builtEnd);
		this.#builtEnd = this.#groups.scan(index, start, this.#end, deadline);
	}

	/**
	 * Reassigns each child to its group by its first key. Drops children whose prefix is no longer a group.
	 */
	#reassignChildren(onDropped: OnDropped): void {
		this.#children = this.#children.filter(child => {
			const group = this.#groups.findGroup(child.#start);
			const isKept = group >= 0 && this.#groups.getPrefixByteLength(group) === child.#prefixLength;
			if (isKept) child.#end = this.#groups.getEnd(group);
			else onDropped(child);
			return isKept;
		});
	}

	/** Returns the row of a group if all groups were closed. */
	#getClosedRow(group: number): number {
		return this.#groups.getStart(group) - this.#start - this.#groups.countHiddenRows(group);
	}

	/** Counts the rows of open levels up to and including a child. */
	#countRowsBelow(child: TreeLevel | undefined): number {
		if (child === undefined) return 0;
		const rowsBefore = child.#row - this.#getClosedRow(this.#groups.findGroup(child.#start));
		return rowsBefore + (child.isOpen ? child.rowCount : 0);
	}

	/** Returns the last of the first children that match; the others must not match (binary search). */
	#findLastChild(matches: (child: TreeLevel) => boolean): TreeLevel | undefined {
		const end = bisect(0, this.#children.length, index => {
			const child = this.#children[index];
			return child !== undefined && matches(child);
		});
		return this.#children[end - 1];
	}
}
