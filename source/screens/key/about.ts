import {expiryText, remaining} from '../../kv/change/lifetime-input.ts';
import {utf8Bytes} from '../../kv/limits.ts';
import {columnsOf, drawable} from '../../text/columns.ts';
import {cutEnd, cutMark} from '../../text/cut.ts';
import {quantity, shortSize} from '../../text/figures.ts';
import type {JsonValue} from '../../text/json.ts';
import {pieces} from '../../text/pieces.ts';
import {safeJson} from '../../text/safe-text.ts';
import {clip} from '../../text/wrap.ts';
import type {Form, KeyView} from './value-view.ts';

/** What the line above a value shows. */
export type About = {
	readonly kind: KeyView['kind'];
	readonly form: Form;
	/** Bytes of the value. */
	readonly size: number;
	/** UNIX seconds. */
	readonly expiration: number | undefined;
	/** Compact JSON, safe to draw; empty if there is none, undefined if shown elsewhere. */
	readonly metadata: string | undefined;
};

export const aboutOf = (
	view: KeyView,
	{expiration, metadata}: {readonly expiration?: number; readonly metadata: JsonValue},
): About => ({
	kind: view.kind,
	form: view.form,
	size: view.bytes.length,
	expiration,
	metadata: metadataText(metadata),
});

const metadataText = (metadata: JsonValue): string =>
	metadata === null ? '' : drawable(safeJson(JSON.stringify(metadata)));

const plainSize = (bytes: number): string => `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;

/** Formats bytes in full digits; from 1,024 on also abbreviated. */
export function sizeText(bytes: number): string {
	const plain = plainSize(bytes);
	return bytes < 1024 ? plain : `${plain} (${shortSize(bytes)})`;
}

const natural: Readonly<Record<KeyView['kind'], Form>> = {json: 'json', text: 'text', binary: 'hex'};
const kindNames: Readonly<Record<KeyView['kind'], string>> = {json: 'JSON', text: 'text', binary: 'binary'};
export const formNames: Readonly<Record<Form, string>> = {json: 'tree', text: 'text', hex: 'hex'};

function formText({kind, form, size}: About): string {
	if (size === 0) return 'empty';
	return form === natural[kind] ? kindNames[kind] : `${kindNames[kind]} as ${formNames[form]}`;
}

/** Formats the line about a value, shortened to `columns`. `now` in UNIX seconds. */
export function aboutLine(about: About, now: number, columns: number, dot: string): string {
	const {expiration, metadata, size} = about;
	const joined = (parts: readonly string[]) => parts.join(` ${dot} `);
	const first = formText(about);
	const expiry = expiration === undefined ? 'never expires' : `expires ${expiryText(expiration, now)}`;
	const shortExpiry = expiration === undefined ? expiry : shortly(remaining(expiration, now));
	const last = metadata === '' ? 'no metadata' : `metadata ${metadata}`;
	const bases = [
		joined([first, sizeText(size), expiry]),
		joined([first, sizeText(size), shortExpiry]),
		joined([first, plainSize(size), shortExpiry]),
	];
	const roomFor = (more: string) =>
		bases.find(base => columnsOf(more === '' ? base : joined([base, more])) <= columns);
	const shortest = cutEnd(bases.at(-1) ?? '', columns);
	if (metadata === undefined) return roomFor('') ?? shortest;
	if (metadata === '') {
		const base = roomFor('') ?? shortest;
		const whole = joined([base, last]);
		return columnsOf(whole) <= columns ? whole : base;
	}
	const base = roomFor(`metadata ${cutMark}`);
	return base === undefined ? shortest : cutEnd(joined([base, last]), columns);
}

const shortly = (left: string): string => (left === 'expired' ? left : `expires ${left}`);

/** Moves the metadata to a line of its own (`below`) if the summary line cuts it. `now` in UNIX seconds. */
export function withMetadataBelow(
	about: About,
	now: number,
	columns: number,
	dot: string,
): {readonly about: About; readonly below: readonly string[]} {
	const {metadata = ''} = about;
	if (aboutLine(about, now, columns, dot).endsWith(metadata)) return {about, below: []};
	return {about: {...about, metadata: undefined}, below: [cutEnd(`metadata ${metadata}`, columns)]};
}

/** Builds rows with the full name and metadata, at most `most` rows of `columns`. */
export function inFullRows(
	name: string,
	{metadata = ''}: About,
	columns: number,
	most: number,
): readonly string[] {
	const rows = [
		...pieces(`name (${quantity(utf8Bytes(name), 'byte')}) ${name}`, columns),
		...pieces(metadata === '' ? 'no metadata' : `metadata ${metadata}`, columns),
	];
	return clip(rows, most);
}

/** Returns the milliseconds until the text of the expiry changes; undefined if it no longer does. */
export function untilNextText(expiration: number, now: number): number | undefined {
	const left = expiration - now;
	if (left <= 0) return undefined;
	return (left <= secondsAreShown ? 1 : Math.min(60, left - secondsAreShown)) * 1000;
}

/** Remaining seconds below which seconds are shown. */
const secondsAreShown = 120;
