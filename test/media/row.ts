import type {Cell} from '../terminal/screen/cells.ts';
import {baseline, cellHeight, cellWidth, escaped, figure, fontSize} from './grid.ts';
import {drawBraille, drawShape, isBraille, isShape, joinsSideways} from './shapes.ts';
import {mixed, shown, type Theme} from './theme.ts';

/** A cell as it is painted: the colours of the theme after dim, inverse and the cursor. */
type Painted = {
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

function painted(cell: Cell, column: number, theme: Theme, underCursor: boolean): Painted {
	let ink = shown(cell.foreground, theme, 'foreground');
	let ground = shown(cell.background, theme, 'background');
	if (cell.inverse !== underCursor) [ink, ground] = [ground, ink];
	if (cell.dim) ink = mixed(ink, ground, dimShare);
	const {width, bold, italic, underline, strikethrough} = cell;
	const text = cell.hidden ? ' ' : cell.text;
	return {text, column, width, ink, ground, bold, italic, underline, strikethrough};
}

/** Groups neighbours that belong together. */
function grouped<Item>(items: readonly Item[], together: (one: Item, next: Item) => boolean): Item[][] {
	const groups: Item[][] = [];
	for (const item of items) {
		const group = groups.at(-1);
		const last = group?.at(-1);
		if (group && last !== undefined && together(last, item)) group.push(item);
		else groups.push([item]);
	}
	return groups;
}

const columnsOf = (cells: readonly Painted[]): number => cells.reduce((sum, cell) => sum + cell.width, 0);

const startOf = (cells: readonly Painted[]): number => (cells[0]?.column ?? 0) * cellWidth;

const sameInk = (one: Painted, other: Painted): boolean =>
	one.ink === other.ink && one.bold === other.bold && one.italic === other.italic;

const isAscii = ({text}: Painted): boolean => /^[\u0020-\u007e]$/.test(text);

/** The background of a row, where it differs from that of the window. */
function grounds(cells: readonly Painted[], y: number, theme: Theme): string[] {
	return grouped(cells, (one, next) => one.ground === next.ground)
		.filter(([first]) => first && first.ground !== theme.background)
		.map(
			group =>
				`<rect x="${startOf(group)}" y="${y}" width="${columnsOf(group) * cellWidth}" height="${cellHeight}" fill="${group[0]?.ground}"/>`,
		);
}

/** Lines under and through text, each drawn as one line across all runs. */
function strokes(cells: readonly Painted[], y: number, which: 'underline' | 'strikethrough'): string[] {
	const top = y + (which === 'underline' ? baseline + 2 : baseline - 5);
	return grouped(cells, (one, next) => one[which] === next[which] && one.ink === next.ink)
		.filter(([first]) => first?.[which])
		.map(
			group =>
				`<rect x="${startOf(group)}" y="${top}" width="${columnsOf(group) * cellWidth}" height="1" fill="${group[0]?.ink}"/>`,
		);
}

function style({ink, bold, italic}: Painted, theme: Theme): string {
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
function words(cells: readonly Painted[], y: number, theme: Theme): string[] {
	const foot = y + baseline;
	const written = cells.filter(({text}) => text.trim() !== '' && !isShape(text) && !isBraille(text));
	const inOneWord = (one: Painted, next: Painted) =>
		isAscii(one) && isAscii(next) && next.column - one.column <= 2 && sameInk(one, next);
	return grouped(written, inOneWord).map(group => {
		const [first] = group;
		const last = group.at(-1);
		if (!first || !last) return '';
		const x = first.column * cellWidth;
		if (group.length === 1 && !isAscii(first)) {
			const centre = figure(x + (first.width * cellWidth) / 2);
			return `<text x="${centre}" y="${foot}" text-anchor="middle"${style(first, theme)}>${escaped(first.text)}</text>`;
		}
		const text = cells
			.filter(({column}) => column >= first.column && column <= last.column)
			.map(cell => cell.text)
			.join('');
		const length = text.length > 1 ? ` textLength="${text.length * cellWidth}"` : '';
		return `<text x="${x}" y="${foot}"${length}${style(first, theme)}>${escaped(text)}</text>`;
	});
}

function shapes(cells: readonly Painted[], y: number): string[] {
	const together = (one: Painted, next: Painted) =>
		one.text === next.text && joinsSideways(one.text) && next.column === one.column + 1 && sameInk(one, next);
	return grouped(
		cells.filter(({text}) => isShape(text)),
		together,
	).map(group => drawShape(group[0]?.text ?? '', startOf(group), y, group.length, group[0]?.ink ?? ''));
}

/** The braille of a row, that of a colour together. */
function braille(cells: readonly Painted[], y: number): string[] {
	const ofInk = Map.groupBy(
		cells.filter(({text}) => isBraille(text)),
		({ink}) => ink,
	);
	return [...ofInk].map(([ink, dotted]) =>
		drawBraille(
			dotted.map(({text, column}) => ({text, x: column * cellWidth})),
			y,
			ink,
		),
	);
}

/** One row of the terminal as SVG, its top at y. */
export function drawRow(row: readonly Cell[], y: number, theme: Theme, cursorColumn?: number): string {
	const cells = row
		.map((cell, column) => painted(cell, column, theme, column === cursorColumn))
		.filter(cell => cell.width > 0);
	return [
		...grounds(cells, y, theme),
		...shapes(cells, y),
		...braille(cells, y),
		...words(cells, y, theme),
		...strokes(cells, y, 'underline'),
		...strokes(cells, y, 'strikethrough'),
	].join('');
}

/** Attributes that the texts of all rows share. */
export const textAttributes = (theme: Theme, fontFamily: string): string =>
	`font-family="${escaped(fontFamily)}" font-size="${fontSize}" fill="${theme.foreground}"`;
