import type {KeyIndex} from './key-index.ts';
import type {PositionRange} from './position-shift.ts';
import {listPrefixes} from './prefixes.ts';
import {
	catchUpBudgetMs,
	clampRow,
	createWholeRange,
	type KeyRange,
	type KeyRow,
	type KeyRows,
} from './rows.ts';
import {TreeLevel, type TreeRowItem} from './tree-level.ts';

/**
 * Rows of keys grouped by common prefixes ending in `:` or `/`. A group has at least two keys, and a chain of
 * single groups is one row. Groups start closed. Open groups are remembered by prefix, so they stay open when
 * keys change, and can be passed to the rows of another index.
 */
export class TreeRows implements KeyRows {
	readonly arrangement = 'tree';
	readonly #index: KeyIndex;
	readonly #range: KeyRange;
	/** Level of the whole range, which began at `#rootStart`. */
	#root: TreeLevel;
	#rootStart: number;
	readonly #openGroupPrefixes: Set<string>;
	/** Open prefixes that have no group yet. */
	readonly #pendingPrefixes: Set<string>;
	#revision: number;

	constructor(index: KeyIndex, openPrefixes: Iterable<string> = [], range = createWholeRange(index)) {
		this.#index = index;
		this.#range = range;
		this.#rootStart = range.from;
		this.#root = this.#createRoot();
		this.#revision = index.revision;
		this.#openGroupPrefixes = new Set(openPrefixes);
		this.#pendingPrefixes = new Set(this.#openGroupPrefixes);
	}

	get count(): number {
		this.#catchUp();
		return this.#root.rowCount;
	}

	get isDone(): boolean {
		this.#catchUp();
		return this.#root.isBuiltTo(this.#range.to);
	}

