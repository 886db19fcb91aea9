import {createHash} from 'node:crypto';
import {type Base, isSameMetadata, isSameValue, type WholeKey} from '../../kv/change/whole-key.ts';
import {isUtf8Text} from '../../text/json/content.ts';
import {layOutJson} from '../../text/json/tree-layout.ts';
import {maxJsonSize} from '../../text/json/tree-nodes.ts';
import type {JsonValue} from '../../text/json.ts';
import {
	compareLines,
	compareThreeWay,
	type DifferenceRow,
	type ThreeWayRow,
	withContext,
} from '../../text/line-difference.ts';
import {haveSameLines, type NumberedLines, noFinalLineFeed, splitLines} from '../../text/lines.ts';
import {Numbering} from '../../text/numbering.ts';
import {PackedRows} from '../../text/packed-rows.ts';
import type {Steps} from '../../text/steps.ts';

/** The size and the beginning of the SHA-256 of a value that cannot be compared line by line. */
export type ValueDigest = {readonly bytes: number; readonly digest: string};

/** The difference between the stored and the proposed version. */
export type Difference =
	| {
			readonly kind: 'lines';
			readonly comparedPart: 'value' | 'metadata';
			/** True if the lines are reformatted JSON, not the original lines. */
			readonly isReformatted: boolean;
			readonly rows: PackedRows;
	  }
	| {
			readonly kind: 'sizes';
			readonly base: ValueDigest | undefined;
			readonly stored: ValueDigest | undefined;
			readonly mine: ValueDigest | undefined;
	  }
	/** Value and metadata are unchanged. */
	| {readonly kind: 'none'};

type ComparedVersions = {
	/** The version that the change is based on, if known. */
	readonly base: Base | undefined;
	readonly stored: WholeKey | undefined;
	readonly mine: {readonly bytes: Uint8Array; readonly metadata: JsonValue} | undefined;
};

const contextLines = 3;

/**
 * Computes the difference to show: of the values, or of the metadata if the values are equal. With a base, it
 * shows who changed each line. Values over 2 MiB are compared by size and digest only.
 */
export function* computeDifference({base, stored, mine}: ComparedVersions): Steps<Difference> {
	// A base known only by its digest cannot be shown line by line.
	const baseKey = base && 'bytes' in base ? base : undefined;
	const isChangedByOthers = baseKey && stored && !isSameValue(baseKey, stored);
	yield;
	if (!stored || !mine || isChangedByOthers || !isSameValue(stored, mine))
		return yield* compareValues(baseKey, stored, mine);
	const isMetadataChangedByOthers = base && !isSameMetadata(base.metadata, stored.metadata);
	if (isSameMetadata(stored.metadata, mine.metadata) && !isMetadataChangedByOthers) return {kind: 'none'};
	const numbering = new Numbering();
	const rows = yield* buildDifferenceRows(
		base && (yield* layOutMetadata(base.metadata, numbering)),
		yield* layOutMetadata(stored.metadata, numbering),
		yield* layOutMetadata(mine.metadata, numbering),
	);
	return {kind: 'lines', comparedPart: 'metadata', isReformatted: true, rows};
}

function* compareValues(
	baseKey: WholeKey | undefined,
	stored: WholeKey | undefined,
	mine: ComparedVersions['mine'],
): Steps<Difference> {
	const baseText = yield* decodeComparableText(baseKey);
	const storedText = yield* decodeComparableText(stored);
	const mineText = yield* decodeComparableText(mine);
	if (storedText === 'no text' || mineText === 'no text')
		return {
			kind: 'sizes',
			base: yield* computeValueDigest(baseKey),
			stored: yield* computeValueDigest(stored),
			mine: yield* computeValueDigest(mine),
		};
	// If the base is not text, nobody knows who changed a line, but stored and proposed lines can be compared.
	const texts = [baseText === 'no text' ? undefined : baseText, storedText, mineText];
	const numbering = new Numbering();
	const laidOutLines = yield* layOutTexts(texts, numbering);
	const lines = laidOutLines ?? (yield* splitTexts(texts, numbering));
	const [baseLines, storedLines, proposedLines] = markFinalLines(
		texts,
		lines,
		numbering,
		laidOutLines !== undefined,
	);
	const emptyLines = {numbers: [], texts: numbering.texts};
	const rows = yield* buildDifferenceRows(baseLines, storedLines ?? emptyLines, proposedLines ?? emptyLines);
	return {kind: 'lines', comparedPart: 'value', isReformatted: laidOutLines !== undefined, rows};
}

