import {Resvg} from '@resvg/resvg-js';

/**
 * A picture as PNG, to look at: twice its size, in a font that most Linux machines have (resvg uses only the first
 * family of a list). An animation is shown at its end.
 */
export const png = (svg: string): Buffer =>
	new Resvg(svg, {
		fitTo: {mode: 'zoom', value: 2},
		font: {loadSystemFonts: true, defaultFontFamily: 'DejaVu Sans Mono'},
	})
		.render()
		.asPng();
