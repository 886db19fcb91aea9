import {
	array,
	boolean,
	type GenericSchema,
	nullish,
	number,
	type ObjectEntries,
	object,
	safeParse,
	string,
	unknown,
} from 'valibot';

/** A field whose type is not the expected one. Never contains its value. */
export type AnswerDifference = {
	/** Path from the answer's `result`; `[]` stands for any item of a list. */
	readonly path: string;
	readonly expected: string;
	/** The type that was received; `missing` if there is no such field. */
	readonly received: string;
	/** False if ledge works without this field. */
	readonly isRequired: boolean;
};

export type AnswerShape = GenericSchema;

const optionalNote = 'optional';
/** Fields that ledge works without; their message marks them in the issues of valibot. */
const optionalText = nullish(string(optionalNote));
const optionalFlag = nullish(boolean(optionalNote));
const anything = nullish(unknown());
const optionalNumber = nullish(number(optionalNote));

const rule = (entries: ObjectEntries = {}) =>
	object({
		id: optionalText,
		ref: optionalText,
		action: string(),
		action_parameters: anything,
		expression: optionalText,
		description: optionalText,
		enabled: optionalFlag,
		logging: nullish(object({enabled: optionalFlag}, optionalNote)),
		version: optionalText,
		last_updated: optionalText,
		categories: anything,
		...entries,
	});

const ruleset = (ruleEntries?: ObjectEntries) =>
	object({
		id: string(),
		name: optionalText,
		kind: string(),
		phase: string(),
		version: string(),
		description: optionalText,
		last_updated: optionalText,
		source: optionalText,
		rules: nullish(array(rule(ruleEntries))),
	});

const filter = {
	id: string(),
	expression: string(),
	paused: optionalFlag,
	description: optionalText,
	ref: optionalText,
};

/** The `result` of each answer that is checked, with the fields that ledge reads. */
export const answerShapes = {
	token: object({
		id: string(),
		status: string(),
		expires_on: optionalText,
		not_before: optionalText,
	}),
	user: object({id: string(), email: string()}),
	accounts: array(object({id: string(), name: optionalText})),
	zones: array(
		object({
			id: string(),
			name: string(),
			status: optionalText,
			plan: nullish(object({name: optionalText, legacy_id: optionalText}, optionalNote)),
			account: nullish(object({id: optionalText, name: optionalText}, optionalNote)),
		}),
	),
	namespaces: array(
		object({
			id: string(),
			title: string(),
			jurisdiction: optionalText,
			supports_url_encoding: optionalFlag,
		}),
	),
	lists: array(
		object({
			id: string(),
			name: string(),
			kind: string(),
			description: optionalText,
			num_items: nullish(number()),
			num_referencing_filters: nullish(number()),
			created_on: optionalText,
			modified_on: optionalText,
		}),
	),
	filters: array(object(filter)),
	firewallRules: array(
		object({
			id: string(),
			action: string(),
			paused: optionalFlag,
			priority: optionalNumber,
			products: nullish(array(string(optionalNote), optionalNote)),
			description: optionalText,
			ref: optionalText,
			filter: object({
				...filter,
				// A deleted filter has nothing but its id.
				expression: optionalText,
				deleted: optionalFlag,
			}),
		}),
	),
	ruleset: ruleset(),
	rateLimits: ruleset({ratelimit: anything}),
	migrationCheck: object({compatible: boolean(), migration_state: optionalText}),
	packages: array(object({id: string(), name: string()})),
} satisfies Readonly<Record<string, AnswerShape>>;

/** Compares an answer with its shape. Each difference and each unknown field counts once, not per item. */
export function compareAnswer(
	shape: AnswerShape,
	result: unknown,
): {readonly differences: readonly AnswerDifference[]; readonly unknownFields: number} {
	const {issues = [], output} = safeParse(shape, result);
	const differences = new Map<string, AnswerDifference>();
	for (const {path = [], expected, input, message} of issues) {
		const difference: AnswerDifference = {
			path: `result${path.map(({key}) => formatKey(key)).join('')}`,
			expected: nameExpected(expected),
			received: nameType(input),
			isRequired: message !== optionalNote,
		};
		differences.set(`${difference.path} ${difference.received}`, difference);
	}
	// The output lacks the fields that the shape does not name.
	const unknownPaths = listPaths(result).difference(listPaths(output));
	return {differences: [...differences.values()], unknownFields: unknownPaths.size};
}

const formatKey = (key: unknown): string => (typeof key === 'number' ? '[]' : `.${String(key)}`);

/** Lists the distinct paths of all fields in a value. */
function listPaths(value: unknown, path = '', paths: Set<string> = new Set()): Set<string> {
	if (typeof value !== 'object' || value === null) return paths;
	for (const [key, field] of Object.entries(value)) {
		const fieldPath = path + formatKey(Array.isArray(value) ? 0 : key);
		paths.add(fieldPath);
		listPaths(field, fieldPath, paths);
	}
	return paths;
}

/** Converts valibot's name of an expected type, such as `(string | null | undefined)`. */
function nameExpected(expected: string | null): string {
	if (expected === null) return 'something else';
	const [name = expected] = expected.replace(/^\(/, '').split(' ');
	// For a missing field, valibot expects its name, in quotes.
	return name.startsWith('"') ? 'any' : name === 'Array' ? 'list' : name.toLowerCase();
}

function nameType(value: unknown): string {
	if (value === undefined) return 'missing';
	if (value === null) return 'null';
	return Array.isArray(value) ? 'list' : typeof value;
}
