import type {Theme, ThemeName} from '../../components/theme.ts';
import type {TokenKind} from '../../firewall/expression/expressions.ts';
import type {Look} from './rows.ts';

type Properties = {readonly color?: string; readonly bold?: boolean; readonly dimColor?: boolean};

const plainTokens = {string: {}, identifier: {}, space: {}, unknown: {}};

/**
 * Looks of the tokens of expressions and JSON. Without colours, logical operators are bold, because they
 * decide how an expression reads.
 */
const codeLooks: Readonly<Record<ThemeName, Readonly<Record<TokenKind, Properties>>>> = {
	dark: {
		...plainTokens,
		field: {color: 'blueBright'},
		function: {color: 'magentaBright'},
		logical: {bold: true},
		operator: {bold: true},
		number: {color: 'cyan'},
		boolean: {color: 'magentaBright'},
		list: {color: 'cyan'},
		punctuation: {dimColor: true},
	},
	light: {
		...plainTokens,
		field: {color: 'blue'},
		function: {color: 'magenta'},
		logical: {bold: true},
		operator: {bold: true},
		number: {color: 'magenta'},
		boolean: {color: 'magenta', bold: true},
		list: {color: 'cyan'},
		punctuation: {dimColor: true},
	},
	none: {
		...plainTokens,
		field: {},
		function: {},
		logical: {bold: true},
		operator: {},
		number: {},
		boolean: {},
		list: {},
		punctuation: {},
	},
};

const getPaletteTokens = ({series, dim}: Theme): Readonly<Record<TokenKind, Properties>> => ({
	...codeLooks.dark,
	field: series[3] ?? {},
	function: series[1] ?? {},
	boolean: series[1] ?? {},
	number: series[0] ?? {},
	list: series[0] ?? {},
	punctuation: dim,
});

type Looks = Readonly<Record<Look, Properties>>;

const looksCache = new WeakMap<Theme, Looks>();

export function getThemeLooks(theme: Theme): Looks {
	const {name, dim, current, good, warning, danger, series, heading, hasPalette} = theme;
	const looks = looksCache.get(theme) ?? {
		...(hasPalette ? getPaletteTokens(theme) : codeLooks[name]),
		plain: {},
		head: heading,
		bar: series[0] ?? {},
		dim,
		here: current,
		good,
		warning,
		danger,
	};
	looksCache.set(theme, looks);
	return looks;
}
