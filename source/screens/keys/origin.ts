import {basename} from 'node:path';
import {Readable} from 'node:stream';
import {type BulkInput, openInput} from '../../kv/bulk/input.ts';
import {namesInput} from '../../kv/bulk/names-input.ts';
import type {KvStore} from '../../kv/store.ts';
import {listedKeys} from '../../kv/transfer/listing.ts';
import type {Environment} from '../../state/directory.ts';

/** What a bulk run works through: a file, names one a line as JSON, or what is below a prefix by then. */
export type BulkOrigin =
	| {readonly kind: 'file'; readonly path: string}
	| NamesOrigin
	| {readonly kind: 'prefix'; readonly prefix: string};

export type NamesOrigin = {
	readonly kind: 'names';
	readonly count: number;
	readonly json: readonly Uint8Array[];
};

/** Names that go into one piece of bytes. */
const aPiece = 10_000;

/** Names as a bulk run takes them, all read at once: the list they come from may change while the run reads them. */
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

/** How a selection is called where a file would have its name. */
export const selectedKeys = (count: number): string => `${count} selected ${count === 1 ? 'key' : 'keys'}`;

/** What a bulk run is called by what it reads. Data as it is. */
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
	/** Told how many keys below a prefix are listed so far. */
	readonly listed?: (keys: number) => void;
};

/** The input of a bulk run. Names are kept in the state directory, so that a job can resume with them. */
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

/** A selection as an input. */
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
