import {basename} from 'node:path';
import {Readable} from 'node:stream';
import type {Environment} from '../config/state.ts';
import {type BulkInput, openInput} from '../kv/bulk/input.ts';

/** What a bulk run works through: a file, or names one a line as JSON. */
export type BulkOrigin =
	| {readonly kind: 'file'; readonly path: string}
	| {readonly kind: 'names'; readonly count: number; readonly json: readonly Uint8Array[]};

/** Names that go into one piece of bytes. */
const aPiece = 10_000;

/** Names as a bulk run takes them, all read at once: the list they come from may change while the run reads them. */
export function namesOrigin(names: Iterable<string>): Extract<BulkOrigin, {kind: 'names'}> {
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

/** What a bulk run is called by what it reads. */
export const nameOf = (origin: BulkOrigin): string =>
	origin.kind === 'file' ? basename(origin.path) : selectedKeys(origin.count);

/** The input of a bulk run. Names are kept in the state directory, so that a job can go on with them. */
export function openOrigin(
	origin: BulkOrigin,
	environment: Environment,
	signal: AbortSignal,
): Promise<BulkInput> {
	const [path, json] = origin.kind === 'file' ? [origin.path, []] : ['-', origin.json];
	return openInput(path, {environment, stdin: Readable.from(json), signal, label: nameOf(origin)});
}
