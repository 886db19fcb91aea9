/** The 16 colours of a terminal by their names in Ink, with the code of the foreground. */
const terminalColors: ReadonlyMap<string, number> = new Map(
	['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'].flatMap((name, index) => [
		[name, 30 + index] as const,
		[`${name}Bright`, 90 + index] as const,
	]),
);

/**
 * Parses a colour of the file: a name such as `red` or `bright-red`, a number of the 256, or `#rgb` and
 * `#rrggbb`. Returns it as Ink writes it; undefined for anything else.
 */
export function parseColor(value: unknown): string | undefined {
	if (typeof value === 'number')
		return Number.isInteger(value) && value >= 0 && value <= 255 ? `ansi256(${value})` : undefined;
	if (typeof value !== 'string') return undefined;
	const [, red = '', green = '', blue = ''] = /^#([\da-f])([\da-f])([\da-f])$/i.exec(value) ?? [];
	if (red) return `#${red}${red}${green}${green}${blue}${blue}`.toLowerCase();
	if (/^#[\da-f]{6}$/i.test(value)) return value.toLowerCase();
	const name = value
		.toLowerCase()
		.replace(/^(?:grey|gray)$/, 'bright-black')
		.replace(/^bright-(\w+)$/, '$1Bright');
	return terminalColors.has(name) ? name : undefined;
}

/** Red, green and blue, 0 to 255, of a colour that Ink writes; undefined for the 16 of the terminal. */
export function toRgb(color: string): Rgb | undefined {
	const [, hex] = /^#([\da-f]{6})$/.exec(color) ?? [];
	if (hex !== undefined) {
		const value = Number.parseInt(hex, 16);
		return [value >> 16, (value >> 8) & 0xff, value & 0xff];
	}
	const number = Number(/^ansi256\((\d+)\)$/.exec(color)?.[1] ?? 0);
	return number < 16 ? undefined : getPaletteColor(number);
}

/** Red, green and blue of a colour from 16 to 255: a cube, then greys. */
function getPaletteColor(number: number): Rgb {
	if (number >= 232) {
		const grey = (number - 232) * 10 + 8;
		return [grey, grey, grey];
	}
	const level = (index: number) => (index === 0 ? 0 : index * 40 + 55);
	const cube = number - 16;
	return [level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)];
}

/** Red, green and blue, 0 to 255. */
type Rgb = readonly [number, number, number];

/** Finds the nearest of the colours 16 to 255, which are the same on all terminals, among those allowed. */
function findPaletteNumber(rgb: Rgb, isAllowed: (candidate: Rgb) => boolean = () => true): number {
	const computeDistance = (number: number) =>
		getPaletteColor(number).reduce((sum, value, index) => sum + (value - (rgb[index] ?? 0)) ** 2, 0);
	const allowed = Array.from({length: 240}, (_, index) => index + 16).filter(number =>
		isAllowed(getPaletteColor(number)),
	);
	const distances = allowed.map(computeDistance);
	return allowed[distances.indexOf(Math.min(...distances))] ?? 16;
}

/** Contrasts that a text can have: of WCAG AAA and AA, and of what is not text. */
const contrastSteps = [7, 4.5, 3, 0];

/**
 * Converts `#rrggbb` for a terminal with 256 colours; on a background to one that is as readable. Ink would
 * convert it, too, but as if the steps of these colours were equal.
 */
export function toTerminalColor(color: string, depth: number | undefined, background?: string): string {
	const rgb = color.startsWith('#') && depth === 8 ? toRgb(color) : undefined;
	if (!rgb) return color;
	const behind = background === undefined ? undefined : toRgb(background);
	if (!behind) return `ansi256(${findPaletteNumber(rgb)})`;
	const contrast = computeContrast(rgb, behind);
	const required = contrastSteps.find(step => contrast >= step) ?? 0;
	return `ansi256(${findPaletteNumber(rgb, candidate => computeContrast(candidate, behind) >= required)})`;
}

/** Formats a colour as the file writes it. */
export const formatColor = (color: string): string =>
	color.replace(/^(\w+)Bright$/, 'bright-$1').replace(/^ansi256\((\d+)\)$/, '$1');

/** Formats the sequence that starts a foreground, on a terminal with `depth` bits of colour. */
export function formatForeground(color: string, depth: number): string {
	const rgb = toRgb(color);
	const code = terminalColors.get(color);
	if (!rgb) return code === undefined || depth < 4 ? '' : `\u001b[${code}m`;
	if (depth >= 24) return `\u001b[38;2;${rgb.join(';')}m`;
	if (depth < 8) return '';
	return `\u001b[38;5;${findPaletteNumber(rgb)}m`;
}

/** Contrast of two colours as in WCAG 2.2, 1 to 21. */
export function computeContrast(one: Rgb, other: Rgb): number {
	const [light = 0, dark = 0] = [computeLuminance(one), computeLuminance(other)].toSorted((a, b) => b - a);
	return (light + 0.05) / (dark + 0.05);
}

function computeLuminance(rgb: Rgb): number {
	const [red = 0, green = 0, blue = 0] = rgb.map(value => {
		const share = value / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
