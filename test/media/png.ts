import {Resvg} from '@resvg/resvg-js';

/**
 * A picture as PNG, for looking at it: twice its size, with a font that most Linux machines have (resvg looks up
 * the first family of a list only). What moves is shown at its end.
 */
export const png = (svg: string): Buffer =>
	new Resvg(svg, {
		fitTo: {mode: 'zoom', value: 2},
		font: {loadSystemFonts: true, defaultFontFamily: 'DejaVu Sans Mono'},
	})
		.render()
		.asPng();
