/** An image as decoded: red, green, blue and alpha of each pixel. */
export type RawImage = {readonly width: number; readonly height: number; readonly data: Uint8Array};

/** An image with its size before it was made smaller. */
export type Picture = RawImage & {readonly originalWidth: number; readonly originalHeight: number};

/** Pixels per side to keep: more than any terminal shows. */
const maxKeptSide = 512;

/** Makes an image small enough to keep. */
export function createPicture(image: RawImage): Picture {
	const {width, height} = image;
	const scale = Math.min(1, maxKeptSide / width, maxKeptSide / height);
	const kept = scale === 1 ? image : scaleImage(image, scaleSide(width, scale), scaleSide(height, scale));
	return {...kept, originalWidth: width, originalHeight: height};
}

const scaleSide = (side: number, scale: number): number => Math.max(1, Math.round(side * scale));

/** Scales an image to a size, averaging the pixels that fall together. */
function scaleImage({width, height, data}: RawImage, newWidth: number, newHeight: number): RawImage {
	const scaled = new Uint8Array(newWidth * newHeight * 4);
	for (let row = 0; row < newHeight; row++) {
		const [top, bottom] = getSourceRange(row, newHeight, height);
		for (let column = 0; column < newWidth; column++) {
			const [left, right] = getSourceRange(column, newWidth, width);
			let [red, green, blue, alpha] = [0, 0, 0, 0];
			for (let y = top; y < bottom; y++)
				for (let x = left; x < right; x++) {
					const index = (y * width + x) * 4;
					const opacity = data[index + 3] ?? 0;
					red += (data[index] ?? 0) * opacity;
					green += (data[index + 1] ?? 0) * opacity;
					blue += (data[index + 2] ?? 0) * opacity;
					alpha += opacity;
				}
			const count = (bottom - top) * (right - left);
			const weight = Math.max(1, alpha);
			scaled.set([red / weight, green / weight, blue / weight, alpha / count], (row * newWidth + column) * 4);
		}
	}
	return {width: newWidth, height: newHeight, data: scaled};
}

function getSourceRange(index: number, count: number, size: number): readonly [number, number] {
	const start = Math.floor((index * size) / count);
	return [start, Math.max(start + 1, Math.floor(((index + 1) * size) / count))];
}

/** Characters from empty to full, for terminals without colours. */
type Shades = readonly string[];

/** A run of equal cells; without colours for shades, or where the image is transparent. */
type CellRun = {readonly text: string; readonly color?: string; readonly backgroundColor?: string};

/** Returns the size of a picture in columns and rows: it fits, is never enlarged, and keeps its proportions. */
function fitPicture({width, height}: RawImage, columns: number, rows: number): readonly [number, number] {
	const scale = Math.min(1, columns / width, (rows * 2) / height);
	return [scaleSide(width, scale), Math.ceil(scaleSide(height, scale) / 2)];
}

/**
 * Draws a picture as rows of cells of two pixels each: the upper half block in two colours, or a shade where
 * there are no colours.
 */
export function drawPicture(
	picture: RawImage,
	columns: number,
	rows: number,
	shades: Shades | undefined,
): readonly (readonly CellRun[])[] {
	const [width, height] = fitPicture(picture, Math.max(1, columns), Math.max(1, rows));
	const image = scaleImage(picture, width, picture.height === 1 ? 1 : height * 2);
	return Array.from({length: height}, (_, row) => {
		const runs: CellRun[] = [];
		for (let column = 0; column < width; column++) {
			const upper = readPixel(image, column, row * 2);
			const lower = readPixel(image, column, row * 2 + 1);
			const cell = shades ? shadeCell(upper, lower, shades) : colorCell(upper, lower);
			const last = runs.at(-1);
			if (
				last &&
				last.color === cell.color &&
				last.backgroundColor === cell.backgroundColor &&
				(shades || last.text[0] === cell.text)
			)
				runs[runs.length - 1] = {...last, text: last.text + cell.text};
			else runs.push(cell);
		}
		return runs;
	});
}

type Pixel = {readonly color: string; readonly lightness: number} | undefined;

/** Pixels with less opacity, of 255, show the terminal's background. */
const minOpacity = 96;

function readPixel({width, height, data}: RawImage, column: number, row: number): Pixel {
	if (row >= height) return undefined;
	const index = (row * width + column) * 4;
	const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(index, index + 4);
	if (alpha < minOpacity) return undefined;
	const color = `#${[red, green, blue].map(part => part.toString(16).padStart(2, '0')).join('')}`;
	return {color, lightness: (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255};
}

function colorCell(upper: Pixel, lower: Pixel): CellRun {
	if (upper && lower) return {text: '▀', color: upper.color, backgroundColor: lower.color};
	if (upper) return {text: '▀', color: upper.color};
	return lower ? {text: '▄', color: lower.color} : {text: ' '};
}

function shadeCell(upper: Pixel, lower: Pixel, shades: Shades): CellRun {
	const lightness = ((upper?.lightness ?? 0) + (lower?.lightness ?? 0)) / 2;
	return {text: shades[Math.min(shades.length - 1, Math.floor(lightness * shades.length))] ?? ' '};
}
