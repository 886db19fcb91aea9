import type {KeyIndex} from './key-index.ts';
import type {PositionRange} from './position-shift.ts';
import {listPrefixes} from './prefixes.ts';
import {clampRow, followBudgetMs, type KeyRow, type KeyRows} from './rows.ts';
import {TreeLevel, type TreePlace} from './tree-level.ts';

/**
 * Rows of keys grouped by common prefixes ending in `:` or `/`. A group has at least two keys, and a chain of
 * single groups is one row. Groups start closed. Open groups are remembered by prefix, so they stay open when
 * keys change, and can be passed to the rows of another index.
 */
export class TreeRows implements KeyRows {
	readonly arrangement = 'tree';
	readonly #index: KeyIndex;
	readonly #root: TreeLevel;
	readonly #open: Set<string>;
	/** Open prefixes without a group so far. */
	readonly #waiting: Set<string>;
	#revision: number;

	constructor(index: KeyIndex, openPrefixes: Iterable<string> = []) {
		this.#index = index;
		this.#root = new TreeLevel('', 0, {from: 0, to: 0}, index.pages);
		this.#revision = index.revision;
		this.#open = new Set(openPrefixes);
		this.#waiting = new Set(this.#open);
	}

	get count(): number {
		this.#follow();
		return this.#root.rows;
	}

	get isDone(): boolean {
		this.#follow();
		return this.#root.isBuiltTo(this.#index.count);
	}

	get openPrefixes(): string[] {
		return [...this.#open];
	}

	at(row: number): KeyRow | undefined {
		const place = this.#findPlace(row);
		if (place === undefined) return undefined;
		const {level} = place;
		if (place.kind === 'key') {
			const {position} = place;
			return {kind: 'key', position, depth: level.depth, label: level.getLabel(this.#index, position)};
		}
		const {from, to} = level.getRange(place.group);
		return {
			kind: 'group',
			prefix: level.getPrefix(this.#index, place.group),
			label: level.getLabel(this.#index, from, level.getPrefixBytes(place.group)),
			depth: level.depth,
			open: level.findChild(place.group)?.open ?? false,
			count: to - from,
			complete: !this.#index.mayGrow(to),
		};
	}

	advance(budgetMilliseconds = Number.POSITIVE_INFINITY): boolean {
		this.#follow();
		return this.#build(budgetMilliseconds);
	}

	findRow(position: number): number {
		this.#follow();
		return clampRow(this.#root.findRow(position), this.#root.rows);
	}

	/** Returns the row of the group with this prefix, if it is shown. */
	findPrefixRow(prefix: string): number | undefined {
		this.#follow();
		const row = this.#root.findRow(this.#index.find(prefix).position, Buffer.byteLength(prefix));
		const found = this.at(row);
		return found?.kind === 'group' && found.prefix === prefix ? row : undefined;
	}

	/** Returns the row of the enclosing group; undefined at the top level. */
	findParentRow(row: number): number | undefined {
		const place = this.#findPlace(row);
		return place === undefined || place.level.depth === 0
			? undefined
			: this.findPrefixRow(place.level.prefix);
	}

	getPositions(row: number): PositionRange {
		const place = this.#findPlace(row);
		if (place === undefined) return {from: 0, to: 0};
		if (place.kind === 'group') return place.level.getRange(place.group);
		return {from: place.position, to: place.position + 1};
	}

	/**
	 * Opens the group in a row. Its rows appear with the next `advance`, or immediately if it was open
	 * before.
	 */
	open(row: number): void {
		const place = this.#findPlace(row);
		if (place?.kind !== 'group') return;
		// If the chain is split later, all of its groups are open.
		this.openGroups(this.#listPlacePrefixes(place));
	}

	/**
	 * Opens the groups of prefixes, outermost first; one that does not exist yet opens when it appears. Rows
	 * appear with the next `advance`.
	 */
	openGroups(prefixes: readonly string[]): void {
		for (const prefix of prefixes) {
			this.#open.add(prefix);
			this.#waiting.add(prefix);
		}
		this.#openWaiting();
		this.#root.layOut();
	}

	/** Closes the group in a row; nested groups keep their state. */
	close(row: number): void {
		const place = this.#findPlace(row);
		if (place?.kind !== 'group') return;
		for (const prefix of this.#listPlacePrefixes(place)) {
			this.#open.delete(prefix);
			this.#waiting.delete(prefix);
		}
		const child = place.level.findChild(place.group);
		if (child !== undefined) child.open = false;
		this.#root.layOut();
	}

	toggle(row: number): void {
		const shown = this.at(row);
		if (shown?.kind !== 'group') return;
		if (shown.open) this.close(row);
		else this.open(row);
	}

	#findPlace(row: number): TreePlace | undefined {
		return row >= 0 && row < this.count ? this.#root.findPlace(row) : undefined;
	}

	#listPlacePrefixes(place: {level: TreeLevel; group: number}): string[] {
		const {level, group} = place;
		return listPrefixes(level.getPrefix(this.#index, group), Buffer.byteLength(level.prefix));
	}

	/** Opens pending groups that exist by now. Returns true if there were any. */
	#openWaiting(): boolean {
		let opened = false;
		for (const prefix of this.#waiting) {
			if (!this.#openPrefix(prefix)) continue;
			this.#waiting.delete(prefix);
			opened = true;
		}
		return opened;
	}

	#openPrefix(prefix: string): boolean {
		const {position} = this.#index.find(prefix);
		const bytes = Buffer.byteLength(prefix);
		for (let level: TreeLevel | undefined = this.#root; level !== undefined; ) {
			const group: number | undefined = level.findGroup(position);
			if (group === undefined) return false;
			if (level.getPrefixBytes(group) >= bytes) {
				if (level.getPrefix(this.#index, group) !== prefix) return false;
				level.openGroup(this.#index, group);
				return true;
			}
			level = level.findChild(group);
		}
		return false;
	}

	/** Remembers the open groups of a dropped level, to reopen them if it returns. */
	readonly #forget = (level: TreeLevel): void => {
		if (this.#open.has(level.prefix)) this.#waiting.add(level.prefix);
		for (const child of level.children) this.#forget(child);
	};

	/** Rescans from the first position that changed. */
	#follow(): void {
		if (this.#revision === this.#index.revision) return;
		const position = this.#index.findFirstMoved(this.#revision);
		this.#revision = this.#index.revision;
		this.#root.restartFrom(position, this.#forget);
		this.#build(followBudgetMs);
	}

	#build(budgetMilliseconds: number): boolean {
		const deadline = performance.now() + budgetMilliseconds;
		this.#root.extend(this.#index.count);
		let done = this.#root.build(this.#index, deadline, this.#forget);
		while (this.#openWaiting() && done) done = this.#root.build(this.#index, deadline, this.#forget);
		this.#root.layOut();
		return done;
	}
}
