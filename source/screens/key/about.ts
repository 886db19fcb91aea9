import {formatExpiry, formatTimeLeft} from '../../kv/change/lifetime-input.ts';
import {getUtf8Length} from '../../kv/limits.ts';
import {measureColumns, toDrawable} from '../../text/columns.ts';
import {cutEnd, cutMark} from '../../text/cut.ts';
import {formatPlainQuantity, formatShortSize} from '../../text/figures.ts';
import type {JsonValue} from '../../text/json.ts';
import {escapeJson} from '../../text/safe-text.ts';
import {splitIntoPieces} from '../../text/verbatim-pieces.ts';
import {clipLines} from '../../text/wrap.ts';
import type {KeyView, ValueForm} from './value-view.ts';

/** What the line above a value shows. */
export type ValueSummary = {
	readonly kind: KeyView['kind'];
	readonly form: ValueForm;
	/** What a decoded view shows, in place of kind and form. */
	readonly label?: string | undefined;
	/** True for the stored bytes of a value that is also shown decoded. */
	readonly isStored?: boolean;
	/** Bytes of the stored value. */
	readonly size: number;
	/** UNIX seconds. */
	readonly expiration: number | undefined;
	/** Compact JSON, safe to draw. Empty if there is no metadata, undefined if it is shown elsewhere. */
	readonly metadata: string | undefined;
};

export const summarizeValue = (
	view: KeyView,
	{
		bytes,
		expiration,
		metadata,
	}: {readonly bytes: Uint8Array; readonly expiration?: number; readonly metadata: JsonValue},
	isStored = false,
): ValueSummary => ({
	kind: view.kind,
	form: view.form,
	label: view.derivation?.label,
	isStored,
	size: bytes.length,
	expiration,
	metadata: formatMetadata(metadata),
});

const formatMetadata = (metadata: JsonValue): string =>
	metadata === null ? '' : toDrawable(escapeJson(JSON.stringify(metadata)));

const formatPlainSize = (bytes: number): string => `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;

/** Formats a size in bytes. From 1,024 on, the abbreviated size follows. */
export function formatValueSize(bytes: number): string {
	const plainSize = formatPlainSize(bytes);
	return bytes < 1024 ? plainSize : `${plainSize} (${formatShortSize(bytes)})`;
}

const naturalForms: Readonly<Record<KeyView['kind'], ValueForm>> = {
	json: 'json',
	text: 'text',
	binary: 'hex',
};
export const kindNames: Readonly<Record<KeyView['kind'], string>> = {
	json: 'JSON',
	text: 'text',
	binary: 'binary',
};
export const formNames: Readonly<Record<ValueForm, string>> = {
	json: 'tree',
	text: 'text',
	hex: 'hex',
	image: 'image',
};

function formatValueForm({kind, form, size, label, isStored = false}: ValueSummary): string {
	if (size === 0) return 'empty';
	const kindName = label ?? `${isStored ? 'stored ' : ''}${kindNames[kind]}`;
	return form === naturalForms[kind] || form === 'image' ? kindName : `${kindName} as ${formNames[form]}`;
}

/** Formats the line about a value, shortened to `columns`. `now` in UNIX seconds. */
export function formatSummaryLine(summary: ValueSummary, now: number, columns: number, dot: string): string {
	const {expiration, metadata, size} = summary;
	const joinParts = (parts: readonly string[]) => parts.join(` ${dot} `);
	const formText = formatValueForm(summary);
	const expiry = expiration === undefined ? 'never expires' : `expires ${formatExpiry(expiration, now)}`;
	const shortExpiry = expiration === undefined ? expiry : formatShortExpiry(formatTimeLeft(expiration, now));
	const metadataPart = metadata === '' ? 'no metadata' : `metadata ${metadata}`;
	const bases = [
		joinParts([formText, formatValueSize(size), expiry]),
		joinParts([formText, formatValueSize(size), shortExpiry]),
		joinParts([formText, formatPlainSize(size), shortExpiry]),
	];
	const findFittingBase = (suffix: string) =>
		bases.find(base => measureColumns(suffix === '' ? base : joinParts([base, suffix])) <= columns);
	const shortest = cutEnd(bases.at(-1) ?? '', columns);
	if (metadata === undefined) return findFittingBase('') ?? shortest;
	if (metadata === '') {
		const base = findFittingBase('') ?? shortest;
		const text = joinParts([base, metadataPart]);
		return measureColumns(text) <= columns ? text : base;
	}
	const base = findFittingBase(`metadata ${cutMark}`);
	return base === undefined ? shortest : cutEnd(joinParts([base, metadataPart]), columns);
}

const formatShortExpiry = (timeLeft: string): string =>
	timeLeft === 'expired' ? timeLeft : `expires ${timeLeft}`;

/** Moves the metadata to its own row if the summary line would cut it. `now` in UNIX seconds. */
export function splitOffMetadata(
	summary: ValueSummary,
	now: number,
	columns: number,
	dot: string,
): {readonly summary: ValueSummary; readonly detailRows: readonly string[]} {
	const {metadata = ''} = summary;
	if (formatSummaryLine(summary, now, columns, dot).endsWith(metadata)) return {summary, detailRows: []};
	return {summary: {...summary, metadata: undefined}, detailRows: [cutEnd(`metadata ${metadata}`, columns)]};
}

/** Builds at most `maxRows` rows with the full name and metadata. */
export function buildFullDetailRows(
	name: string,
	{metadata = ''}: ValueSummary,
	columns: number,
	maxRows: number,
): readonly string[] {
	const rows = [
		...splitIntoPieces(`name (${formatPlainQuantity(getUtf8Length(name), 'byte')}) ${name}`, columns),
		...splitIntoPieces(metadata === '' ? 'no metadata' : `metadata ${metadata}`, columns),
	];
	return clipLines(rows, maxRows);
}

/** Returns the milliseconds until the text of the expiry changes. Undefined if it will not change. */
export function computeNextTextDelay(expiration: number, now: number): number | undefined {
	const remainingSeconds = expiration - now;
	if (remainingSeconds <= 0) return undefined;
	return (
		(remainingSeconds <= secondsShownBelow ? 1 : Math.min(60, remainingSeconds - secondsShownBelow)) * 1000
	);
}

/** Remaining seconds below which seconds are shown. */
const secondsShownBelow = 120;
