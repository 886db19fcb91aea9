import {isUtf8} from 'node:buffer';
import {type CheckedInput, checkInput, listInputWarnings, refuseProblems} from '../../kv/bulk/check.ts';
import {keysFormat} from '../../kv/bulk/entries.ts';
import {getAllValues} from '../../kv/bulk/get-job.ts';
import {openInput} from '../../kv/bulk/input.ts';
import {formatExpiration} from '../../kv/keys.ts';
import {toEpochSeconds} from '../../kv/limits.ts';
import type {StoredValue} from '../../kv/store.ts';
import {syncStream} from '../../terminal/sync-stream.ts';
import type {CommandContext} from '../shell/context.ts';
import type {TargetOptions} from './options.ts';
import {createBulkReport} from './progress.ts';
import {openNamespaceStore} from './stores.ts';

type BulkGetOptions = TargetOptions & {metadata?: boolean};

/** `kv bulk get`: one JSON object, printed as the responses arrive; a missing key is `null`. */
export async function runBulkGet(context: CommandContext, options: BulkGetOptions, file = ''): Promise<void> {
	const {output, signal, env: environment} = context;
	using store = await openNamespaceStore(context, options);
	using input = await openInput(context.resolve(file), {environment, stdin: context.host.stdin, signal});
	const checkedInput: CheckedInput<string> = await checkInput(input, keysFormat, {
		now: toEpochSeconds(context.now()),
		signal,
	});
	refuseProblems(checkedInput, 'Fix the file.');
	// Whitespace and control characters in keys are only suspicious in a write.
	for (const warning of listInputWarnings(
		{...checkedInput, oddKeys: {entryCount: 0, samples: []}},
		{isOrdered: false},
	))
		output.sayIfInteractive(warning);
	const report = createBulkReport(context);
	const reportRead = (done: number, total: number) => report.showReading(done, total);
	let text = '{';
	let printedCount = 0;
	try {
		for await (const [key, value] of getAllValues(store, checkedInput, {signal, progress: reportRead})) {
			const entryJson = JSON.stringify(toBulkValueJson(value, options.metadata === true), null, 2).replaceAll(
				'\n',
				'\n  ',
			);
			text += `${printedCount++ === 0 ? '' : ','}\n  ${JSON.stringify(key)}: ${entryJson}`;
			if (text.length < 65_536) continue;
			await output.writeJsonText(text);
			text = '';
		}
	} finally {
		report.clear();
	}
	await output.writeJsonText(`${text}${printedCount === 0 ? '' : '\n'}}\n`);
	syncStream(context.host.stdout);
}

/**
 * Converts a value to text, or to base64 if it is not UTF-8; with `--metadata`, adds its metadata and expiry.
 */
function toBulkValueJson(storedValue: StoredValue | undefined, withMetadata: boolean) {
	if (!storedValue) return null;
	const bytes = Buffer.from(storedValue.bytes);
	const value = isUtf8(bytes) ? bytes.toString('utf8') : {base64: bytes.toString('base64')};
	if (!withMetadata) return value;
	return {
		value,
		metadata: storedValue.metadata ?? null,
		expiration: storedValue.expiration === undefined ? null : formatExpiration(storedValue.expiration),
	};
}
