/** An edit: replaced `removed` by `inserted` at `offset` (code units of the whole text). */
export type BufferChange = {
	readonly offset: number;
	readonly removed: string;
	readonly inserted: string;
	/** The cursor before the edit, in code units of the whole text. */
	readonly cursor: number;
};

/** Consecutive edits of one kind, which are undone together. */
export type EditRun = 'typing' | 'erasing' | 'none';

export type History = {
	readonly past: readonly BufferChange[];
	readonly future: readonly BufferChange[];
	readonly run: EditRun;
};

export const noHistory: History = {past: [], future: [], run: 'none'};

/**
 * Maximum number of undo steps, and maximum of their code units in total. The newest step is kept whatever
 * its size.
 */
const maxChanges = 500;
const maxUnits = 4 * 1024 * 1024;

/** Adds a change to the history; joins it to the last one if it continues the same run. */
export function recordChange(history: History, change: BufferChange, run: EditRun): History {
	const last = history.past.at(-1);
	const mergedChange = last && run !== 'none' && run === history.run ? joinChanges(last, change) : undefined;
	const past = mergedChange ? [...history.past.slice(0, -1), mergedChange] : [...history.past, change];
	return {past: trimPast(past), future: [], run};
}

/** Joins two changes of a run; undefined if they do not touch, or a new word starts. */
function joinChanges(last: BufferChange, next: BufferChange): BufferChange | undefined {
	if (next.removed === '' && next.offset === last.offset + last.inserted.length)
		return /\s$/.test(last.inserted) && /^\S/.test(next.inserted)
			? undefined
			: {...last, inserted: last.inserted + next.inserted};
	if (last.inserted !== '' || next.inserted !== '') return;
	if (next.offset + next.removed.length === last.offset)
		return {...last, offset: next.offset, removed: next.removed + last.removed};
	if (next.offset === last.offset) return {...last, removed: last.removed + next.removed};
	return;
}

function trimPast(past: readonly BufferChange[]): readonly BufferChange[] {
	let keptCount = 0;
	let unitCount = 0;
	while (keptCount < past.length && keptCount < maxChanges) {
		const change = past[past.length - 1 - keptCount];
		unitCount += change ? change.removed.length + change.inserted.length : 0;
		if (unitCount > maxUnits && keptCount > 0) break;
		keptCount++;
	}
	return keptCount === past.length ? past : past.slice(-keptCount);
}
