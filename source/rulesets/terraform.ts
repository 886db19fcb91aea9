import {quoteShellWord} from '../service/curl.ts';
import {createAttribute, formatHcl, type HclItem} from '../text/hcl.ts';
import {isJsonObject, type JsonObject, type JsonValue, sortKeys} from '../text/json.ts';
import type {Ruleset, RulesetRule} from './ruleset.ts';

/** Provider versions with different forms of a ruleset: 4 uses blocks, 5 lists of objects. */
export const terraformProviders = [4, 5] as const;
export type TerraformProvider = (typeof terraformProviders)[number];

/** A ruleset to write; without an id it does not exist yet. */
type WrittenRuleset = Pick<Ruleset, 'name' | 'kind' | 'phase' | 'description' | 'rules'> & {
	readonly id?: string | undefined;
};

type TerraformOptions = {
	readonly provider: TerraformProvider;
	readonly zoneId: string;
	/** Name of the resource: letters, digits and `_`. */
	readonly resource: string;
	/** Comment lines above the resource. */
	readonly comments?: readonly string[] | undefined;
	/** How an existing ruleset is imported: by a command in a comment (default), or by an `import` block. */
	readonly importMethod?: 'command' | 'block' | undefined;
};

/**
 * Formats a ruleset of any phase as one `cloudflare_ruleset`: attributes sorted, rules in their order. Omits
 * ids and versions of rules, which the provider determines. Adds how to import an existing ruleset.
 */
export function formatRulesetTerraform(ruleset: WrittenRuleset, options: TerraformOptions): string {
	const {provider, zoneId, resource, comments = [], importMethod = 'command'} = options;
	const command = ruleset.id && formatImportCommand(ruleset.id, options);
	const importNote =
		importMethod === 'block'
			? 'The import block imports the existing ruleset (Terraform 1.5 and later). Before 1.5, use instead:'
			: 'To import the existing ruleset:';
	const commentLines = [...comments, ...(command ? [`${importNote} ${command}`] : [])];
	const {name, kind, phase, description, rules} = ruleset;
	return formatHcl([
		...(commentLines.length > 0 ? [{kind: 'comment', lines: commentLines} as const] : []),
		...(ruleset.id && importMethod === 'block' ? [buildImportBlock(ruleset.id, options)] : []),
		{
			kind: 'block',
			type: 'resource',
			labels: ['cloudflare_ruleset', resource],
			body: [
				...buildAttributes({...(description && {description}), kind, name, phase, zone_id: zoneId}),
				...(provider === 4 ? buildRuleBlocks(rules) : [createAttribute('rules', rules.map(toRuleObject))]),
			],
		},
	]);
}

type ImportTarget = Pick<TerraformOptions, 'provider' | 'zoneId' | 'resource'>;

/** Returns the import id of a ruleset, which depends on the provider version. */
const buildImportId = (id: string, {provider, zoneId}: ImportTarget): string =>
	`${provider === 4 ? 'zone' : 'zones'}/${zoneId}/${id}`;

/** Builds an `import` block, which takes effect with the next apply. */
const buildImportBlock = (id: string, options: ImportTarget): HclItem =>
	buildBlock('import', [
		{kind: 'reference', name: 'to', to: ['cloudflare_ruleset', options.resource]},
		createAttribute('id', buildImportId(id, options)),
	]);

export const formatImportCommand = (id: string, options: ImportTarget): string =>
	`terraform import cloudflare_ruleset.${options.resource} ${quoteShellWord(buildImportId(id, options))}`;

/** Converts a rule to what Terraform accepts, keys sorted. */
const toRuleObject = ({id: _, ...rule}: RulesetRule): JsonObject => sortKeys(rule) as JsonObject;

/** Builds one block per rule, and within it one per object, as provider 4 requires. */
const buildRuleBlocks = (rules: readonly RulesetRule[]): HclItem[] =>
	rules.map(rule => buildBlock('rules', buildBlockBody(toRuleObject(rule))));

const buildAttributes = (values: JsonObject): HclItem[] =>
	Object.entries(values).map(([name, value]) => createAttribute(name, value));

const buildBlock = (type: string, body: readonly HclItem[]): HclItem => ({kind: 'block', type, body});

/** Builds the body of a block: first attributes, then blocks, each sorted by name. */
function buildBlockBody(object: JsonObject): HclItem[] {
	const attributes: HclItem[] = [];
	const blocks: HclItem[] = [];
	for (const [name, value] of Object.entries(object)) {
		if (isEmptyList(value) && blockLists.has(name)) continue;
		if (isObjectList(value)) blocks.push(...value.map(element => buildBlock(name, buildBlockBody(element))));
		else if (!isJsonObject(value)) attributes.push(createAttribute(name, value));
		else if (name === 'rules') attributes.push(createAttribute(name, joinSkippedRuleIds(value)));
		else blocks.push(buildBlock(name, buildBlockBody(value)));
	}
	return [...attributes, ...blocks];
}

/**
 * Lists of objects in a rule. Empty ones are omitted: `name = []` would be an attribute that provider 4 does
 * not know.
 */
const blockLists: ReadonlySet<string> = new Set(['categories', 'rules']);

const isEmptyList = (value: JsonValue): boolean => Array.isArray(value) && value.length === 0;

const isObjectList = (value: JsonValue): value is readonly JsonObject[] =>
	Array.isArray(value) && value.length > 0 && value.every(isJsonObject);

/** Joins skipped rule ids per ruleset: provider 4 takes one comma-separated string each. */
const joinSkippedRuleIds = (rules: JsonObject): JsonObject =>
	Object.fromEntries(
		Object.entries(rules).map(([ruleset, ids]) => [ruleset, Array.isArray(ids) ? ids.join(',') : ids]),
	);
