/** An edit: replaced `removed` by `inserted` at `offset` (code units of the whole text). */
export type Change = {
	readonly offset: number;
	readonly removed: string;
	readonly inserted: string;
	/** The cursor before the edit, in code units of the whole text. */
	readonly cursor: number;
};

/** Consecutive edits of one kind, which are undone together. */
export type Run = 'typing' | 'erasing' | 'none';

export type History = {
	readonly past: readonly Change[];
	readonly future: readonly Change[];
	readonly run: Run;
};

export const noHistory: History = {past: [], future: [], run: 'none'};

/**
 * Maximum number of undo steps, and of their code units in all; the newest step is kept whatever its size.
 */
const mostChanges = 500;
const mostUnits = 4 * 1024 * 1024;

/** Adds a change to the history; joins it to the last one if it continues the same run. */
export function recorded(history: History, change: Change, run: Run): History {
	const last = history.past.at(-1);
	const joined = last && run !== 'none' && run === history.run ? joinedChange(last, change) : undefined;
	const past = joined ? [...history.past.slice(0, -1), joined] : [...history.past, change];
	return {past: bounded(past), future: [], run};
}

/** Joins two changes of a run; undefined if they do not touch, or a new word starts. */
function joinedChange(last: Change, next: Change): Change | undefined {
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

function bounded(past: readonly Change[]): readonly Change[] {
	let kept = 0;
	let units = 0;
	while (kept < past.length && kept < mostChanges) {
		const change = past[past.length - 1 - kept];
		units += change ? change.removed.length + change.inserted.length : 0;
		if (units > mostUnits && kept > 0) break;
		kept++;
	}
	return kept === past.length ? past : past.slice(-kept);
}
