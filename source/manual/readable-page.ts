import {wrapText} from '../text/wrap.ts';

/** Indentation of text, and of the body of a tagged paragraph, in columns, like that of `man`. */
const textIndent = 7;
const bodyIndent = 14;

/**
 * Renders a man page as text of at most `columns` columns. Supports only the requests that `pages.ts` writes;
 * throws on any other.
 */
export function renderManPage(page: string, columns: number): string {
	const lines: string[] = [];
	let words: string[] = [];
	let indent = textIndent;
	let inset = 0;
	let isVerbatim = false;
	let isNextLineTag = false;
	let isUnderHeading = false;

	function addLine(text: string, margin: number) {
		lines.push(text === '' ? '' : ' '.repeat(margin) + text);
		isUnderHeading = false;
	}
	function endParagraph() {
		const margin = indent + inset;
		if (words.length > 0)
			for (const line of wrapText(words.join(' '), columns - margin)) addLine(line, margin);
		words = [];
	}
	function addGap() {
		endParagraph();
		if (!isUnderHeading) addLine('', 0);
	}

	for (const line of page.trimEnd().split('\n')) {
		const [request = '', ...args] = parseRequest(line);
		switch (request) {
			case '':
				if (isNextLineTag) addLine(unescapeRoff(line), textIndent + inset);
				else if (isVerbatim) addLine(unescapeRoff(line), indent + inset);
				else words.push(unescapeRoff(line));
				isNextLineTag = false;
				break;
			case 'TH':
				addLine(`${args[0]}(${args[1]})  ${args[3]}`, 0);
				break;
			case 'SH':
			case 'SS':
				addGap();
				addLine(args[0] ?? '', request === 'SH' ? 0 : 3);
				indent = textIndent;
				isUnderHeading = true;
				break;
			case 'PP':
				addGap();
				indent = textIndent;
				break;
			case 'TP':
				addGap();
				indent = bodyIndent;
				isNextLineTag = true;
				break;
			case 'RS':
				endParagraph();
				inset = Number(args[0]);
				break;
			case 'RE':
				endParagraph();
				inset = 0;
				break;
			case 'br':
			case 'nf':
			case 'fi':
				endParagraph();
				isVerbatim = request === 'nf';
				break;
			default:
				throw new Error(`Unknown man page request ${request}.`);
		}
	}
	endParagraph();
	return `${lines.join('\n')}\n`;
}

/** Returns a request's name and arguments; an empty list for a line of text. */
function parseRequest(line: string): string[] {
	const [, name, rest = ''] = /^\.([A-Za-z]+) ?(.*)$/.exec(line) ?? [];
	if (name === undefined) return [];
	return [
		name,
		...[...rest.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => unescapeRoff(quoted ?? bare ?? '')),
	];
}

/** Removes the escapes of roff. */
const unescapeRoff = (text: string): string =>
	text.replaceAll(/\\(?:f[BIR]|\(dq|\[u([0-9A-F]+)\]|(.))/g, (whole, code?: string, escaped?: string) => {
		if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
		if (whole === '\\(dq') return '"';
		return escaped === 'e' ? '\\' : escaped === '-' ? '-' : '';
	});
