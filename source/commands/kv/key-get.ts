import {isUtf8} from 'node:buffer';
import {Failure} from '../../failure.ts';
import {formatExpiration} from '../../kv/keys.ts';
import {checkKey} from '../../kv/limits.ts';
import {buildAdvice, buildKeysCommand} from '../../text/advice.ts';
import {formatPlainQuantity} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {buildExclusionFailure} from '../shell/declare.ts';
import {claimOutputFile, writeOutputFile} from '../shell/output-file.ts';
import type {DecodeChoice} from './decode-option.ts';
import {getNamespaceName, type TargetOptions} from './options.ts';
import {openNamespaceStore} from './stores.ts';

type GetOptions = TargetOptions & {
	text?: boolean;
	metadata?: boolean;
	output?: string;
	decode?: DecodeChoice;
	query?: string;
};

/** `kv key get`: prints the value unchanged into a pipe or file, and sanitized on a terminal. */
export async function getKey(context: CommandContext, options: GetOptions, key = ''): Promise<void> {
	checkKey(key);
	const readingOption =
		options.decode === undefined ? (options.query === undefined ? undefined : '--query') : '--decode';
	if (options.metadata && readingOption !== undefined)
		throw buildExclusionFailure('--metadata', readingOption);
	const file = getOutputFile(context, options);
	const overwrite = context.options.yes === true;
	using _claim = file === undefined ? undefined : claimOutputFile(context.resolve(file), overwrite);
	if (options.query !== undefined) (await import('../../query/query.ts')).checkQuery(options.query);
	using store = await openNamespaceStore(context, options);
	const storedValue = await store.get(key, context.signal);
	if (!storedValue) throw buildKeyNotFoundFailure(key, getNamespaceName(options, store));
	const {output} = context;
	const reading =
		readingOption === undefined
			? undefined
			: await (await import('./value-reading.ts')).readForCommand(context, options, storedValue.bytes);
	const {bytes} = reading ?? storedValue;
	if (file !== undefined) {
		writeOutputFile(context.resolve(file), bytes, overwrite);
		if (output.json)
			await output.writeJson(context.markSimulated({key, ...reading?.json, bytes: bytes.length, file}));
		else output.sayIfInteractive(`Wrote ${formatPlainQuantity(bytes.length, 'byte')} to ${file}.`);
	} else if (options.metadata || output.json) {
		const metadata = (await store.metadata(key, context.signal)) ?? null;
		await output.writeJson(
			context.markSimulated({
				key,
				...(options.metadata ? {} : toValueJson(bytes)),
				...reading?.json,
				bytes: storedValue.bytes.length,
				expiration: storedValue.expiration === undefined ? null : formatExpiration(storedValue.expiration),
				metadata,
			}),
		);
	} else if (output.stdoutIsTerminal && options.output === undefined) {
		await printValue(context, bytes);
	} else if (options.text) {
		await output.writeBytes(Buffer.from(`${Buffer.from(bytes).toString('utf8')}\n`));
	} else {
		await output.writeBytes(bytes);
	}
}

/**
 * Returns the file of `--output`; undefined for `-`, which writes the unchanged bytes to standard output,
 * even on a terminal.
 */
function getOutputFile({output}: CommandContext, options: GetOptions): string | undefined {
	if (options.output === undefined) return undefined;
	const conflictingOption = options.metadata
		? '--metadata'
		: options.output === '-' && output.json
			? '--json'
			: undefined;
	if (conflictingOption === undefined) return options.output === '-' ? undefined : options.output;
	throw new Failure('usage', `--output ${options.output} and ${conflictingOption} can't be combined.`, {
		why: `--output writes only the value; ${conflictingOption} prints an object.`,
		next: 'Leave one of them out.',
	});
}

export const buildKeyNotFoundFailure = (key: string, namespace: string): Failure =>
	new Failure(
		'key_not_found',
		`Value not found: the key "${key}" does not exist in namespace ${namespace}.`,
		{
			next: buildAdvice`To list the keys: \`${buildKeysCommand('kv key list')}\``,
		},
	);

/** Converts a value to JSON: text if it is UTF-8, else base64. */
export const toValueJson = (bytes: Uint8Array): {value: string} | {base64: string} =>
	isUtf8(bytes)
		? {value: Buffer.from(bytes).toString('utf8')}
		: {base64: Buffer.from(bytes).toString('base64')};

/** Prints a value: sanitized on a terminal, else unchanged. */
export async function printValue({output}: CommandContext, bytes: Uint8Array): Promise<void> {
	if (!output.stdoutIsTerminal) return output.writeBytes(bytes);
	if (!isUtf8(bytes) || bytes.includes(0)) {
		output.say(
			`The value is binary (${formatPlainQuantity(bytes.length, 'byte')}). Write it to a file with --output, or pipe it.`,
		);
		return;
	}
	const text = Buffer.from(bytes).toString('utf8');
	await output.writeText(text.endsWith('\n') || text === '' ? text : `${text}\n`);
}
