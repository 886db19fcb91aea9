import {basename} from 'node:path';
import {Readable} from 'node:stream';
import {type BulkInput, openInput} from '../../kv/bulk/input.ts';
import {openKeyNamesInput} from '../../kv/bulk/names-input.ts';
import type {KvStore} from '../../kv/store.ts';
import {walkKeys} from '../../kv/transfer/listing.ts';
import type {Environment} from '../../state/directory.ts';
import {formatQuantity} from '../../text/figures.ts';

/**
 * The input of a bulk run: a file, names (one JSON string per line), or the keys below a prefix, which are
 * listed when the input is opened.
 */
export type BulkOrigin =
	| {readonly kind: 'file'; readonly path: string}
	| NamesOrigin
	| {readonly kind: 'prefix'; readonly prefix: string};

export type NamesOrigin = {
	readonly kind: 'names';
	readonly count: number;
	readonly jsonChunks: readonly Uint8Array[];
};

const namesPerChunk = 10_000;

/** Copies names for a bulk run, because the selection may change while the run reads them. */
export function createNamesOrigin(names: Iterable<string>): NamesOrigin {
	const jsonChunks: Uint8Array[] = [];
	let lines: string[] = [];
	let count = 0;
	const endChunk = () => {
		jsonChunks.push(Buffer.from(lines.join('')));
		lines = [];
	};
	for (const name of names) {
		lines.push(`${JSON.stringify(name)}\n`);
		if (++count % namesPerChunk === 0) endChunk();
	}
	if (lines.length > 0) endChunk();
	return {kind: 'names', count, jsonChunks};
}

export function* listOriginNames({jsonChunks}: NamesOrigin): Generator<string> {
	for (const chunk of jsonChunks)
		for (const line of Buffer.from(chunk).toString().trimEnd().split('\n')) yield JSON.parse(line);
}

/** Formats a selection in place of a file name. */
export const formatSelectedKeyCount = (count: number): string => formatQuantity(count, 'selected key');

/** Formats the name of a bulk run's input. Not escaped for the terminal. */
export function formatBulkOriginName(origin: BulkOrigin): string {
	switch (origin.kind) {
		case 'file':
			return basename(origin.path);
		case 'names':
			return formatSelectedKeyCount(origin.count);
		case 'prefix':
			return `keys under ${origin.prefix}`;
		default:
			return origin satisfies never;
	}
}

type InputOptions = {
	readonly environment: Environment;
	readonly signal: AbortSignal;
	/** Called with the number of keys listed below the prefix so far. */
	readonly onListed?: (keys: number) => void;
};

/** Opens the input of a bulk run. Names are saved in the state directory, so that the job can resume. */
export function openBulkOrigin(
	origin: BulkOrigin,
	store: KvStore,
	{environment, signal, onListed = () => {}}: InputOptions,
): Promise<BulkInput> {
	const options = {environment, signal, label: formatBulkOriginName(origin)};
	switch (origin.kind) {
		case 'file':
			return openInput(origin.path, {environment, signal, stdin: Readable.from([])});
		case 'names':
			return openSelectionInput(origin, environment, signal);
		case 'prefix': {
			const {prefix} = origin;
			async function* readListedNames() {
				let count = 0;
				for await (const {keys} of walkKeys(store, {prefix}, signal)) {
					count += keys.length;
					onListed(count);
					yield keys.map(({name}) => name);
				}
			}
			return openKeyNamesInput(readListedNames(), options);
		}
		default:
			return origin satisfies never;
	}
}

/** Opens names as the input of a bulk run. */
export const openSelectionInput = (
	names: NamesOrigin,
	environment: Environment,
	signal: AbortSignal,
): Promise<BulkInput> =>
	openInput('-', {
		environment,
		stdin: Readable.from(names.jsonChunks),
		signal,
		label: formatBulkOriginName(names),
		hasListedKeys: true,
	});
