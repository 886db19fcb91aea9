import {Failure} from '../../failure.ts';
import {
	checkKey,
	checkLifetime,
	checkMetadata,
	checkValueSize,
	shouldWarnAboutKey,
	toEpochSeconds,
} from '../../kv/limits.ts';
import type {WriteOptions} from '../../kv/store.ts';
import type {TrashReason} from '../../kv/trash/batch.ts';
import type {OpenedNamespace} from '../../session/namespaces.ts';
import {toStorePlace} from '../../session/write-place.ts';
import {formatPlainQuantity} from '../../text/figures.ts';
import {describeJsonProblem} from '../../text/json/problem.ts';
import {JsonTooDeep, type JsonValue, parseJsonText} from '../../text/json.ts';
import {parseSpan, parseUnixTime} from '../../text/time-input.ts';
import type {CommandContext} from '../shell/context.ts';
import {
	createParsedOption,
	createSwitchOption,
	createValueOption,
	defineCommand,
	type OptionValues,
	parseWholeNumberOption,
	runLazily,
} from '../shell/declare.ts';
import {readInputValue} from '../shell/input.ts';
import {createDecodeOption, createQueryOption} from './decode-option.ts';
import {getKey} from './key-get.ts';
import {keyListCommand} from './key-list.ts';
import {
	buildKeyTrashOptions,
	buildTargetOptions,
	getNamespaceName,
	shouldUseTrashForKey,
	type TargetOptions,
	type TrashOptions,
} from './options.ts';
import {openTargetNamespace} from './stores.ts';

const buildNewNameOptions = () => [
	createSwitchOption('--overwrite', 'replace an existing key that has different content'),
	...buildKeyTrashOptions(),
	...buildTargetOptions(),
];

const buildPutOptions = () => [
	createValueOption('--path <file>', 'read the value from a file (- for standard input)'),
	createParsedOption(
		'--ttl <span>',
		'lifetime, at least 60 s: seconds, or 90s, 24h, 7d; overrides --expiration',
		{
			parse: text => parseWholeNumberOption(text) ?? parseSpan(text.trim().toLowerCase()),
			expectedFormat: 'whole seconds, or a duration such as 90s, 24h or 1h30m',
		},
	),
	createParsedOption('--expiration <time>', 'expiration date: UNIX seconds, or 2031-01-31 09:00 (UTC)', {
		parse: text => parseWholeNumberOption(text) ?? parseUnixTime(text.trim().toLowerCase()),
		expectedFormat: 'whole UNIX seconds, or a time such as 2031-01-31 09:00 (UTC)',
	}),
	createValueOption('--metadata <json>', 'JSON object, at most 1024 bytes'),
	...buildKeyTrashOptions(),
	...buildTargetOptions(),
];

type PutOptions = OptionValues<typeof buildPutOptions>;

export const keyCommands = [
	defineCommand({
		usage: 'put <KEY> [VALUE]',
		summary: 'write a key',
		example: "kv key put greeting 'hello' --binding CONFIG --ttl 24h",
		refusedByReadOnly: true,
		sampleArguments: 'new value --namespace-id {namespace}',
		options: buildPutOptions,
		run: putKey,
	}),

	keyListCommand,

	defineCommand({
		usage: 'get <KEY>',
		summary: 'print the value of a key',
		example: 'kv key get logo.png --binding ASSETS --output logo.png',
		sampleArguments: 'features --namespace-id {namespace}',
		options: () => [
			createSwitchOption('--text', 'decode the value as UTF-8 and add a trailing newline'),
			createSwitchOption('--no-text', 'print the raw bytes').hideHelp(),
			createSwitchOption('--metadata', 'print metadata, expiration and size as JSON instead of the value'),
			createDecodeOption(),
			createQueryOption('print what a JMESPath query finds in the JSON value; exits with 1 if nothing'),
			createValueOption('-o, --output <file>', 'write the value to a file'),
			...buildTargetOptions(),
		],
		run: getKey,
	}),

	defineCommand({
		usage: 'delete <KEY>',
		summary: 'delete a key',
		example: 'kv key delete greeting --binding CONFIG',
		refusedByReadOnly: true,
		sampleArguments: 'features --namespace-id {namespace}',
		options: () => [...buildKeyTrashOptions(), ...buildTargetOptions()],
		run: deleteKey,
	}),

	defineCommand({
		usage: 'rename <OLD> <NEW>',
		summary: 'rename a key; keeps its value, metadata and expiration',
		example: 'kv key rename features feature-flags --binding CONFIG',
		refusedByReadOnly: true,
		sampleArguments: 'features renamed --namespace-id {namespace}',
		options: buildNewNameOptions,
		run: runLazily(async () => (await import('./key-rename.ts')).renameKey),
	}),

	defineCommand({
		usage: 'copy <OLD> <NEW>',
		summary: 'copy a key to another name, with its metadata and expiration',
		example: 'kv key copy features features-before --binding CONFIG',
		refusedByReadOnly: true,
		sampleArguments: 'features copied --namespace-id {namespace}',
		options: buildNewNameOptions,
		run: runLazily(async () => (await import('./key-rename.ts')).copyKey),
	}),

	defineCommand({
		usage: 'edit <KEY>',
		summary: 'edit the value of a key in $EDITOR',
		example: 'kv key edit feature-flags --binding CONFIG',
		refusedByReadOnly: 'editing a key',
		sampleArguments: 'features --namespace-id {namespace}',
		options: () => [...buildKeyTrashOptions(), ...buildTargetOptions()],
		run: runLazily(async () => (await import('./key-edit.ts')).editKey),
	}),

	defineCommand({
		usage: 'history <KEY>',
		summary: 'list the earlier versions of a key in the trash, or print one',
		example: 'kv key history feature-flags --binding CONFIG',
		sampleArguments: 'features --namespace-id {namespace}',
		options: () => [
			createValueOption('--show <id>', 'print the value of the version with this id'),
			...buildTargetOptions(),
		],
		run: runLazily(async () => (await import('./key-history.ts')).showKeyHistory),
	}),
];

