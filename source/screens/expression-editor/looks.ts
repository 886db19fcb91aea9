import type {ThemeName} from '../../components/theme.ts';
import type {TokenKind} from '../../firewall/expression/grammar/token.ts';

type Properties = {
	readonly color?: string;
	readonly bold?: boolean;
	readonly dimColor?: boolean;
	readonly underline?: boolean;
};

/**
 * How the words of an expression are told apart, in the colours that mean nothing else (components/theme.ts), the
 * same ones as in values. Without colours the words that join are bold: they tell how an expression is read.
 */
export const expressionLooks: Readonly<Record<ThemeName, Readonly<Record<TokenKind, Properties>>>> = {
	dark: {
		field: {color: 'blueBright'},
		function: {color: 'magentaBright'},
		logical: {bold: true},
		operator: {bold: true},
		string: {},
		number: {color: 'cyan'},
		boolean: {color: 'magentaBright'},
		list: {color: 'cyan'},
		punctuation: {dimColor: true},
		identifier: {},
		space: {},
		unknown: {},
	},
	light: {
		field: {color: 'blue'},
		function: {color: 'magenta'},
		logical: {bold: true},
		operator: {bold: true},
		string: {},
		number: {color: 'cyan'},
		boolean: {color: 'magenta', bold: true},
		list: {color: 'cyan'},
		punctuation: {dimColor: true},
		identifier: {},
		space: {},
		unknown: {},
	},
	none: {
		field: {},
		function: {},
		logical: {bold: true},
		operator: {},
		string: {},
		number: {},
		boolean: {},
		list: {},
		punctuation: {},
		identifier: {},
		space: {},
		unknown: {},
	},
};
