import type {Cell} from '../terminal/screen/cells.ts';
import {baseline, cellHeight, cellWidth, escapeXml, fontSize, formatSvgNumber} from './grid.ts';
import {drawBraille, drawShape, isBraille, isShape, joinsSideways} from './shapes.ts';
import {mixColours, resolveColour, type Theme} from './theme.ts';

/** A cell as it is painted: the colours of the theme after dim, inverse and the cursor. */
type PaintedCell = {
	readonly text: string;
	readonly column: number;
	readonly width: number;
	readonly ink: string;
	readonly ground: string;
	readonly bold: boolean;
	readonly italic: boolean;
	readonly underline: boolean;
	readonly strikethrough: boolean;
};

/** Share of the background in dim text, small enough for the text to stay readable. */
const dimShare = 0.38;

function paintCell(cell: Cell, column: number, theme: Theme, underCursor: boolean): PaintedCell {
	let ink = resolveColour(cell.foreground, theme, 'foreground');
	let ground = resolveColour(cell.background, theme, 'background');
	if (cell.inverse !== underCursor) [ink, ground] = [ground, ink];
	if (cell.dim) ink = mixColours(ink, ground, dimShare);
	const {width, bold, italic, underline, strikethrough} = cell;
	const text = cell.hidden ? ' ' : cell.text;
	return {text, column, width, ink, ground, bold, italic, underline, strikethrough};
}

/** Groups neighbours that belong together. */
function groupNeighbours<Item>(
	items: readonly Item[],
	belongTogether: (one: Item, next: Item) => boolean,
): Item[][] {
	const groups: Item[][] = [];
	for (const item of items) {
		const group = groups.at(-1);
		const last = group?.at(-1);
		if (group && last !== undefined && belongTogether(last, item)) group.push(item);
		else groups.push([item]);
	}
	return groups;
}

const columnsOf = (cells: readonly PaintedCell[]): number => cells.reduce((sum, cell) => sum + cell.width, 0);

const startOf = (cells: readonly PaintedCell[]): number => (cells[0]?.column ?? 0) * cellWidth;

const sameInk = (one: PaintedCell, other: PaintedCell): boolean =>
	one.ink === other.ink && one.bold === other.bold && one.italic === other.italic;

const isAscii = ({text}: PaintedCell): boolean => /^[\u0020-\u007e]$/.test(text);

/** The background of a row, where it differs from that of the window. */
function drawBackgrounds(cells: readonly PaintedCell[], y: number, theme: Theme): string[] {
	return groupNeighbours(cells, (one, next) => one.ground === next.ground)
		.filter(([first]) => first && first.ground !== theme.background)
		.map(
			group =>
				`<rect x="${startOf(group)}" y="${y}" width="${columnsOf(group) * cellWidth}" height="${cellHeight}" fill="${group[0]?.ground}"/>`,
		);
}

/** Lines under and through text, each drawn as one line across all runs. */
function drawStrokes(
	cells: readonly PaintedCell[],
	y: number,
	strokeKind: 'underline' | 'strikethrough',
): string[] {
	const top = y + (strokeKind === 'underline' ? baseline + 2 : baseline - 5);
	return groupNeighbours(cells, (one, next) => one[strokeKind] === next[strokeKind] && one.ink === next.ink)
		.filter(([first]) => first?.[strokeKind])
		.map(
			group =>
				`<rect x="${startOf(group)}" y="${top}" width="${columnsOf(group) * cellWidth}" height="1" fill="${group[0]?.ink}"/>`,
		);
}

function formatStyle({ink, bold, italic}: PaintedCell, theme: Theme): string {
	return [
		ink === theme.foreground ? '' : ` fill="${ink}"`,
		bold ? ' font-weight="bold"' : '',
		italic ? ' font-style="italic"' : '',
	].join('');
}

/**
 * Draws ASCII words with single spaces as one piece with a fixed length, so that columns align in any font. Every other
 * character is a piece of its own in the middle of its columns, since it may come from a font of another width.
 */
function drawWords(cells: readonly PaintedCell[], y: number, theme: Theme): string[] {
	const baselineY = y + baseline;
	const textCells = cells.filter(({text}) => text.trim() !== '' && !isShape(text) && !isBraille(text));
	const areInOneWord = (one: PaintedCell, next: PaintedCell) =>
		isAscii(one) && isAscii(next) && next.column - one.column <= 2 && sameInk(one, next);
	return groupNeighbours(textCells, areInOneWord).map(group => {
		const [first] = group;
		const last = group.at(-1);
		if (!first || !last) return '';
		const x = first.column * cellWidth;
		if (group.length === 1 && !isAscii(first)) {
			const centre = formatSvgNumber(x + (first.width * cellWidth) / 2);
			return `<text x="${centre}" y="${baselineY}" text-anchor="middle"${formatStyle(first, theme)}>${escapeXml(first.text)}</text>`;
		}
		const text = cells
			.filter(({column}) => column >= first.column && column <= last.column)
			.map(cell => cell.text)
			.join('');
		const length = text.length > 1 ? ` textLength="${text.length * cellWidth}"` : '';
		return `<text x="${x}" y="${baselineY}"${length}${formatStyle(first, theme)}>${escapeXml(text)}</text>`;
	});
}

function drawShapes(cells: readonly PaintedCell[], y: number): string[] {
	const areOneShape = (one: PaintedCell, next: PaintedCell) =>
		one.text === next.text && joinsSideways(one.text) && next.column === one.column + 1 && sameInk(one, next);
	return groupNeighbours(
		cells.filter(({text}) => isShape(text)),
		areOneShape,
	).map(group => drawShape(group[0]?.text ?? '', startOf(group), y, group.length, group[0]?.ink ?? ''));
}

/** The braille of a row, grouped by colour. */
function drawBrailleCells(cells: readonly PaintedCell[], y: number): string[] {
	const cellsByInk = Map.groupBy(
		cells.filter(({text}) => isBraille(text)),
		({ink}) => ink,
	);
	return [...cellsByInk].map(([ink, brailleCells]) =>
		drawBraille(
			brailleCells.map(({text, column}) => ({text, x: column * cellWidth})),
			y,
			ink,
		),
	);
}

/** One row of the terminal as SVG, its top at y. */
export function drawRow(row: readonly Cell[], y: number, theme: Theme, cursorColumn?: number): string {
	const cells = row
		.map((cell, column) => paintCell(cell, column, theme, column === cursorColumn))
		.filter(cell => cell.width > 0);
	return [
		...drawBackgrounds(cells, y, theme),
		...drawShapes(cells, y),
		...drawBrailleCells(cells, y),
		...drawWords(cells, y, theme),
		...drawStrokes(cells, y, 'underline'),
		...drawStrokes(cells, y, 'strikethrough'),
	].join('');
}

/** Attributes that the texts of all rows share. */
export const textAttributes = (theme: Theme, fontFamily: string): string =>
	`font-family="${escapeXml(fontFamily)}" font-size="${fontSize}" fill="${theme.foreground}"`;