async function putKey(context: CommandContext, options: PutOptions, key = '', value?: string): Promise<void> {
	checkKey(key);
	if ((value === undefined) === (options.path === undefined)) {
		throw new Failure('usage', value === undefined ? 'No value was given.' : 'Two values were given.', {
			next: 'Specify either VALUE or --path; --path - reads standard input.',
		});
	}
	const writeOptions: WriteOptions = {
		...checkLifetime(pickLifetime(options), toEpochSeconds(context.now())),
		...(options.metadata !== undefined && {metadata: parseMetadata(options.metadata)}),
	};
	const bytes =
		options.path === undefined
			? Buffer.from(value ?? '')
			: await readInputValue(context.resolve(options.path), context);
	checkValueSize(bytes.length);
	if (shouldWarnAboutKey(key))
		context.output.warn(`The key "${key}" contains whitespace or control characters.`);

	const openedNamespace = await openTargetNamespace(context, options, {
		write: true,
		createsNamespace: true,
		valueFile: options.path,
	});
	using store = openedNamespace.store;
	await changeKey(
		context,
		openedNamespace,
		{key, options, reason: 'overwritten', command: 'kv key put', auditText: `put ${key}`},
		() => store.put(key, bytes, writeOptions, context.signal),
		() => ({
			json: {key, namespace: store.namespace, bytes: bytes.length, written: true},
			sentence: `Wrote ${formatPlainQuantity(bytes.length, 'byte')} to the key "${key}" in namespace ${getNamespaceName(options, store)}.`,
		}),
	);
}

type DeleteKeyOptions = TargetOptions & TrashOptions;

async function deleteKey(context: CommandContext, options: DeleteKeyOptions, key = ''): Promise<void> {
	checkKey(key);
	const openedNamespace = await openTargetNamespace(context, options, {write: true});
	using store = openedNamespace.store;
	const namespaceName = getNamespaceName(options, store);
	await changeKey(
		context,
		openedNamespace,
		{key, options, reason: 'deleted', command: 'kv key delete', auditText: `delete ${key}`},
		() => store.delete(key, context.signal),
		(existed, isInTrash) => ({
			json: {key, namespace: store.namespace, deleted: existed !== false},
			sentence:
				existed === false
					? `The key "${key}" did not exist in namespace ${namespaceName}.`
					: `Deleted the key "${key}" in namespace ${namespaceName}${existed || isInTrash ? '' : ' (if it existed)'}.`,
		}),
	);
}

/**
 * Writes or deletes a key, and prints the result. If `shouldUseTrashForKey` is true, its previous value goes
 * to the trash first; otherwise, the trash module is not loaded and the key is not read.
 */
async function changeKey<T>(
	context: CommandContext,
	openedNamespace: OpenedNamespace,
	{
		key,
		options,
		auditText,
		...trashCause
	}: {
		readonly key: string;
		readonly options: TrashOptions;
		readonly reason: TrashReason;
		readonly command: string;
		/** Text for the audit log. */
		readonly auditText: string;
	},
	change: () => Promise<T>,
	buildReport: (
		result: T,
		isInTrash: boolean,
	) => {readonly json: Readonly<Record<string, unknown>>; readonly sentence: string},
): Promise<void> {
	const place = toStorePlace(openedNamespace.store);
	if (!shouldUseTrashForKey(context, options, trashCause.reason)) {
		const {json, sentence} = buildReport(await context.auditWrite(auditText, place, change), false);
		return context.printResult(json, sentence);
	}
	const {keepKeyInTrash, formatRestoreHint} = await import('./trash-before-write.ts');
	const {formatTrashNote, writeOrDropBatch} = await import('../../session/trash.ts');
	using heldBatch = await keepKeyInTrash(context, openedNamespace, {key}, trashCause, options);
	const result = await writeOrDropBatch(context, heldBatch, () =>
		context.auditWrite(`${auditText}${formatTrashNote(heldBatch)}`, place, change),
	);
	const {json, sentence} = buildReport(result, heldBatch !== undefined);
	await context.printResult({...json, trash: heldBatch?.batch.id ?? null}, sentence);
	if (heldBatch) context.output.say(formatRestoreHint(context, heldBatch));
}

const pickLifetime = ({ttl, expiration}: PutOptions) => ({
	...(ttl !== undefined && {ttl}),
	...(expiration !== undefined && {expiration}),
});

function parseMetadata(text: string) {
	let metadata: JsonValue;
	try {
		metadata = parseJsonText(text);
	} catch (error) {
		throw new Failure('input_malformed', '--metadata is not valid JSON.', {
			why:
				error instanceof JsonTooDeep
					? error.message
					: `Got: ${text.slice(0, 80)}\nAt ${describeJsonProblem(text) ?? 'an unknown place'}.`,
			next: `Use a JSON object, for example --metadata '{"v":1}'.`,
		});
	}
	return checkMetadata(metadata);
}
