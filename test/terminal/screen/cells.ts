import type {IBufferCell, Terminal} from '@xterm/headless';

const baseColours = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
export type NamedColour = (typeof baseColours)[number] | `bright-${(typeof baseColours)[number]}`;

/** A colour as the program asked for it; what it looks like is the theme's matter. */
export type Colour = 'default' | NamedColour | `palette-${number}` | `#${string}`;

export type Style = {
	readonly foreground: Colour;
	readonly background: Colour;
	readonly bold: boolean;
	readonly dim: boolean;
	readonly italic: boolean;
	readonly underline: boolean;
	readonly inverse: boolean;
	readonly strikethrough: boolean;
	readonly hidden: boolean;
};

/** One column of a row. A wide character takes two cells: the second has no text and the width 0. */
export type Cell = Style & {readonly text: string; readonly width: number};

/** What stands on the screen at one moment. */
export type Frame = {
	readonly columns: number;
	readonly rows: readonly (readonly Cell[])[];
	/** Where the cursor blinks, if it is shown. */
	readonly cursor?: {readonly row: number; readonly column: number};
};

function paletteColour(index: number): Colour {
	const name = baseColours[index % 8] ?? 'black';
	if (index < 8) return name;
	return index < 16 ? `bright-${name}` : `palette-${index}`;
}

const rgbColour = (colour: number): Colour => `#${colour.toString(16).padStart(6, '0')}`;

const foregroundOf = (cell: IBufferCell): Colour =>
	cell.isFgPalette()
		? paletteColour(cell.getFgColor())
		: cell.isFgRGB()
			? rgbColour(cell.getFgColor())
			: 'default';

const backgroundOf = (cell: IBufferCell): Colour =>
	cell.isBgPalette()
		? paletteColour(cell.getBgColor())
		: cell.isBgRGB()
			? rgbColour(cell.getBgColor())
			: 'default';

const toCell = (cell: IBufferCell): Cell => ({
	text: cell.getChars() || (cell.getWidth() === 0 ? '' : ' '),
	width: cell.getWidth(),
	foreground: foregroundOf(cell),
	background: backgroundOf(cell),
	bold: cell.isBold() !== 0,
	dim: cell.isDim() !== 0,
	italic: cell.isItalic() !== 0,
	underline: cell.isUnderline() !== 0,
	inverse: cell.isInverse() !== 0,
	strikethrough: cell.isStrikethrough() !== 0,
	hidden: cell.isInvisible() !== 0,
});

/** The cells of a row of the screen, counted from 0. */
export function cellsOf(emulator: Terminal, row: number): Cell[] {
	const {active} = emulator.buffer;
	const line = active.getLine(active.baseY + row);
	const cells: Cell[] = [];
	for (let column = 0; column < emulator.cols; column++) {
		const cell = line?.getCell(column);
		if (cell) cells.push(toCell(cell));
	}
	return cells;
}

/** The whole screen. */
export function frameOf(emulator: Terminal, cursorVisible: boolean): Frame {
	const {active} = emulator.buffer;
	return {
		columns: emulator.cols,
		rows: Array.from({length: emulator.rows}, (_, row) => cellsOf(emulator, row)),
		...(cursorVisible && {
			cursor: {row: active.cursorY, column: Math.min(active.cursorX, emulator.cols - 1)},
		}),
	};
}
