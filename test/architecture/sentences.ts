import type {Node} from 'oxc-parser';
import {parseSync} from 'oxc-parser';

/** Files that may search texts, and whose: texts that exist in no other form. */
export const allowedTextReaders: Readonly<Record<string, string>> = {
	'source/build/command-plugins.ts': 'the code of a package',
	'source/build/bundle-in-pieces.ts': 'the code of a bundle',
	'source/commands/shell/usage-failure.ts': 'the messages of commander',
	'source/components/spoken.ts': 'the drawn screen, to read it aloud',
	'source/firewall/expression/engine-message.ts': "the engine's message, which the service sends",
	'source/firewall/rules/emergency-quota.ts': 'refusals of the service, which have no code for a full zone',
	'source/service/outcome.ts': 'refusals of the service, which have no code for a wrong token',
	'source/settings/document.ts': 'the messages of the TOML parser',
	'source/text/json/file-extension.ts': 'values of keys',
};

const searchMethods: ReadonlySet<string> = new Set([
	'includes',
	'startsWith',
	'endsWith',
	'indexOf',
	'lastIndexOf',
	'split',
	'match',
	'matchAll',
	'search',
	'replace',
	'replaceAll',
]);

/**
 * Places where a file searches a text for two words or more, or compares it with a whole sentence, as
 * `line: code`. There a decision depends on the wording of a message, which then cannot change, and data that
 * happens to contain it is misread.
 */
export function findSearchedSentences(path: string, text: string): readonly string[] {
	const found: string[] = [];
	const visit = (node: Node): void => {
		if (searchesWords(node)) {
			const line = text.slice(0, node.start).split('\n').length;
			found.push(`${line}: ${text.slice(node.start, node.end)}`);
		}
		for (const child of Object.values(node).flat()) if (isNode(child)) visit(child);
	};
	visit(parseSync(path, text).program);
	return found;
}

function searchesWords(node: Node): boolean {
	if (node.type === 'BinaryExpression')
		return /^[!=]==?$/.test(node.operator) && [node.left, node.right].some(isSentence);
	if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
	const {object, property} = node.callee;
	if (property.type !== 'Identifier') return false;
	if (searchMethods.has(property.name)) return hasWords(textOf(node.arguments[0]));
	return (property.name === 'test' || property.name === 'exec') && hasWords(textOf(object));
}

const isSentence = (node: Node): boolean => {
	const text = textOf(node);
	return hasWords(text) && text?.endsWith('.') === true;
};

/** Whether a text has two words, with spaces between them. */
const hasWords = (text: string | undefined): boolean =>
	text !== undefined && /[\p{L}\p{N}] +[\p{L}\p{N}(]/u.test(text);

/** The text of a literal. Each expression in a template counts as a word. */
function textOf(node: Node | undefined): string | undefined {
	if (node?.type === 'TemplateLiteral') return node.quasis.map(({value}) => value.cooked).join('0');
	if (node?.type !== 'Literal') return undefined;
	if ('regex' in node) return node.regex.pattern;
	return typeof node.value === 'string' ? node.value : undefined;
}

const isNode = (value: unknown): value is Node =>
	typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
