import {
	Document,
	isAlias,
	isMap,
	isScalar,
	isSeq,
	type Node,
	type Pair,
	parseDocument,
	Scalar,
	visit,
	type YAMLMap,
	type YAMLSeq,
} from 'yaml';
import {getOwnRef, matchRules} from '../rulesets/match.ts';
import type {RulesetRule} from '../rulesets/ruleset.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../text/json.ts';
import {containsDangerousCharacters, escapeJson, escapeYaml} from '../text/safe-text.ts';
import type {RulesFileData} from './schema.ts';
import {type RulesFileFormat, ruleSections} from './sections.ts';

/**
 * Converts a rule of the service to the form for a file: only what differs from the service's defaults, in a
 * fixed order. Ids are optional there, since other zones have other ones.
 */
export function toFileRule(rule: RulesetRule, withId: boolean): RulesetRule {
	const {id, ref: _, description, action, expression, action_parameters, enabled, logging, ...others} = rule;
	const {version, ...parameters} = action_parameters ?? {};
	const allParameters = version === undefined || version === 'latest' ? parameters : {...parameters, version};
	const ownRef = getOwnRef(rule);
	return {
		...(withId && id !== undefined && {id}),
		...(ownRef !== undefined && {ref: ownRef}),
		...(description && {description}),
		action,
		expression,
		...(Object.keys(allParameters).length > 0 && {action_parameters: allParameters}),
		...others,
		...(enabled === false && {enabled}),
		...(logging && logging.enabled !== (action === 'skip') && {logging}),
	} as RulesetRule;
}

/** What is written besides the rules. */
type FormatOptions = {
	readonly format: RulesFileFormat;
	/** Comment above the rules of a new YAML file, one line each. */
	readonly header: readonly string[];
	/** The YAML of an existing file of the same zone: comments of rules that are still there are kept. */
	readonly previousText?: string | undefined;
};

/** Formats a rules file. Characters that could affect a terminal are escaped. */
export function formatRulesFile(data: RulesFileData, {format, header, previousText}: FormatOptions): string {
	if (format === 'json') return `${escapeJson(JSON.stringify(data, null, 2))}\n`;
	const document =
		previousText === undefined ? createDocument(data, header) : updateDocument(previousText, data);
	visit(document, {Scalar: (_key, scalar) => quoteDangerousText(scalar)});
	return escapeYaml(
		document.toString({lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER}),
	);
}

function createDocument(data: RulesFileData, header: readonly string[]): Document {
	const document = new Document(data);
	document.commentBefore = header.map(line => ` ${line}`).join('\n');
	return document;
}

/** Escapes can only be written in double quotes. */
function quoteDangerousText(scalar: Scalar): void {
	if (typeof scalar.value === 'string' && containsDangerousCharacters(scalar.value))
		scalar.type = Scalar.QUOTE_DOUBLE;
}

/** Replaces the data of an existing document; keeps its comments, and sections that the data lacks. */
function updateDocument(previousText: string, data: RulesFileData): Document {
	const document: Document = parseDocument(previousText);
	resolveAliases(document);
	const root = document.contents as YAMLMap;
	if (data.zone !== undefined) root.set('zone', mergeNode(document, getValue(root, 'zone'), data.zone));
	for (const {key} of ruleSections) {
		const rules = data[key];
		if (rules === undefined) continue;
		const previous = getValue(root, key);
		const section = document.createNode(rules) as YAMLSeq;
		if (isSeq(previous)) mergeSection(document, previous, section, rules);
		setValue(document, root, key, section);
	}
	return document;
}

/** Replaces aliases by copies of what they stand for, since their anchors may be removed. */
function resolveAliases(document: Document): void {
	visit(document, {
		Alias: (_key, alias) => {
			const source = alias.resolve(document);
			return source ? document.createNode(source.toJS(document)) : undefined;
		},
	});
	visit(document, {
		Node: (_key, node) => {
			if (!isAlias(node)) delete node.anchor;
		},
	});
}

const getValue = (map: YAMLMap, key: string): Node | undefined =>
	(map.get(key, true) as Node | null | undefined) ?? undefined;

/** Sets a value and keeps the key's node, which holds the comment above the field. */
function setValue(document: Document, map: YAMLMap, key: string, value: Node): void {
	const pair = findPair(map, key);
	if (pair) pair.value = value;
	else map.items.push(document.createPair(key, value));
}

