import type {ThemeName} from '../../components/theme.ts';
import type {Look} from './pieces.ts';

type Properties = {readonly color?: string; readonly bold?: boolean; readonly dimColor?: boolean};

/**
 * How the parts of a value are told apart, in the colours that mean nothing else (components/theme.tsx): JSON tells
 * them by its quotes and words as well.
 */
export const valueLooks: Readonly<Record<ThemeName, Readonly<Record<Look, Properties>>>> = {
	dark: {
		plain: {},
		dim: {dimColor: true},
		name: {color: 'blueBright'},
		string: {},
		number: {color: 'cyan'},
		literal: {color: 'magentaBright'},
	},
	light: {
		plain: {},
		dim: {dimColor: true},
		name: {color: 'blue'},
		string: {},
		number: {color: 'magenta'},
		literal: {color: 'magenta', bold: true},
	},
	none: {plain: {}, dim: {}, name: {}, string: {}, number: {}, literal: {}},
};
