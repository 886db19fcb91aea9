import {bisect} from '../../text/bisect.ts';
import {Groups} from './groups.ts';
import type {KeyIndex} from './key-index.ts';
import type {Pages} from './pages.ts';
import type {PositionRange} from './position-shift.ts';

/** Content of a tree row: a group or a key of a level. */
export type TreePlace =
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
	open = true;
	/** Rows shown, including open levels below, as of the last layout. */
	rows = 0;
	/** Bytes of the prefix. */
	readonly #known: number;
	#from: number;
	#to: number;
	/** Keys before this position have been grouped. */
	#built: number;
	#groups: Groups;
	/** In order. */
	#children: TreeLevel[] = [];
	/** Row of this level's group in the parent level. */
	#row = 0;

	constructor(prefix: string, depth: number, range: PositionRange, pages: Pages) {
		this.prefix = prefix;
		this.depth = depth;
		this.#known = Buffer.byteLength(prefix);
		this.#from = range.from;
		this.#to = range.to;
		this.#built = range.from;
		this.#groups = new Groups(this.#known, pages);
	}

	get children(): readonly TreeLevel[] {
		return this.#children;
	}

	/** Sets where the level's keys end. */
	extend(to: number): void {
		this.#to = to;
	}

	/**
	 * Groups more keys, here and in open levels below, until done or the deadline. Returns true when done.
	 */
	build(index: KeyIndex, deadline: number, onDropped: OnDropped): boolean {
		if (this.#built < this.#to) {
			this.#scan(index, deadline);
			this.#settle(onDropped);
		}
		let done = this.#built === this.#to;
		for (const child of this.#children) {
			if (!child.open) continue;
			if (!child.build(index, deadline, onDropped)) done = false;
			if (!done && performance.now() >= deadline) return false;
		}
		return done;
	}

	/** True if all keys before `end` are grouped, including those of open levels below. */
	isBuiltTo(end: number): boolean {
		return this.#built === end && this.#children.every(child => !child.open || child.isBuiltTo(child.#to));
	}

	/** Discards everything from a position on, where keys changed. Levels that began there are dropped. */
	restartFrom(position: number, onDropped: OnDropped): void {
		if (position >= this.#built) return;
		this.#built = this.#groups.keepUpTo(position);
		this.#children = this.#children.filter(child => {
			const isKept = child.#from < position;
			if (isKept) child.restartFrom(position, onDropped);
			else onDropped(child);
			return isKept;
		});
	}

	/** Counts the rows of the open levels, after any change. */
	layOut(): void {
		let below = 0;
		for (const child of this.#children) {
			child.#row = this.#closedRow(this.#groups.holding(child.#from)) + below;
			if (!child.open) continue;
			child.layOut();
			below += child.rows;
		}
		this.rows = this.#built - this.#from - this.#groups.hiddenBefore(this.#groups.count) + below;
	}

	/** Returns the content of an existing row. */
	place(row: number): TreePlace {
		const child = this.#lastChild(candidate => candidate.#row < row);
		const within = child === undefined ? -1 : row - child.#row - 1;
		if (child?.open && within < child.rows) return child.place(within);
		const closed = row - this.#rowsBelow(child);
		const group = this.#groups.countUpTo(closed, this.#from) - 1;
		if (group >= 0 && this.#closedRow(group) === closed) return {kind: 'group', level: this, group};
		return {kind: 'key', level: this, position: closed + this.#from + this.#groups.hiddenBefore(group + 1)};
	}

	/**
	 * Returns the row that shows a key: its own, that of a closed group around it, or that of the group with
	 * a prefix of `prefixBytes` bytes; the last row for a key that is not grouped yet.
	 */
	rowOf(position: number, prefixBytes = Number.POSITIVE_INFINITY): number {
		if (position >= this.#built) return Math.max(0, this.rows - 1);
		const group = this.#groups.holding(position);
		const before = this.#lastChild(child => child.#from < (group < 0 ? position : this.#groups.from(group)));
		if (group < 0) {
			const hidden = this.#groups.hiddenBefore(this.#groups.countFrom(position));
			return position - this.#from - hidden + this.#rowsBelow(before);
		}
		const row = this.#closedRow(group) + this.#rowsBelow(before);
		const child = this.childOf(group);
		if (!child?.open || child.rows === 0 || this.#groups.prefix(group) >= prefixBytes) return row;
		return row + 1 + child.rowOf(position, prefixBytes);
	}

	/** Returns the group that contains a key; undefined if it is ungrouped or not scanned yet. */
	groupHolding(position: number): number | undefined {
		const group = position < this.#built ? this.#groups.holding(position) : -1;
		return group < 0 ? undefined : group;
	}

	rangeOf(group: number): PositionRange {
		return {from: this.#groups.from(group), to: this.#groups.to(group)};
	}

	prefixOf(index: KeyIndex, group: number): string {
		return index.records.text(index.addressAt(this.#groups.from(group)), 0, this.#groups.prefix(group));
	}

	prefixBytes(group: number): number {
		return this.#groups.prefix(group);
	}

	/** Returns the name of a key or group without this level's prefix. */
	label(index: KeyIndex, position: number, prefixBytes?: number): string {
		return index.records.text(index.addressAt(position), this.#known, prefixBytes);
	}

	/** Returns the level of a group, if it was ever opened. */
	childOf(group: number): TreeLevel | undefined {
		const child = this.#lastChild(candidate => candidate.#from <= this.#groups.from(group));
		return child !== undefined && child.#from === this.#groups.from(group) ? child : undefined;
	}

	/** Opens a group; its rows are built incrementally. */
	openGroup(index: KeyIndex, group: number): void {
		const child = this.childOf(group);
		if (child !== undefined) {
			child.open = true;
			return;
		}
		const opened = new TreeLevel(
			this.prefixOf(index, group),
			this.depth + 1,
			this.rangeOf(group),
			index.pages,
		);
		const following = this.#children.findIndex(other => other.#from > opened.#from);
		this.#children.splice(following < 0 ? this.#children.length : following, 0, opened);
	}

	#scan(index: KeyIndex, deadline: number): void {
		const start = this.#groups.reopenLast(this.#from, this.#built);
		this.#built = this.#groups.scan(index, start, this.#to, deadline);
	}

	/**
	 * Reassigns each child to its group by its first key. Drops children whose prefix is no longer a group.
	 */
	#settle(onDropped: OnDropped): void {
		this.#children = this.#children.filter(child => {
			const group = this.#groups.holding(child.#from);
			const isKept = group >= 0 && this.#groups.prefix(group) === child.#known;
			if (isKept) child.#to = this.#groups.to(group);
			else onDropped(child);
			return isKept;
		});
	}

	/** Returns the row of a group if all groups were closed. */
	#closedRow(group: number): number {
		return this.#groups.from(group) - this.#from - this.#groups.hiddenBefore(group);
	}

	/** Counts the rows of open levels up to and including a child. */
	#rowsBelow(child: TreeLevel | undefined): number {
		if (child === undefined) return 0;
		const before = child.#row - this.#closedRow(this.#groups.holding(child.#from));
		return before + (child.open ? child.rows : 0);
	}

	/** Returns the last child of those at the start that match. */
	#lastChild(holds: (child: TreeLevel) => boolean): TreeLevel | undefined {
		const end = bisect(0, this.#children.length, at => {
			const child = this.#children[at];
			return child !== undefined && holds(child);
		});
		return this.#children[end - 1];
	}
}
