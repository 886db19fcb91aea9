import type {Parser} from '../grammar/parser.ts';
import type {Expression, Literal} from '../grammar/tree.ts';

type Comparison = Expression & {kind: 'comparison'};
type StringLiteral = Literal & {kind: 'string'};

/** Adds hints to a regular expression that is not needed, or that probably means something else. */
export function addPatternHints(parser: Parser, comparison: Comparison, literal: StringLiteral): void {
	const {left} = comparison;
	const pattern = literal.value;
	const subject = parser.slice(left);
	const span = {start: comparison.start, end: comparison.end};
	const isPlainField =
		left.kind === 'field' && left.indexes.length === 0 && !mayHaveLineBreaks.test(left.name);
	if (isPlainField && matchesAnyCharacter(pattern)) {
		parser.hint(literal, `This matches every string but the empty one: use ${subject} ne "".`, {
			code: 'L112',
			correction: {span, text: `${subject} ne ""`},
		});
		return;
	}
	const texts = findAnchoredTexts(pattern);
	if (texts) {
		const values = texts.map(quoteText);
		const comparedText = values.length === 1 ? `eq ${values.join('')}` : `in {${values.join(' ')}}`;
		parser.hint(
			literal,
			`This matches ${values.length === 1 ? 'one string' : 'these strings'} only: ${values.length === 1 ? 'eq' : 'in {…}'} needs no regular expression.`,
			{
				code: 'L113',
				correction: {span, text: `${subject} ${comparedText}`},
			},
		);
		return;
	}
	const name = left.kind === 'field' ? left.name : '';
	for (const mistake of mistakes) {
		if (!mistake.fields.test(name)) continue;
		const corrected = pattern.replace(mistake.pattern, (part, found?: string) =>
			found === undefined ? part : mistake.replacement,
		);
		if (corrected !== pattern)
			parser.hint(literal, mistake.sentence, {
				code: mistake.code,
				correction: rewritePattern(parser, literal, corrected),
			});
	}
}

/** True if a pattern finds something in every string, the empty one too. */
export function matchesEveryString(pattern: string, field: string): boolean {
	const parts = splitTrivial(pattern) ?? [];
	return parts.some(part =>
		/^\^.+\$$/.test(part) && mayHaveLineBreaks.test(field)
			? false
			: /^(?:\^?(?:\.\*\??)+\$?|\^?|\$)$/.test(part),
	);
}

/** True if a pattern matches any character, as `.+` does, and thus every string but the empty one. */
function matchesAnyCharacter(pattern: string): boolean {
	const [part, ...otherParts] = splitTrivial(pattern) ?? [];
	if (part === undefined || otherParts.length > 0 || /^\^\.\$$/.test(part)) return false;
	return /^\^?(?:\.\*\??)?\.(?:\+\??)?(?:\.\*\??)?\$?$/.test(part);
}

/** Fields whose values may contain line breaks, which a dot does not match. */
const mayHaveLineBreaks = /\.(?:body|jwt)\./;

/** Splits a pattern of anchors, dots and repetitions into its alternatives; undefined if it has more. */
function splitTrivial(pattern: string): readonly string[] | undefined {
	const body = pattern.replace(/^\(\?[a-zA-Z]+\)/, '').replaceAll('(?:', '(');
	if (!/^[\^$.*+?()|]*$/.test(body)) return undefined;
	if (!body.includes('|')) return [body.replaceAll(/[()]/g, '')];
	return body.includes('(') ? undefined : body.split('|');
}

/** The texts of `^text$` and `^(text|text)$`; undefined for any other pattern. */
function findAnchoredTexts(pattern: string): readonly string[] | undefined {
	const [, group, single] = /^\^(?:\((?:\?:)?([^()]*)\)|([^()|]*(?:\\[()|][^()|]*)*))\$$/.exec(pattern) ?? [];
	const alternatives = group === undefined ? [single ?? ''] : group.split('|');
	const texts = alternatives.map(toPlainText);
	const plainTexts = texts.filter(text => text !== undefined && text !== '');
	return plainTexts.length === texts.length ? (plainTexts as readonly string[]) : undefined;
}

/** Returns the text that a pattern stands for; undefined if it matches others too. */
function toPlainText(pattern: string): string | undefined {
	const isPlain = /^(?:[\w/:@%&=~#,;'!<> -]|\\[^\w\s*\\])*$/.test(pattern);
	return isPlain ? pattern.replaceAll(/\\(.)/g, '$1') : undefined;
}

const quoteText = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

type PatternMistake = {
	readonly code: 'L114' | 'L115' | 'L116';
	/** Names of the fields where it is a mistake. */
	readonly fields: RegExp;
	/** Finds the mistake as its first group, and other parts to skip. */
	readonly pattern: RegExp;
	readonly replacement: string;
	readonly sentence: string;
};

/** Escaped characters and classes. */
const escapesAndClasses = String.raw`\\.|\[(?:\\.|[^\]\\])*\]`;

const mistakes: readonly PatternMistake[] = [
	{
		code: 'L114',
		fields: /^/,
		pattern: new RegExp(
			String.raw`(?<![\\.])(\\\\)(?=\.(?![.*+?{])|[dws](?:[+*{?)]|$))|${escapesAndClasses}`,
			'gs',
		),
		replacement: '\\',
		sentence: 'Two backslashes match a backslash. To escape the next character, write only one.',
	},
	{
		code: 'L115',
		fields: /\.(?:full_)?uri$/,
		pattern: new RegExp(String.raw`(?<=[\w/])(\?)(?=[\w-]+=)|${escapesAndClasses}\??`, 'gs'),
		replacement: '\\?',
		sentence: 'The ? makes the character before it optional. To match the ? before a query, write \\?.',
	},
	{
		code: 'L116',
		fields: /^(?:http\.host|cf\.worker\.upstream_zone|cf\.zone\.name)$/,
		// After a group or class, as in (www|api).example: a dot between letters gets a warning.
		pattern: /(?<=[)\]])(\.)(?=[a-z0-9])|\\.|\[(?:\\.|[^\]\\])*(?=\])/gs,
		replacement: '\\.',
		sentence: 'A dot matches any character. To match the dot of a host name, write \\..',
	},
];

/** Writes another pattern in place of a literal, in the same form. */
function rewritePattern(parser: Parser, literal: StringLiteral, pattern: string): string {
	const [, opening = '"', closing = '"'] = /^(r#*")[\s\S]*("#*)$/.exec(parser.slice(literal)) ?? [];
	return `${opening}${literal.form === 'quoted' ? pattern.replaceAll('"', '\\"') : pattern}${closing}`;
}
