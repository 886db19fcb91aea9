import {basename} from 'node:path';
import {Readable} from 'node:stream';
import {type BulkInput, openInput} from '../../kv/bulk/input.ts';
import {namesInput} from '../../kv/bulk/names-input.ts';
import type {KvStore} from '../../kv/store.ts';
import {listedKeys} from '../../kv/transfer/listing.ts';
import type {Environment} from '../../state/directory.ts';

/**
 * The input of a bulk run: a file, names (one JSON string a line), or the keys below a prefix, listed when it
 * opens.
 */
export type BulkOrigin =
	| {readonly kind: 'file'; readonly path: string}
	| NamesOrigin
	| {readonly kind: 'prefix'; readonly prefix: string};

export type NamesOrigin = {
	readonly kind: 'names';
	readonly count: number;
	readonly json: readonly Uint8Array[];
};

const aPiece = 10_000;

/** Copies names for a bulk run: their list may change while the run reads them. */
export function namesOrigin(names: Iterable<string>): NamesOrigin {
	const json: Uint8Array[] = [];
	let lines: string[] = [];
	let count = 0;
	const end = () => {
		json.push(Buffer.from(lines.join('')));
		lines = [];
	};
	for (const name of names) {
		lines.push(`${JSON.stringify(name)}\n`);
		if (++count % aPiece === 0) end();
	}
	if (lines.length > 0) end();
	return {kind: 'names', count, json};
}

/** Formats a selection where a file would have its name. */
export const selectedKeys = (count: number): string => `${count} selected ${count === 1 ? 'key' : 'keys'}`;

/** Formats the name of a bulk run's input. Not escaped for the terminal. */
export function nameOf(origin: BulkOrigin): string {
	switch (origin.kind) {
		case 'file':
			return basename(origin.path);
		case 'names':
			return selectedKeys(origin.count);
		case 'prefix':
			return `keys below ${origin.prefix}`;
		default:
			return origin satisfies never;
	}
}

type Opening = {
	readonly environment: Environment;
	readonly signal: AbortSignal;
	/** Called with the number of keys listed below the prefix. */
	readonly listed?: (keys: number) => void;
};

/** Opens the input of a bulk run. Names are kept in the state directory, so that the job can resume. */
export function openOrigin(
	origin: BulkOrigin,
	store: KvStore,
	{environment, signal, listed = () => {}}: Opening,
): Promise<BulkInput> {
	const options = {environment, signal, label: nameOf(origin)};
	switch (origin.kind) {
		case 'file':
			return openInput(origin.path, {environment, signal, stdin: Readable.from([])});
		case 'names':
			return openNames(origin, environment, signal);
		case 'prefix': {
			const {prefix} = origin;
			async function* names() {
				let count = 0;
				for await (const {keys} of listedKeys(store, {prefix}, signal)) {
					count += keys.length;
					listed(count);
					yield keys.map(({name}) => name);
				}
			}
			return namesInput(names(), options);
		}
		default:
			return origin satisfies never;
	}
}

/** Opens names as the input of a bulk run. */
export const openNames = (
	names: NamesOrigin,
	environment: Environment,
	signal: AbortSignal,
): Promise<BulkInput> =>
	openInput('-', {
		environment,
		stdin: Readable.from(names.json),
		signal,
		label: nameOf(names),
		isListed: true,
	});