const findPair = (map: YAMLMap, key: string): Pair | undefined =>
	map.items.find(item => isScalar(item.key) && item.key.value === key);

/** Fills a section with its rules; those that were in the previous section keep their nodes. */
function mergeSection(
	document: Document,
	previous: YAMLSeq,
	section: YAMLSeq,
	rules: readonly RulesetRule[],
): void {
	moveFirstComment(previous);
	const nodesByRule = new Map(
		previous.items.filter(isMap).map(node => [node.toJS(document) as RulesetRule, node as Node]),
	);
	const matches = matchRules(rules, [...nodesByRule.keys()]);
	section.items = rules.map((rule, index) => {
		const match = matches[index];
		return mergeNode(document, match && nodesByRule.get(match), rule);
	});
	section.commentBefore = previous.commentBefore ?? null;
	section.comment = previous.comment ?? null;
	returnFirstComment(section);
}

/**
 * The comment above the first rule belongs to the section in the syntax tree. Gives what stands directly above
 * the rule, without an empty line between, to that rule.
 */
function moveFirstComment(section: YAMLSeq): void {
	const [first] = section.items;
	const {commentBefore} = section;
	if (!isMap(first) || !commentBefore) return;
	const gap = commentBefore.lastIndexOf('\n\n');
	const [ownComment, firstComment] = commentBefore.endsWith('\n')
		? [commentBefore.trimEnd(), '']
		: [commentBefore.slice(0, Math.max(0, gap)), commentBefore.slice(gap < 0 ? 0 : gap + 2)];
	section.commentBefore = ownComment || null;
	first.commentBefore = firstComment || null;
}

/** Gives the comment of the first rule back to the section, after the section's own and an empty line. */
function returnFirstComment(section: YAMLSeq): void {
	const [first] = section.items;
	if (!isMap(first)) return;
	const {commentBefore: ownComment} = section;
	if (ownComment || first.commentBefore)
		section.commentBefore = `${ownComment ? `${ownComment}\n${first.commentBefore ? '\n' : ''}` : ''}${first.commentBefore ?? ''}`;
	first.commentBefore = null;
	first.spaceBefore = false;
}

/**
 * Returns a node of `value`; reuses the previous node, with comments and style, where the values are
 * equal.
 */
function mergeNode(document: Document, previous: Node | undefined, value: JsonValue): Node {
	if (isMap(previous) && isJsonObject(value)) return mergeMap(document, previous, value);
	if (isSeq(previous) && Array.isArray(value)) return mergeList(document, previous, value);
	if (isScalar(previous) && previous.value === value) return previous;
	const node = document.createNode(value);
	node.comment = previous?.comment ?? null;
	node.commentBefore = previous?.commentBefore ?? null;
	return node;
}

function mergeMap(document: Document, previous: YAMLMap, value: JsonObject): YAMLMap {
	const names = Object.keys(value);
	previous.items = previous.items.filter(
		({key}) => isScalar(key) && typeof key.value === 'string' && names.includes(key.value),
	);
	for (const [index, name] of names.entries()) {
		const pair = findPair(previous, name);
		const node = mergeNode(document, (pair?.value as Node | null) ?? undefined, value[name] ?? null);
		if (pair) pair.value = node;
		else {
			const predecessor = findPair(previous, names[index - 1] ?? '');
			const position = predecessor ? previous.items.indexOf(predecessor) + 1 : 0;
			previous.items.splice(position, 0, document.createPair(name, node));
		}
	}
	return previous;
}

/** Items are the same if they are equal, else if no equal one is at their index. */
function mergeList(document: Document, previous: YAMLSeq, values: readonly JsonValue[]): YAMLSeq {
	const unused = previous.items.map(node => ({node: node as Node, text: serialize(document, node as Node)}));
	const equalNodes = values.map(value => {
		const index = unused.findIndex(({text}) => text === JSON.stringify(value));
		return index < 0 ? undefined : unused.splice(index, 1)[0]?.node;
	});
	const items = previous.items as readonly Node[];
	previous.items = values.map((value, index) => {
		const sameIndex = unused.find(({node}) => node === items[index]);
		return equalNodes[index] ?? mergeNode(document, sameIndex?.node, value);
	});
	return previous;
}

const serialize = (document: Document, node: Node): string => JSON.stringify(node.toJS(document));
