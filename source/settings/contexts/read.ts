import {boolean, custom, exactOptional, picklist, pipe, string, transform, unknown} from 'valibot';
import {Failure} from '../../failure.ts';
import {formatDidYouMean, formatNameList} from '../../text/closest-name.ts';
import {omitUndefined, parseWithSchema, pickFields} from '../../text/schema.ts';
import {resolveBaseUrl} from '../base-url.ts';
import {
	type ConfigurationDocument,
	createInvalidFailure,
	type DocumentTable,
	getProperty,
	isTable,
	parseDocument,
} from '../document.ts';
import {type Context, type ContextsFile, contextColors} from './context.ts';
import {isLikelySecret} from './secrets.ts';

/** Top-level fields of the file. */
const topFields = ['context_in_use', 'contexts'] as const;

const buildTextField = (pattern: RegExp, requirement: string) =>
	exactOptional(custom<string>(value => typeof value === 'string' && pattern.test(value), requirement));
const flag = exactOptional(boolean('true or false'));

/** Fields of a context; messages say what each must be. */
const contextEntries = {
	account_id: buildTextField(/^[\w-]+$/, 'the id of an account'),
	profile: buildTextField(/^[\w-]+$/, 'the name of a wrangler profile'),
	credential_command: exactOptional(
		custom<[string, ...string[]]>(isCommand, 'a list of strings: the program and its arguments'),
	),
	token_variable: buildTextField(/^[A-Za-z_]\w*$/, 'the name of a variable'),
	base_url: exactOptional(
		pipe(unknown(), transform(toBaseUrl), string('an https address of the service, or http on this machine')),
	),
	zone: buildTextField(/^[\p{L}\p{N}._-]+$/u, 'the name or id of a zone'),
	target: exactOptional(picklist(['local', 'remote'], '"local" or "remote"')),
	read_only: flag,
	production: flag,
	color: exactOptional(picklist(contextColors, `one of ${contextColors.join(', ')}`)),
};
const contextTable = pickFields(contextEntries);

export type ContextField = keyof typeof contextEntries;
const contextFields = Object.keys(contextEntries);

/** Sign-in fields; a context has at most one. */
const credentialFields = ['profile', 'credential_command', 'token_variable'] as const;

/** Names of fields that contain a secret in files of other tools. */
const secretFields = /(token|key|secret|password|credential)$/i;

/** Context names contain no slash, since one follows them: `remote:prod/SESSIONS`. */
const isContextName = (name: string): boolean => /^[A-Za-z0-9][\w.-]*$/.test(name);

/**
 * Parses the contexts of a file. Fails with `configuration_invalid`, with line and column, for unknown
 * fields, invalid values, and anything like a secret. Messages never quote a value.
 */
export async function parseContexts(bytes: Buffer, file: string, shownAs: string): Promise<ContextsFile> {
	const document = await parseDocument(bytes.toString('utf8'), 'toml', shownAs);
	refuseSecrets(document, document.root, []);
	refuseUnknown(document, document.root, [], topFields);
	const tables = getProperty(document.root, 'contexts') ?? {};
	if (!isTable(tables))
		throw createInvalidFailure(document, ['contexts'], '"contexts" must contain tables: [contexts.NAME].');
	const contexts = Object.entries(tables).map(([name, table]) => readContext(document, name, table));
	const inUseName = getProperty(document.root, 'context_in_use');
	if (inUseName === undefined) return {file, bytes, all: contexts};
	if (typeof inUseName === 'string' && contexts.some(({name}) => name === inUseName))
		return {file, bytes, all: contexts, inUseName};
	const names = contexts.map(({name}) => name);
	const inUseProblem = createInvalidFailure(
		document,
		['context_in_use'],
		names.length === 0
			? '"context_in_use" must be the name of a context, but none is defined.'
			: `"context_in_use" must be one of the contexts: ${formatNameList(names)}.`,
	);
	return {file, bytes, all: contexts, inUseProblem};
}

function readContext(document: ConfigurationDocument, name: string, table: unknown): Context {
	const path = ['contexts', name];
	if (!isContextName(name))
		throw createInvalidFailure(
			document,
			path,
			'a context name consists of letters, digits, "_", "-" and ".", and starts with a letter or digit.',
		);
	if (!isTable(table))
		throw createInvalidFailure(document, path, `this must be a table: [contexts.${name}].`);
	refuseUnknown(document, table, path, contextFields);
	const [credential, secondField] = credentialFields.filter(field => getProperty(table, field) !== undefined);
	if (credential && secondField)
		throw createInvalidFailure(
			document,
			[...path, secondField],
			`"${credential}" and "${secondField}" both say how to sign in.`,
		);
	const parsedTable = parseWithSchema(contextTable, table);
	if ('problem' in parsedTable) {
		const [field = ''] = parsedTable.problem.path;
		throw createInvalidFailure(
			document,
			[...path, field],
			`"${field}" must be ${parsedTable.problem.message}.`,
		);
	}
	const {value} = parsedTable;
	return {
		name,
		// Computed on demand: it is rarely needed, and the file must be searched for it.
		get line() {
			return document.findPosition(path).line;
		},
		production: value.production ?? false,
		...omitUndefined({
			accountId: value.account_id,
			profile: value.profile,
			credentialCommand: value.credential_command,
			tokenVariable: value.token_variable,
			baseUrl: value.base_url,
			zone: value.zone,
			target: value.target,
			readOnly: value.read_only,
			color: value.color,
		}),
	};
}

function isCommand(value: unknown): boolean {
	return Array.isArray(value) && value.every(word => typeof word === 'string') && Boolean(value[0]);
}

function toBaseUrl(value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	try {
		return resolveBaseUrl({options: {baseUrl: value}, variables: () => undefined}).value;
	} catch (error) {
		if (error instanceof Failure) return undefined;
		throw error;
	}
}

function refuseUnknown(
	document: ConfigurationDocument,
	table: DocumentTable,
	path: readonly string[],
	knownFields: readonly string[],
): void {
	const unknownField = Object.keys(table).find(field => !knownFields.includes(field));
	if (unknownField === undefined) return;
	const suggestion = formatDidYouMean(unknownField, knownFields);
	throw createInvalidFailure(
		document,
		[...path, unknownField],
		`there is no field with this name here. ${suggestion || `The fields are ${formatNameList(knownFields)}.`}`.trimEnd(),
	);
}

/** Refuses anything like a secret anywhere in the file, which holds only names of variables and programs. */
function refuseSecrets(
	document: ConfigurationDocument,
	value: unknown,
	path: readonly (string | number)[],
): void {
	if (Array.isArray(value)) {
		for (const [index, item] of value.entries()) refuseSecrets(document, item, [...path, index]);
	} else if (isTable(value)) {
		for (const [name, item] of Object.entries(value)) {
			if (isLikelySecret(name)) throw createSecretFailure(document, [...path, name]);
			refuseSecrets(document, item, [...path, name]);
		}
	} else if (typeof value === 'string') {
		const field = String(path.findLast(part => typeof part === 'string') ?? '');
		const isKnown = contextFields.includes(field) || field === 'context_in_use';
		if (!isLikelySecret(value) && (isKnown || !secretFields.test(field))) return;
		throw createSecretFailure(document, path);
	}
}

const createSecretFailure = (document: ConfigurationDocument, path: readonly (string | number)[]): Failure =>
	createInvalidFailure(
		document,
		path,
		'this looks like a secret, which the file must not contain. Specify a variable with "token_variable", or a program with "credential_command", and revoke the token if others could read it.',
	);
