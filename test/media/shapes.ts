// Lines, boxes and blocks are drawn as shapes, not as text: fonts leave gaps between rows, each font its own.
import {cellHeight, cellWidth, formatSvgNumber} from './grid.ts';

type Arm = 0 | 1 | 2;

/** The arms of a character from its middle: up, right, down, left; 1 is a light line, 2 a heavy one. */
const arms: Readonly<Record<string, readonly [Arm, Arm, Arm, Arm]>> = {
	'─': [0, 1, 0, 1],
	'│': [1, 0, 1, 0],
	'┌': [0, 1, 1, 0],
	'┐': [0, 0, 1, 1],
	'└': [1, 1, 0, 0],
	'┘': [1, 0, 0, 1],
	'├': [1, 1, 1, 0],
	'┤': [1, 0, 1, 1],
	'┬': [0, 1, 1, 1],
	'┴': [1, 1, 0, 1],
	'┼': [1, 1, 1, 1],
	'╴': [0, 0, 0, 1],
	'╵': [1, 0, 0, 0],
	'╶': [0, 1, 0, 0],
	'╷': [0, 0, 1, 0],
	'━': [0, 2, 0, 2],
	'┃': [2, 0, 2, 0],
	'┏': [0, 2, 2, 0],
	'┓': [0, 0, 2, 2],
	'┗': [2, 2, 0, 0],
	'┛': [2, 0, 0, 2],
	'┣': [2, 2, 2, 0],
	'┫': [2, 0, 2, 2],
	'┳': [0, 2, 2, 2],
	'┻': [2, 2, 0, 2],
	'╋': [2, 2, 2, 2],
};

/** Round corners: where the line starts and where it ends, from the middle. */
const corners: Readonly<Record<string, readonly [down: 1 | -1, right: 1 | -1]>> = {
	'╭': [1, 1],
	'╮': [1, -1],
	'╯': [-1, -1],
	'╰': [-1, 1],
};

const dashes: Readonly<Record<string, readonly [count: number, upright: boolean]>> = {
	'╌': [2, false],
	'┄': [3, false],
	'┈': [4, false],
	'╎': [2, true],
	'┆': [3, true],
	'┊': [4, true],
};

/** A filled part of the cell: left, top, width and height as parts of the cell, and the opacity. */
const blocks: Readonly<Record<string, readonly [number, number, number, number, number?]>> = {
	'█': [0, 0, 1, 1],
	'▀': [0, 0, 1, 1 / 2],
	'▐': [1 / 2, 0, 1 / 2, 1],
	'░': [0, 0, 1, 1, 0.22],
	'▒': [0, 0, 1, 1, 0.45],
	'▓': [0, 0, 1, 1, 0.7],
	...Object.fromEntries([...'▏▎▍▌▋▊▉'].map((block, index) => [block, [0, 0, (index + 1) / 8, 1] as const])),
	...Object.fromEntries(
		[...'▁▂▃▄▅▆▇'].map((block, index) => [block, [0, 1 - (index + 1) / 8, 1, (index + 1) / 8] as const]),
	),
};

/** Marks that many fonts lack or draw too small, as polygons in pixels of the cell. */
const marks: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
	'▸': [
		[2, 4.5],
		[8, 9],
		[2, 13.5],
	],
	'▾': [
		[0.5, 6.5],
		[8.5, 6.5],
		[4.5, 12.5],
	],
};

/** Dots of braille, by the bits of its code points: column and row of each. */
const dots = [
	[0, 0],
	[0, 1],
	[0, 2],
	[1, 0],
	[1, 1],
	[1, 2],
	[0, 3],
	[1, 3],
] as const;
const dotRadius = 1.3;

const thickness = [0, 1.25, 2.5] as const;
const middleX = cellWidth / 2;
const middleY = cellHeight / 2;

/** Whether a character is drawn as a shape of its own. */
export const isShape = (text: string): boolean =>
	text in arms || text in marks || text in corners || text in dashes || text in blocks;

export const isBraille = (text: string): boolean => /^[\u2800-\u28ff]$/.test(text);

/** Whether equal neighbours are one wide shape. */
export const joinsSideways = (text: string): boolean => '─━█▀▁▂▃▄▅▆▇░▒▓'.includes(text);

