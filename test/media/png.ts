import {type RenderedImage, Resvg} from '@resvg/resvg-js';

/** A picture as resvg draws it, in a font that most Linux machines have: resvg uses only the first family of a list. */
function renderSvg(svg: string, zoom: number): RenderedImage {
	const options = {
		fitTo: {mode: 'zoom', value: zoom},
		font: {loadSystemFonts: true, defaultFontFamily: 'DejaVu Sans Mono'},
	} as const;
	return new Resvg(svg, options).render();
}

/** A picture as PNG, to look at: twice its size. An animation is shown at its end. */
export const renderPng = (svg: string): Buffer => renderSvg(svg, 2).asPng();

/** Pixels of four bytes, red, green, blue and alpha. */
export type Pixels = {readonly width: number; readonly height: number; readonly bytes: Uint8Array};

/** The pixels of a picture in its own size. */
export function renderPixels(svg: string): Pixels {
	const {width, height, pixels} = renderSvg(svg, 1);
	return {width, height, bytes: pixels};
}

/** The pixels of a PNG. */
export function decodePng(file: Buffer): Pixels {
	const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
	const href = `data:image/png;base64,${file.toString('base64')}`;
	return renderPixels(
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image width="${width}" height="${height}" href="${href}"/></svg>`,
	);
}