	get openPrefixes(): string[] {
		return [...this.#openGroupPrefixes];
	}

	at(row: number): KeyRow | undefined {
		const item = this.#findItem(row);
		if (item === undefined) return undefined;
		const {level} = item;
		if (item.kind === 'key') {
			const {position} = item;
			return {kind: 'key', position, depth: level.depth, label: level.getLabel(this.#index, position)};
		}
		const {from, to} = level.getRange(item.group);
		return {
			kind: 'group',
			prefix: level.getPrefix(this.#index, item.group),
			label: level.getLabel(this.#index, from, level.getPrefixByteLength(item.group)),
			depth: level.depth,
			open: level.findChild(item.group)?.isOpen ?? false,
			count: to - from,
			complete: !this.#range.mayGrow(to),
		};
	}

	advance(budgetMilliseconds = Number.POSITIVE_INFINITY): boolean {
		this.#catchUp();
		return this.#build(budgetMilliseconds);
	}

	findRow(position: number): number {
		this.#catchUp();
		return clampRow(this.#root.findRow(position), this.#root.rowCount);
	}

	/** Returns the row of the group with this prefix, if it is shown. */
	findPrefixRow(prefix: string): number | undefined {
		this.#catchUp();
		const row = this.#root.findRow(this.#findFirst(prefix), Buffer.byteLength(prefix));
		const foundRow = this.at(row);
		return foundRow?.kind === 'group' && foundRow.prefix === prefix ? row : undefined;
	}

	/** Returns the row of the enclosing group; undefined at the top level. */
	findParentRow(row: number): number | undefined {
		const item = this.#findItem(row);
		return item === undefined || item.level.depth === 0 ? undefined : this.findPrefixRow(item.level.prefix);
	}

	getPositions(row: number): PositionRange {
		const item = this.#findItem(row);
		if (item === undefined) return {from: 0, to: 0};
		if (item.kind === 'group') return item.level.getRange(item.group);
		return {from: item.position, to: item.position + 1};
	}

	/**
	 * Opens the group in a row. Its rows appear with the next `advance`, or immediately if it was open
	 * before.
	 */
	open(row: number): void {
		const item = this.#findItem(row);
		if (item?.kind !== 'group') return;
		// If the chain is split later, all of its groups are open.
		this.openGroups(this.#listItemPrefixes(item));
	}

	/**
	 * Opens the groups of prefixes, outermost first; one that does not exist yet opens when it appears. Rows
	 * appear with the next `advance`.
	 */
	openGroups(prefixes: readonly string[]): void {
		for (const prefix of prefixes) {
			this.#openGroupPrefixes.add(prefix);
			this.#pendingPrefixes.add(prefix);
		}
		this.#openPending();
		this.#root.layOut();
	}

	/** Closes the group in a row; nested groups keep their state. */
	close(row: number): void {
		const item = this.#findItem(row);
		if (item?.kind !== 'group') return;
		for (const prefix of this.#listItemPrefixes(item)) {
			this.#openGroupPrefixes.delete(prefix);
			this.#pendingPrefixes.delete(prefix);
		}
		const child = item.level.findChild(item.group);
		if (child !== undefined) child.isOpen = false;
		this.#root.layOut();
	}

	toggle(row: number): void {
		const shownRow = this.at(row);
		if (shownRow?.kind !== 'group') return;
		if (shownRow.open) this.close(row);
		else this.open(row);
	}

	#findItem(row: number): TreeRowItem | undefined {
		return row >= 0 && row < this.count ? this.#root.findItem(row) : undefined;
	}

	#listItemPrefixes(item: {level: TreeLevel; group: number}): string[] {
		const {level, group} = item;
		return listPrefixes(level.getPrefix(this.#index, group), Buffer.byteLength(level.prefix));
	}

	/** Returns the position of the first key of the range that a group with this prefix would have. */
	#findFirst(prefix: string): number {
		return Math.max(this.#index.find(prefix).position, this.#range.from);
	}

	/** Opens pending groups that exist by now. Returns true if there were any. */
	#openPending(): boolean {
		let hasOpened = false;
		for (const prefix of this.#pendingPrefixes) {
			if (!this.#openPrefix(prefix)) continue;
			this.#pendingPrefixes.delete(prefix);
			hasOpened = true;
		}
		return hasOpened;
	}

	#openPrefix(prefix: string): boolean {
		const position = this.#findFirst(prefix);
		const bytes = Buffer.byteLength(prefix);
		for (let level: TreeLevel | undefined = this.#root; level !== undefined; ) {
			const group: number | undefined = level.findGroup(position);
			if (group === undefined) return false;
			if (level.getPrefixByteLength(group) >= bytes) {
				if (level.getPrefix(this.#index, group) !== prefix) return false;
				level.openGroup(this.#index, group);
				return true;
			}
			level = level.findChild(group);
		}
		return false;
	}

	/** Remembers the open groups of a dropped level, to reopen them if it returns. */
	readonly #rememberOpen = (level: TreeLevel): void => {
		if (this.#openGroupPrefixes.has(level.prefix)) this.#pendingPrefixes.add(level.prefix);
		for (const child of level.children) this.#rememberOpen(child);
	};

	/** Rescans from the first position that changed. */
	#catchUp(): void {
		const isInPlace = this.#rootStart === this.#range.from;
		if (isInPlace && this.#revision === this.#index.revision) return;
		const position = this.#index.findFirstMoved(this.#revision);
		this.#revision = this.#index.revision;
		if (isInPlace) this.#root.restartFrom(Math.max(position, this.#rootStart), this.#rememberOpen);
		else this.#moveRoot();
		this.#build(catchUpBudgetMs);
	}

	/** Starts over where the range begins now. */
	#moveRoot(): void {
		for (const child of this.#root.children) this.#rememberOpen(child);
		this.#rootStart = this.#range.from;
		this.#root = this.#createRoot();
	}

	#createRoot(): TreeLevel {
		return new TreeLevel('', 0, {from: this.#rootStart, to: this.#rootStart}, this.#index.pages);
	}

	#build(budgetMilliseconds: number): boolean {
		const deadline = performance.now() + budgetMilliseconds;
		this.#root.extend(this.#range.to);
		let isDone = this.#root.build(this.#index, deadline, this.#rememberOpen);
		while (this.#openPending() && isDone)
			isDone = this.#root.build(this.#index, deadline, this.#rememberOpen);
		this.#root.layOut();
		return isDone;
	}
}