const rectangle = (x: number, y: number, width: number, height: number, rest: string): string =>
	`<rect x="${formatSvgNumber(x)}" y="${formatSvgNumber(y)}" width="${formatSvgNumber(width)}" height="${formatSvgNumber(height)}" ${rest}/>`;

/** The drawing of `count` cells of the same character that begin at x, y. */
export function drawShape(text: string, x: number, y: number, count: number, colour: string): string {
	const fill = `fill="${colour}"`;
	const block = blocks[text];
	if (block) {
		const [left, top, width, height, share] = block;
		return rectangle(
			x + left * cellWidth,
			y + top * cellHeight,
			width * cellWidth * count,
			height * cellHeight,
			share === undefined ? fill : `${fill} fill-opacity="${share}"`,
		);
	}
	const mark = marks[text];
	if (mark) {
		const points = mark
			.map(([right, down]) => `${formatSvgNumber(x + right)},${formatSvgNumber(y + down)}`)
			.join(' ');
		return `<polygon points="${points}" ${fill}/>`;
	}
	const corner = corners[text];
	if (corner) return drawCorner(corner, x, y, colour);
	const dash = dashes[text];
	if (dash) return drawDashes(dash, x, y, fill);
	const [up, right, down, left] = arms[text] ?? [0, 0, 0, 0];
	const drawn: string[] = [];
	if (up || down) {
		const verticalThickness = thickness[Math.max(up, down) as Arm];
		const top = up ? 0 : middleY - thickness[Math.max(right, left) as Arm] / 2;
		const foot = down ? cellHeight : middleY + thickness[Math.max(right, left) as Arm] / 2;
		drawn.push(rectangle(x + middleX - verticalThickness / 2, y + top, verticalThickness, foot - top, fill));
	}
	if (right || left) {
		const horizontalThickness = thickness[Math.max(right, left) as Arm];
		const start = left ? 0 : middleX;
		const end = right ? cellWidth * count : middleX;
		drawn.push(
			rectangle(x + start, y + middleY - horizontalThickness / 2, end - start, horizontalThickness, fill),
		);
	}
	return drawn.join('');
}

/**
 * Braille of one colour, each character at its left edge, as one path. Its dots are at the same distance in all cells, so
 * that a line of them is even; each is a line too short to see, with round ends.
 */
export function drawBraille(
	cells: readonly {readonly text: string; readonly x: number}[],
	y: number,
	colour: string,
): string {
	const points = cells.flatMap(({text, x}) => {
		const bits = text.charCodeAt(0) - 0x2800;
		return dots
			.filter((_, bit) => (bits >> bit) & 1)
			.map(([column, row]) => {
				const centreX = formatSvgNumber(x + ((column + 0.5) * cellWidth) / 2);
				const centreY = formatSvgNumber(y + ((row + 0.5) * cellHeight) / 4);
				return `M${centreX} ${centreY}h.01`;
			});
	});
	if (points.length === 0) return '';
	return `<path d="${points.join('')}" stroke="${colour}" stroke-width="${2 * dotRadius}" stroke-linecap="round"/>`;
}

function drawCorner([down, right]: readonly [1 | -1, 1 | -1], x: number, y: number, colour: string): string {
	const centreX = x + middleX;
	const centreY = y + middleY;
	const radius = middleX;
	const path = [
		`M${formatSvgNumber(centreX)} ${formatSvgNumber(centreY + down * middleY)}`,
		`V${formatSvgNumber(centreY + down * radius)}`,
		`Q${formatSvgNumber(centreX)} ${formatSvgNumber(centreY)} ${formatSvgNumber(centreX + right * radius)} ${formatSvgNumber(centreY)}`,
	].join('');
	return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${thickness[1]}"/>`;
}

function drawDashes(
	[count, upright]: readonly [number, boolean],
	x: number,
	y: number,
	fill: string,
): string {
	const length = (upright ? cellHeight : cellWidth) / count;
	return Array.from({length: count}, (_, index) => {
		const from = (index + 0.2) * length;
		return upright
			? rectangle(x + middleX - thickness[1] / 2, y + from, thickness[1], length * 0.6, fill)
			: rectangle(x + from, y + middleY - thickness[1] / 2, length * 0.6, thickness[1], fill);
	}).join('');
}
