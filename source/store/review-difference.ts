import {createHash} from 'node:crypto';
import type {JsonValue} from '../json.ts';
import {type Base, isSameMetadata, isSameValue, type WholeKey} from '../kv/change/whole-key.ts';
import {contentOf} from '../text/content.ts';
import {layOut} from '../text/json-tree-layout.ts';
import {largestJson} from '../text/json-tree-nodes.ts';
import {
	difference,
	type SkippedRows,
	type ThreeWayRow,
	threeWay,
	withContext,
} from '../text/line-difference.ts';

/** What is left of a value that cannot be compared line by line: its bytes, and the beginning of its SHA-256. */
export type Sizes = {readonly bytes: number; readonly digest: string};

/** What is stored now beside what will be. `mine` is absent where a key is to be deleted. */
export type Difference =
	| {
			readonly kind: 'lines';
			/** What the lines are of. */
			readonly of: 'value' | 'metadata';
			/** Whether they are the values laid out, and not their own lines. */
			readonly laidOut: boolean;
			readonly rows: readonly (ThreeWayRow | SkippedRows)[];
	  }
	| {
			readonly kind: 'sizes';
			readonly first: Sizes | undefined;
			readonly stored: Sizes | undefined;
			readonly mine: Sizes | undefined;
	  }
	/** Value and metadata stay as they are. */
	| {readonly kind: 'none'};

export type Compared = {
	/** What the change began from, if anything of it is known. */
	readonly base: Base | undefined;
	readonly stored: WholeKey | undefined;
	readonly mine: {readonly bytes: Uint8Array; readonly metadata: JsonValue} | undefined;
};

/** Lines that are shown around each that differs. */
const context = 3;

/** Lets keys be answered between two steps of work. */
export type Pause = () => Promise<void>;

/**
 * The difference that is worth showing: that of the values, else that of the metadata. With what the change began
 * from it tells who changed which line. Bounded work, in steps: values beyond 2 MiB are told by their sizes.
 */
export async function differenceOf({base, stored, mine}: Compared, pause: Pause): Promise<Difference> {
	const first = base && 'bytes' in base ? base : undefined;
	const theirs = first && stored && !isSameValue(first, stored);
	if (!stored || !mine || theirs || !isSameValue(stored, mine))
		return valueDifference(first, stored, mine, pause);
	const isChangedBefore = base && !isSameMetadata(base.metadata, stored.metadata);
	if (isSameMetadata(stored.metadata, mine.metadata) && !isChangedBefore) return {kind: 'none'};
	const rows = rowsOf(
		base && metadataLines(base.metadata),
		metadataLines(stored.metadata),
		metadataLines(mine.metadata),
	);
	return {kind: 'lines', of: 'metadata', laidOut: true, rows};
}

async function valueDifference(
	first: WholeKey | undefined,
	stored: WholeKey | undefined,
	mine: Compared['mine'],
	pause: Pause,
): Promise<Difference> {
	const read = {first: textOf(first), stored: textOf(stored), mine: textOf(mine)};
	await pause();
	if (read.stored === 'no text' || read.mine === 'no text')
		return {kind: 'sizes', first: sizesOf(first), stored: sizesOf(stored), mine: sizesOf(mine)};
	// Without its lines nobody can say who changed one; what is stored and what will be can be told all the same.
	const texts = [read.first === 'no text' ? undefined : read.first, read.stored, read.mine] as const;
	const laidOut = await laidOutLines(texts, pause);
	const [before, now, then] = laidOut ?? texts.map(text => text?.split('\n'));
	await pause();
	return {
		kind: 'lines',
		of: 'value',
		laidOut: laidOut !== undefined,
		rows: rowsOf(before, now ?? [], then ?? []),
	};
}

function rowsOf(
	first: readonly string[] | undefined,
	stored: readonly string[],
	mine: readonly string[],
): (ThreeWayRow | SkippedRows)[] {
	const rows: ThreeWayRow[] = first
		? threeWay(first, stored, mine)
		: difference(stored, mine).map(row => ({...row, changedBy: row.kind === 'same' ? 'nobody' : 'mine'}));
	return withContext(rows, context);
}

/** The text of a value that can be compared line by line; nothing where there is no value. */
function textOf(side: {readonly bytes: Uint8Array} | undefined): string | 'no text' | undefined {
	if (!side) return undefined;
	const content = side.bytes.length > largestJson ? undefined : contentOf(side.bytes);
	return content && content.kind !== 'binary' && content.text !== undefined ? content.text : 'no text';
}

type Texts = readonly [string | undefined, string | undefined, string | undefined];

/** All texts laid out, one field a line; `undefined` when one is no JSON, or they differ in their layout only. */
async function laidOutLines(
	texts: Texts,
	pause: Pause,
): Promise<readonly (readonly string[] | undefined)[] | undefined> {
	const lines: (readonly string[] | undefined)[] = [];
	for (const text of texts) {
		const laid = text === undefined || !/^\s*[[{]/.test(text) ? undefined : layOut(text);
		if (laid === undefined && text !== undefined) return undefined;
		lines.push(laid);
		await pause();
	}
	const [, stored, mine] = lines;
	const isLayoutOnly = stored && mine && texts[1] !== texts[2] && stored.join('\n') === mine.join('\n');
	return isLayoutOnly ? undefined : lines;
}

const metadataLines = (metadata: JsonValue): readonly string[] =>
	metadata === null ? [] : (layOut(JSON.stringify(metadata)) ?? []);

const sizesOf = (side: {readonly bytes: Uint8Array} | undefined): Sizes | undefined =>
	side && {
		bytes: side.bytes.length,
		digest: createHash('sha256').update(side.bytes).digest('hex').slice(0, 16),
	};