function* buildDifferenceRows(
	baseLines: NumberedLines | undefined,
	stored: NumberedLines,
	mine: NumberedLines,
): Steps<PackedRows> {
	const rows = baseLines
		? yield* compareThreeWay(baseLines, stored, mine)
		: attributeToMe(yield* compareLines(stored, mine));
	const shownRows = new PackedRows(stored, mine);
	yield* withContext(rows, contextLines, shownRows);
	return shownRows;
}

function* attributeToMe(rows: Iterable<DifferenceRow>): Generator<ThreeWayRow> {
	for (const row of rows) yield {...row, changedBy: row.kind === 'same' ? 'nobody' : 'mine'};
}

/**
 * Decodes a value that can be compared line by line. Returns `no text` if it is too large or not text,
 * undefined if there is no value.
 */
function* decodeComparableText(
	side: {readonly bytes: Uint8Array} | undefined,
): Steps<string | 'no text' | undefined> {
	if (!side) return undefined;
	const {bytes} = side;
	if (bytes.length > maxJsonSize || !isUtf8Text(bytes)) return 'no text';
	yield;
	const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
	yield;
	return text;
}

/** The lines of the base, stored and proposed version, in this order; each may be missing. */
type LinesOfVersions = readonly (NumberedLines | undefined)[];

/** Lays out all texts with one field per line. Undefined if one is not JSON or if only the layout differs. */
function* layOutTexts(
	texts: readonly (string | undefined)[],
	numbering: Numbering,
): Steps<LinesOfVersions | undefined> {
	const laidOutLines: (NumberedLines | undefined)[] = [];
	for (const text of texts) {
		const lines =
			text !== undefined && /^\s*[[{]/.test(text) ? yield* layOutJson(text, numbering) : undefined;
		if (lines === undefined && text !== undefined) return undefined;
		laidOutLines.push(lines);
	}
	const [, stored, mine] = laidOutLines;
	const isLayoutOnly = stored && mine && texts[1] !== texts[2] && (yield* haveSameLines(stored, mine));
	return isLayoutOnly ? undefined : laidOutLines;
}

function* splitTexts(texts: readonly (string | undefined)[], numbering: Numbering): Steps<LinesOfVersions> {
	const lines: (NumberedLines | undefined)[] = [];
	for (const text of texts) lines.push(text === undefined ? undefined : yield* splitLines(text, numbering));
	return lines;
}

/**
 * If only some texts end with a line feed, appends `noFinalLineFeed` to those without one, and drops the
 * empty last line of those with one, as `diff` does. Laid-out text has no empty last line.
 */
function markFinalLines(
	texts: readonly (string | undefined)[],
	lines: LinesOfVersions,
	numbering: Numbering,
	isLaidOut: boolean,
): LinesOfVersions {
	const endsWithLineFeed = texts.map(text => (text ? text.endsWith('\n') : undefined));
	if (!endsWithLineFeed.includes(true) || !endsWithLineFeed.includes(false)) return lines;
	return lines.map((textLines, index) => {
		if (!textLines || endsWithLineFeed[index] === undefined) return textLines;
		const {numbers, texts: knownTexts} = textLines;
		if (endsWithLineFeed[index])
			return isLaidOut ? textLines : {numbers: numbers.slice(0, -1), texts: knownTexts};
		return {numbers: [...numbers, numbering.assignNumber(noFinalLineFeed)], texts: knownTexts};
	});
}

function* layOutMetadata(metadata: JsonValue, numbering: Numbering): Steps<NumberedLines> {
	const lines = metadata === null ? undefined : yield* layOutJson(JSON.stringify(metadata), numbering);
	return lines ?? {numbers: [], texts: numbering.texts};
}

/** Bytes hashed per step. */
const bytesPerStep = 1 << 20;

function* computeValueDigest(side: {readonly bytes: Uint8Array} | undefined): Steps<ValueDigest | undefined> {
	if (!side) return undefined;
	const {bytes} = side;
	const hash = createHash('sha256');
	for (let offset = 0; offset < bytes.length; offset += bytesPerStep) {
		hash.update(bytes.subarray(offset, offset + bytesPerStep));
		yield;
	}
	return {bytes: bytes.length, digest: hash.digest('hex').slice(0, 16)};
}
